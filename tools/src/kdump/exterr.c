// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * EERR: FreeBSD 15's extended errors.
 */
#include <string.h>

#include "decode/name_tables.h"
#include "decode/out.h"
#include "records.h"

/*
 * The number that a conversion like %#jx at @p stands for.  It comes from the
 * file: it is no format for printf, and only those few forms are one at all.
 * Returns its end, or NULL when it is none of them.
 */
static const char *out_conversion(const char *p, uint64_t value)
{
	bool alternate = p[1] == '#';

	p += alternate ? 2 : 1;
	p += strspn(p, "jl");
	switch (*p) {
	case 'd':
	case 'i':
		out_dec((int64_t)value);
		break;
	case 'u':
		out_unsigned(value);
		break;
	case 'x':
		out_printf(alternate ? "%#llx" : "%llx", (unsigned long long)value);
		break;
	default:
		return NULL;
	}
	return p + 1;
}

void exterr_out_message(const struct ktrace_record_exterr *exterr)
{
	const uint64_t numbers[] = { exterr->p1, exterr->p2 };
	const char *text = exterr->msg, *p = text;
	size_t used = 0;

	while (used < 2 && (p = strchr(p, '%')) != NULL) {
		const char *end;

		out_text(text, p - text);
		text = p;
		end = out_conversion(p, numbers[used++]);
		if (!end)
			break;
		p = end;
		text = end;
	}
	out_text(text, strlen(text));
}

void exterr_print(const struct ktrace_record *record)
{
	struct ktrace_record_exterr exterr;
	const char *file;

	ktrace_record_get_exterr(record, &exterr);
	file = names_find(&names_exterr_category, exterr.category);
	out_printf("{ errno %d sys/%s:%u \"", (int)exterr.error, file ? file : "unknown",
		   exterr.line);
	exterr_out_message(&exterr);
	out_printf("\" (category %u p1 %#llx p2 %#llx) }\n", exterr.category,
		   (unsigned long long)exterr.p1, (unsigned long long)exterr.p2);
}
