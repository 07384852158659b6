// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* int80 [MODE]: a 64-bit program that makes 32-bit calls between its own. */
#include "expect.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

/* A 32-bit call with six arguments; in a thread that it makes, it returns to what is on the stack. */
long int80_call(long nr, long a, long b, long c, long d, long e, long f);
asm(".globl int80_call\n"
    "int80_call:\n"
    "	push %rbp\n"
    "	push %rbx\n"
    "	mov %edi, %eax\n"
    "	mov %esi, %ebx\n"
    "	mov %ecx, %r10d\n"
    "	mov %edx, %ecx\n"
    "	mov %r10d, %edx\n"
    "	mov %r8d, %esi\n"
    "	mov %r9d, %edi\n"
    "	mov 24(%rsp), %ebp\n"
    "	int $0x80\n"
    "	pop %rbx\n"
    "	pop %rbp\n"
    "	cltq\n"
    "	ret\n");

/* Memory that 32-bit pointers reach. */
static char *low(size_t size)
{
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT,
		       -1, 0);

	if (p == MAP_FAILED)
		die("mmap");
	return p;
}

static void call80_line(int narg, long nr, const long *args)
{
	ex("PROCCTOR 4103\nCALL %d", code_of(nr));
	for (int i = 0; i < narg; i++)
		ex(" %x", (unsigned int)args[i]);
	ex("\n");
}

static long begin80_(int narg, long nr, long a, long b, long c, long d, long e, long f)
{
	long args[6] = { a, b, c, d, e, f };

	call80_line(narg, nr, args);
	expect_nr = nr;
	expect_ret = int80_call(nr, a, b, c, d, e, f);
	return expect_ret;
}

static long end80(void)
{
	if (expect_ret < 0 && expect_ret >= -4095)
		ex("RET %d E%ld\n", code_of(expect_nr), -expect_ret);
	else
		ex("RET %d %x\n", code_of(expect_nr), (unsigned int)expect_ret);
	ex("PROCCTOR 203\n");
	return expect_ret;
}

#define begin80(narg, nr, ...) \
	begin80_(narg, nr, SYS_ARGS(__VA_ARGS__ __VA_OPT__(, ) 0, 0, 0, 0, 0, 0))
#define sys80(narg, nr, ...) (begin80(narg, nr, __VA_ARGS__), end80())

static void plain(void)
{
	static const long unknown[] = { 700,	    4096, 32767, 32768,	     0x10014,	0x40000014,
					0x7fffffff, -1,	  -2,	 0x80000000, 0xfffffc18 };
	char *text = low(4096);

	strcpy(text, "hello, 32 bits");
	begin();
	sys(0, SYS_getppid);
	sys80(0, 20); /* getpid */
	sys(0, SYS_getppid);
	sys80(1, 6, 77); /* close: EBADF */
	begin80(3, 4, 2, text, 14); /* write */
	gio(2, 1, text, 14);
	end80();
	begin80(2, 33, text, 0); /* access */
	nami(text);
	end80();
	/* the kernel looks at the lower halves */
	sys80(1, 6, 0x100000000 + 77);
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		sys80(6, unknown[i], 0x11, 0x2222, 0x33333333, 0, -1L, (long)i);
	sys(0, SYS_getppid);
	finish();
}

/*
 * Every call that moves data, in its 32-bit form.
 */

struct iovec32 {
	uint32_t base, len;
};

struct msghdr32 {
	uint32_t name, namelen, iov, iovlen, control, controllen, flags;
};

struct mmsghdr32 {
	struct msghdr32 hdr;
	uint32_t len;
};

/* What low memory is divided into. */
static struct {
	char data[20000], buf[20000];
	struct iovec32 iov[1024], in[1024];
	struct msghdr32 msg, in_msg;
	struct mmsghdr32 mmsg[3], in_mmsg[3];
	uint32_t args[6];
	char name[64];
} * m;

/* The data of a 32-bit iovec. */
static void giov32(long fd, int write, const struct iovec32 *iov, int n, long moved)
{
	struct iovec wide[1024];

	for (int i = 0; i < n; i++)
		wide[i] = (struct iovec){ (void *)(uintptr_t)iov[i].base, iov[i].len };
	giov(fd, write, wide, moved);
}

