// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "words.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>

const char *words_mode(unsigned int mode, char text[WORDS_MODE])
{
	static const char rwx[] = "rwxrwxrwx";
	int i;

	memcpy(text, "?--------- ", WORDS_MODE);
	switch (mode & 0170000) {
	case 0010000:
		text[0] = 'p';
		break;
	case 0020000:
		text[0] = 'c';
		break;
	case 0040000:
		text[0] = 'd';
		break;
	case 0060000:
		text[0] = 'b';
		break;
	case 0100000:
		text[0] = '-';
		break;
	case 0120000:
		text[0] = 'l';
		break;
	case 0140000:
		text[0] = 's';
		break;
	case 0160000:
		text[0] = 'w';
		break;
	}
	for (i = 0; i < 9; i++)
		if (mode & (0400 >> i))
			text[1 + i] = rwx[i];
	if (mode & S_ISUID)
		text[3] = mode & 0100 ? 's' : 'S';
	if (mode & S_ISGID)
		text[6] = mode & 0010 ? 's' : 'S';
	if (mode & S_ISVTX)
		text[9] = mode & 0001 ? 't' : 'T';
	return text;
}

bool words_date(int64_t seconds, char text[WORDS_DATE])
{
	time_t sec = seconds;
	struct tm tm;

	return localtime_r(&sec, &tm) && strftime(text, WORDS_DATE, "%b %e %T %Y", &tm);
}
