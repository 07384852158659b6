// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decode/out.h"

#define DEVICE "/dev/ktr"

/* Of what cannot be mapped: a stream in a pipe has no end that is known before. */
#define MAX_IN_MEMORY (SIZE_MAX / 4 < UINT64_C(4) << 30 ? SIZE_MAX / 4 : UINT64_C(4) << 30)

/* Few may read at once; they do not take long. */
#define BUSY_TRIES   100
#define BUSY_WAIT_US 20000

#define READ_SIZE ((size_t)256 << 10)

static void make_room(struct input *input, size_t len)
{
	size_t size = input->size ? input->size : READ_SIZE;
	void *p;

	while (size - input->len < len)
		size *= 2;
	if (size == input->size)
		return;
	p = realloc(input->data, size);
	if (!p)
		die("out of memory");
	input->data = p;
	input->size = size;
}

void *input_append(struct input *input, size_t len)
{
	char *p;

	make_room(input, len);
	p = (char *)input->data + input->len;
	memset(p, 0, len);
	input->len += len;
	return p;
}

static void read_all(struct input *input, int fd, const char *name)
{
	ssize_t n;

	do {
		make_room(input, READ_SIZE);
		n = read(fd, (char *)input->data + input->len, READ_SIZE);
		if (n > 0)
			input->len += n;
		if (input->len > MAX_IN_MEMORY)
			die("%s: more than 4 GiB, too much for memory: put it into a file", name);
	} while (n > 0 || (n < 0 && errno == EINTR));
	if (n < 0)
		die("%s: %s", name, strerror(errno));
}

/* Memory that was mapped is not there any more. */
static void file_shrank(int sig)
{
	static const char text[] = "ktrdump: the file has become shorter while it was read\n";

	(void)sig;
	(void)!write(STDERR_FILENO, text, sizeof(text) - 1);
	_exit(1);
}

static bool map(struct input *input, int fd, const struct stat *st)
{
	void *p;

	if (!S_ISREG(st->st_mode) || st->st_size <= 0 || (uint64_t)st->st_size > SIZE_MAX)
		return false;
	p = mmap(NULL, st->st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return false;
	signal(SIGBUS, file_shrank);
	*input = (struct input){ .data = p, .len = st->st_size, .is_mapped = true };
	return true;
}

void input_file(struct input *input, const char *path)
{
	bool is_stdin = strcmp(path, "-") == 0;
	const char *name = is_stdin ? "standard input" : path;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	struct stat st;

	*input = (struct input){ .data = NULL };
	if (fd < 0 || fstat(fd, &st))
		die("%s: %s", name, strerror(errno));
	if (is_stdin || !map(input, fd, &st))
		read_all(input, fd, name);
	if (!is_stdin)
		close(fd);
}

static int open_device(void)
{
	int fd = open(DEVICE, O_RDONLY | O_CLOEXEC), tries;

	for (tries = 0; fd < 0 && errno == EBUSY && tries < BUSY_TRIES; tries++) {
		usleep(BUSY_WAIT_US);
		fd = open(DEVICE, O_RDONLY | O_CLOEXEC);
	}
	return fd;
}

void input_device(struct input *input)
{
	int fd = open_device();

	*input = (struct input){ .data = NULL };
	if (fd < 0 && (errno == ENOENT || errno == ENXIO || errno == ENODEV))
		die(DEVICE ": %s: load the module, modprobe ktr", strerror(errno));
	if (fd < 0 && (errno == EACCES || errno == EPERM))
		die(DEVICE ": %s: only root may read it", strerror(errno));
	if (fd < 0)
		die(DEVICE ": %s", strerror(errno));
	read_all(input, fd, DEVICE);
	close(fd);
}

void input_free(struct input *input)
{
	if (input->is_mapped)
		munmap(input->data, input->len);
	else
		free(input->data);
	*input = (struct input){ .data = NULL };
}
