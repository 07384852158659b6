// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "attach.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "ktrace_ioctl.h"
#include "libktrace/device.h"

int attach_parse_id(char option, const char *text)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	/* strtol() skips blanks and takes signs. */
	if (*text < '0' || *text > '9' || *end)
		die("-%c %s: is no number of a process%s", option, text,
		    option == 'g' ? " group" : "");
	if (errno || value < 1 || value > INT_MAX)
		die("-%c %s: no process%s has such a number", option, text,
		    option == 'g' ? " group" : "");
	return value;
}

/* Is @text in a file of one line? */
static bool file_has(const char *path, const char *text)
{
	FILE *f = fopen(path, "re");
	char line[128] = "";
	bool has;

	if (!f)
		return false;
	has = fgets(line, sizeof(line), f) && strstr(line, text);
	fclose(f);
	return has;
}

/* Does the kernel refuse modules that nobody it knows has signed?  (lockdown: "[none] integrity confidentiality") */
static bool wants_signatures(void)
{
	return file_has("/sys/module/module/parameters/sig_enforce", "Y") ||
	       file_has("/sys/kernel/security/lockdown", "[integrity]") ||
	       file_has("/sys/kernel/security/lockdown", "[confidentiality]");
}

int attach_open_device(void)
{
	int fd = libktrace_device_open();

	if (fd < 0 && errno == ENOSYS)
		die(KTRACE_DEVICE
		    " is not there: load the module as root, with 'modprobe ktrace'%s",
		    wants_signatures() ?
			    "; this kernel takes it only if it knows who signed it: with Secure Boot, 'mokutil --import' its certificate" :
			    "");
	if (fd < 0 && (errno == EACCES || errno == EPERM))
		die(KTRACE_DEVICE ": %s: its mode should be 0666, by the udev rule 60-ktrace.rules",
		    strerror(errno));
	if (fd < 0)
		die(KTRACE_DEVICE ": %s", strerror(errno));
	if (libktrace_device_ioctl(fd, KTRACE_IOC_VERSION, NULL) < 1)
		die(KTRACE_DEVICE
		    " is not the module's: remove it, and load the module as root, with 'modprobe ktrace'");
	return fd;
}

void attach_check(char target, int id)
{
	if (kill(target == 'g' ? -id : id, 0) && errno == ESRCH)
		die("-%c %d: no such process%s", target, id, target == 'g' ? " group" : "");
}

static int yama_scope(void)
{
	FILE *f = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
	int scope = 0;

	if (f) {
		if (fscanf(f, "%d", &scope) != 1)
			scope = 0;
		fclose(f);
	}
	return scope;
}

/* Would the process be the caller's to trace, if it were for its owner alone? */
static bool is_ours(const struct attach_request *rq)
{
	char path[32];
	struct stat st;

	if (!geteuid() || rq->target == 'g')
		return true;
	snprintf(path, sizeof(path), "/proc/%d", rq->id);
	return !stat(path, &st) && st.st_uid == geteuid();
}

void attach_explain(const struct attach_request *rq, int error)
{
	const char *what = rq->target == 'g' ? "process group" : "process";
	int scope = yama_scope();

	switch (error) {
	case ENOSYS:
		die(KTRACE_DEVICE
		    " is not there any more: load the module as root, with 'modprobe ktrace'");
	case ESRCH:
		if (rq->target)
			die("-%c %d: no such %s", rq->target, rq->id, what);
		break;
	case EPERM:
		if (rq->target && rq->sets && is_ours(rq) && scope >= (geteuid() ? 1 : 3))
			die("-%c %d: not permitted: kernel.yama.ptrace_scope is %d: start the program with ktrace%s",
			    rq->target, rq->id, scope, scope < 3 ? ", or ask root" : "");
		if (rq->target && !geteuid())
			die("-%c %d: not permitted: a kernel thread, or a security module forbids it even to root",
			    rq->target, rq->id);
		if (rq->target)
			die("-%c %d: not permitted: the %s is not yours to trace; ask root",
			    rq->target, rq->id, what);
		if (rq->command)
			die("not permitted: root traces this process already");
		break;
	case ENOMEM:
		die("no memory for the trace's buffers: end other traces, or have root raise kern.ktrace.max_user_memory");
	}
}
