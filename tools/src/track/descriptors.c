// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "descriptors.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "decode/abi.h"
#include "track/socket.h"

#define MOST_PATH 4096

#define AT_FDCWD (-100)

#define LINUX_O_CLOEXEC	     0x80000
#define FREEBSD_O_CLOEXEC    0x100000
#define FREEBSD_SOCK_CLOEXEC 0x10000000

#define CLONE_FILES	    0x400
#define CLOSE_RANGE_UNSHARE 2
#define CLOSE_RANGE_CLOEXEC 4

#define F_DUPFD			 0
#define F_SETFD			 2
#define F_DUP2FD		 10 /* FreeBSD */
#define FREEBSD_F_DUPFD_CLOEXEC	 17
#define FREEBSD_F_DUP2FD_CLOEXEC 18
#define LINUX_F_DUPFD_CLOEXEC	 1030
#define FD_CLOEXEC		 1

#define LINUX_FIONCLEX	 0x5450
#define LINUX_FIOCLEX	 0x5451
#define FREEBSD_FIOCLEX	 0x20006601
#define FREEBSD_FIONCLEX 0x20006602

/*
 * The errnos with which close(2) has closed: EINTR, EIO, and ENOSPC and EDQUOT of network
 * file systems.
 */
#define FILE_EINTR	 4
#define FILE_EIO	 5
#define FILE_ENOSPC	 28
#define FILE_EDQUOT	 69
#define FILE_EINPROGRESS 36

/* A call that succeeded. */
struct change {
	struct process *process;
	struct thread *thread;
	const struct call *call;
	struct files *files;
	int result;
	bool is_linux;
};

static int arg(const struct change *change, unsigned int i)
{
	return (int)change->call->word[i];
}

static bool has_cloexec(const struct change *change)
{
	const struct call_rule *rule = change->thread->rule;
	uint64_t flags = rule->flags >= 0 ? (uint64_t)change->call->word[rule->flags] : 0;

	if (rule->effect == EFFECT_OPENAT2)
		flags = change->thread->flags;
	switch (rule->cloexec) {
	case CLOEXEC_NEVER:
		return false;
	case CLOEXEC_ALWAYS:
		return true;
	case CLOEXEC_OPEN:
		return flags & (change->is_linux ? LINUX_O_CLOEXEC : FREEBSD_O_CLOEXEC);
	case CLOEXEC_SOCK:
		return flags & (change->is_linux ? LINUX_O_CLOEXEC : FREEBSD_SOCK_CLOEXEC);
	case CLOEXEC_BIT0:
		return flags & 1;
	case CLOEXEC_BIT3:
		return flags & 8;
	}
	return false;
}

/* The kernel gave out the lowest descriptor that was free. */
static void put_at(const struct change *change, int fd, struct file *file)
{
	files_opened_below(change->files, fd);
	files_set(change->files, fd, file, has_cloexec(change));
	file_put(file);
}

static void new_file(const struct change *change, const char *name)
{
	put_at(change, change->result, file_new(name, name ? strlen(name) : 0));
}

/*
 * A path as it is: from the root if it is known where it begins, else as the
 * program gave it.
 */
static struct file *path_from(const struct file *base, const char *path)
{
	char joined[MOST_PATH];
	struct file *file;
	int len;

	while (path[0] == '.' && path[1] == '/')
		path += 1 + strspn(path + 1, "/");
	if (path[0] == '/' || !base || !base->name || !base->is_path) {
		file = file_new(path, strlen(path));
	} else if (path[0] == '\0' || strcmp(path, ".") == 0) {
		file = file_new(base->name, strlen(base->name));
	} else {
		const char *slash = base->name[strlen(base->name) - 1] == '/' ? "" : "/";

		len = snprintf(joined, sizeof(joined), "%s%s%s", base->name, slash, path);
		file = file_new(len < (int)sizeof(joined) ? joined : NULL, len);
	}
	if (file->name)
		file->is_path = true;
	return file;
}

static struct file *path_of(const struct change *change)
{
	const struct call_rule *rule = change->thread->rule;
	const struct file *path = change->thread->path;
	const struct file *base = change->process->cwd;

	if (!path || !path->name)
		return file_new(NULL, 0);
	if (rule->dirfd >= 0 && arg(change, rule->dirfd) != AT_FDCWD)
		base = files_find(change->files, arg(change, rule->dirfd));
	return path_from(base, path->name);
}

