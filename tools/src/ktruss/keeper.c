// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "decode/out.h"

#define OFTEN_MS  100 /* while the spool grows */
#define SELDOM_MS 1000
#define MIB	  (1 << 20)
#define FDS	  4 /* that a source needs to end its traces, at most */

static pid_t keeper;
static const struct spool *kept;
static int life = -1; /* the end of a pipe: what ktruss holds for as long as it lives */
static volatile bool *ended; /* shared with it */

static void sort(int *fds, int count)
{
	int i, j;

	for (i = 1; i < count; i++)
		for (j = i; j && fds[j - 1] > fds[j]; j--) {
			int fd = fds[j];

			fds[j] = fds[j - 1];
			fds[j - 1] = fd;
		}
}

/* Others wait for the end of what ktruss has open.  (Debian 11's libc has no SYS_close_range.) */
static void close_others(int *fds, int count)
{
	unsigned int from = 0;
	int i;

	sort(fds, count);
	for (i = 0; i < count; i++) {
		if ((unsigned int)fds[i] > from)
			syscall(__NR_close_range, from, fds[i] - 1, 0);
		from = fds[i] + 1;
	}
	syscall(__NR_close_range, from, ~0U, 0);
}

/* Until ktruss has gone. */
static void watch(const struct spool *spool, void (*end)(void), int fd)
{
	struct pollfd life_of_ktruss = { .fd = fd };
	uint64_t before = 0;
	int timeout = SELDOM_MS;

	while (poll(&life_of_ktruss, 1, timeout) <= 0) {
		uint64_t used = spool_used(spool->fd);

		if (used > spool->limit) {
			*ended = true;
			end();
			timeout = -1;
			continue;
		}
		timeout = used > before ? OFTEN_MS : SELDOM_MS;
		before = used;
	}
}

static void __attribute__((noreturn))
keep(const struct spool *spool, void (*end)(void), const int *needed, int count, int fd)
{
	int fds[FDS + 2] = { spool->fd, fd };
	sigset_t all;
	int i;

	for (i = 0; i < count; i++)
		fds[2 + i] = needed[i];
	/* Not even the terminal's end, or a signal to all of its processes, is for it. */
	setsid();
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	close_others(fds, 2 + count);
	if (chdir("/"))
		_exit(1);
	prctl(PR_SET_NAME, "ktruss-keeper");
	watch(spool, end, fd);
	end();
	unlink(spool->path);
	_exit(0);
}

bool keeper_begin(const struct spool *spool, void (*end)(void), const int *needed, int count)
{
	int fds[2];

	ended = mmap(NULL, sizeof(*ended), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	if (ended == MAP_FAILED || pipe2(fds, O_CLOEXEC))
		return false;
	kept = spool;
	keeper = fork();
	if (keeper == 0)
		keep(spool, end, needed, count, fds[0]);
	close(fds[0]);
	life = fds[1];
	return keeper > 0;
}

void keeper_end(void)
{
	close(life);
	while (waitpid(keeper, NULL, 0) < 0 && errno == EINTR)
		;
	if (*ended)
		warn("the trace ended early: %llu MiB waited for somebody to take the output",
		     (unsigned long long)(kept->limit / MIB));
}
