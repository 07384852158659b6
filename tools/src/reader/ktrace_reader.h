/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Read trace files record by record.
 *
 * A reader takes a file descriptor (a regular file or a pipe), keeps its own
 * buffer and needs constant memory.  It reads what ktrace.ko and FreeBSD
 * write (ktrace(5)): 64-bit files with v0 and v1 headers, also mixed, and
 * FreeBSD/i386 ones; it recognises and refuses those of other systems.
 *
 * It distrusts the file: a record that it hands out is as long as it says and
 * as its type needs; anything else ends the reading with an error that has
 * the record's offset.  Payloads are not aligned: copy, or use the functions
 * ktrace_record_*() below, which also hide the differences between layouts.
 *
 * A reader is not thread-safe; different readers are independent.
 */
#ifndef _KTRACE_READER_H_
#define _KTRACE_READER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ktrace_format.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* No record may be longer: FreeBSD's largest are ARGS and GENIO. */
#define KTRACE_READER_MAX_LEN (16 << 20)

/* Size of long in the kernel that wrote the file. */
enum ktrace_layout {
	KTRACE_LAYOUT_LP64 = 8,
	KTRACE_LAYOUT_ILP32 = 4,
};

/*
 * One record.  @data and all else are valid until the next call for the same
 * reader.
 */
struct ktrace_record {
	uint64_t offset; /* of its header, from where reading began */
	enum ktrace_layout layout;
	unsigned int type; /* KTR_*, or one not known yet */
	bool drop; /* KTR_DROP: records were lost before it */
	unsigned int version; /* of the header: 0 or 1 */
	int32_t pid;
	int64_t tid;
	int32_t cpu; /* v1, else -1 */
	char comm[KTRACE_COMM_LEN]; /* NUL-terminated, any bytes */
	int64_t sec;
	int64_t frac; /* v0: microseconds, v1: nanoseconds */
	size_t len; /* of the payload */
	const unsigned char *data;
};

struct ktrace_reader;

/*
 * What the caller wants to do around read(2).
 *
 * KTRACE_READER_READ: before each one, which may block.  Return true to go on;
 * false ends the reading as at a record's end, without an error, even if part
 * of a record has been read.
 *
 * KTRACE_READER_END: at the end of the file.  Return true to try again, as the
 * file may have grown; false: that was the end, and a record that it cuts off
 * is an error.
 */
enum ktrace_reader_event {
	KTRACE_READER_READ,
	KTRACE_READER_END,
};

typedef bool ktrace_reader_hook(void *arg, enum ktrace_reader_event event);

/*
 * ktrace_reader_new - make a reader
 * @fd: open for reading; remains the caller's
 * @hook: may be NULL: then the end of the file is the end
 *
 * Returns NULL when there is no memory.
 */
struct ktrace_reader *ktrace_reader_new(int fd, ktrace_reader_hook *hook, void *arg);

void ktrace_reader_free(struct ktrace_reader *reader);

/*
 * ktrace_reader_next - the next record
 *
 * Returns 1 and fills @record; 0 at the end; -1 when reading failed or the
 * file is malformed: ktrace_reader_error() says how.  After 0 or -1 further
 * calls return the same.
 */
int ktrace_reader_next(struct ktrace_reader *reader, struct ktrace_record *record);

/* ktrace_reader_error - one line, without the file's name and newline */
const char *ktrace_reader_error(const struct ktrace_reader *reader);

/* Payloads.  These may be called for records of the type they name only. */

/* KTR_SYSCALL: @narg arguments follow, see ktrace_record_arg(). */
struct ktrace_record_syscall {
	int code;
	unsigned int narg;
};

/* KTR_SYSRET */
struct ktrace_record_sysret {
	int code;
	int error;
	int64_t retval; /* sign-extended */
};

/* KTR_GENIO: the data follow. */
struct ktrace_record_genio {
	int fd;
	int rw; /* 0 read, 1 write */
	size_t len;
	const unsigned char *data;
};

