/* SPDX-License-Identifier: GPL-2.0 */
/* format: what a message's format says of its parameters. */
#ifndef KTR_FORMAT_PARSE_H
#define KTR_FORMAT_PARSE_H

#include <linux/types.h>

u32 ktr_format_strings(const char *format);

#endif /* KTR_FORMAT_PARSE_H */
