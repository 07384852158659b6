/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef _KTRUSS_HELP_H_
#define _KTRUSS_HELP_H_

extern const char ktruss_usage[];
extern const char ktruss_help[];

#endif /* _KTRUSS_HELP_H_ */
