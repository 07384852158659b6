// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * fault MODE: page faults of every kind, each written down with its address, access and result. Whatever else might
 * fault is there before begin(): the program's own pages are locked once, and its calls and signals rehearsed.
 */
#include "expect.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define PAGE 4096UL

enum { READ = 1, WRITE = 2, EXECUTE = 4 };
enum { SUCCESS = 0, INVALID = 1, PROTECTION = 2, SHORTAGE = 6 };

static struct rusage before, after;
static int successes; /* faults that were written down with SUCCESS */
static sigjmp_buf back;
static volatile int handled;

static void begins(const volatile void *p, int access)
{
	ex("PFLT %lx %d\n", (unsigned long)p, access);
}

static void ends(int result)
{
	ex("PRET %d\n", result);
	successes += result == SUCCESS;
}

static void pflt(const volatile void *p, int access, int result)
{
	begins(p, access);
	ends(result);
}

static void jumper(int signo, siginfo_t *info, void *context)
{
	siglongjmp(back, 1);
}

static void counter(int signo, siginfo_t *info, void *context)
{
	handled++;
}

static void catch (int signo, void (*function)(int, siginfo_t *, void *))
{
	struct sigaction sa = { .sa_sigaction = function, .sa_flags = SA_SIGINFO };

	if (function == jumper)
		sa.sa_flags |= SA_NODEFER;
	if (sigaction(signo, &sa, NULL))
		die("sigaction");
}

/* A fault that becomes a signal; its handler jumps out. */
static void bad(volatile char *p, int access, int result, int signo, int code)
{
	pflt(p, access, result);
	ex("PSIG %d %lx %d -\n", signo, (long)jumper, code);
	if (sigsetjmp(back, 0))
		return;
	if (access == READ)
		(void)*p;
	else if (access == WRITE)
		*p = 1;
	else
		((void (*)(void))(uintptr_t)p)();
	ex("went through\n");
}

static void read_at(volatile char *p, int result)
{
	pflt(p, READ, result);
	(void)*p;
}

static void write_at(volatile char *p, int result)
{
	pflt(p, WRITE, result);
	*p = 1;
}

static void *map(size_t pages, int prot, int flags, int fd)
{
	void *p = mmap(NULL, pages * PAGE, prot, flags, fd, 0);

	if (p == MAP_FAILED)
		die("mmap");
	madvise(p, pages * PAGE, MADV_NOHUGEPAGE);
	return p;
}

static char *memory(size_t pages, int prot)
{
	return map(pages, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

#if defined(__aarch64__)
#define RETURN 0xd65f03c0 /* ret */
#elif defined(__arm__)
#define RETURN 0xe12fff1e /* bx lr */
#else
#define RETURN 0xc3c3c3c3 /* ret, four times */
#endif

/* A file of so many pages, all of them return instructions. */
static int file(const char *name, size_t pages)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0700);
	unsigned int page[PAGE / sizeof(int)];

	for (size_t i = 0; i < PAGE / sizeof(int); i++)
		page[i] = RETURN;
	for (size_t i = 0; i < pages; i++)
		if (write(fd, page, sizeof(page)) != sizeof(page))
			die(name);
	return fd;
}

/* All pages that there are now are present: what is mapped after this is not. Signals and calls are rehearsed. */
static void prepare(void)
{
	if (mlockall(MCL_CURRENT) || munlockall())
		die("mlockall");
	catch (SIGSEGV, jumper);
	catch (SIGBUS, jumper);
	catch (SIGUSR1, counter);
	for (int i = 0; i < 2; i++) {
		if (!sigsetjmp(back, 0))
			*(volatile char *)PAGE = 1;
		raise(SIGUSR1);
		ex("CALL %d PFLT %lx", 1, 1L);
		expect_len = 0;
		getrusage(RUSAGE_THREAD, &before);
	}
	handled = 0;
}

static void start(void)
{
	begin();
	sys(2, SYS_getrusage, RUSAGE_THREAD, &before);
	successes = 0;
}

