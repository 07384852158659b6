// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* int80: a 64-bit program that makes 32-bit calls between its own. */
#include "expect.h"

#include <sys/mman.h>

static long int80(int narg, long nr, long a, long b, long c)
{
	long args[3] = { a, b, c };
	int r;

	ex("PROCCTOR 4103\n");
	ex("CALL %ld", nr);
	for (int i = 0; i < narg; i++)
		ex(" %x", (unsigned int)args[i]);
	ex("\n");
	asm volatile("int $0x80"
		     : "=a"(r)
		     : "a"(nr), "b"(a), "c"(b), "d"(c)
		     : "memory", "r8", "r9", "r10", "r11");
	return r;
}

int main(void)
{
	char *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	long r;

	strcpy(low, "hello, 32 bits");
	begin();
	sys(0, SYS_getppid);
	r = int80(0, 20, 0, 0, 0); /* getpid */
	ex("RET 20 %lx\nPROCCTOR 203\n", r);
	sys(0, SYS_getppid);
	r = int80(1, 6, 77, 0, 0); /* close: EBADF */
	ex("RET 6 E9\nPROCCTOR 203\n");
	r = int80(3, 4, 2, (long)low, 14); /* write */
	gio(2, 1, low, 14);
	ex("RET 4 e\nPROCCTOR 203\n");
	r = int80(2, 33, (long)low, 0, 0); /* access */
	nami(low);
	ex("RET 33 E2\nPROCCTOR 203\n");
	r = int80(6, 700, 1, 2, 3);
	/* no such call: six arguments, of which we gave three */
	expect_len = strrchr(expect_buf, 'C') - expect_buf;
	ex("CALL 700 1 2 3 * * *\nRET 700 E38\nPROCCTOR 203\n");
	sys(0, SYS_getppid);
	finish();
	return r == 0;
}
