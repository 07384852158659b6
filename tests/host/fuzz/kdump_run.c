// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * What kdump reads: its system calls are ours. Linked with --wrap for what
 * begins with __wrap_ here.
 */
#include "kdump_run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "filter/filter.h"
#include "kdump/device.h"
#include "kdump/options.h"
#include "reader/ktrace_reader.h"
#include "tool_run.h"

ssize_t __real_read(int fd, void *buf, size_t len);
ssize_t __wrap_read(int fd, void *buf, size_t len);
int __real_ioctl(int fd, unsigned long request, void *arg);
int __wrap_ioctl(int fd, unsigned long request, void *arg);
int __real_ktrace_reader_next(struct ktrace_reader *reader, struct ktrace_record *record);
int __wrap_ktrace_reader_next(struct ktrace_reader *reader, struct ktrace_record *record);
struct ktrace_reader *__real_ktrace_reader_new(int fd, ktrace_reader_hook *hook, void *arg);
struct ktrace_reader *__wrap_ktrace_reader_new(int fd, ktrace_reader_hook *hook, void *arg);
void __real_ktrace_reader_free(struct ktrace_reader *reader);
void __wrap_ktrace_reader_free(struct ktrace_reader *reader);

static const struct kdump_input *input;

/* The run that goes on, if one does. */
static struct {
	size_t at; /* in the file */
	struct ktrace_reader *reader;
	bool opened; /* there was one */
	unsigned char *payload;
} run;

ssize_t __wrap_read(int fd, void *buf, size_t len)
{
	size_t rest;

	if (!tool_runs || fd != STDIN_FILENO)
		return __real_read(fd, buf, len);
	rest = input->len - run.at;
	if (len > rest)
		len = rest;
	if (len > input->chunk)
		len = input->chunk;
	memcpy(buf, input->file + run.at, len);
	run.at += len;
	return len;
}

int __wrap_ioctl(int fd, unsigned long request, void *arg)
{
	if (!tool_runs || request != TIOCGWINSZ)
		return __real_ioctl(fd, request, arg);
	((struct winsize *)arg)->ws_col = input->width;
	return 0;
}

/* Payloads in memory of their own: a sanitizer sees who reads beyond one. */
int __wrap_ktrace_reader_next(struct ktrace_reader *reader, struct ktrace_record *record)
{
	int ret;

	free(run.payload);
	run.payload = NULL;
	ret = __real_ktrace_reader_next(reader, record);
	if (ret > 0) {
		run.payload = malloc(record->len);
		if (record->len)
			memcpy(run.payload, record->data, record->len);
		record->data = run.payload;
	}
	return ret;
}

struct ktrace_reader *__wrap_ktrace_reader_new(int fd, ktrace_reader_hook *hook, void *arg)
{
	run.reader = __real_ktrace_reader_new(fd, hook, arg);
	run.opened = true;
	return run.reader;
}

void __wrap_ktrace_reader_free(struct ktrace_reader *reader)
{
	__real_ktrace_reader_free(reader);
	run.reader = NULL;
}

/* There is no module, and nothing that it could be asked about. */
void device_flush(int fd)
{
	(void)fd;
}

void device_warn(int fd, const char *name)
{
	(void)fd;
	(void)name;
}

bool device_tracing(int fd, unsigned long long *sessions, unsigned long long *processes)
{
	(void)fd;
	(void)sessions;
	(void)processes;
	return false;
}

void device_stats(int fd, const char *name)
{
	(void)fd;
	(void)name;
}

static void begin(void)
{
	/* All else begins anew by itself: see dump(). */
	memset(&options, 0, sizeof(options));
	filter_reset();
	run.at = 0;
	run.opened = false;
}

static void end(void)
{
	if (run.reader)
		__wrap_ktrace_reader_free(run.reader);
	free(run.payload);
	run.payload = NULL;
}

static void check(const char *said, size_t len)
{
	if (!run.opened && !input->may_refuse)
		tool_problem("it did not get to the file", said, len);
}

static const char *const notices[] = {
	"no record was selected",
	"times are more than 52 days from the first",
	"-e: too much was recorded during a call",
	NULL,
};

const struct tool tool = {
	.name = "kdump",
	.notices = notices,
	.max_lines = 2, /* a notice and an error */
	.begin = begin,
	.end = end,
	.check = check,
};

void kdump_run(int argc, char **argv, const struct kdump_input *given)
{
	input = given;
	tool_run(argc, argv, given->len);
}
