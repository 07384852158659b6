/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * /dev/ktrace as the library sees it.
 *
 * Everything here goes through syscall(2): it is no cancellation point, it may
 * be called from a signal handler, and it does not come back to a program that
 * wraps open() or ioctl() and calls utrace() there.
 */
#ifndef _LIBKTRACE_DEVICE_H_
#define _LIBKTRACE_DEVICE_H_

/* Opens the device, close-on-exec.  Returns -1 and ENOSYS when there is none. */
int libktrace_device_open(void);

/* As ioctl(2). */
int libktrace_device_ioctl(int fd, unsigned long request, void *arg);

/* ktrace(2) on @fd.  Fails with ENOSYS when it is something else's. */
int libktrace_device_op(int fd, const char *tracefile, int ops, int trpoints, int pid);

/* Closes @fd and leaves errno alone. */
void libktrace_device_close(int fd);

/*
 * Moves @fd out of the program's way, to the highest free number.  Returns the
 * new number, or -1 with @fd as it was.
 */
int libktrace_device_move(int fd);

#endif /* _LIBKTRACE_DEVICE_H_ */
