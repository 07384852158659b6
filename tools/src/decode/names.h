/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Constants by name: tables come from scripts/data (name_tables.h), and print
 * in the forms that FreeBSD's kdump has for them.
 */
#ifndef _DECODE_NAMES_H_
#define _DECODE_NAMES_H_

#include <stdbool.h>
#include <stdint.h>

struct name_value {
	int64_t value;
	uint64_t mask; /* of a value that is compared; 0: all (of flags: its own bits) */
	const char *name;
};

struct name_table {
	const struct name_value *values;
	int count;
	int sorted; /* that many at the begin ascend, and have no masks */
};

/* names_find - the name of a value, or NULL */
const char *names_find(const struct name_table *table, int64_t value);

/*
 * A walk through the flags of a set, in table order:
 *
 *	struct name_bits bits = { table, value };
 *
 *	while ((name = names_next_bit(&bits)) != NULL)
 *		...
 *
 * Bits that a name stands for have no other; @taken has them all.
 */
struct name_bits {
	const struct name_table *table;
	uint64_t value;
	uint64_t taken;
	int next;
};

/* names_next_bit - the next name, or NULL */
const char *names_next_bit(struct name_bits *bits);

/* names_out_bits - the names of the bits in @value, in table order, @between them */
int names_out_bits(const struct name_table *table, uint64_t value, char between, uint64_t *rest);

/*
 * names_out_set - what a set of flags consists of: <A|B>, or <><invalid>4 when nothing in
 * it has a name
 */
void names_out_set(const struct name_table *table, uint64_t value);

/*
 * names_out_flags - a set of flags: 0x3<A|B>
 * @optional: 0 is just 0
 */
void names_out_flags(const struct name_table *table, uint64_t value, bool optional);

/* names_out_signal - a signal, by its number in the file */
void names_out_signal(int signo, bool linux_abi);

/*
 * names_errno_number - what the process had for an error of the file
 * @linux_abi: of the process; becomes false when its errors are Linux's, but this one is FreeBSD's alone
 */
int names_errno_number(int error, bool *linux_abi);

/* names_errno_text - the text of an errno; NULL when there is none */
const char *names_errno_text(int number, bool linux_abi);

#endif /* _DECODE_NAMES_H_ */
