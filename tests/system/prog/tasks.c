// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* tasks MODE: processes and threads that are made, and end, in odd ways. Prints "NAME NUMBER" lines of who they were. */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char *self;

static void die(const char *what)
{
	perror(what);
	exit(98);
}

static void say(const char *name, long number)
{
	char line[64];

	/* one write, whoever else is writing */
	(void)!write(1, line, snprintf(line, sizeof(line), "%s %ld\n", name, number));
}

static int in_child(void *arg)
{
	syscall(SYS_getppid);
	return 0;
}

static void reap(const char *name, pid_t pid)
{
	int status;

	if (pid < 0 || waitpid(pid, &status, __WALL) != pid)
		die(name);
	say(name, pid);
}

static char *new_stack(void)
{
	char *stack =
		mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (stack == MAP_FAILED)
		die("mmap");
	return stack + (1 << 16) - 64; /* syscall() of arm reads beyond its arguments */
}

static void *forks_in_thread(void *arg)
{
	pid_t pid;

	say("thread", syscall(SYS_gettid));
	pid = fork();
	if (pid == 0) {
		syscall(SYS_getppid);
		_exit(0);
	}
	reap("fork", pid);
	pid = vfork();
	if (pid == 0)
		_exit(0);
	reap("vfork", pid);
	return NULL;
}

/* A child whose parent is our parent: it ends before we do, and says so by its end of a pipe. */
static void sibling(void)
{
	int ends[2];
	pid_t pid;
	char c;

	if (pipe(ends))
		die("pipe");
	pid = clone(in_child, new_stack(), CLONE_PARENT | SIGCHLD, NULL);
	close(ends[1]);
	if (pid < 0 || read(ends[0], &c, 1) != 0)
		die("sibling");
	say("parent", pid);
}

static void makes(void)
{
	pthread_t id;
	pid_t pid;
	int fd = -1;

	pthread_create(&id, NULL, forks_in_thread, NULL);
	pthread_join(id, NULL);
	pid = fork();
	if (pid == 0) {
		sibling();
		_exit(0);
	}
	reap("has-sibling", pid);
	while (waitpid(-1, NULL, 0) > 0) /* its sibling is our child */
		;
	pid = clone(in_child, new_stack(), CLONE_PIDFD | CLONE_VM | SIGCHLD, NULL, &fd);
	reap("pidfd", pid);
	pid = clone(in_child, new_stack(), CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWUTS | SIGCHLD,
		    NULL);
	reap("namespaces", pid);
	/* deep: each is a child of the one before */
	for (int depth = 0; depth < 30; depth++) {
		pid = fork();
		if (pid < 0)
			die("fork");
		if (pid > 0) {
			int status;

			if (depth == 0) {
				reap("deep", pid);
				return;
			}
			waitpid(pid, &status, 0);
			_exit(0);
		}
		say("nested", getpid());
	}
	_exit(0);
}

/* exec by a thread; then threads until one has the number that it had. */
static void *executes(void *arg)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", (int)syscall(SYS_gettid));
	say("thread", syscall(SYS_gettid));
	execl(self, self, "thread-number", number, NULL);
	die("execl");
	return NULL;
}

static void set_last_pid(int number)
{
	char text[16];
	int fd = open("/proc/sys/kernel/ns_last_pid", O_WRONLY);

	if (fd < 0 || write(fd, text, snprintf(text, sizeof(text), "%d", number)) < 0)
		die("ns_last_pid");
	close(fd);
}

static void *one_call(void *arg)
{
	*(pid_t *)arg = syscall(SYS_gettid);
	syscall(SYS_getppid);
	return NULL;
}

static void thread_number(int number)
{
	pthread_t id;
	pid_t tid = 0;

	for (int i = 0; i < 50 && tid != number; i++) {
		set_last_pid(number - 1);
		pthread_create(&id, NULL, one_call, &tid);
		pthread_join(id, NULL);
	}
	say("again", tid);
}

#if defined(__aarch64__) || defined(__arm__)
#define MACHINE64 EM_AARCH64
#define MACHINE32 EM_ARM
#define FLAGS32	  EF_ARM_EABI_VER5
#else
#define MACHINE64 EM_X86_64
#define MACHINE32 EM_386
#define FLAGS32	  0
#endif

