// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <ctype.h>

#include "words.h"

int words_read(FILE *f, char *word)
{
	int c, n = 0;

	while ((c = getc(f)) != EOF) {
		if (isalpha(c)) {
			if (n < WORD_SIZE - 1)
				word[n++] = (char)c;
		} else if (n) {
			break;
		}
	}
	word[n] = 0;
	return n;
}
