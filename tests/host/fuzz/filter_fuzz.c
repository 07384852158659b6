// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * kdump -e on any expression, and on the file of FUZZ_FILE in the environment.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "kdump_run.h"
#include "tool_run.h"

#define MAX_FILE (1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t load(uint8_t *file)
{
	const char *name = tool_setting("FUZZ_FILE");
	FILE *f = fopen(name, "rb");
	size_t len;

	if (!f)
		tool_problem("FUZZ_FILE cannot be read", name, strlen(name));
	len = fread(file, 1, MAX_FILE, f);
	fclose(f);
	return len;
}

/* How long the C library takes for a regular expression is up to it, and to who wrote it. */
static int is_costly(const uint8_t *data, size_t size)
{
	return memchr(data, '/', size) && (memchr(data, '{', size) || memchr(data, '\\', size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t file[MAX_FILE];
	static struct kdump_input input = { .file = file, .chunk = SIZE_MAX, .may_refuse = true };
	char text[256];
	size_t at;
	char *argv[] = { (char *)"kdump", (char *)"-f-", (char *)"-e", text, NULL };

	if (input.len == 0)
		input.len = load(file);
	/* What the user typed comes back in messages as it is. */
	if (check_text((const char *)data, size, &at) && at < size)
		return -1;
	if (size >= sizeof(text) || memchr(data, '\0', size) || memchr(data, '\n', size) ||
	    is_costly(data, size))
		return -1;
	memcpy(text, data, size);
	text[size] = '\0';
	kdump_run(4, argv, &input);
	return 0;
}