static void vectors32(void)
{
	static const uint32_t lens[] = { 0, 1, 0, 3, 4000, 95, 0, 3, 5000, 0 };
	uint32_t at = 0;

	for (int i = 0; i < 10; i++) {
		m->iov[i] = (struct iovec32){ (uintptr_t)m->data + at, lens[i] };
		m->in[i] = (struct iovec32){ (uintptr_t)m->buf + 2000 * (9 - i) + 7, lens[9 - i] };
		at += lens[i];
	}
	m->in[1].base = (uintptr_t)m->buf + 15000;
}

static void sockets32(const int *s)
{
	long r;

	begin80(6, 369, s[0], m->data, 5000, 0, 0, 0); /* sendto */
	gio(s[0], 1, m->data, 5000);
	end80();
	begin80(6, 371, s[1], m->buf, 100, MSG_PEEK, 0, 0); /* recvfrom */
	gio(s[1], 0, m->data, 100);
	end80();
	begin80(6, 371, s[1], m->buf, 100, MSG_TRUNC, 0, 0);
	gio(s[1], 0, m->data, 100);
	end80();
	m->msg = (struct msghdr32){ .iov = (uintptr_t)m->iov, .iovlen = 10 };
	m->in_msg = (struct msghdr32){ .iov = (uintptr_t)m->in, .iovlen = 3 };
	begin80(3, 370, s[0], &m->msg, 0); /* sendmsg */
	giov32(s[0], 1, m->iov, 10, expect_ret);
	end80();
	begin80(3, 372, s[1], &m->in_msg, MSG_TRUNC); /* recvmsg: cut to 5003 bytes */
	giov32(s[1], 0, m->in, 3, 5003);
	if (end80() != 9102)
		die("recvmsg");
	for (int i = 0; i < 3; i++) {
		m->mmsg[i].hdr =
			(struct msghdr32){ .iov = (uintptr_t)&m->iov[2 * i + 1], .iovlen = 2 };
		m->in_mmsg[i].hdr =
			(struct msghdr32){ .iov = (uintptr_t)&m->in[2 * i], .iovlen = 2 };
	}
	r = begin80(4, 345, s[0], m->mmsg, 3, 0); /* sendmmsg */
	for (int i = 0; i < r; i++)
		giov32(s[0], 1, &m->iov[2 * i + 1], 2, m->mmsg[i].len);
	end80();
	r = begin80(5, 337, s[1], m->in_mmsg, 3, MSG_DONTWAIT, 0); /* recvmmsg */
	for (int i = 0; i < r; i++)
		giov32(s[1], 0, &m->in[2 * i], 2, m->in_mmsg[i].len);
	if (end80() != 3)
		die("recvmmsg");
	memcpy(m->args, (uint32_t[]){ s[0], (uintptr_t)m->data, 33, 0 }, 16);
	begin80(2, 102, 9, m->args); /* socketcall: send */
	gio(s[0], 1, m->data, 33);
	end80();
	memcpy(m->args, (uint32_t[]){ s[1], (uintptr_t)m->buf, 50, 0 }, 16);
	begin80(2, 102, 10, m->args);
	gio(s[1], 0, m->data, 33);
	end80();
}

