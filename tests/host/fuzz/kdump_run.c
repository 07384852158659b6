// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * kdump's main() in this process: its system calls that read and write are
 * ours, and so is its exit(3).
 *
 * main.c is compiled with -Dmain=kdump_main, all of kdump with
 * -Dexit=kdump_exit, and the program linked with --wrap for what begins with
 * __wrap_ here.
 */
#include <errno.h>
#include <getopt.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ktrace.h>
#include <unistd.h>

#include "check.h"
#include "filter/filter.h"
#include "kdump/device.h"
#include "kdump/options.h"
#include "kdump_run.h"
#include "reader/ktrace_reader.h"

#define MAX_STDERR 4096

/* However it is printed: the most that a byte of a file, and a file, may become. */
#define MAX_GROWTH 600
#define MAX_FIXED  (1 << 20)

int kdump_main(int argc, char **argv);
void kdump_exit(int status) __attribute__((noreturn));

ssize_t __real_read(int fd, void *buf, size_t len);
ssize_t __wrap_read(int fd, void *buf, size_t len);
ssize_t __real_write(int fd, const void *buf, size_t len);
ssize_t __wrap_write(int fd, const void *buf, size_t len);
int __real_ioctl(int fd, unsigned long request, void *arg);
int __wrap_ioctl(int fd, unsigned long request, void *arg);
int __real_ktrace_reader_next(struct ktrace_reader *reader, struct ktrace_record *record);
int __wrap_ktrace_reader_next(struct ktrace_reader *reader, struct ktrace_record *record);
struct ktrace_reader *__real_ktrace_reader_new(int fd, ktrace_reader_hook *hook, void *arg);
struct ktrace_reader *__wrap_ktrace_reader_new(int fd, ktrace_reader_hook *hook, void *arg);
void __real_ktrace_reader_free(struct ktrace_reader *reader);
void __wrap_ktrace_reader_free(struct ktrace_reader *reader);

/* The run that goes on, if one does. */
static struct {
	bool active;
	jmp_buf end;
	size_t chunk;
	unsigned int width;
	const uint8_t *file;
	size_t len;
	size_t at;
	struct ktrace_reader *reader;
	bool opened; /* there was one */
	unsigned char *payload;
} run;

static char *output;
static size_t output_len, output_size;

void kdump_exit(int status)
{
	longjmp(run.end, status + 1);
}

ssize_t __wrap_read(int fd, void *buf, size_t len)
{
	size_t rest = run.len - run.at;

	if (!run.active || fd != STDIN_FILENO)
		return __real_read(fd, buf, len);
	if (len > rest)
		len = rest;
	if (len > run.chunk)
		len = run.chunk;
	memcpy(buf, run.file + run.at, len);
	run.at += len;
	return len;
}

ssize_t __wrap_write(int fd, const void *buf, size_t len)
{
	if (!run.active || fd != STDOUT_FILENO)
		return __real_write(fd, buf, len);
	if (output_len + len > output_size) {
		output_size = 2 * (output_len + len);
		output = realloc(output, output_size);
		if (!output)
			abort();
	}
	memcpy(output + output_len, buf, len);
	output_len += len;
	return len;
}

