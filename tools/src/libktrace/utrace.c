// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * utrace(2): one ioctl on a descriptor that is kept.
 *
 * The program does not know of the descriptor.  It may close it (closefrom(3)
 * in a daemon), or put a file of its own at that number (dup2(2)).  Hence:
 * what is kept is a guess, and the answer of the ioctl tells whether it still
 * holds.  A number that is not ours any more is forgotten, never closed.  A
 * child of fork(2) inherits the descriptor; it has no state and serves both.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "device.h"
#include "ktrace_ioctl.h"
#include "sys/ktrace.h"

/*
 * The kept descriptor: its number + 1 in the low half (0: none), and in the
 * high half a count of changes, so that a thread which finds the number stale
 * does not forget the descriptor that another thread has meanwhile put there
 * under the same number.
 */
static uint32_t kept;

#define KEPT_FD(word)	    ((int)((word)&0xffff) - 1)
#define KEPT_NEXT(word, fd) ((((word) + 0x10000) & 0xffff0000) | (uint32_t)((fd) + 1))
#define KEPT_MAX	    0xfffe

#define OPEN_TRIES 4

/* The ioctl on a kept descriptor failed with @error: because it is not ours any more? */
static bool is_stale(int fd, int error)
{
	if (error == EBADF || error == ENOTTY)
		return true;
	/* Many a driver has another errno for what it does not know. */
	return libktrace_device_ioctl(fd, KTRACE_IOC_VERSION, NULL) <= 0;
}

/*
 * Keeps @fd in the place of @word, or closes it: when another thread was
 * faster, and when it was not @moved, being the program's last free number.
 */
static void keep(int fd, uint32_t word, bool moved)
{
	if (!moved || fd > KEPT_MAX ||
	    !__atomic_compare_exchange_n(&kept, &word, KEPT_NEXT(word, fd), false, __ATOMIC_RELEASE,
					 __ATOMIC_RELAXED))
		libktrace_device_close(fd);
}

__attribute__((visibility("default"))) int utrace(const void *addr, size_t len)
{
	struct ktrace_ioc_utrace arg = {
		.addr = (uintptr_t)addr,
		.len = len,
	};
	uint32_t word = __atomic_load_n(&kept, __ATOMIC_ACQUIRE);
	int fd = KEPT_FD(word);
	int saved = errno;
	int tries;

	if (fd >= 0) {
		int error;

		if (!libktrace_device_ioctl(fd, KTRACE_IOC_UTRACE, &arg))
			return 0;
		error = errno;
		if (!is_stale(fd, error)) {
			errno = error;
			return -1;
		}
	}

	/* More than once only where another thread closes what it does not know. */
	for (tries = 0; tries < OPEN_TRIES; tries++) {
		int moved;

		fd = libktrace_device_open();
		if (fd < 0)
			return -1;
		moved = libktrace_device_move(fd);
		if (moved >= 0)
			fd = moved;
		if (!libktrace_device_ioctl(fd, KTRACE_IOC_UTRACE, &arg)) {
			errno = saved;
			keep(fd, word, moved >= 0);
			return 0;
		}
		if (errno == EBADF)
			continue;
		/* Something else has the device's name. */
		if (errno == ENOTTY)
			errno = ENOSYS;
		keep(fd, word, moved >= 0 && errno != ENOSYS);
		break;
	}
	return -1;
}
