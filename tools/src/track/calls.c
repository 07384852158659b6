// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "calls.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "decode/abi.h"

#define NEW(name_, file_, cloexec_, flags_)                                         \
	{                                                                           \
		.name = name_, .effect = EFFECT_NEW, .cloexec = CLOEXEC_##cloexec_, \
		.flags = flags_, .file = file_                                      \
	}
#define COMMAND(name_, file_, command_, commands_)                                      \
	{                                                                               \
		.name = name_, .effect = EFFECT_NEW_COMMAND, .cloexec = CLOEXEC_ALWAYS, \
		.flags = -1, .file = file_, .command = command_, .commands = commands_  \
	}
#define OPEN(name_, effect_, flags_, dirfd_)                                        \
	{                                                                           \
		.name = name_, .effect = EFFECT_##effect_, .cloexec = CLOEXEC_OPEN, \
		.flags = flags_, .dirfd = dirfd_                                    \
	}
#define CALL(name_, effect_, cloexec_, flags_)                                            \
	{                                                                                 \
		.name = name_, .effect = EFFECT_##effect_, .cloexec = CLOEXEC_##cloexec_, \
		.flags = flags_, .dirfd = -1                                              \
	}
#define PLAIN(name_, effect_) CALL(name_, effect_, NEVER, -1)
#define BIT(n)		      (1ULL << (n))

/* Sorted by name. */
static const struct call_rule rules[] = {
	NEW("__specialfd", "eventfd", NEVER, -1),
	PLAIN("accept", ACCEPT),
	CALL("accept4", ACCEPT, SOCK, 3),
	PLAIN("bind", BIND),
	/*
	 * BPF_MAP_CREATE, PROG_LOAD, OBJ_GET, {PROG,MAP}_GET_FD_BY_ID, RAW_TRACEPOINT_OPEN,
	 * BTF_LOAD, BTF_GET_FD_BY_ID, LINK_CREATE, LINK_GET_FD_BY_ID, ENABLE_STATS, ITER_CREATE
	 */
	COMMAND("bpf", "bpf", 0,
		BIT(0) | BIT(5) | BIT(7) | BIT(13) | BIT(14) | BIT(17) | BIT(18) | BIT(19) |
			BIT(28) | BIT(30) | BIT(32) | BIT(33)),
	PLAIN("chdir", CHDIR),
	PLAIN("clone", CLONE),
	PLAIN("clone3", CLONE3),
	PLAIN("close", CLOSE),
	PLAIN("close_range", CLOSE_RANGE),
	PLAIN("closefrom", CLOSEFROM),
	PLAIN("compat10.pipe", OLD_PIPE),
	PLAIN("connect", CONNECT),
	OPEN("creat", OPEN, -1, -1),
	PLAIN("dup", DUP),
	PLAIN("dup2", DUP2),
	CALL("dup3", DUP2, OPEN, 2),
	NEW("epoll_create", "epoll", NEVER, -1),
	NEW("epoll_create1", "epoll", OPEN, 0),
	NEW("eventfd", "eventfd", NEVER, -1),
	NEW("eventfd2", "eventfd", OPEN, 1),
	OPEN("execve", EXEC, -1, -1),
	OPEN("execveat", EXEC, -1, 0),
	PLAIN("exit", EXIT),
	PLAIN("exit_group", EXIT_GROUP),
	NEW("fanotify_init", "fanotify", BIT0, 0),
	PLAIN("fchdir", FCHDIR),
	PLAIN("fcntl", FCNTL),
	PLAIN("fcntl64", FCNTL),
	PLAIN("fexecve", EXEC_FILE),
	PLAIN("fork", FORK),
	NEW("fsmount", "fsmount", BIT0, 1),
	NEW("fsopen", "fsopen", BIT0, 1),
	NEW("fspick", "fspick", BIT0, 2),
	PLAIN("getpeername", GETPEERNAME),
	PLAIN("getsockname", GETSOCKNAME),
	NEW("inotify_init", "inotify", NEVER, -1),
	NEW("inotify_init1", "inotify", OPEN, 0),
	NEW("io_uring_setup", "io_uring", ALWAYS, -1),
	PLAIN("ioctl", IOCTL),
	NEW("kmq_open", "mqueue", ALWAYS, -1),
	NEW("kqueue", "kqueue", NEVER, -1),
	NEW("kqueuex", "kqueue", BIT0, 0),
	/* with a flag it says the version */
	COMMAND("landlock_create_ruleset", "landlock", 2, BIT(0)),
	NEW("memfd_create", "memfd", BIT0, 1),
	NEW("memfd_secret", "memfd_secret", OPEN, 0),
	NEW("mq_open", "mqueue", ALWAYS, -1),
	OPEN("open", OPEN, 1, -1),
	NEW("open_by_handle_at", "open_by_handle_at", OPEN, 2),
	OPEN("open_tree", OPEN, 2, 0),
	OPEN("open_tree_attr", OPEN, 2, 0),
	OPEN("openat", OPEN, 2, 0),
	OPEN("openat2", OPENAT2, -1, 0),
	PLAIN("pdfork", FORK),
	NEW("perf_event_open", "perf_event", BIT3, 4),
	NEW("pidfd_getfd", NULL, ALWAYS, -1),
	CALL("pidfd_open", PIDFD, ALWAYS, -1),
	PLAIN("pipe", PIPE),
	CALL("pipe2", PIPE, OPEN, 1),
	PLAIN("rfork", RFORK),
	CALL("shm_open", OPEN, ALWAYS, -1),
	OPEN("shm_open2", OPEN, 1, -1),
	PLAIN("signalfd", SIGNALFD),
	CALL("signalfd4", SIGNALFD, OPEN, 3),
	CALL("socket", SOCKET, SOCK, 1),
	PLAIN("socketcall", SOCKETCALL),
	CALL("socketpair", SOCKETPAIR, SOCK, 1),
	NEW("timerfd_create", "timerfd", OPEN, 1),
	PLAIN("unshare", UNSHARE),
	NEW("userfaultfd", "userfaultfd", OPEN, 0),
	PLAIN("vfork", FORK),
};

bool call_makes_process(enum call_effect effect)
{
	switch (effect) {
	case EFFECT_FORK:
	case EFFECT_CLONE:
	case EFFECT_CLONE3:
	case EFFECT_RFORK:
		return true;
	default:
		return false;
	}
}

static int compare(const void *name, const void *rule)
{
	return strcmp(name, ((const struct call_rule *)rule)->name);
}

const struct call_rule *call_find_rule(uint32_t flags, int code)
{
	const char *name = abi_syscall_name(flags, code);

	return name ? bsearch(name, rules, sizeof(rules) / sizeof(rules[0]), sizeof(rules[0]),
			      compare) :
		      NULL;
}
