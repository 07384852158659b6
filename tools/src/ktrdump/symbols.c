// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "symbols.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "decode/out.h"

/* "ffffffff81000000 T _text": 16 digits, a type between blanks, a name. */
static bool is_symbol_line(const char *p, ssize_t len)
{
	int i;

	if (len < 20)
		return false;
	for (i = 0; i < 16; i++)
		if (!isxdigit((unsigned char)p[i]))
			return false;
	return p[16] == ' ' && isalpha((unsigned char)p[17]) && p[18] == ' ' &&
	       isgraph((unsigned char)p[19]);
}

void symbols_check(const char *path)
{
	char start[20];
	ssize_t len;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0)
		die("-N %s: %s", path, strerror(errno));
	len = read(fd, start, sizeof(start));
	if (len < 0)
		die("-N %s: %s", path, strerror(errno));
	close(fd);
	if ((len < SELFMAG || memcmp(start, ELFMAG, SELFMAG) != 0) && !is_symbol_line(start, len))
		die("-N %s: neither a vmlinux nor a System.map; ktrdump does without", path);
}
