/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* words: counts the words of its input. */
#ifndef WORDS_H
#define WORDS_H

#include <stdio.h>

#define WORD_SIZE 64

/* Reads the next word, cut to WORD_SIZE - 1 letters. Returns 0 at the end. */
int words_read(FILE *f, char *word);

/* Counts a word. */
void words_add(const char *word);

/* Prints each word with its number. */
void words_print(FILE *f);

#endif
