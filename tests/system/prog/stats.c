// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* stats N PATH: looks up a path N times. */
#include <stdlib.h>
#include <sys/stat.h>

int main(int argc, char **argv)
{
	struct stat st;

	for (long i = argc > 2 ? atol(argv[1]) : 0; i > 0; i--)
		(void)!stat(argv[2], &st);
	return 0;
}
