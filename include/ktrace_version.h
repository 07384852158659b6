/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The version of the module, the library and the tools: one for all.
 * dkms.conf repeats it, and "make check" compares them.
 */
#ifndef _KTRACE_VERSION_H_
#define _KTRACE_VERSION_H_

#define KTRACE_VERSION "0.1.0"

#endif /* _KTRACE_VERSION_H_ */
