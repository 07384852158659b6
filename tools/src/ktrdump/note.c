// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "note.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "decode/out.h"

void note_add(struct note *note, uint64_t count, const char *format, ...)
{
	size_t len = strlen(note->text);
	va_list args;

	if (!count)
		return;
	snprintf(note->text + len, sizeof(note->text) - len, "%s%" PRIu64 " ", len ? "; " : "",
		 count);
	len = strlen(note->text);
	va_start(args, format);
	vsnprintf(note->text + len, sizeof(note->text) - len, format, args);
	va_end(args);
}

void note_warn(const struct note *note)
{
	if (*note->text)
		warn("the picture is not complete: %s", note->text);
}
