/* SPDX-License-Identifier: GPL-2.0 */
/* debugger: kdb's command ktr, where the kernel has kdb. */
#ifndef KTR_DEBUGGER_H
#define KTR_DEBUGGER_H

#ifdef KTR_DEBUGGER
int ktr_debugger_init(void);
void ktr_debugger_exit(void);
#else
static inline int ktr_debugger_init(void)
{
	return 0;
}

static inline void ktr_debugger_exit(void)
{
}
#endif

#endif /* KTR_DEBUGGER_H */