static void genio(void)
{
	int fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0600), s[2];

	m = (void *)low(sizeof(*m));
	for (size_t i = 0; i < sizeof(m->data); i++)
		m->data[i] = i * 7 + i / 251;
	vectors32();
	if (fd < 0 || socketpair(AF_UNIX, SOCK_DGRAM, 0, s))
		die("setup");
	strcpy(m->name, "ktrace-int80");
	begin();
	begin80(3, 4, fd, m->data, 6000); /* write */
	gio(fd, 1, m->data, 6000);
	end80();
	sys80(3, 19, fd, 0, 0); /* lseek */
	begin80(3, 3, fd, m->buf, 10000); /* read */
	gio(fd, 0, m->data, 6000);
	end80();
	begin80(5, 181, fd, m->data + 1, 4097, 10, 0); /* pwrite64 */
	gio(fd, 1, m->data + 1, 4097);
	end80();
	begin80(5, 180, fd, m->buf, 4096, 10, 0); /* pread64 */
	gio(fd, 0, m->data + 1, 4096);
	end80();
	begin80(3, 146, fd, m->iov, 10); /* writev */
	giov32(fd, 1, m->iov, 10, expect_ret);
	end80();
	begin80(5, 334, fd, m->iov, 6, 3, 0); /* pwritev */
	giov32(fd, 1, m->iov, 6, expect_ret);
	end80();
	begin80(6, 379, fd, m->iov, 9, 0, 0, 0); /* pwritev2 */
	giov32(fd, 1, m->iov, 9, expect_ret);
	end80();
	sys80(3, 19, fd, 0, 0);
	begin80(3, 145, fd, m->in, 10); /* readv */
	giov32(fd, 0, m->in, 10, expect_ret);
	end80();
	begin80(5, 333, fd, m->in, 10, 7, 0); /* preadv */
	giov32(fd, 0, m->in, 10, expect_ret);
	end80();
	begin80(6, 378, fd, m->in, 2, 0, 0, 0); /* preadv2 */
	giov32(fd, 0, m->in, 2, expect_ret);
	end80();
	sockets32(s);
	begin80(4, 277, m->name, O_RDWR | O_CREAT, 0600, 0); /* mq_open: no walk from here */
	s[0] = end80();
	begin80(5, 279, s[0], m->data, 4100, 1, 0); /* mq_timedsend */
	gio(s[0], 1, m->data, 4100);
	end80();
	begin80(5, 280, s[0], m->buf, 8192, 0, 0); /* mq_timedreceive */
	gio(s[0], 0, m->data, 4100);
	end80();
	strcpy(m->name, ".");
	begin80(3, 5, m->name, O_RDONLY, 0); /* open */
	nami(".");
	s[0] = end80();
	begin80(3, 220, s[0], m->buf, 500); /* getdents64 */
	gio(s[0], 0, m->buf, expect_ret);
	end80();
	sys80(3, 3, 99, m->buf, 10); /* EBADF */
	sys80(3, 146, fd, 16, 3); /* EFAULT */
	finish();
}

/*
 * Threads and processes that are made, and end, by 32-bit calls.
 */

static volatile int go;
static int ends[2];

static void wait_for(const char *path, const char *text)
{
	char state[256];
	FILE *f;

	do {
		f = fopen(path, "r");
		if (!f || !fgets(state, sizeof(state), f))
			_exit(99);
		fclose(f);
	} while (!strstr(state, text));
}

static void *blocks(void *arg)
{
	go = syscall(SYS_gettid);
	begin();
	int80_call(3, ends[0], (long)arg, 4, 0, 0, 0);
	syscall(SYS_getppid);
	int80_call(64, 0, 0, 0, 0, 0, 0);
	end();
	go = 0;
	return NULL;
}

/* One thread waits in a 32-bit call while the other makes 64-bit ones. */
static void threads(void)
{
	char *buf = low(4096), path[64], c;
	int told[2];
	pthread_t id;
	pid_t child, tid;

	if (pipe(ends) || pipe(told) || pthread_create(&id, NULL, blocks, buf))
		die("setup");
	while (!(tid = go))
		;
	child = fork();
	if (child == 0) {
		snprintf(path, sizeof(path), "/proc/%d/task/%d/syscall", getppid(), tid);
		wait_for(path, "3 0x");
		(void)!write(told[1], "!", 1);
		_exit(0);
	}
	begin();
	begin_sys(3, SYS_read, told[0], &c, 1);
	gio(told[0], 0, "!", 1);
	sys_end();
	for (int i = 0; i < 3; i++)
		sys(0, SYS_getppid);
	sys80(0, 20);
	begin_sys(3, SYS_write, ends[1], "four", 4);
	gio(ends[1], 1, "four", 4);
	sys_end();
	while (go)
		;
	sys(0, SYS_getppid);
	end();
	waitpid(child, NULL, 0);
	ex("== %d\n", tid);
	ex("PROCCTOR 4103\nCALL 3 %x %lx 4\nGIO %d r 4 %08x\nRET 3 4\nPROCCTOR 203\n", ends[0],
	   (long)buf, ends[0], crc32_add(0, "four", 4));
	ex("CALL 110\nRET 110 %x\nPROCCTOR 4103\nCALL 64\nRET 64 %x\nPROCCTOR 203\n", getppid(),
	   getppid());
	fwrite(expect_buf, 1, expect_len, stdout);
}