int __wrap_ioctl(int fd, unsigned long request, void *arg)
{
	if (!run.active || request != TIOCGWINSZ)
		return __real_ioctl(fd, request, arg);
	((struct winsize *)arg)->ws_col = run.width;
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

const char *kdump_setting(const char *name)
{
	const char *value = getenv(name);

	return value ? value : "";
}

/* Returns its status. */
static int run_once(int argc, char **argv, const struct kdump_input *input)
{
	int status;

	/* All else begins anew by itself: see dump(). */
	memset(&options, 0, sizeof(options));
	filter_reset();
	optind = 0;
	output_len = 0;
	run.chunk = input->chunk;
	run.width = input->width;
	run.file = input->file;
	run.len = input->len;
	run.at = 0;
	run.opened = false;
	run.active = true;
	status = setjmp(run.end);
	if (status == 0)
		status = kdump_main(argc, argv);
	else
		status--;
	run.active = false;
	if (run.reader)
		__wrap_ktrace_reader_free(run.reader);
	free(run.payload);
	run.payload = NULL;
	return status;
}

void kdump_problem(const char *what, const char *text, size_t len)
{
	fprintf(stderr, "\nkdump: %s: ", what);
	fwrite(text, 1, len, stderr);
	fprintf(stderr, "\n");
	abort();
}

static void check_output(size_t size)
{
	const char *name = kdump_setting("FUZZ_CHECK"), *wrong;
	size_t at, from;

	if (strcmp(name, "text") == 0)
		wrong = NULL;
	else if (strcmp(name, "json") == 0)
		wrong = check_json(output, output_len, &at);
	else if (strcmp(name, "json-lines") == 0)
		wrong = check_json_lines(output, output_len, &at);
	else
		kdump_problem("FUZZ_CHECK is none of text, json, json-lines", name, strlen(name));
	if (!wrong)
		wrong = check_text(output, output_len, &at);
	if (wrong) {
		from = at > 200 ? at - 200 : 0;
		kdump_problem(wrong, output + from,
			      output_len - from < 240 ? output_len - from : 240);
	}
	if (output_len > MAX_FIXED + MAX_GROWTH * size)
		kdump_problem("far more output than input", output, 400);
}

/* What is said when all is well. */
static bool is_notice(const char *text)
{
	static const char *const notices[] = {
		"kdump: no record was selected",
		"kdump: times are more than 52 days from the first",
		"kdump: -e: too much was recorded during a call",
	};
	unsigned int i;

	for (i = 0; i < sizeof(notices) / sizeof(notices[0]); i++)
		if (strncmp(text, notices[i], strlen(notices[i])) == 0)
			return true;
	return false;
}

/* A notice and an error at most, each in a line of its own. */
static bool is_lines(const char *text, size_t len)
{
	const char *end = text + len;
	unsigned int lines = 0;

	while (text < end) {
		const char *newline = memchr(text, '\n', end - text);

		if (!newline || strncmp(text, "kdump: ", 7) != 0 || ++lines > 2)
			return false;
		text = newline + 1;
	}
	return true;
}

/* What is said on stderr is lines, and there is one if it failed. */
static void check_error(int status, const char *text, size_t len)
{
	size_t at;
	const char *wrong = check_text(text, len, &at);

	if (wrong)
		kdump_problem(wrong, text, len);
	if (status > 1 || (status != 0 && len == 0) ||
	    (status == 0 && len != 0 && !is_notice(text)))
		kdump_problem("status and stderr do not agree", text, len);
	if (!is_lines(text, len))
		kdump_problem("stderr is not of lines", text, len);
}

/* Runs it with a stderr of our own. */
static int run_with_stderr(int argc, char **argv, const struct kdump_input *input, char *text,
			   size_t *len)
{
	FILE *real = stderr;
	int status;

	stderr = fmemopen(text, MAX_STDERR, "w");
	if (!stderr)
		abort();
	status = run_once(argc, argv, input);
	*len = ftell(stderr);
	fclose(stderr);
	stderr = real;
	return status;
}

/* Nothing of one run is left in the next: else what is found could not be found again. */
static void check_again(int argc, char **argv, const struct kdump_input *input, int status)
{
	char text[MAX_STDERR], *before = output;
	size_t before_len = output_len, len;

	output = NULL;
	output_size = 0;
	if (run_with_stderr(argc, argv, input, text, &len) != status || output_len != before_len ||
	    memcmp(output, before, output_len) != 0)
		kdump_problem("the same file again is not the same", text, len);
	free(before);
}

void kdump_run(int argc, char **argv, const struct kdump_input *input)
{
	static char text[MAX_STDERR];
	size_t len;
	int status;

	status = run_with_stderr(argc, argv, input, text, &len);
	check_error(status, text, len);
	if (!run.opened && !input->may_refuse)
		kdump_problem("it did not get to the file", text, len);
	if (*kdump_setting("FUZZ_TWICE") && output_len)
		check_again(argc, argv, input, status);
	/* What was printed before an error need not be complete: that is for text only. */
	if (status == 0 || strcmp(kdump_setting("FUZZ_CHECK"), "text") == 0)
		check_output(input->len);
}
