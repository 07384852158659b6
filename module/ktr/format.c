// SPDX-License-Identifier: GPL-2.0
#include <linux/string.h>

#include "format.h"
#include "ktr_format.h"

/* A width or precision: digits, or a parameter.  Returns what follows. */
static const char *number(const char *p, unsigned int *parm)
{
	if (*p == '*') {
		++*parm;
		return p + 1;
	}
	while (*p >= '0' && *p <= '9')
		p++;
	return p;
}

/**
 * ktr_format_strings - which parameters a format takes for strings
 * @format: as for printf(9): %s with flags, width, precision and length
 *
 * A width or precision of * takes a parameter, too.  So do %b and %D, in front
 * of their string: the flags' names, and what separates bytes.
 *
 * Return: bits of parameters, the first is bit 0; those beyond
 * KTR_STREAM_PARMS are left out.
 */
u32 ktr_format_strings(const char *format)
{
	unsigned int parm = 0;
	const char *p = format;
	u32 strings = 0;

	while (parm < KTR_STREAM_PARMS && (p = strchr(p, '%'))) {
		p++;
		while (*p && strchr("-+ #0", *p))
			p++;
		p = number(p, &parm);
		if (*p == '.')
			p = number(p + 1, &parm);
		while (*p && strchr("hljqtz", *p))
			p++;
		if (!*p)
			break;
		if (*p == 'b' || *p == 'D')
			parm++;
		if (strchr("sbD", *p) && parm < KTR_STREAM_PARMS)
			strings |= 1U << parm;
		if (*p != '%')
			parm++;
		p++;
	}
	return strings;
}
