/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What a line says after its columns, by type of record.  Each function ends
 * the line (and prints more of them where it has to).
 */
#ifndef _KDUMP_RECORDS_H_
#define _KDUMP_RECORDS_H_

#include "decode/event.h"
#include "reader/ktrace_reader.h"

/* record_print - any record */
void record_print(const struct event *event);

/* calls.c */
void call_print(const struct event *event);
void ret_print(const struct event *event);
/* The name of a call, as CALL and RET have it. */
void call_out_name(uint32_t flags, int code);

/* genio.c */
void genio_print(const struct ktrace_record *record);

/* user.c */
void user_print(const struct ktrace_record *record);

/* capfail.c */
void capfail_print(const struct ktrace_record *record, const struct abi *abi);

/* Names of Linux capabilities, by bit; a bit without a name is its number. */
void capabilities_out(uint64_t mask, char between);

/* The names of a cap_rights_t. */
void cap_rights_out(const uint64_t rights[2]);

/* structs.c */
void struct_print(const struct ktrace_record *record, const struct abi *abi);
/* [ SIGINT, SIGUSR1 ]: bit n - 1 is Linux signal n. */
void linux_sigset_out(uint64_t set);

/* sockaddr.c: @len is sa_len, and there are that many bytes. */
void sockaddr_print(const unsigned char *p, size_t len, bool linux_abi);

/* linux_structs.c */
enum struct_result {
	STRUCT_PRINTED,
	STRUCT_UNKNOWN, /* no such name */
	STRUCT_INVALID, /* not as long as it must be */
};

/* A structure that FreeBSD's kdump does not know; prints nothing if it is none. */
enum struct_result linux_struct_print(const struct ktrace_record_struct *s, bool linux_abi);
/* freebsd_structs.c: the same of structures that only FreeBSD has */
enum struct_result freebsd_struct_print(const struct ktrace_record_struct *s);
/* Elements of arrays */
void epoll_event_print(const unsigned char *p, bool linux_abi);
void iovec_print(const unsigned char *p, bool linux_abi);

/* exterr.c */
void exterr_print(const struct ktrace_record *record);

/* arrays.c */
void struct_array_print(const struct ktrace_record *record, const struct abi *abi);

#endif /* _KDUMP_RECORDS_H_ */
