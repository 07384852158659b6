// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * kdump(1): prints a trace file.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ktrace.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "decode/event.h"
#include "decode/out.h"
#include "device.h"
#include "options.h"
#include "track/track.h"
#include "view.h"

#define FOLLOW_INTERVAL_NS 100000000

static volatile sig_atomic_t interrupted;
static sigset_t signals_awake; /* the mask while waiting */

static void on_signal(int signo)
{
	(void)signo;
	interrupted = 1;
}

/* Signals are let in while kdump waits for more, and nowhere else; the second one kills. */
static void follow_init(void)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESETHAND };
	sigset_t blocked;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGINT);
	sigaddset(&blocked, SIGTERM);
	sigprocmask(SIG_BLOCK, &blocked, &signals_awake);
	sigdelset(&signals_awake, SIGINT);
	sigdelset(&signals_awake, SIGTERM);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

/* The file has no more: wait, or stop when interrupted, with all that was recorded until then. */
static bool follow_wait(int fd, const struct stat *st)
{
	static const struct timespec interval = { .tv_nsec = FOLLOW_INTERVAL_NS };
	/* No events asked for: wakes up only when nobody reads the output any more. */
	struct pollfd output = { .fd = STDOUT_FILENO };
	static bool flushed;

	if (lseek(fd, 0, SEEK_CUR) > st->st_size)
		die("%s: the file was cut off while it was read", options.file);
	if (flushed)
		return false;
	if (!interrupted)
		ppoll(&output, 1, &interval, &signals_awake);
	if (output.revents)
		exit(1);
	if (interrupted) {
		device_flush(fd);
		flushed = true;
	}
	return true;
}

/* Show what there is, then wait for more. */
static bool follow_hook(void *arg, enum ktrace_reader_event event)
{
	static const struct timespec no_time;
	struct pollfd input = { .fd = *(int *)arg, .events = POLLIN };
	struct stat st;

	out_flush();
	if (fstat(input.fd, &st) == 0 && S_ISREG(st.st_mode)) {
		if (event == KTRACE_READER_END)
			return follow_wait(input.fd, &st);
		ppoll(NULL, 0, &no_time, &signals_awake);
		return true;
	}
	if (event == KTRACE_READER_END)
		return false; /* nobody writes to the pipe any more */
	ppoll(&input, 1, NULL, &signals_awake);
	return !interrupted;
}

static int open_file(void)
{
	int fd;

	if (strcmp(options.file, "-") == 0) {
		options.file = "standard input";
		return STDIN_FILENO;
	}
	fd = open(options.file, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		die("%s: %s", options.file, strerror(errno));
	return fd;
}

static void dump(struct ktrace_reader *reader)
{
	struct ktrace_record record;
	struct event event;
	bool tracked = options.fds || options.view->tracks;
	int ret;

	event_reset();
	track_reset(options.view->tracks);
	options.view->begin();
	while ((ret = ktrace_reader_next(reader, &record)) > 0) {
		event_track(&record, &event);
		if (tracked)
			track_event(&event);
		options.view->event(&event);
	}
	options.view->end();
	if (ret < 0)
		die("%s: %s", options.file, ktrace_reader_error(reader));
}

int main(int argc, char **argv)
{
	struct ktrace_reader *reader;
	int fd;

	signal(SIGPIPE, SIG_IGN);
	options_parse(argc, argv);
	fd = open_file();
	if (options.stats) {
		device_stats(fd, options.file);
		out_flush();
		return 0;
	}
	device_flush(fd);
	if (options.follow)
		follow_init();
	reader = ktrace_reader_new(fd, options.follow ? follow_hook : NULL, &fd);
	if (!reader)
		die("out of memory");
	dump(reader);
	ktrace_reader_free(reader);
	out_flush();
	device_warn(fd, options.file);
	return 0;
}
