/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Requests of ioctl(2) that no table has.
 */
#ifndef _DECODE_IOCTL_H_
#define _DECODE_IOCTL_H_

#include <stdint.h>

/*
 * ioctl_out_parts - a request of Linux as it is put together: _IOR('T',0x99,0x4);
 * in hex if no header would write it so
 */
void ioctl_out_parts(uint32_t request);

#endif /* _DECODE_IOCTL_H_ */