/* fork and vfork: the child's RET is of a 32-bit call, too. */
static void forks(void)
{
	pid_t self = getpid();

	begin();
	for (int i = 0; i < 2; i++) {
		int nr = i ? 190 : 2, status;
		long args[1] = { 0 };
		pid_t pid;

		call80_line(0, nr, args);
		/* of vfork's child nothing may be left on our stack */
		asm volatile("int $0x80\n"
			     "test %%eax, %%eax\n"
			     "jnz 1f\n"
			     "mov $110, %%eax\n"
			     "syscall\n"
			     "mov $252, %%eax\n"
			     "xor %%ebx, %%ebx\n"
			     "int $0x80\n"
			     "1:"
			     : "=a"(pid)
			     : "a"(nr)
			     : "memory", "rbx", "rcx", "r8", "r9", "r10", "r11");
		ex("RET %d %x\nPROCCTOR 203\n", nr, pid);
		sys(4, SYS_wait4, pid, &status, 0, 0);
		ex("== %d\nPROCCTOR 203\nPROCCTOR 4103\nRET %d 0\nPROCCTOR 203\n", pid, nr);
		ex("CALL 110\nRET 110 %x\nPROCCTOR 4103\nCALL 252 0\nPROCDTOR\n==\n", self);
	}
	finish();
}

static long *stack_of(void (*function)(void))
{
	long *top = (long *)(low(65536) + 65536) - 4;

	/* what int80_call() pops and returns to; the stack is aligned as after a call */
	top[2] = (long)function;
	return top;
}

static volatile int done;

static void ends_by_int80(void)
{
	syscall(SYS_getppid);
	int80_call(1, 0, 0, 0, 0, 0, 0);
}

static void ends_by_exit(void)
{
	syscall(SYS_getppid);
	syscall(SYS_exit, 0);
}

#define THREAD_FLAGS                                                                        \
	(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | \
	 CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID | CLONE_PARENT_SETTID)

/* The thread's number is written by the kernel, and cleared when it ends. */
static pid_t thread80(int *tid, const long *stack)
{
	pid_t was;

	*tid = 1;
	was = begin80(5, 120, THREAD_FLAGS, stack, tid, 0, tid);
	end80();
	while (*(volatile int *)tid)
		;
	return was;
}

/* A thread that a 32-bit call made and another one ended; then one that 64-bit calls did. */
static void thread_ends(void)
{
	int *tid = (int *)low(4096);
	long *first_stack = stack_of(ends_by_int80), *stack = stack_of(ends_by_exit) + 2;
	pid_t first, second;

	begin();
	first = thread80(tid, first_stack);
	sys(0, SYS_getppid);
	*tid = 1;
	ex("CALL 56 %lx %lx %lx %lx 0\n", (long)THREAD_FLAGS, (long)stack, (long)tid, (long)tid);
	{
		register long r10 asm("r10") = (long)tid, r8 asm("r8") = 0;
		long r;

		asm volatile("syscall\n"
			     "test %%eax, %%eax\n"
			     "jnz 1f\n"
			     "ret\n"
			     "1:"
			     : "=a"(r)
			     : "a"(56L), "D"((long)THREAD_FLAGS), "S"(stack), "d"(tid), "r"(r10),
			       "r"(r8)
			     : "memory", "rcx", "r11");
		second = r;
	}
	ex("RET 56 %x\n", second);
	while (*(volatile int *)tid)
		;
	sys(0, SYS_getppid);
	end();
	ex("== %d\nPROCCTOR 4103\nRET 120 0\nPROCCTOR 203\nCALL 110\nRET 110 %x\n", first,
	   getppid());
	ex("PROCCTOR 4103\nCALL 1 0\nPROCCTOR 203\n");
	ex("== %d\nRET 56 0\nCALL 110\nRET 110 %x\nCALL 60 0\n", second, getppid());
	fwrite(expect_buf, 1, expect_len, stdout);
}

