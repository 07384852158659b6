// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * fuzz [-s SEED] [-t SECONDS] [-n SEQUENCES] [-u UID] [-v] | fuzz -r NUMBER,NUMBER...
 *
 * A hostile program, for /dev/ktrace, /dev/ktr, kern.ktrace and debug.ktr: sequences of operations with odd arguments, by
 * threads and children, across exec, exit and setuid. Runs in the current folder, which it fills, and as root, who gives
 * each sequence to a process with the user id UID. That a kernel does not complain is what it is about: the fuzzer itself
 * fails only where it cannot do its work. -v prints each sequence before it runs; -r runs one.
 *
 * With KCOV, those that reached something new in the modules are kept, and changed further.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

#define CORPUS_MOST 4096
#define RESET_EACH  16 /* sequences, then nobody is traced */
#define PATIENCE    20 /* seconds for a sequence */

int fuzz_fds[FDS] = { -1, -1, -1, -1, -1, -1, -1, -1 };
pid_t fuzz_helpers[HELPERS];
bool fuzz_root;

static struct sequence corpus[CORPUS_MOST];
static size_t corpus_nr;
static unsigned int uid;
static bool verbose;

static void die(const char *what)
{
	fprintf(stderr, "fuzz: %s: %s\n", what, strerror(errno));
	exit(99);
}

/* A program that gains what who executes it has not. */
static void make_program(const char *name)
{
	int from = open("/proc/self/exe", O_RDONLY),
	    to = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0755);
	ssize_t n;

	do
		n = sendfile(to, from, NULL, 1 << 20);
	while (n > 0);
	if (n || fchmod(to, 04755))
		die(name);
	close(from);
	close(to);
}

/* What sequences find. */
static void make_files(void)
{
	static const char *const plain[] = { "a", "b", "c", "d" };

	for (size_t i = 0; i < 4; i++) {
		int fd = open(plain[i], O_CREAT | O_WRONLY | O_TRUNC, 0666);

		if (fd < 0 || fchown(fd, uid, uid))
			die(plain[i]);
		close(fd);
	}
	close(open("unreadable", O_CREAT | O_WRONLY, 0));
	(void)!mkdir("folder", 0755);
	(void)!mkdir("full", 0755);
	(void)!mkfifo("fifo", 0666);
	(void)!symlink("a", "link");
	make_program("set-user-id");
	if (!mount("tmpfs", "full", "tmpfs", 0, "size=64k,mode=0777"))
		close(open("full/a", O_CREAT | O_WRONLY, 0666));
}

static void run_op(uint64_t op)
{
	uint64_t rng = op;

	if (below(&rng, 3))
		device_op(&rng);
	else
		calls_op(&rng);
}

/* The process of a sequence. */
static void child(const struct sequence *s)
{
	struct rlimit few = { 64, 64 };

	setpgid(0, 0);
	signal(SIGXFSZ, SIG_IGN);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	fuzz_root = !uid;
	if (uid) {
		setrlimit(RLIMIT_NPROC, &few);
		if (setgroups(0, NULL) || setresgid(uid, uid, uid) || setresuid(uid, uid, uid))
			_exit(99);
		prctl(PR_SET_DUMPABLE, 1);
	}
	coverage_begin();
	for (uint32_t i = 0; i < s->nr; i++)
		run_op(s->op[i]);
	_exit(0);
}

static void print(const struct sequence *s)
{
	for (uint32_t i = 0; i < s->nr; i++)
		printf("%s%016" PRIx64, i ? "," : "fuzz -r ", s->op[i]);
	printf("\n");
	fflush(stdout);
}

static void on_alarm(int signo)
{
	(void)signo;
}

/* Ends what a sequence has left: its process group, and who was given to us since his parent died. */
static void clean_up(pid_t pid)
{
	int status;

	for (;;) {
		kill(-pid, SIGKILL);
		if (waitpid(-1, &status, WNOHANG) < 0)
			return;
		usleep(500);
	}
}

/* Return: how much it reached that was new. */
static size_t run(const struct sequence *s)
{
	struct itimerval patience = { .it_value.tv_sec = PATIENCE }, none = { 0 };
	int status;
	pid_t pid;

	if (verbose)
		print(s);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid)
		child(s);
	setitimer(ITIMER_REAL, &patience, NULL);
	if (waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 99)
		die("a sequence's process");
	setitimer(ITIMER_REAL, &none, NULL);
	clean_up(pid);
	return coverage_new();
}

