/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef _KDUMP_TRUSS_H_
#define _KDUMP_TRUSS_H_

/*
 * truss_show_calls - those that go on now, as far as they are known
 *
 * For who waits for more records: the last line stays open, for the call to end.
 */
void truss_show_calls(void);

#endif /* _KDUMP_TRUSS_H_ */
