// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "live.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "decode/out.h"
#include "kdump/truss.h"
#include "spool.h"

#define SOON_MS	  100 /* after that the calls that go on are shown */
#define SELDOM_MS 1000 /* traces may end without a word */

static int output;
static bool ended; /* nothing is traced any more: what is left is read */
static bool skips;
static struct sigaction pipe_before;
static sigset_t mask_before, mask_awake; /* while waiting */
static volatile sig_atomic_t asked; /* the signal that asked for the end */
static volatile sig_atomic_t seen_by_all; /* the terminal sent one to the command, too */

static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

#define SIGNALS (sizeof(signals) / sizeof(signals[0]))

static void on_signal(int signo, siginfo_t *info, void *context)
{
	(void)context;
	/* The command is likely to end of it: that is of interest. */
	if (command_pid() && info->si_code == SI_KERNEL && !seen_by_all) {
		seen_by_all = 1;
		return;
	}
	if (asked) {
		signal(signo, SIG_DFL); /* it has been asked for in vain */
		raise(signo);
	}
	asked = signo;
}

static void on_child(int signo)
{
	(void)signo;
}

/* They are let in while ktruss waits, and between two pieces of the file. */
void live_begin(int fd)
{
	struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };
	struct sigaction child = { .sa_handler = on_child };
	sigset_t blocked;
	size_t i;

	output = fd;
	sigemptyset(&blocked);
	for (i = 0; i < SIGNALS; i++)
		sigaddset(&blocked, signals[i]);
	sigaddset(&blocked, SIGCHLD);
	sigprocmask(SIG_BLOCK, &blocked, &mask_before);
	mask_awake = mask_before;
	for (i = 0; i < SIGNALS; i++) {
		struct sigaction before;

		sigaction(signals[i], NULL, &before);
		if (before.sa_handler == SIG_IGN)
			continue; /* nohup */
		sigdelset(&mask_awake, signals[i]);
		sigaction(signals[i], &action, NULL);
	}
	sigdelset(&mask_awake, SIGCHLD);
	sigaction(SIGCHLD, &child, NULL);
	action = (struct sigaction){ .sa_handler = SIG_IGN };
	sigaction(SIGPIPE, &action, &pipe_before);
}

/* Handlers go by themselves when a program is executed. */
void live_restore_signals(void)
{
	sigaction(SIGPIPE, &pipe_before, NULL);
	sigprocmask(SIG_SETMASK, &mask_before, NULL);
}

/* Returns whether something has happened. */
static bool wait_for(const struct source *source, int ms)
{
	struct timespec timeout = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };
	struct pollfd fds[] = {
		{ .fd = source->spool->notify, .events = POLLIN },
		{ .fd = output }, /* nobody reads it any more? */
	};
	int n = ppoll(fds, 2, &timeout, &mask_awake);

	if (n > 0 && fds[1].revents)
		exit(1);
	if (n > 0)
		spool_woken(source->spool);
	return n != 0;
}

static void wait_for_more(const struct source *source)
{
	if (wait_for(source, SOON_MS))
		return;
	truss_show_calls();
	out_flush();
	if (source->spool->notify >= 0)
		wait_for(source, SELDOM_MS);
}

static void end(const struct source *source)
{
	if (!ended)
		source->end();
	ended = true;
}

/* Too far behind, the text is left out until the end is near. */
static void look_behind(const struct source *source)
{
	uint64_t behind = spool_behind(source->spool);

	if (behind > source->spool->limit / 2)
		skips = true;
	else if (behind < source->spool->limit / 16)
		skips = false;
}

bool live_hook(void *arg, enum ktrace_reader_event event)
{
	static const struct timespec no_time;
	const struct source *source = arg;
	bool over = ended;

	if (event == KTRACE_READER_READ) {
		look_behind(source);
		ppoll(NULL, 0, &no_time, &mask_awake);
	} else {
		out_flush();
		if (over)
			return false;
		if (source->left() == 0)
			end(source);
		else if (!asked)
			wait_for_more(source);
	}
	if (asked)
		end(source);
	return true;
}

bool live_skips(void)
{
	return skips;
}

int live_signal(void)
{
	return asked;
}

void live_wait_for_command(void)
{
	while (!asked && !command_has_ended())
		ppoll(NULL, 0, NULL, &mask_awake);
}
