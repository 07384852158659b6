// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * ktrdump on any stream, and on any memory image.
 *
 * In the environment, FUZZ_OPTIONS has options that are always given, separated
 * by spaces, and FUZZ_LETTERS those that the control byte chooses from.
 */
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "allocations.h"
#include "chunks.h"
#include "decode/out.h"
#include "ktrdump/options.h"
#include "ktrdump/stream.h"
#include "tool_run.h"

#define MAX_ARGS 32

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
ssize_t __real_read(int fd, void *buf, size_t len);
ssize_t __wrap_read(int fd, void *buf, size_t len);
int __real_fstatfs(int fd, struct statfs *fs);
int __wrap_fstatfs(int fd, struct statfs *fs);
const char *__real_stream_parse(struct stream *stream, const void *data, size_t len);
const char *__wrap_stream_parse(struct stream *stream, const void *data, size_t len);

static struct {
	const uint8_t *file;
	size_t len;
	bool is_live; /* memory that goes on */
} input;

static size_t at; /* in the file */

ssize_t __wrap_read(int fd, void *buf, size_t len)
{
	if (!tool_runs || fd != STDIN_FILENO)
		return __real_read(fd, buf, len);
	if (len > input.len - at)
		len = input.len - at;
	memcpy(buf, input.file + at, len);
	at += len;
	return len;
}

int __wrap_fstatfs(int fd, struct statfs *fs)
{
	int ret = __real_fstatfs(fd, fs);

	if (tool_runs && input.is_live)
		fs->f_type = PROC_SUPER_MAGIC;
	return ret;
}

/* In memory of its own: a sanitizer sees who reads beyond it. */
const char *__wrap_stream_parse(struct stream *stream, const void *data, size_t len)
{
	void *copy = malloc(len);

	if (len)
		memcpy(copy, data, len);
	return __real_stream_parse(stream, copy, len);
}

static void begin(void)
{
	size_t len;

	/* It keeps this memory from one run to the next. */
	out_capture();
	out_captured(&len);
	memset(&options, 0, sizeof(options));
	at = 0;
}

static const char *const notices[] = {
	"events were lost: ",
	"the picture is not complete: ",
	"/proc/self/fd/", /* slots or formats are not in it */
	NULL,
};

const struct tool tool = {
	.name = "ktrdump",
	.notices = notices,
	.max_lines = 64, /* one for each CPU */
	.begin = begin,
	.end = allocations_free,
};

/* A file of memory, for all runs; returns its descriptor. */
static int put_image(const uint8_t *data, size_t size)
{
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("core", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	return fd;
}

/* Of the environment and of the control byte. */
static int make_args(uint8_t control, char **argv)
{
	static char letters[9], path[32];
	const char *flags = tool_setting("FUZZ_LETTERS");
	unsigned int i, n = 1;
	int argc = 0;

	argv[argc++] = (char *)"ktrdump";
	letters[0] = '-';
	for (i = 0; flags[i] && i < CHUNKS_CORE_BIT; i++)
		if (control & 1U << i)
			letters[n++] = flags[i];
	letters[n] = '\0';
	if (n > 1)
		argv[argc++] = letters;
	if (control & 1U << CHUNKS_CORE_BIT) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", put_image(input.file, input.len));
		argv[argc++] = (char *)"-M";
		argv[argc++] = path;
	} else {
		argv[argc++] = (char *)"-i-";
	}
	return tool_add_options(argv, argc, MAX_ARGS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *argv[MAX_ARGS];

	if (size < CHUNKS_CONTROL)
		return -1;
	input.file = data + CHUNKS_CONTROL;
	input.len = size - CHUNKS_CONTROL;
	input.is_live = data[0] & 1U << CHUNKS_LIVE_BIT;
	tool_run(make_args(data[0], argv), argv, input.len);
	return 0;
}
