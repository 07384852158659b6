/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Sockets and pipes.
 *
 * Those that come in pairs have their descriptors in the program's memory,
 * which is not in a trace: they are assumed to be the lowest that are free.
 */
#ifndef _TRACK_SOCKET_H_
#define _TRACK_SOCKET_H_

#include <stdbool.h>

#include "track/files.h"

/* socket_reset - pipes are counted from 1 again */
void socket_reset(void);

/* socket_new - by the arguments of socket(2), in the numbers of the ABI; the caller's */
struct file *socket_new(int domain, int type, bool is_linux);

/* socket_accepted - from a socket that listens, or NULL; @peer: address, or NULL; the caller's */
struct file *socket_accepted(const struct file *listener, const char *peer);

/* socket_pipe - a new pipe, with a number of its own; the caller's */
struct file *socket_pipe(void);

/*
 * socket_pair - @file got two descriptors; takes over the reference
 * @first: the lower one; -1: not known
 */
void socket_pair(struct files *files, int first, struct file *file, bool cloexec);

/* socket_address - an address became known; NULL: nothing did */
void socket_address(struct files *files, int fd, bool peer, const char *address);

/* socket_connect - its peer is @address, or none that is known */
void socket_connect(struct files *files, int fd, const char *address);

/*
 * socket_call - socketcall(2), whose arguments are in the program's memory
 *
 * Returns true when the result is a descriptor.
 */
bool socket_call(struct files *files, int call, int result, const char *address);

#endif /* _TRACK_SOCKET_H_ */