/* KTR_PSIG */
struct ktrace_record_psig {
	int signo;
	int code;
	uint64_t action;
	uint32_t mask[4];
};

/* KTR_CSW */
struct ktrace_record_csw {
	int out;
	int user;
	bool has_wmesg;
	char wmesg[9];
};

/*
 * KTR_CAPFAIL: old ones have @needed and @held only (@size is 0); newer ones
 * @size bytes of @data, whose meaning depends on the type.
 */
struct ktrace_record_capfail {
	int type;
	int code;
	uint32_t svflags;
	uint64_t needed[2];
	uint64_t held[2];
	size_t size;
	const unsigned char *data;
};

/* KTR_FAULT */
struct ktrace_record_fault {
	uint64_t vaddr;
	int type;
};

/*
 * KTR_STRUCT and KTR_STRUCT_ARRAY: @name is NULL when the record has no name
 * that ends.
 */
struct ktrace_record_struct {
	uint64_t size; /* of an element; KTR_STRUCT: 0 */
	const char *name;
	size_t len;
	const unsigned char *data;
};

/* KTR_EXTERR */
struct ktrace_record_exterr {
	uint32_t error;
	uint32_t category;
	uint32_t line;
	uint64_t p1;
	uint64_t p2;
	char msg[129];
};

void ktrace_record_get_syscall(const struct ktrace_record *record,
			       struct ktrace_record_syscall *out);
/* Argument @i (below narg), sign-extended from the layout's word. */
int64_t ktrace_record_arg(const struct ktrace_record *record, unsigned int i);
void ktrace_record_get_sysret(const struct ktrace_record *record, struct ktrace_record_sysret *out);
void ktrace_record_get_genio(const struct ktrace_record *record, struct ktrace_record_genio *out);
void ktrace_record_get_psig(const struct ktrace_record *record, struct ktrace_record_psig *out);
void ktrace_record_get_csw(const struct ktrace_record *record, struct ktrace_record_csw *out);
void ktrace_record_get_capfail(const struct ktrace_record *record,
			       struct ktrace_record_capfail *out);
void ktrace_record_get_fault(const struct ktrace_record *record, struct ktrace_record_fault *out);
void ktrace_record_get_struct(const struct ktrace_record *record, struct ktrace_record_struct *out);
/* How many whole elements does a KTR_STRUCT_ARRAY have?  Check @size as well. */
size_t ktrace_record_elements(const struct ktrace_record_struct *array);
void ktrace_record_get_exterr(const struct ktrace_record *record, struct ktrace_record_exterr *out);
/* KTR_PROCCTOR */
uint32_t ktrace_record_sv_flags(const struct ktrace_record *record);
/* KTR_FAULTEND */
int ktrace_record_faultend(const struct ktrace_record *record);
/* KTR_NAMEI and KTR_SYSCTL: the length of the text that begins at @data, which a NUL may follow. */
size_t ktrace_record_text_len(const struct ktrace_record *record);

/*
 * ktrace_record_next_string - KTR_ARGS and KTR_ENVS, a string at a time
 * @at: 0 for the first one; moved on to the next
 * @len: of the string, which a NUL need not follow
 *
 * Returns NULL after the last one.
 */
const char *ktrace_record_next_string(const struct ktrace_record *record, size_t *at, size_t *len);

/*
 * Structures of KTR_STRUCT whose layout depends on the system: in the form that
 * ktrace_format.h has, whichever the file's is (FreeBSD's before 12 and on i386
 * included).  Call the one for the structure's name; false says that it is not
 * as long as such a structure can be, and leaves @out undefined.
 *
 * All others have the layout of ktrace_format.h in all files: copy them from
 * @data once @len is what it must be.
 */
bool ktrace_record_get_stat(const struct ktrace_record_struct *s, struct ktrace_stat *out);
bool ktrace_record_get_itimerval(const struct ktrace_record_struct *s,
				 struct ktrace_itimerval *out);
bool ktrace_record_get_timespec(const struct ktrace_record_struct *s, struct ktrace_timespec *out);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* _KTRACE_READER_H_ */
