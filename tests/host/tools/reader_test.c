// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reads a trace file through the library: a line per record, or why it ends. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/ktrace.h>

#include <ktrace_reader.h>

int main(int argc, char **argv)
{
	struct ktrace_reader *reader;
	struct ktrace_record record;
	int fd, ret;

	fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
	reader = ktrace_reader_new(fd, NULL, NULL);
	if (fd < 0 || !reader)
		return 2;
	while ((ret = ktrace_reader_next(reader, &record)) > 0)
		printf("%llu %u %d %.*s\n", (unsigned long long)record.offset, record.type,
		       (int)record.pid, record.type == KTR_NAMEI ? (int)record.len : 0,
		       (const char *)record.data);
	if (ret < 0)
		printf("%s\n", ktrace_reader_error(reader));
	ktrace_reader_free(reader);
	return ret < 0;
}
