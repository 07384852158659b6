/* SPDX-License-Identifier: GPL-2.0 */
/* verbose: events to the console, too.  Called with the control mutex held. */
#ifndef KTR_VERBOSE_H
#define KTR_VERBOSE_H

int ktr_verbose_set(unsigned int level);
unsigned int ktr_verbose_level(void);

#endif /* KTR_VERBOSE_H */
