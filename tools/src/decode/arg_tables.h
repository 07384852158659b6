/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What scripts/gen-decode makes of scripts/data/args. */
#ifndef _DECODE_ARG_TABLES_H_
#define _DECODE_ARG_TABLES_H_

#include "decode/args.h"

struct arg_spec {
	const char *name;
	enum arg_kind kind;
	const struct name_table *table;
};

/*
 * Holds when the argument, of which @mask is looked at (0: all of it), is one of @values;
 * without @values, not 0.
 */
struct arg_condition {
	unsigned int index; /* among the arguments of the last variant */
	uint64_t mask;
	const int64_t *values;
	unsigned int count;
};

/* One meaning of a call's arguments: the first one of whose conditions all hold. */
struct arg_variant {
	const struct arg_condition *conditions;
	unsigned int conditions_count;
	const struct arg_spec *args;
	unsigned int count;
};

/* The last variant has no conditions; none at all: nothing is known of the call. */
struct call_args {
	const struct arg_variant *variants;
	unsigned int count;
};

/* By number. */
struct call_args_table {
	const struct call_args *calls;
	int count;
};

extern const struct call_args_table args_linux64;
extern const struct call_args_table args_linux32;
extern const struct call_args_table args_arm64;
extern const struct call_args_table args_arm32;
extern const struct call_args_table args_freebsd;

#endif /* _DECODE_ARG_TABLES_H_ */
