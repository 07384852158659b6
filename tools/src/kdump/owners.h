/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef _KDUMP_OWNERS_H_
#define _KDUMP_OWNERS_H_

#include <stdint.h>

/* -r: the name of a user or group, or NULL; without -r NULL.  Valid until the next call. */
const char *owners_user(uint32_t uid);
const char *owners_group(uint32_t gid);

#endif /* _KDUMP_OWNERS_H_ */
