// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * ktrace_reader(3) on any file: every function that fits a record is called.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/ktrace.h>
#include <unistd.h>

#include "reader/ktrace_reader.h"
#include "records.h"

#define FD 1000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
ssize_t __real_read(int fd, void *buf, size_t len);
ssize_t __wrap_read(int fd, void *buf, size_t len);

static struct {
	const uint8_t *p;
	size_t len;
	size_t chunk;
} input;

/* Results go here, so that the compiler cannot leave a call out. */
static volatile uint64_t sink;

ssize_t __wrap_read(int fd, void *buf, size_t len)
{
	if (fd != FD)
		return __real_read(fd, buf, len);
	if (len > input.len)
		len = input.len;
	if (len > input.chunk)
		len = input.chunk;
	memcpy(buf, input.p, len);
	input.p += len;
	input.len -= len;
	return len;
}

/* Every byte is looked at. */
static void use(const void *p, size_t len)
{
	const unsigned char *bytes = p;

	while (len)
		sink += bytes[--len];
}

static void use_struct(const struct ktrace_record *record)
{
	struct ktrace_record_struct s;
	struct ktrace_stat st;
	struct ktrace_itimerval it;
	struct ktrace_timespec ts;

	ktrace_record_get_struct(record, &s);
	if (!s.name)
		return;
	use(s.name, strlen(s.name));
	use(s.data, s.len);
	if (record->type == KTR_STRUCT_ARRAY) {
		if (ktrace_record_elements(&s) * s.size > s.len)
			abort();
		return;
	}
	if (ktrace_record_get_stat(&s, &st))
		use(&st, sizeof(st));
	if (ktrace_record_get_itimerval(&s, &it))
		use(&it, sizeof(it));
	if (ktrace_record_get_timespec(&s, &ts))
		use(&ts, sizeof(ts));
}

static void use_strings(const struct ktrace_record *record)
{
	size_t at = 0, len;
	const char *string;

	while ((string = ktrace_record_next_string(record, &at, &len)) != NULL)
		use(string, len);
}

static void use_call(const struct ktrace_record *record)
{
	struct ktrace_record_syscall call;
	unsigned int i;

	ktrace_record_get_syscall(record, &call);
	for (i = 0; i < call.narg; i++)
		sink += ktrace_record_arg(record, i);
}

static void use_payload(const struct ktrace_record *record)
{
	union {
		struct ktrace_record_sysret sysret;
		struct ktrace_record_genio genio;
		struct ktrace_record_psig psig;
		struct ktrace_record_csw csw;
		struct ktrace_record_capfail capfail;
		struct ktrace_record_fault fault;
		struct ktrace_record_exterr exterr;
	} u;

	memset(&u, 0, sizeof(u));
	switch (record->type) {
	case KTR_SYSCALL:
		use_call(record);
		break;
	case KTR_SYSRET:
		ktrace_record_get_sysret(record, &u.sysret);
		break;
	case KTR_GENIO:
		ktrace_record_get_genio(record, &u.genio);
		use(u.genio.data, u.genio.len);
		break;
	case KTR_PSIG:
		ktrace_record_get_psig(record, &u.psig);
		break;
	case KTR_CSW:
		ktrace_record_get_csw(record, &u.csw);
		use(u.csw.wmesg, strlen(u.csw.wmesg));
		break;
	case KTR_CAPFAIL:
		ktrace_record_get_capfail(record, &u.capfail);
		use(u.capfail.data, u.capfail.size);
		break;
	case KTR_FAULT:
		ktrace_record_get_fault(record, &u.fault);
		break;
	case KTR_FAULTEND:
		sink += ktrace_record_faultend(record);
		break;
	case KTR_EXTERR:
		ktrace_record_get_exterr(record, &u.exterr);
		use(u.exterr.msg, strlen(u.exterr.msg));
		break;
	case KTR_STRUCT:
	case KTR_STRUCT_ARRAY:
		use_struct(record);
		break;
	case KTR_NAMEI:
	case KTR_SYSCTL:
		use(record->data, ktrace_record_text_len(record));
		break;
	case KTR_PROCCTOR:
		sink += ktrace_record_sv_flags(record);
		break;
	case KTR_ARGS:
	case KTR_ENVS:
		use_strings(record);
		break;
	}
	use(&u, sizeof(u));
}

/* Records follow each other without a gap, and the end is the end. */
static void read_all(struct ktrace_reader *reader, size_t size)
{
	struct ktrace_record record;
	uint64_t next = 0;
	int ret;

	while ((ret = ktrace_reader_next(reader, &record)) > 0) {
		unsigned char *payload = malloc(record.len);

		if (record.offset != next || record.len > size - record.offset)
			abort();
		next = record.offset + record.len;
		next += record.layout == KTRACE_LAYOUT_LP64 ? (record.version ? 64 : 56) :
							      (record.version ? 48 : 44);
		if (record.len)
			memcpy(payload, record.data, record.len);
		record.data = payload;
		use(record.comm, strlen(record.comm));
		use_payload(&record);
		free(payload);
	}
	if (ret != ktrace_reader_next(reader, &record))
		abort();
	if ((ret == 0 && next != size) || (ret < 0) != (*ktrace_reader_error(reader) != '\0'))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ktrace_reader *reader;

	if (size < CONTROL_SIZE)
		return -1;
	input.p = data + CONTROL_SIZE;
	input.len = size - CONTROL_SIZE;
	input.chunk = control_chunk(data);
	reader = ktrace_reader_new(FD, NULL, NULL);
	if (!reader)
		abort();
	read_all(reader, size - CONTROL_SIZE);
	ktrace_reader_free(reader);
	return 0;
}
