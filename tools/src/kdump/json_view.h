/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * --json: members of a record's object (kdump-json(5)), by type of record.
 */
#ifndef _KDUMP_JSON_VIEW_H_
#define _KDUMP_JSON_VIEW_H_

#include "decode/event.h"
#include "fields.h"

/* json_records.c */
void json_record(const struct event *event);

/* json_calls.c */
void json_call(const struct event *event);
void json_return(const struct event *event);
/* --fds: a member "file" that says what is behind a descriptor, if that is known. */
void json_file(int fd);

/* json_fields.c */
void json_struct(const struct event *event);
void json_struct_array(const struct event *event);
/* An object. */
void json_fields(const struct fields *fields);

/* json_values.c */

/* A member; those of some kinds have companions (KEY_symbol and so on). */
void json_value(const char *key, const struct value *value);

/* { "value": 6, "symbol": "SCHED_DEADLINE" }; @name may be NULL */
void json_named(int64_t value, const char *name);

/* { "value": 2, "symbol": "SIGINT" }: the name is that of number @signo in the file */
void json_signal(int64_t value, int signo, bool linux_abi);

/* json_capfail.c */
void json_capfail(const struct event *event);

/*
 * json_flags - members "value" and "flags"; and "rest", the bits that have no name, if there are any
 * @bits: a set, none of whose names has been taken
 */
void json_flags(uint64_t value, struct name_bits bits);

/* json_capabilities - an object with these members, for Linux capabilities */
void json_capabilities(uint64_t mask);

/* json_rights - an object for a cap_rights_t: two words, and all their names */
void json_rights(const uint64_t rights[2]);

#endif /* _KDUMP_JSON_VIEW_H_ */
