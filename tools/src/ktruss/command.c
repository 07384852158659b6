// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "decode/out.h"
#include "ktrace/attach.h"
#include "ktrace/command.h"
#include "live.h"

#define CANNOT_EXECUTE 126
#define NOT_FOUND      127

/* What the child reports when it does not execute the program. */
struct failure {
	enum {
		NOT_TRACED,
		NOT_EXECUTED,
	} what;
	int error;
};

static pid_t child;
static int child_status;
static bool child_ended;

static void __attribute__((noreturn)) refuse(const char *name, int error)
{
	if (error == ENOENT)
		warn("%s: command not found", out_operand(name));
	else
		warn("%s: cannot be executed: %s", name, strerror(error));
	exit(error == ENOENT ? NOT_FOUND : CANNOT_EXECUTE);
}

void command_check(const char *name, char program[PATH_MAX])
{
	int error = command_find(name, program);

	if (error)
		refuse(name, error);
}

static void __attribute__((noreturn))
execute(const struct source *source, const char *program, char **argv, int report)
{
	struct failure failure = { .what = NOT_TRACED };

	live_restore_signals();
	failure.error = source->trace(getpid());
	if (!failure.error) {
		failure.what = NOT_EXECUTED;
		execv(program, argv);
		/* It has changed, or is a script without "#!". */
		execvp(argv[0], argv);
		failure.error = errno;
	}
	if (write(report, &failure, sizeof(failure)) < 0)
		_exit(1);
	_exit(NOT_FOUND);
}

void command_start(const struct source *source, const char *program, char **argv)
{
	struct attach_request attach = { .sets = true, .command = true };
	struct failure failure;
	int report[2];
	ssize_t n;

	if (pipe2(report, O_CLOEXEC))
		die("cannot begin: %s", strerror(errno));
	child = fork();
	if (child < 0)
		die("cannot begin: %s", strerror(errno));
	if (child == 0)
		execute(source, program, argv, report[1]);
	close(report[1]);
	do
		n = read(report[0], &failure, sizeof(failure));
	while (n < 0 && errno == EINTR);
	close(report[0]);
	if (n != sizeof(failure))
		return; /* it has been executed */
	source->end();
	if (failure.what == NOT_EXECUTED)
		refuse(argv[0], failure.error);
	attach_explain(&attach, failure.error);
	die("the command cannot be traced: %s", strerror(failure.error));
}

int command_pid(void)
{
	return child;
}

bool command_has_ended(void)
{
	if (!child_ended)
		child_ended = waitpid(child, &child_status, WNOHANG) == child;
	return child_ended;
}

void exit_by_signal(int signo)
{
	static const struct rlimit none;
	sigset_t set;

	out_flush();
	fflush(NULL);
	setrlimit(RLIMIT_CORE, &none);
	signal(signo, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, signo);
	raise(signo);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	exit(128 + signo);
}

void command_exit(void)
{
	if (WIFSIGNALED(child_status))
		exit_by_signal(WTERMSIG(child_status));
	exit(WEXITSTATUS(child_status));
}