/* The kernel's own count must be ours. */
static void stop(long majors)
{
	sys(2, SYS_getrusage, RUSAGE_THREAD, &after);
	finish();
	if (after.ru_majflt - before.ru_majflt != majors)
		fprintf(stderr, "%ld major faults, not %ld\n", after.ru_majflt - before.ru_majflt,
			majors);
	else if (after.ru_minflt - before.ru_minflt != successes - majors)
		fprintf(stderr, "%ld minor faults, not %ld\n", after.ru_minflt - before.ru_minflt,
			successes - majors);
	else
		return;
	exit(96);
}

/* First touch of anonymous memory, and what is read only in the page table. */
static void anonymous(void)
{
	char *p = memory(5, PROT_READ | PROT_WRITE);

	start();
	read_at(p + 123, SUCCESS); /* the page of zeros */
	(void)*(volatile char *)p;
	write_at(p + 5, SUCCESS); /* copied from it */
	p[7] = 1;
	write_at(p + PAGE + PAGE - 1, SUCCESS);
	(void)*(volatile char *)(p + PAGE);
	sys(3, SYS_madvise, p, PAGE, MADV_DONTNEED);
	read_at(p + 1, SUCCESS);
	/* the kernel's own faults leave none */
	sys(2, SYS_getrusage, RUSAGE_SELF, p + 3 * PAGE);
	(void)*(volatile char *)(p + 3 * PAGE);
	successes++;
	stop(0);
}

/*
 * Before 6.0 a write to a page of a file that was mapped for reading is tried again when all is done, and the
 * kernel counts that as major. How many times it does here.
 */
static int majors_of_write(int fd)
{
	volatile char *p = map(2, PROT_READ | PROT_WRITE, MAP_SHARED, fd) + PAGE;
	struct rusage one, two;

	(void)*p;
	getrusage(RUSAGE_THREAD, &one);
	*p = 1;
	getrusage(RUSAGE_THREAD, &two);
	return two.ru_majflt - one.ru_majflt;
}

/* Pages of a file that are in memory already. */
static void minor(const char *name)
{
	int fd = file(name, 2), majors = majors_of_write(fd);
	char *shared = map(1, PROT_READ | PROT_WRITE, MAP_SHARED, fd);
	char *private = map(1, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd);
	char *code = map(1, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd);

	start();
	read_at(shared + 9, SUCCESS);
	write_at(shared + 8, SUCCESS);
	read_at(private + 100, SUCCESS);
	write_at(private + 99, SUCCESS);
	pflt(code + 16, EXECUTE, SUCCESS);
	((void (*)(void))(uintptr_t)(code + 16))();
	((void (*)(void))(uintptr_t)(code + 32))();
	stop(majors);
}

/* A page that must be read from the disk: the fault is tried again after that, and stays one. */
static void major(const char *name)
{
	int fd = file(name, 1);
	char *p = map(1, PROT_READ, MAP_PRIVATE, fd);

	if (fsync(fd) || posix_fadvise(fd, 0, PAGE, POSIX_FADV_DONTNEED))
		die(name);
	start();
	read_at(p + 17, SUCCESS);
	stop(1);
}

/* Copy on write: the parent's memory is the child's, too. Only the faults in p are compared. */
static void cow(void)
{
	volatile char *p = memory(2, PROT_READ | PROT_WRITE);
	int ends_[2], status;
	char c;

	p[0] = 1;
	p[PAGE] = 2;
	if (pipe(ends_))
		die("pipe");
	printf("area %lx %lx\n", (unsigned long)p, (unsigned long)p + 2 * PAGE);
	printf("parent %lx 2\n", (unsigned long)p + 10);
	printf("child %lx 2\nchild %lx 2\n", (unsigned long)p + 20, (unsigned long)p + PAGE + 30);
	fflush(stdout);
	pid_t pid = fork();

	if (pid == 0) {
		if (read(ends_[0], &c, 1) != 1) /* the parent has written */
			_exit(1);
		(void)p[0];
		p[20] = 3;
		p[PAGE + 30] = 4;
		_exit(p[PAGE] != 2 || p[10]);
	}
	p[10] = 5;
	if (write(ends_[1], "x", 1) != 1 || waitpid(pid, &status, 0) != pid || status)
		die("child");
}

