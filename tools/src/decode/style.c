// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "decode/style.h"

#include "decode/out.h"

bool styles;

void style_out(enum style style)
{
	/* SGR; colours that can be read on dark and on light ground */
	static const char *const sequences[] = {
		[STYLE_PROCESS] = "\033[2m",   [STYLE_CALL] = "\033[1m",
		[STYLE_ERROR] = "\033[1;31m",  [STYLE_TEXT] = "\033[32m",
		[STYLE_SIGNAL] = "\033[1;35m",
	};

	out_str(sequences[style]);
}

void style_out_end(void)
{
	out_str("\033[0m");
}
