// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "log.h"

static int to = STDERR_FILENO;

void log_to_kernel(void)
{
	to = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);
}

void log_line(const char *fmt, ...)
{
	char line[512] = "ktrace-bpf: ";
	size_t n = strlen(line);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line + n, sizeof(line) - n - 1, fmt, ap);
	va_end(ap);
	n = strlen(line);
	line[n++] = '\n';
	if (to >= 0 && write(to, line, n) < 0)
		return; /* nobody to tell */
}
