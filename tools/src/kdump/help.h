/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What kdump says about itself: --help is both, and fits on a screen. */
#ifndef _KDUMP_HELP_H_
#define _KDUMP_HELP_H_

extern const char help_usage[];
extern const char help_options[];

#endif /* _KDUMP_HELP_H_ */
