// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "socket.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* socketcall(2) */
#define SYS_SOCKET     1
#define SYS_ACCEPT     5
#define SYS_SOCKETPAIR 8
#define SYS_ACCEPT4    18

#define SOCK_TYPE_MASK 0xf

enum { STREAM = 1, DGRAM, RAW, RDM, SEQPACKET, TYPES };

static const struct {
	int domain_linux, domain_freebsd; /* -1: has none */
	const char *names[TYPES]; /* by type; [0]: all others */
} kinds[] = {
	{ 1, 1, { "UNIX", "UNIX-STREAM", "UNIX-DGRAM", NULL, NULL, "UNIX-SEQPACKET" } },
	{ 2, 2, { "INET", "TCP", "UDP", "RAW", NULL, "SCTP" } },
	{ 10, 28, { "INET6", "TCPv6", "UDPv6", "RAWv6", NULL, "SCTPv6" } },
	{ 16, 38, { "NETLINK" } },
	{ 17, -1, { "PACKET" } },
	{ 40, -1, { "VSOCK" } },
	{ 38, -1, { "ALG" } },
};

static unsigned int pipes;

void socket_reset(void)
{
	pipes = 0;
}

static struct file *named(const char *name)
{
	return file_new(name, strlen(name));
}

struct file *socket_new(int domain, int type, bool is_linux)
{
	size_t i;

	type &= SOCK_TYPE_MASK;
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const char *name;

		if (domain != (is_linux ? kinds[i].domain_linux : kinds[i].domain_freebsd))
			continue;
		name = type < TYPES ? kinds[i].names[type] : NULL;
		return named(name ? name : kinds[i].names[0]);
	}
	return named("socket");
}

struct file *socket_accepted(const struct file *listener, const char *peer)
{
	struct file *file = named(listener && listener->name ? listener->name : "socket");

	if (listener && listener->local)
		file_set_address(file, false, listener->local);
	if (peer)
		file_set_address(file, true, peer);
	return file;
}

struct file *socket_pipe(void)
{
	char name[32];

	snprintf(name, sizeof(name), "pipe:[%u]", ++pipes);
	return named(name);
}

void socket_pair(struct files *files, int first, struct file *file, bool cloexec)
{
	if (file->name)
		file->assumed = first < 0;
	if (first < 0)
		first = files_lowest(files, 0);
	files_set(files, first, file, cloexec);
	files_set(files, files_lowest(files, 0), file, cloexec);
	file_put(file);
}

void socket_address(struct files *files, int fd, bool peer, const char *address)
{
	struct file *file = files_find(files, fd);

	/* Only sockets have one: the descriptor may be another file's by now. */
	if (file && !file->is_path && address)
		file_set_address(file, peer, address);
}

void socket_connect(struct files *files, int fd, const char *address)
{
	struct file *file = files_find(files, fd);

	if (file && !file->is_path)
		file_set_address(file, true, address);
}

bool socket_call(struct files *files, int call, int result, const char *address)
{
	struct file *file;

	switch (call) {
	case SYS_SOCKET:
		file = named("socket");
		break;
	case SYS_ACCEPT:
	case SYS_ACCEPT4:
		file = socket_accepted(NULL, address);
		break;
	case SYS_SOCKETPAIR:
		socket_pair(files, -1, named("socket"), false);
		return false;
	default:
		return false;
	}
	files_opened_below(files, result);
	files_set(files, result, file, false);
	file_put(file);
	return true;
}
