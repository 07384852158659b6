/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Structures as lists of fields: each is decoded once, for all views.
 */
#ifndef _KDUMP_FIELDS_H_
#define _KDUMP_FIELDS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/names.h"
#include "reader/ktrace_reader.h"

/* struct l_timex has 20. */
#define FIELDS_MAX 24

/* The longest address of AF_INET6, and its NUL. */
#define FIELDS_ADDRESS 46

/* What a value is, and how text has it. */
enum value_kind {
	VALUE_NONE, /* the kernel told none: 0 */
	VALUE_DEC,
	VALUE_UINT,
	VALUE_HEX, /* 0x1, 0 */
	VALUE_HEX_SIGNED, /* the same of a signed number */
	VALUE_HEX_0X, /* 0x1, 0x0 */
	VALUE_HEX_0X4, /* 0x0001 */
	VALUE_POINTER, /* 0x1, 0x0 */
	VALUE_OCTAL,
	VALUE_MODE, /* st_mode */
	VALUE_UID,
	VALUE_GID,
	VALUE_DATE, /* @number seconds and @fraction nanoseconds since 1970 */
	VALUE_TIMEVAL, /* @number seconds and @fraction microseconds */
	VALUE_TEXT, /* @bytes */
	VALUE_QUOTED, /* the same, in quotes */
	VALUE_HWADDR, /* @bytes, 02:00:00:00:00:01 */
	VALUE_FLAGS, /* of @table */
	VALUE_FLAGS_OPTIONAL, /* 0 is nothing special */
	VALUE_ENUM, /* one of @table, 32 bits */
	VALUE_NAMED, /* one of several, whose name is @symbol */
	VALUE_SIGNAL, /* by the ABI's own numbers */
	VALUE_SIGSET, /* bit n - 1 is Linux signal n */
	VALUE_CAPABILITIES, /* of Linux */
	VALUE_RIGHTS, /* a cap_rights_t, 16 @bytes */
	VALUE_BITS, /* which bits of @bytes are set: [ 0, 2 ] */
};

struct value {
	enum value_kind kind;
	bool linux_abi; /* VALUE_SIGNAL */
	bool plain; /* -n, where that is obeyed: a number, and nothing else */
	int64_t number;
	int64_t fraction;
	const char *symbol; /* what the number stands for, or NULL */
	const struct name_table *table;
	const unsigned char *bytes;
	size_t len;
	void (*print)(const struct value *value); /* how text has it, if not as its kind tells */
};

/* How text has a structure. */
struct fields_style {
	const char *begin;
	const char *between;
	const char *is; /* after a field's name; NULL: without names */
	const char *end;
};

struct fields {
	const struct fields_style *style;
	const char *problem; /* why there are no more of them, or NULL */
	unsigned int count;
	struct field {
		const char *name;
		struct value value;
	} field[FIELDS_MAX];
	char address[FIELDS_ADDRESS]; /* what a value may point to: do not copy */
};

void fields_add(struct fields *fields, const char *name, struct value value);

/* fields_print - as text, from @first on */
void fields_print(const struct fields *fields, unsigned int first);

/*
 * value_owner_name - -r: the name of the user or group that it is, or NULL; valid until
 * the next call
 */
const char *value_owner_name(const struct value *value);

/*
 * value_signal - VALUE_SIGNAL: the number that it has in the file; false: it has none, or
 * no name is wanted
 */
bool value_signal(const struct value *value, int *signo);

/*
 * value_next_signal - takes the lowest Linux signal out of a set; returns the number it
 * has in the file, or 0
 */
int value_next_signal(uint64_t *set);

/* value_print - as text */
void value_print(const struct value *value);

/* Values of some kinds.  The first four read them. */
struct value value_s32(const unsigned char *p);
struct value value_u32(const unsigned char *p);
struct value value_s64(const unsigned char *p);
struct value value_u64(const unsigned char *p);
struct value value_of(enum value_kind kind, int64_t number);
struct value value_named(enum value_kind kind, const struct name_table *table, int64_t number);
struct value value_bytes(enum value_kind kind, const unsigned char *p, size_t len);

enum struct_result {
	STRUCT_DECODED,
	STRUCT_UNKNOWN, /* no such name */
	STRUCT_INVALID, /* not as long as it must be, or no structure at all */
};

/*
 * struct_decode - KTR_STRUCT, of a process whose sv_flags are @abi
 *
 * @fields is valid as long as @s->data, and undefined if there are none.
 */
enum struct_result struct_decode(const struct ktrace_record_struct *s, uint32_t abi,
				 struct fields *fields);

/* linux_structs.c: the same for those that FreeBSD's kdump does not know */
enum struct_result linux_struct_decode(const struct ktrace_record_struct *s, uint32_t abi,
				       struct fields *fields);

/* freebsd_structs.c: the same for those of FreeBSD's own calls that no other system has */
enum struct_result freebsd_struct_decode(const struct ktrace_record_struct *s,
					 struct fields *fields);

/* Elements of arrays. */
void epoll_event_decode(const unsigned char *p, bool linux_abi, struct fields *fields);
void iovec_decode(const unsigned char *p, bool linux_abi, struct fields *fields);

/* sockaddr.c: @len is sa_len, and there are that many bytes.  The first field is the family. */
void sockaddr_decode(const unsigned char *p, size_t len, bool linux_abi, struct fields *fields);
void sockaddr_print(const struct fields *fields);

/* arrays.c: KTR_STRUCT_ARRAY */
struct array {
	const char *problem; /* why it has no elements that can be decoded, or NULL */
	size_t count; /* of whole elements */
	size_t size;
	const unsigned char *data;
	void (*decode)(const unsigned char *p, bool linux_abi, struct fields *fields);
};

/* array_decode - STRUCT_DECODED or STRUCT_INVALID; array_element() has its elements */
enum struct_result array_decode(const struct ktrace_record *record,
				const struct ktrace_record_struct *s, struct array *array);
void array_element(const struct array *array, size_t i, bool linux_abi, struct fields *fields);

#endif /* _KDUMP_FIELDS_H_ */
