// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "words.h"

int main(void)
{
	char word[WORD_SIZE];

	while (words_read(stdin, word))
		words_add(word);
	words_print(stdout);
	return 0;
}
