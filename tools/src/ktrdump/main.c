// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * ktrdump(8): prints the events that ktr(4) has recorded.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core.h"
#include "decode/out.h"
#include "input.h"
#include "live.h"
#include "options.h"
#include "pictures.h"
#include "stream.h"
#include "text.h"

/* Output to the file that is read would take away what is not read yet. */
static void check_output(int fd, const char *name)
{
	const char *path = options.file ? options.file : options.core;
	struct stat in, out;

	if (!path || fstat(fd, &out) || !S_ISREG(out.st_mode))
		return;
	if (strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &in) : stat(path, &in))
		return;
	if (in.st_dev == out.st_dev && in.st_ino == out.st_ino)
		die("%s: is what is read: write into another file", name);
}

/* Standard output goes there; "-" is where it goes anyway. */
static void write_to(const char *path)
{
	int fd;

	if (strcmp(path, "-") == 0)
		return;
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
	if (fd < 0)
		die("%s: %s", path, strerror(errno));
	check_output(fd, path);
	/* What is no file has no length. */
	if ((ftruncate(fd, 0) && errno != EINVAL) || dup2(fd, STDOUT_FILENO) < 0)
		die("%s: %s", path, strerror(errno));
	close(fd);
}

static const char *read_input(struct input *input)
{
	if (options.file) {
		input_file(input, options.file);
		return strcmp(options.file, "-") == 0 ? "standard input" : options.file;
	}
	if (options.core) {
		core_read(input, options.core);
		return options.core;
	}
	input_device(input);
	return "/dev/ktr";
}

/* Files from their beginning; rings from their end, as far as debug.ktr.entries goes. */
static void print(const struct stream *stream)
{
	size_t i;

	text_begin();
	for (i = 0; i < stream->events_count; i++) {
		size_t index = options.file ? i : stream->events_count - 1 - i;
		struct event event;

		stream_event(stream, &stream->events[index], &event);
		text_event(index, &event);
	}
}

static void show(const struct stream *stream)
{
	if (options.schedgraph) {
		write_to(options.schedgraph);
		schedgraph_write(stream);
	} else if (options.perfetto) {
		write_to(options.perfetto);
		perfetto_write(stream);
	} else {
		if (options.output)
			write_to(options.output);
		print(stream);
	}
	out_flush();
}

static void warn_of_losses(uint64_t count)
{
	if (count)
		warn("events were lost: %llu", (unsigned long long)count);
}

int main(int argc, char **argv)
{
	struct stream stream;
	struct input input;
	const char *name, *problem;

	signal(SIGPIPE, SIG_IGN);
	out_program = "ktrdump";
	options_parse(argc, argv);
	check_output(STDOUT_FILENO, "standard output");
	if (options.follow) {
		live_begin();
		if (options.output)
			write_to(options.output);
		text_begin();
		live_run();
	}
	name = read_input(&input);
	problem = stream_parse(&stream, input.data, input.len);
	if (problem)
		die("%s: %s", name, problem);
	if (!options.file)
		stream_keep_newest(&stream, stream.header.entries);
	show(&stream);
	warn_of_losses(stream.lost);
	if (stream.error[0])
		die("%s: %s", name, stream.error);
	stream_free(&stream);
	input_free(&input);
	return 0;
}