static void __attribute__((noinline)) stack(void)
{
	volatile char *p = (volatile char *)__builtin_frame_address(0) - 1024 * 1024;

	start();
	write_at(p, SUCCESS);
	p += 3 * PAGE;
	read_at(p, SUCCESS);
	stop(0);
}

#define VSYSCALL_TIME 0xffffffffff600400

static bool has_vsyscalls(void)
{
#ifdef __x86_64__
	if (!sigsetjmp(back, 0)) {
		((long (*)(long *))VSYSCALL_TIME)(NULL);
		return true;
	}
#endif
	return false;
}

static void signals(void)
{
	bool vsyscalls __attribute__((unused)) = has_vsyscalls();
	char *ro = memory(1, PROT_READ), *none = memory(1, PROT_NONE);
	char *data = memory(2, PROT_READ | PROT_WRITE);
	char *hole = memory(1, PROT_READ);
	int fd = file("signals", 1);
	char *past = map(2, PROT_READ | PROT_WRITE, MAP_SHARED, fd);

	memcpy(data, &(unsigned int){ RETURN }, sizeof(int));
	if (munmap(hole, PAGE)) /* nothing is mapped after this */
		die("munmap");
	start();
	bad((char *)16, READ, INVALID, SIGSEGV, 1);
	bad((char *)16, READ, INVALID, SIGSEGV, 1); /* the same again is another */
	bad((char *)0, WRITE, INVALID, SIGSEGV, 1);
	bad((char *)8, EXECUTE, INVALID, SIGSEGV, 1);
	bad(hole + 7, READ, INVALID, SIGSEGV, 1);
	bad(ro + 11, WRITE, PROTECTION, SIGSEGV, 2);
	read_at(ro, SUCCESS);
	bad(ro + 12, WRITE, PROTECTION, SIGSEGV, 2);
	bad(none + 13, READ, PROTECTION, SIGSEGV, 2);
	bad(data, EXECUTE, PROTECTION, SIGSEGV, 2);
	bad(past + PAGE + 14, READ, INVALID, SIGBUS, 2);
	bad(past + PAGE + 14, WRITE, INVALID, SIGBUS, 2);
#ifdef __x86_64__
	bad((char *)0xffffffff81000000, READ, INVALID, SIGSEGV, 1);
	/* no page fault: no address at all */
	ex("PSIG %d %lx %d -\n", SIGSEGV, (long)jumper, 0x10006);
	if (!sigsetjmp(back, 0))
		(void)*(volatile char *)0x8000000000000000;
	/* the vsyscall page is not there: calls of it are carried out in the fault, or they are bad addresses */
	if (vsyscalls)
		((long (*)(long *))VSYSCALL_TIME)(NULL);
	else
		bad((char *)VSYSCALL_TIME, EXECUTE, INVALID, SIGSEGV, 1);
	write_at(data + PAGE, SUCCESS);
	bad((char *)VSYSCALL_TIME, READ, INVALID, SIGSEGV, 1);
#endif
	stop(0);
}

/* Threads that touch the same page at the same time. Each counts its own. */
static volatile char *shared_page;
static pthread_barrier_t barrier;

static void *toucher(void *arg)
{
	struct rusage a, b;
	long sum = 0;

	getrusage(RUSAGE_THREAD, &a);
	for (int i = 0; i < 50; i++) {
		pthread_barrier_wait(&barrier);
		shared_page[i * PAGE + 1] = 1;
	}
	getrusage(RUSAGE_THREAD, &b);
	sum = b.ru_minflt - a.ru_minflt;
	syscall(701, sum);
	return NULL;
}

