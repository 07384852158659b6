// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * waiter FILE N COMMAND...: runs a traced command N times. The moment it has been waited for, the last record of its
 * trace file must be its PROCDTOR. Prints how often it was not.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ktrace_format.h>
#include <sys/ktrace.h>

int main(int argc, char **argv)
{
	struct ktrace_header_v0 last;
	int fd, status, missing = 0;
	struct stat st;
	pid_t pid;

	if (argc < 4 || (fd = open(argv[1], O_RDONLY | O_CLOEXEC)) < 0)
		return 99;
	for (int i = atoi(argv[2]); i > 0; i--) {
		pid = fork();
		if (pid == 0) {
			execvp(argv[3], argv + 3);
			_exit(127);
		}
		if (waitpid(pid, &status, 0) != pid || fstat(fd, &st))
			return 98;
		memset(&last, 0, sizeof(last));
		if (st.st_size >= (off_t)sizeof(last))
			(void)!pread(fd, &last, sizeof(last), st.st_size - sizeof(last));
		missing += last.type != KTR_PROCDTOR || last.pid != pid || last.len;
		if (status)
			return 97;
	}
	printf("%d\n", missing);
	return 0;
}
