/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * For programs that know what they do. Each system call between begin() and end() goes through sys(), which writes
 * down the records that it must leave, one a line, as ktest.lines() writes those of the trace file:
 *
 *	CALL code arguments (hex)	RET code value (hex) | E<errno> | RESTART | JUSTRETURN
 *	NAMI length text-or-crc		GIO fd r|w length crc
 *	PSIG signal action code mask	USER length crc
 *	STRU name bytes			ARRAY name size count bytes (more than 64: length:crc)
 *
 * A line that begins with "?" may be missing, a word "*" is anything. Nothing here makes a system call of its own
 * before finish(), which prints the lines.
 */
#ifndef EXPECT_H
#define EXPECT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include "old_calls.h"

static char expect_buf[4 << 20];
static size_t expect_len;
static size_t genio_size = 4096;
static long expect_nr;
static long expect_ret;

static __attribute__((unused)) void ex(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	expect_len += vsnprintf(expect_buf + expect_len, sizeof(expect_buf) - expect_len, fmt, ap);
	va_end(ap);
	if (expect_len > sizeof(expect_buf) - 4096)
		abort();
}

static __attribute__((unused)) void die(const char *what)
{
	perror(what);
	exit(98);
}

static __attribute__((unused)) uint32_t crc32_add(uint32_t crc, const void *data, size_t n)
{
	static uint32_t table[256];
	const uint8_t *p = data;

	if (!table[1]) {
		for (uint32_t i = 0; i < 256; i++) {
			uint32_t c = i;

			for (int k = 0; k < 8; k++)
				c = c & 1 ? 0xedb88320 ^ (c >> 1) : c >> 1;
			table[i] = c;
		}
	}
	crc = ~crc;
	while (n--)
		crc = table[(crc ^ *p++) & 255] ^ (crc >> 8);
	return ~crc;
}

/* What the file has as the number of a call: what does not fit a positive short is -1. */
static __attribute__((unused)) int code_of(long nr)
{
	int n = (int)nr;

	return n < 0 || n > 32767 ? -1 : n;
}

/* Makes a call and writes down its CALL. Returns what the kernel did: a value, or minus the errno. */
static __attribute__((unused)) long sys_begin(int narg, long nr, long a, long b, long c, long d,
					      long e, long f)
{
	struct call call = { narg, nr, { a, b, c, d, e, f } };
	long *arg = call.arg;

	new_call(&call);
	ex("CALL %d", code_of(call.nr));
	for (int i = 0; i < call.narg; i++)
		ex(" %lx", arg[i]);
	ex("\n");
	expect_nr = call.nr;
	errno = 0;
	expect_ret = syscall(call.nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
	if (expect_ret == -1 && errno)
		expect_ret = -errno;
	return expect_ret;
}

/* Writes down the RET of the call that sys_begin() made. */
static __attribute__((unused)) long sys_end(void)
{
	if (expect_ret < 0 && expect_ret >= -4095)
		ex("RET %d E%ld\n", code_of(expect_nr), -expect_ret);
	else
		ex("RET %d %lx\n", code_of(expect_nr), expect_ret);
	return expect_ret;
}

#define SYS_ARGS(a, b, c, d, e, f, ...) \
	(long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f)
#define begin_sys(narg, nr, ...) \
	sys_begin(narg, nr, SYS_ARGS(__VA_ARGS__ __VA_OPT__(, ) 0, 0, 0, 0, 0, 0))
/* A call that leaves nothing but CALL and RET. */
#define sys(narg, nr, ...) (begin_sys(narg, nr, __VA_ARGS__), sys_end())

static __attribute__((unused)) void nami(const char *path)
{
	size_t n = strlen(path);

	if (n > 200)
		ex("NAMI %zu %08x\n", n, crc32_add(0, path, n));
	else
		ex("NAMI %zu %s\n", n, path);
}

/* The data of iov, of which n bytes were moved. */
static __attribute__((unused)) void giov(long fd, int write, const struct iovec *iov, long n)
{
	size_t left = n < (long)genio_size ? n : (long)genio_size, cut;
	uint32_t crc = 0;

	if (n < 0)
		return;
	n = left;
	for (; left; iov++) {
		cut = iov->iov_len < left ? iov->iov_len : left;
		crc = crc32_add(crc, iov->iov_base, cut);
		left -= cut;
	}
	ex("GIO %ld %c %ld %08x\n", fd, write ? 'w' : 'r', n, crc);
}

static __attribute__((unused)) void gio(long fd, int write, const void *data, long n)
{
	struct iovec iov = { (void *)data, n < 0 ? 0 : n };

	giov(fd, write, &iov, n);
}

static __attribute__((unused)) void ex_bytes(const void *data, size_t n)
{
	if (n > 64)
		ex(" %zu:%08x\n", n, crc32_add(0, data, n));
	for (size_t i = 0; n <= 64 && i < n; i++)
		ex("%s%02x%s", i ? "" : " ", ((const uint8_t *)data)[i], i + 1 < n ? "" : "\n");
}

/* What a call that the kernel does not have was given nobody has looked at. */
static int was_not_read(void)
{
	return expect_ret == -ENOSYS;
}

static __attribute__((unused)) void stru(const char *name, const void *data, size_t n)
{
	if (was_not_read())
		return;
	ex("STRU %s", name);
	ex_bytes(data, n);
}

/* As many elements as genio_size has room for; none leave no record. */
static __attribute__((unused)) void array(const char *name, size_t size, const void *data, size_t n)
{
	if (n > genio_size / size)
		n = genio_size / size;
	if (!n || was_not_read())
		return;
	ex("ARRAY %s %zu %zu", name, size, n);
	ex_bytes(data, n * size);
}

/* A call that looks up one path. */
#define sys_nami(path, narg, nr, ...) (begin_sys(narg, nr, __VA_ARGS__), nami(path), sys_end())

static __attribute__((unused)) void begin(void)
{
	syscall(700, 0xbe);
}

static __attribute__((unused)) void end(void)
{
	syscall(700, 0xed);
}

static __attribute__((unused)) void finish(void)
{
	end();
	fwrite(expect_buf, 1, expect_len, stdout);
	fflush(stdout);
}

#endif
