/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Arguments of system calls: what each of them is, from scripts/data/args.
 */
#ifndef _DECODE_ARGS_H_
#define _DECODE_ARGS_H_

#include <stdbool.h>
#include <stdint.h>

#include "decode/names.h"

/* No call has more that are described. */
#define ARGS_KNOWN 8

/*
 * How wide an argument is, and how it is shown.  "int" is 32 bits: the caller may leave
 * anything in the others.
 */
enum arg_kind {
	ARG_HEX, /* a word, of which nothing is known */
	ARG_PTR,
	ARG_PATH, /* a pointer to a path */
	ARG_SIZE,
	ARG_OFF, /* a word, with a sign */
	ARG_OFF64, /* 64 bits, with a sign: two words of a 32-bit process */
	ARG_HEX64, /* the same without a sign */
	ARG_DEC64, /* ... in decimal */
	ARG_DEC, /* an int, in decimal */
	ARG_INT,
	ARG_UINT,
	ARG_XINT, /* an int; 0 is 0x0 */
	ARG_XPTR, /* a pointer; 0 is 0x0 */
	ARG_FD,
	ARG_ATFD, /* a descriptor or AT_FDCWD */
	ARG_PID,
	ARG_UID,
	ARG_GID,
	ARG_UID16, /* a short of which the highest value is -1 */
	ARG_GID16,
	ARG_MODE, /* st_mode, with names */
	ARG_UMODE, /* in octal only */
	ARG_SIGNAL, /* by the ABI's own numbers */
	ARG_IOCTL,
	ARG_CLONE_FLAGS, /* flags, and a signal in the lowest byte */
	ARG_FLAGS, /* a set of flags in an int */
	ARG_FLAGS_OPTIONAL, /* the same; 0 is nothing special */
	ARG_LONG_FLAGS, /* a set of flags in a word */
	ARG_LONG_FLAGS_OPTIONAL,
	ARG_ENUM, /* one of several values of an int */
	ARG_ENUM_OPTIONAL, /* the same, or any other */
	ARG_LONG_ENUM, /* one of several values of a word */
	ARG_LONG_ENUM_OPTIONAL,
	ARG_HIDDEN, /* in the call's registers, but without a meaning */
};

/* A call in progress: what its CALL record said. */
struct call {
	uint32_t flags; /* sv_flags of the process (abi.h) */
	int code;
	bool ilp32; /* the process's words are of 32 bits */
	bool ilp32_record; /* those of the record are */
	unsigned int narg; /* of the record */
	int64_t time; /* nanoseconds since 1970 */
	int64_t word[ARGS_KNOWN]; /* the first of @narg, sign-extended */
};

/* One argument of a call. */
struct arg {
	const char *name; /* as in the manual page */
	enum arg_kind kind;
	const struct name_table *table; /* NULL if its kind has none */
	/*
	 * What the kernel takes of it: an int is sign-extended, an unsigned one and flags
	 * are not.
	 */
	int64_t value;
	int64_t word; /* its (first) slot, all of it */
};

/* All arguments of a call that are described; those in slots from @slots on are not. */
struct args {
	unsigned int count;
	unsigned int slots;
	bool linux_abi;
	bool ilp32; /* words are shown as 32 bits */
	struct arg arg[ARGS_KNOWN];
};

/* args_decode - what its words mean */
void args_decode(const struct call *call, struct args *args);

/* arg_is_flags - is it a set of flags?  Then names_next_bit() has them. */
bool arg_is_flags(const struct arg *arg);

/* arg_bits - the value as a set of flags, with its @table */
struct name_bits arg_bits(const struct arg *arg);

/*
 * arg_value_name - the name of the value, of those that have one of several (and
 * descriptors: AT_FDCWD); or NULL
 */
const char *arg_value_name(const struct arg *arg);

/*
 * arg_print - as FreeBSD's kdump shows it: 0x3, 0x80000<O_RDONLY|O_CLOEXEC>, SEEK_SET;
 * @decimal: -d
 */
void arg_print(const struct args *args, const struct arg *arg, bool decimal);

/* arg_out_word - a word as wide as it was in the process; @decimal: -d */
void arg_out_word(int64_t value, bool ilp32, bool decimal);

#endif /* _DECODE_ARGS_H_ */
