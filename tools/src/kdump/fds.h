/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * --fds: what is behind a descriptor of the last record's thread, as
 * </etc/passwd>.  Nothing when that is not known.
 */
#ifndef _KDUMP_FDS_H_
#define _KDUMP_FDS_H_

#include "decode/args.h"

/* fds_out - behind descriptor @fd */
void fds_out(int fd);

/* fds_out_arg - behind an argument, if it is one */
void fds_out_arg(const struct arg *arg);

/* fds_out_result - behind the result of the call, if it is one */
void fds_out_result(void);

#endif /* _KDUMP_FDS_H_ */
