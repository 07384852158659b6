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
/* The name of a signal's code, or NULL; @signo as in the file. */
const char *psig_code_name(int signo, int code, bool linux_abi);

/* calls.c */
void call_print(const struct event *event);
void ret_print(const struct event *event);
/* The name of a call, as CALL and RET have it. */
void call_out_name(uint32_t flags, int code);
/* What a call returned, as RET has it after the name. */
void ret_out_result(const struct event *event);
/* " <0.000012>", in the header's own precision: how long the call took; nothing when its CALL was not seen. */
void ret_out_duration(const struct event *event);
/* "ENOENT"; NULL: no error, or none that has a name. */
const char *ret_error_name(const struct event *event);
void call_out_errno_text(int number, bool linux_errno);

/* genio.c */
void genio_print(const struct ktrace_record *record);

/* user.c */
void user_print(const struct ktrace_record *record);
/*
 * What malloc(3) or the run-time linker reports, without the end of the line; false:
 * nothing of theirs.
 */
bool user_print_known(const struct ktrace_record *record);

/* structs.c */
void struct_print(const struct ktrace_record *record, const struct abi *abi);

/* exterr.c */
void exterr_print(const struct ktrace_record *record);
/* The message, with its numbers in their places. */
void exterr_out_message(const struct ktrace_record_exterr *exterr);

/* arrays.c */
void struct_array_print(const struct ktrace_record *record, const struct abi *abi);

#endif /* _KDUMP_RECORDS_H_ */