/* A new one, or one that has proved itself, with changes. */
static void make(struct sequence *s, uint64_t *rng)
{
	uint32_t i;

	if (!corpus_nr || one_in(rng, 8)) {
		s->nr = 1 + below(rng, OPS_MOST);
		for (i = 0; i < s->nr; i++)
			s->op[i] = rng_next(rng);
		return;
	}
	*s = corpus[below(rng, corpus_nr)];
	do {
		const struct sequence *other = &corpus[below(rng, corpus_nr)];

		i = below(rng, s->nr);
		switch (below(rng, 4)) {
		case 0:
			s->op[i] = rng_next(rng);
			break;
		case 1:
			s->op[i] = other->op[below(rng, other->nr)];
			break;
		case 2:
			if (s->nr < OPS_MOST) {
				memmove(s->op + i + 1, s->op + i, (s->nr++ - i) * sizeof(*s->op));
				s->op[i] = one_in(rng, 2) ? rng_next(rng) :
							    other->op[below(rng, other->nr)];
			}
			break;
		case 3:
			if (s->nr > 1)
				memmove(s->op + i, s->op + i + 1, (--s->nr - i) * sizeof(*s->op));
			break;
		}
	} while (!one_in(rng, 3));
}

static void replay(char *text)
{
	struct sequence s = { 0 };

	for (char *word = strtok(text, ","); word && s.nr < OPS_MOST; word = strtok(NULL, ","))
		s.op[s.nr++] = strtoull(word, NULL, 16);
	run(&s);
	device_reset();
}

static void fuzz(uint64_t seed, long seconds, unsigned long most)
{
	time_t end = time(NULL) + seconds, told = time(NULL);
	unsigned long n, ops = 0;
	uint64_t rng = seed;
	struct sequence s;

	for (n = 0; n < most && time(NULL) < end; n++) {
		make(&s, &rng);
		ops += s.nr;
		if (run(&s) && corpus_nr < CORPUS_MOST)
			corpus[corpus_nr++] = s;
		if (n % RESET_EACH == RESET_EACH - 1)
			device_reset();
		if (time(NULL) - told >= 60) {
			told = time(NULL);
			printf("# fuzz: %lu sequences, %lu operations, %zu addresses\n", n + 1, ops,
			       coverage_all());
			fflush(stdout);
		}
	}
	device_reset();
	printf("seed %" PRIu64 " uid %u sequences %lu operations %lu", seed, uid, n, ops);
	if (coverage_there())
		printf(" addresses %zu corpus %zu", coverage_all(), corpus_nr);
	printf("\n");
}

int main(int argc, char **argv)
{
	unsigned long most = -1UL;
	long seconds = 1L << 30;
	uint64_t seed = 1;
	char *one = NULL;
	int opt;

	if (argc > 1 && !strcmp(argv[1], "leaf")) {
		calls_leaf();
		return 0;
	}
	while ((opt = getopt(argc, argv, "s:t:n:u:r:v")) != -1) {
		switch (opt) {
		case 's':
			seed = strtoull(optarg, NULL, 0);
			break;
		case 't':
			seconds = atol(optarg);
			break;
		case 'n':
			most = strtoul(optarg, NULL, 0);
			break;
		case 'u':
			uid = atoi(optarg);
			break;
		case 'r':
			one = optarg;
			break;
		case 'v':
			verbose = true;
			break;
		default:
			fprintf(stderr,
				"usage: fuzz [-s SEED] [-t SECONDS] [-n SEQUENCES] [-u UID] [-v] [-r NUMBER,...]\n");
			return 99;
		}
	}
	if (signal(SIGALRM, SIG_DFL) == SIG_ERR || prctl(PR_SET_CHILD_SUBREAPER, 1))
		die("fuzz");
	sigaction(SIGALRM, &(struct sigaction){ .sa_handler = on_alarm }, NULL);
	make_files();
	memory_init();
	coverage_init();
	if (one)
		replay(one);
	else
		fuzz(seed, seconds, most);
	umount2("full", MNT_DETACH);
	return 0;
}
