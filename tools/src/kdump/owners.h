/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef _KDUMP_OWNERS_H_
#define _KDUMP_OWNERS_H_

#include <stdint.h>

/* A user or group: with -r its name in quotes, if it has one, else the number. */
void owners_out_uid(uint32_t uid);
void owners_out_gid(uint32_t gid);

#endif /* _KDUMP_OWNERS_H_ */
