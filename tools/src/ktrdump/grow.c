// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "grow.h"

#include <stdint.h>
#include <stdlib.h>

#include "decode/out.h"

#define AT_FIRST 16

void *grow(void *p, size_t count, size_t size)
{
	size_t room = count ? count * 2 : AT_FIRST;

	if (count && (count < AT_FIRST || count & (count - 1)))
		return p;
	if (room > SIZE_MAX / size)
		die("out of memory");
	p = realloc(p, room * size);
	if (!p)
		die("out of memory");
	return p;
}