static struct file *or_unknown(struct file *file)
{
	return file ? file_get(file) : file_new(NULL, 0);
}

/* Without the rule of the lowest free one. */
static void duplicate(const struct change *change, int from, int to, bool cloexec)
{
	struct file *file = or_unknown(files_find(change->files, from));

	files_set(change->files, to, file, cloexec);
	file_put(file);
}

static bool change_by_fcntl(const struct change *change)
{
	int fd = arg(change, 0), command = arg(change, 1);

	if (command == F_SETFD) {
		files_set_cloexec(change->files, fd, fd, arg(change, 2) & FD_CLOEXEC);
	} else if (command == F_DUPFD || (command == F_DUP2FD && !change->is_linux)) {
		duplicate(change, fd, change->result, false);
		return true;
	} else if (command == LINUX_F_DUPFD_CLOEXEC ||
		   (!change->is_linux &&
		    (command == FREEBSD_F_DUPFD_CLOEXEC || command == FREEBSD_F_DUP2FD_CLOEXEC))) {
		duplicate(change, fd, change->result, true);
		return true;
	}
	return false;
}

static void change_by_ioctl(const struct change *change)
{
	uint32_t request = (uint32_t)change->call->word[1];

	if (request == (change->is_linux ? LINUX_FIOCLEX : FREEBSD_FIOCLEX))
		files_set_cloexec(change->files, arg(change, 0), arg(change, 0), true);
	else if (request == (change->is_linux ? LINUX_FIONCLEX : FREEBSD_FIONCLEX))
		files_set_cloexec(change->files, arg(change, 0), arg(change, 0), false);
}

/* This thread has a table of its own from now on. */
static void unshare(struct process *process, struct thread *thread)
{
	struct files **own = process->threads > 1 ? &thread->files : &process->files;
	struct files *files = thread_files(process, thread);

	if (*own && !files_shared(*own))
		return;
	files = files_copy(files);
	files_put(*own);
	*own = files;
}

static void close_range(struct change *change)
{
	uint32_t first = (uint32_t)change->call->word[0], last = (uint32_t)change->call->word[1];
	int flags = arg(change, 2);

	if (flags & CLOSE_RANGE_UNSHARE && change->is_linux) {
		unshare(change->process, change->thread);
		change->files = thread_files(change->process, change->thread);
	}
	if (first > INT_MAX)
		return;
	if (last > INT_MAX)
		last = INT_MAX;
	if (flags & CLOSE_RANGE_CLOEXEC)
		files_set_cloexec(change->files, (int)first, (int)last, true);
	else
		files_close(change->files, (int)first, (int)last, false);
}

/* Another thread may have got the number by now: then it is not this one's any more. */
static void close_one(const struct change *change)
{
	struct file *file = change->thread->closing;

	if (file && files_find(change->files, arg(change, 0)) == file)
		files_close(change->files, arg(change, 0), arg(change, 0), false);
}

static void change_directory(const struct change *change, struct file *directory)
{
	file_put(change->process->cwd);
	change->process->cwd = directory->is_path ? directory : NULL;
	if (!directory->is_path)
		file_put(directory);
}

/* Of a directory that is not known from the root, what is below it is not either. */
static void chdir_to(const struct change *change)
{
	struct file *directory = path_of(change);

	if (directory->name && directory->name[0] != '/') {
		file_put(directory);
		directory = file_new(NULL, 0);
	}
	change_directory(change, directory);
}

static void new_pidfd(const struct change *change)
{
	char name[32];

	snprintf(name, sizeof(name), "pidfd:%d", arg(change, 0));
	new_file(change, name);
}

static bool new_by_command(const struct change *change)
{
	uint64_t command = (uint64_t)change->call->word[change->thread->rule->command];

	if (command >= 64 || !(change->thread->rule->commands & 1ULL << command))
		return false;
	new_file(change, change->thread->rule->file);
	return true;
}

