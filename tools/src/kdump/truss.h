/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef _KDUMP_TRUSS_H_
#define _KDUMP_TRUSS_H_

/*
 * truss_show_calls - those that go on now, as far as they are known
 *
 * For who waits for more records: the last line stays open, for the call to end.
 */
void truss_show_calls(void);

/* truss_end_line - the last line does not stay open: something else comes behind it */
void truss_end_line(void);

#endif /* _KDUMP_TRUSS_H_ */
