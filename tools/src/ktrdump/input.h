/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A stream's bytes, all at once. */
#ifndef _KTRDUMP_INPUT_H_
#define _KTRDUMP_INPUT_H_

#include <stdbool.h>
#include <stddef.h>

struct input {
	void *data;
	size_t len;
	size_t size; /* of the memory, when it is not mapped */
	bool is_mapped;
};

/* Any failure of these ends the program, with a message. */

/* input_file - of the file @path, "-" is standard input */
void input_file(struct input *input, const char *path);

/* input_device - of the running kernel: a snapshot of now */
void input_device(struct input *input);

void input_free(struct input *input);

/*
 * input_append - @len bytes more, zero, for the caller to fill; @input is of memory and
 * all zero at first
 */
void *input_append(struct input *input, size_t len);

#endif /* _KTRDUMP_INPUT_H_ */