/* Returns whether the result is a descriptor. */
static bool apply(struct change *change)
{
	const struct call_rule *rule = change->thread->rule;

	switch (rule->effect) {
	case EFFECT_NEW:
		new_file(change, rule->file);
		return true;
	case EFFECT_NEW_COMMAND:
		return new_by_command(change);
	case EFFECT_OPEN:
	case EFFECT_OPENAT2:
		put_at(change, change->result, path_of(change));
		return true;
	case EFFECT_PIDFD:
		new_pidfd(change);
		return true;
	case EFFECT_SIGNALFD:
		if (arg(change, 0) < 0)
			new_file(change, "signalfd");
		return true;
	case EFFECT_SOCKET:
		put_at(change, change->result,
		       socket_new(arg(change, 0), arg(change, 1), change->is_linux));
		return true;
	case EFFECT_ACCEPT:
		put_at(change, change->result,
		       socket_accepted(files_find(change->files, arg(change, 0)),
				       change->thread->address));
		return true;
	case EFFECT_DUP:
		put_at(change, change->result,
		       or_unknown(files_find(change->files, arg(change, 0))));
		return true;
	case EFFECT_DUP2:
		if (arg(change, 0) != change->result)
			duplicate(change, arg(change, 0), change->result, has_cloexec(change));
		return true;
	case EFFECT_PIPE:
		socket_pair(change->files, -1, socket_pipe(), has_cloexec(change));
		return false;
	case EFFECT_OLD_PIPE:
		socket_pair(change->files, change->result, socket_pipe(), false);
		return true;
	case EFFECT_SOCKETPAIR:
		socket_pair(change->files, -1,
			    socket_new(arg(change, 0), arg(change, 1), change->is_linux),
			    has_cloexec(change));
		return false;
	case EFFECT_SOCKETCALL:
		return socket_call(change->files, arg(change, 0), change->result,
				   change->thread->address);
	case EFFECT_BIND:
	case EFFECT_GETSOCKNAME:
		socket_address(change->files, arg(change, 0), false, change->thread->address);
		return false;
	case EFFECT_CONNECT:
		socket_connect(change->files, arg(change, 0), change->thread->address);
		return false;
	case EFFECT_GETPEERNAME:
		socket_address(change->files, arg(change, 0), true, change->thread->address);
		return false;
	case EFFECT_FCNTL:
		return change_by_fcntl(change);
	case EFFECT_IOCTL:
		change_by_ioctl(change);
		return false;
	case EFFECT_CLOSE:
		close_one(change);
		return false;
	case EFFECT_CLOSE_RANGE:
		close_range(change);
		return false;
	case EFFECT_CLOSEFROM:
		files_close(change->files, arg(change, 0), INT_MAX, false);
		return false;
	case EFFECT_UNSHARE:
		if (change->call->word[0] & CLONE_FILES)
			unshare(change->process, change->thread);
		return false;
	case EFFECT_CHDIR:
		chdir_to(change);
		return false;
	case EFFECT_FCHDIR:
		change_directory(change, or_unknown(files_find(change->files, arg(change, 0))));
		return false;
	default:
		return false;
	}
}

void descriptors_call(struct process *process, struct thread *thread, const struct event *event)
{
	if (thread->rule->effect == EFFECT_CLOSE)
		thread->closing = file_get(
			files_find(thread_files(process, thread), (int)event->call->word[0]));
}

/* Errors that are none: it goes on, or is done all the same. */
static bool has_effect(enum call_effect effect, int error)
{
	if (effect == EFFECT_CONNECT)
		return error == 0 || error == FILE_EINPROGRESS;
	if (effect == EFFECT_CLOSE)
		return error == 0 || error == FILE_EINTR || error == FILE_EIO ||
		       error == FILE_ENOSPC || error == FILE_EDQUOT;
	return error == 0;
}

static struct change change_of(struct process *process, struct thread *thread,
			       const struct event *event)
{
	return (struct change){
		.process = process,
		.thread = thread,
		.call = event->call,
		.files = thread_files(process, thread),
		.is_linux = abi_is_linux(event->call->flags),
	};
}

bool descriptors_return(struct process *process, struct thread *thread, const struct event *event,
			const struct ktrace_record_sysret *ret)
{
	struct change change = change_of(process, thread, event);

	change.result = (int)ret->retval;
	return has_effect(thread->rule->effect, ret->error) && apply(&change);
}

struct file *descriptors_program(struct process *process, struct thread *thread,
				 const struct event *event)
{
	struct change change = change_of(process, thread, event);

	if (thread->rule->effect == EFFECT_EXEC_FILE)
		return or_unknown(files_find(change.files, arg(&change, 0)));
	return path_of(&change);
}

void descriptors_exec(struct process *process, struct thread *thread)
{
	struct files *files = thread_files(process, thread);

	files = files_shared(files) ? files_copy(files) : files_get(files);
	files_put(process->files);
	process->files = files;
	files_put(thread->files);
	thread->files = NULL;
	files_close(files, 0, INT_MAX, true);
}
