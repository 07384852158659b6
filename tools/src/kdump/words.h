/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* -r: what stands for numbers. */
#ifndef _KDUMP_WORDS_H_
#define _KDUMP_WORDS_H_

#include <stdbool.h>
#include <stdint.h>

#define WORDS_MODE 12
#define WORDS_DATE 64

/* words_mode - as ls -l has st_mode: "-rw-r--r-- ", with FreeBSD's bits; returns @text */
const char *words_mode(unsigned int mode, char text[WORDS_MODE]);

/* words_date - the date in the time zone of who reads it; false: it has none */
bool words_date(int64_t seconds, char text[WORDS_DATE]);

#endif /* _KDUMP_WORDS_H_ */