static void threads(int n)
{
	pthread_t thread[64];

	shared_page = memory(50, PROT_READ | PROT_WRITE);
	printf("area %lx %lx\n", (unsigned long)shared_page,
	       (unsigned long)shared_page + 50 * PAGE);
	fflush(stdout);
	pthread_barrier_init(&barrier, NULL, n);
	for (int i = 0; i < n; i++)
		if (pthread_create(&thread[i], NULL, toucher, NULL))
			die("pthread_create");
	for (int i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
}

/* userfaultfd: the main thread faults, another gives it the page. */
static int uffd;
static pid_t main_tid;
static char source[PAGE] __attribute__((aligned(4096)));
static bool interrupt; /* by a signal, */
static bool debugger; /* which a debugger takes away */

static unsigned long next_fault(void)
{
	struct uffd_msg msg;

	if (read(uffd, &msg, sizeof(msg)) != sizeof(msg) || msg.event != UFFD_EVENT_PAGEFAULT)
		die("userfaultfd");
	return msg.arg.pagefault.address;
}

static void *pager(void *arg)
{
	unsigned long address = next_fault();

	if (interrupt) {
		syscall(SYS_tgkill, getpid(), main_tid, SIGUSR1);
		address = next_fault(); /* it is there again */
	}
	struct uffdio_copy copy = { .dst = address & -PAGE,
				    .src = (unsigned long)source,
				    .len = PAGE };

	if (ioctl(uffd, UFFDIO_COPY, &copy))
		die("UFFDIO_COPY");
	return NULL;
}

static void userfault(const char *how)
{
	struct uffdio_api api = { .api = UFFD_API };
	char *p = memory(1, PROT_READ | PROT_WRITE);
	struct uffdio_register reg = { .range = { (unsigned long)p, PAGE },
				       .mode = UFFDIO_REGISTER_MODE_MISSING };
	pthread_t thread;

	interrupt = how != NULL;
	uffd = syscall(SYS_userfaultfd, O_CLOEXEC);
	if (uffd < 0 || ioctl(uffd, UFFDIO_API, &api) || ioctl(uffd, UFFDIO_REGISTER, &reg)) {
		perror("userfaultfd");
		exit(77);
	}
	main_tid = getpid();
	if (pthread_create(&thread, NULL, pager, NULL))
		die("pthread_create");
	begin();
	if (interrupt && !debugger) {
		pflt(p + 21, READ, SHORTAGE);
		ex("PSIG %d %lx %d -\n", SIGUSR1, (long)counter, 0x10007);
		ex("CALL %d\nRET %d JUSTRETURN\n", (int)SYS_rt_sigreturn, (int)SYS_rt_sigreturn);
	}
	read_at(p + 21, SUCCESS);
	if (handled != (interrupt && !debugger))
		die("handler");
	finish();
	pthread_join(thread, NULL);
}

/* The same, with a signal that a debugger takes away: the fault goes on. */
static void debugged(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		debugger = true;
		prepare(); /* it shares its memory with the parent now */
		userfault("interrupted");
		exit(0);
	}
	int count = 0;

	while (waitpid(pid, &status, __WALL) == pid && WIFSTOPPED(status)) {
		int signo = WSTOPSIG(status);

		if (signo == SIGUSR1 && ++count > 2) /* after the rehearsal */
			signo = 0;
		ptrace(PTRACE_CONT, pid, 0, signo);
	}
	exit(WIFEXITED(status) ? WEXITSTATUS(status) : 95);
}

/* Waits for a page that never comes. */
static void forever(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	char *p = memory(1, PROT_READ | PROT_WRITE);
	struct uffdio_register reg = { .range = { (unsigned long)p, PAGE },
				       .mode = UFFDIO_REGISTER_MODE_MISSING };

	uffd = syscall(SYS_userfaultfd, O_CLOEXEC);
	if (uffd < 0 || ioctl(uffd, UFFDIO_API, &api) || ioctl(uffd, UFFDIO_REGISTER, &reg)) {
		perror("userfaultfd");
		exit(77);
	}
	printf("%lx\n", (unsigned long)p + 3);
	fflush(stdout);
	(void)*(volatile char *)(p + 3);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	prepare();
	if (!strcmp(mode, "anonymous"))
		anonymous();
	else if (!strcmp(mode, "minor"))
		minor(argv[2]);
	else if (!strcmp(mode, "major"))
		major(argv[2]);
	else if (!strcmp(mode, "cow"))
		cow();
	else if (!strcmp(mode, "stack"))
		stack();
	else if (!strcmp(mode, "signals"))
		signals();
	else if (!strcmp(mode, "threads"))
		threads(atoi(argv[2]));
	else if (!strcmp(mode, "userfault"))
		userfault(argv[2]);
	else if (!strcmp(mode, "debugged"))
		debugged();
	else if (!strcmp(mode, "forever"))
		forever();
	else
		return 97;
	return 0;
}