/* execve: one that fails, and one that does not: all is written down before. */
static void exec(const char *self)
{
	uint32_t *argv = (uint32_t *)low(4096);
	char *text = low(4096), *nothing = text + 2000;
	long args[3] = { (long)nothing };

	strcpy(nothing, "/nothing");
	strcpy(text, self);
	strcpy(text + 1000, "exit");
	argv[0] = (uintptr_t)text;
	argv[1] = (uintptr_t)text + 1000;
	argv[2] = 0;
	call80_line(3, 11, args);
	nami(nothing);
	ex("RET 11 E2\nPROCCTOR 203\n");
	args[0] = 16;
	call80_line(3, 11, args);
	ex("RET 11 E14\nPROCCTOR 203\n");
	args[0] = (long)text;
	args[1] = (long)argv;
	call80_line(3, 11, args);
	nami(self);
	ex("?NAMI %zu %s\n", strlen(self), self); /* TOMOYO looks again */
	ex("PROCCTOR 203\nRET 11 JUSTRETURN\n");
	fwrite(expect_buf, 1, expect_len, stdout);
	fflush(stdout);
	begin();
	int80_call(11, (long)nothing, 0, 0, 0, 0, 0);
	int80_call(11, 16, 0, 0, 0, 0, 0);
	int80_call(11, (long)text, (long)argv, 0, 0, 0, 0);
	die("execve");
}

/* exit_group, after a mark. */
static void exits(void)
{
	syscall(700, 0xed);
	int80_call(252, 0, 0, 0, 0, 0, 0);
}

/*
 * rt_sigreturn: the frame of a signal is made by hand, and leads back here.
 */

struct frame32 {
	uint32_t pretcode, sig, pinfo, puc;
	char info[128];
	uint32_t uc_flags, uc_link, stack_sp, stack_flags, stack_size;
	uint32_t gs, fs, es, ds, di, si, bp, sp, bx, dx, cx, ax, trapno, err, ip, cs, flags,
		sp_at_signal, ss, fpstate, oldmask, cr2;
	uint32_t sigmask[2];
};

void sigreturn80(void *frame);
extern char sigreturn80_back[];
extern long sigreturn80_base;
asm(".globl sigreturn80, sigreturn80_back\n"
    "sigreturn80:\n"
    "	push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
    "	mov %rsp, sigreturn80_stack\n"
    "	mov %rdi, %rsp\n"
    "	mov $173, %eax\n"
    "	int $0x80\n"
    "	ud2\n"
    "sigreturn80_back:\n"
    "	mov sigreturn80_stack, %rsp\n"
    "	mov $158, %eax\n" /* arch_prctl: it took our thread's memory away */
    "	mov $0x1002, %edi\n"
    "	mov sigreturn80_base, %rsi\n"
    "	syscall\n"
    "	pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\n"
    "	ret\n"
    "	.globl sigreturn80_base\n"
    "	.comm sigreturn80_base, 8, 8\n"
    "	.local sigreturn80_stack\n"
    "	.comm sigreturn80_stack, 8, 8\n");

static void sigreturns(void)
{
	struct frame32 *f = (void *)low(8192);

	f->ip = (uintptr_t)sigreturn80_back;
	f->cs = 0x33;
	f->ss = 0x2b;
	f->flags = 0x202;
	f->ax = 0xfffffff5; /* what it returns: no EAGAIN */
	f->sp = (uintptr_t)f + 4096;
	f->stack_flags = 2; /* SS_DISABLE */
	syscall(SYS_arch_prctl, 0x1003, &sigreturn80_base);
	begin();
	ex("PROCCTOR 4103\nCALL 173\nRET 173 JUSTRETURN\nPROCCTOR 203\n");
	ex("CALL %d 1002 %lx\nRET %d 0\n", (int)SYS_arch_prctl, sigreturn80_base,
	   (int)SYS_arch_prctl);
	sigreturn80((char *)f + 4);
	sys(0, SYS_getppid);
	finish();
}

/* Waits in a 32-bit call, as one thread of two. */
static void waits(void)
{
	char *buf = low(4096);

	puts("ready");
	fflush(stdout);
	int80_call(3, 0, (long)buf, 10, 0, 0, 0);
	syscall(SYS_getppid);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "plain";

	if (argc > 2)
		genio_size = atol(argv[2]);
	if (!strcmp(mode, "plain"))
		plain();
	else if (!strcmp(mode, "genio"))
		genio();
	else if (!strcmp(mode, "threads"))
		threads();
	else if (!strcmp(mode, "forks"))
		forks();
	else if (!strcmp(mode, "thread-ends"))
		thread_ends();
	else if (!strcmp(mode, "exec"))
		exec(argv[0]);
	else if (!strcmp(mode, "exit"))
		exits();
	else if (!strcmp(mode, "sigreturn"))
		sigreturns();
	else if (!strcmp(mode, "waits"))
		waits();
	else
		return 97;
	return 0;
}
