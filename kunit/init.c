// SPDX-License-Identifier: GPL-2.0
/*
 * Process 1 of the UML kernel that scripts/kunit boots: loads ktrace_kunit.ko,
 * which runs the suites, unloads it, and halts.  /status says how that went:
 * "ok", or the step and errno.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *run(void)
{
	char params[256];
	ssize_t n;
	int fd;

	fd = open("/params", O_RDONLY | O_CLOEXEC);
	n = read(fd, params, sizeof(params) - 1);
	if (n < 0)
		return "read /params";
	params[n] = '\0';

	fd = open("/ktrace_kunit.ko", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return "open /ktrace_kunit.ko";
	if (syscall(SYS_finit_module, fd, params, 0))
		return "load ktrace_kunit.ko";
	if (syscall(SYS_delete_module, "ktrace_kunit", O_NONBLOCK))
		return "unload ktrace_kunit.ko";
	return NULL;
}

int main(void)
{
	const char *failed = run();
	char status[256] = "ok";
	int fd;

	if (failed)
		snprintf(status, sizeof(status), "%s: %s", failed, strerror(errno));
	fd = open("/status", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, status, strlen(status)) < 0)
		return 1; /* a panic */
	reboot(RB_POWER_OFF);
	return 1;
}
