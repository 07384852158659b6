// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "follow.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "decode/out.h"
#include "device.h"
#include "living.h"
#include "options.h"

#define INTERVAL_NS 100000000

static int file;
static bool traced; /* the kernel has been seen to write the file */
static volatile sig_atomic_t interrupted;
static sigset_t signals_awake; /* the mask while waiting */

/*
 * How reading ends: once there is a reason, the kernel is asked to write what
 * it has, and what came by that is read; then reading stops.
 */
static enum {
	GOING_ON,
	LAST_ROUND, /* to the end once more */
	STOPPED,
} state;

static void on_signal(int signo)
{
	(void)signo;
	interrupted = 1;
}

/* Signals are let in while kdump waits for more, and nowhere else; the second one kills. */
void follow_begin(int fd)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESETHAND };
	sigset_t blocked;

	file = fd;
	traced = false;
	state = GOING_ON;
	living_reset();
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGINT);
	sigaddset(&blocked, SIGTERM);
	sigprocmask(SIG_BLOCK, &blocked, &signals_awake);
	sigdelset(&signals_awake, SIGINT);
	sigdelset(&signals_awake, SIGTERM);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

/* ktrace may not have made it yet. */
void follow_wait_for(const char *name)
{
	static const struct timespec interval = { .tv_nsec = INTERVAL_NS };

	if (access(name, F_OK) == 0 || errno != ENOENT)
		return;
	warn("%s: waiting for it to be made", name);
	do {
		nanosleep(&interval, NULL);
	} while (access(name, F_OK) != 0 && errno == ENOENT);
}

static void sleep_until_more(void)
{
	static const struct timespec interval = { .tv_nsec = INTERVAL_NS };
	/* No events asked for: wakes up only when nobody reads the output any more. */
	struct pollfd output = { .fd = STDOUT_FILENO };

	ppoll(&output, 1, &interval, &signals_awake);
	if (output.revents)
		exit(1);
}

/*
 * Has all ended that was traced?  The kernel knows best, if it is still writing
 * the file: also that processes are traced no more, or that one will come.
 */
static bool is_over(void)
{
	unsigned long long sessions, processes;

	if (!options.until_exit || !living_seen())
		return false;
	if (device_tracing(file, &sessions, &processes) && sessions) {
		traced = true;
		return processes == 0 || (options.pid && !living_left());
	}
	return traced || !living_left();
}

/* The end of a regular file: wait, or go through the states. */
static void at_end(const struct stat *st)
{
	if (lseek(file, 0, SEEK_CUR) > st->st_size)
		die("%s: the file was cut off while it was read", options.file);
	if (!interrupted && !is_over()) {
		state = GOING_ON; /* the last round may have found a new process */
		sleep_until_more();
	} else if (state == GOING_ON) {
		state = LAST_ROUND;
		device_flush(file);
	} else {
		state = STOPPED;
	}
}

/* Show what there is, then wait for more. */
bool follow_hook(void *arg, enum ktrace_reader_event event)
{
	static const struct timespec no_time;
	struct pollfd input = { .fd = file, .events = POLLIN };
	struct stat st;

	(void)arg;
	if (state == STOPPED)
		return false;
	out_flush();
	if (fstat(file, &st) == 0 && S_ISREG(st.st_mode)) {
		if (event == KTRACE_READER_END)
			at_end(&st);
		else
			ppoll(NULL, 0, &no_time, &signals_awake);
		return true;
	}
	if (event == KTRACE_READER_END)
		return false; /* nobody writes to the pipe any more */
	if (is_over() && poll(&input, 1, 0) == 0)
		return false;
	ppoll(&input, 1, NULL, &signals_awake);
	return !interrupted;
}

void follow_track(const struct ktrace_record *record)
{
	if (options.until_exit)
		living_track(record);
}
