/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef _KTRDUMP_LIVE_H_
#define _KTRDUMP_LIVE_H_

/*
 * live_begin - the first look, before anything is written: it may find that there is
 * nothing to see
 */
void live_begin(void);

/* live_run - -l: lines for what there is and for what comes, until a signal ends the program */
_Noreturn void live_run(void);

#endif /* _KTRDUMP_LIVE_H_ */
