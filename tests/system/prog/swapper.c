// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* swapper: renames two folders to and fro until it is killed, so that lookups through them have to be retried. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
	mkdir("a", 0755);
	mkdir("a/sub", 0755);
	(void)!write(1, "ready\n", 6);
	for (;;) {
		rename("a", "b");
		rename("b", "a");
	}
}
