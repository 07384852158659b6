// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * kdump on any file.
 *
 * In the environment, FUZZ_OPTIONS has options that are always given, separated
 * by spaces, and FUZZ_LETTERS those that the control bytes choose from, of
 * those with values FUZZ_VALUES.
 */
#include <stdio.h>
#include <string.h>

#include "kdump_run.h"
#include "records.h"
#include "tool_run.h"

#define MAX_ARGS 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Options, of the environment and of the control bytes. */
static int make_args(const uint8_t *control, char **argv)
{
	static char letters[18], max_data[16], points[8], pid[16];
	static const char *const sizes[] = { "0", "1", "5", "16", "17", "64", "2147483647" };
	static const char *const filters[] = {
		"status=failed", "!status=failed", "openat,close",   "%file",
		"/^o.*e/",	 "errno=ENOENT",   "slower=1us",     "path=/etc",
		"pid=700,701",	 "comm=prog",	   "time=0..0.0005", "!%desc",
	};
	static const char all_points[] = "acefinpstuwxy+";
	const char *flags = tool_setting("FUZZ_LETTERS");
	const char *values = tool_setting("FUZZ_VALUES");
	unsigned int bits = control[0] | control[1] << 8, i, n = 1;
	int argc = 0;

	argv[argc++] = (char *)"kdump";
	argv[argc++] = (char *)"-f-";
	letters[0] = '-';
	for (i = 0; flags[i] && i < 16; i++)
		if (bits & 1U << i)
			letters[n++] = flags[i];
	letters[n] = '\0';
	if (n > 1)
		argv[argc++] = letters;
	if (control[CONTROL_MAX_DATA] & 0x80 && strchr(values, 'm')) {
		i = control[CONTROL_MAX_DATA] % (sizeof(sizes) / sizeof(sizes[0]));
		snprintf(max_data, sizeof(max_data), "-m%s", sizes[i]);
		argv[argc++] = max_data;
	}
	if (control[CONTROL_POINTS] & 0x80 && strchr(values, 't')) {
		i = control[CONTROL_POINTS] % (sizeof(all_points) - 1);
		snprintf(points, sizeof(points), "-t%c", all_points[i]);
		argv[argc++] = points;
	}
	if (control[CONTROL_PID] & 0x80) {
		snprintf(pid, sizeof(pid), "-p%d", 700 + control[CONTROL_PID] % 4);
		argv[argc++] = pid;
	}
	if (control[CONTROL_FILTER] & 0x80 && strchr(values, 'e')) {
		i = control[CONTROL_FILTER] % (sizeof(filters) / sizeof(filters[0]));
		argv[argc++] = (char *)"-e";
		argv[argc++] = (char *)filters[i];
	}
	return tool_add_options(argv, argc, MAX_ARGS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kdump_input input = { .file = data + CONTROL_SIZE, .len = size - CONTROL_SIZE };
	char *argv[MAX_ARGS];

	if (size < CONTROL_SIZE)
		return -1;
	input.chunk = control_chunk(data);
	input.width = data[CONTROL_WIDTH];
	kdump_run(make_args(data, argv), argv, &input);
	return 0;
}