/* A program whose image cannot be put where it wants to be: too late for an error. */
static void write_broken(const char *name, int class)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0755);
	Elf64_Ehdr e64 = { .e_type = ET_EXEC,
			   .e_machine = MACHINE64,
			   .e_version = 1,
			   .e_phoff = sizeof(e64),
			   .e_ehsize = sizeof(e64),
			   .e_phentsize = sizeof(Elf64_Phdr),
			   .e_phnum = 1 };
	Elf64_Phdr p64 = { .p_type = PT_LOAD,
			   .p_flags = PF_R | PF_X,
			   .p_vaddr = 0xffff800000000000,
			   .p_filesz = 100,
			   .p_memsz = 100,
			   .p_align = 4096 };
	Elf32_Ehdr e32 = { .e_type = ET_EXEC,
			   .e_machine = MACHINE32,
			   .e_flags = FLAGS32,
			   .e_version = 1,
			   .e_phoff = sizeof(e32),
			   .e_ehsize = sizeof(e32),
			   .e_phentsize = sizeof(Elf32_Phdr),
			   .e_phnum = 1 };
	Elf32_Phdr p32 = { .p_type = PT_LOAD,
			   .p_flags = PF_R | PF_X,
			   .p_vaddr = 0xfffff000,
			   .p_filesz = 100,
			   .p_memsz = 100,
			   .p_align = 4096 };

	memcpy(e64.e_ident, "\177ELF\2\1\1", 7);
	memcpy(e32.e_ident, "\177ELF\1\1\1", 7);
	if (class == 64) {
		(void)!write(fd, &e64, sizeof(e64));
		(void)!write(fd, &p64, sizeof(p64));
	} else {
		(void)!write(fd, &e32, sizeof(e32));
		(void)!write(fd, &p32, sizeof(p32));
	}
	if (fd < 0 || ftruncate(fd, 8192) || close(fd))
		die(name);
}

static void *executes_broken(void *name)
{
	say("thread", syscall(SYS_gettid));
	execl(name, name, NULL);
	say("failed", errno);
	syscall(SYS_exit_group, 3);
	return NULL;
}

static void broken(int class, int by_thread)
{
	pthread_t id;

	write_broken("broken", class);
	if (by_thread) {
		pthread_create(&id, NULL, executes_broken, "broken");
		for (;;)
			pause();
	}
	executes_broken("broken");
}

/* Waits in a call, in the way that is asked for; another thread does so, too. */
static void *waits(void *arg)
{
	struct timespec time = { .tv_sec = 1000 };
	const char *how = arg;
	char buf[16];

	say("waits", syscall(SYS_gettid));
	if (!strcmp(how, "nanosleep"))
		syscall(SYS_nanosleep, &time, NULL);
	else
		(void)!syscall(SYS_read, 0, buf, sizeof(buf));
	syscall(SYS_getppid);
	return NULL;
}

static void *wait_forever(void *arg)
{
	for (;;)
		pause();
	return NULL;
}

/* So many threads, then the end of all of them. */
static void many(int count, const char *how)
{
	pthread_attr_t attr;
	pthread_t id;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	for (int i = 0; i < count; i++)
		if (pthread_create(&id, &attr, wait_forever, NULL))
			die("pthread_create");
	if (!strcmp(how, "exit"))
		syscall(SYS_exit_group, 0);
	if (!strcmp(how, "abort"))
		abort();
	raise(SIGKILL);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	pthread_t id;

	self = argv[0];
	if (!strcmp(mode, "makes")) {
		makes();
	} else if (!strcmp(mode, "exec-thread")) {
		pthread_create(&id, NULL, wait_forever, NULL);
		pthread_create(&id, NULL, executes, NULL);
		wait_forever(NULL);
	} else if (!strcmp(mode, "thread-number")) {
		thread_number(atoi(argv[2]));
	} else if (!strcmp(mode, "broken")) {
		broken(atoi(argv[2]), argc > 3);
	} else if (!strcmp(mode, "waits")) {
		waits(argv[2]);
	} else if (!strcmp(mode, "thread-waits")) {
		pthread_create(&id, NULL, waits, argv[2]);
		pthread_join(id, NULL);
	} else if (!strcmp(mode, "many")) {
		many(atoi(argv[2]), argv[3]);
	} else {
		return 97;
	}
	return 0;
}
