// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Payloads: their lengths, and what is in them.
 */
#include <stdio.h>
#include <sys/ktrace.h>

#include "reader/layout.h"

#define CAPFAIL_DATA 1024 /* FreeBSD 14: sizeof(union ktr_cap_data) */
#define EXTERR_LEN   200

static bool is_lp64(const struct ktrace_record *record)
{
	return record->layout == KTRACE_LAYOUT_LP64;
}

const char *libktrace_layout_type_name(unsigned int type)
{
	static const char *const names[] = {
		[KTR_SYSCALL] = "SYSCALL",   [KTR_SYSRET] = "SYSRET",
		[KTR_NAMEI] = "NAMEI",	     [KTR_GENIO] = "GENIO",
		[KTR_PSIG] = "PSIG",	     [KTR_CSW] = "CSW",
		[KTR_USER] = "USER",	     [KTR_STRUCT] = "STRUCT",
		[KTR_SYSCTL] = "SYSCTL",     [KTR_PROCCTOR] = "PROCCTOR",
		[KTR_PROCDTOR] = "PROCDTOR", [KTR_CAPFAIL] = "CAPFAIL",
		[KTR_FAULT] = "FAULT",	     [KTR_FAULTEND] = "FAULTEND",
		[KTR_ARGS] = "ARGS",	     [KTR_STRUCT_ARRAY] = "STRUCT_ARRAY",
		[KTR_ENVS] = "ENVS",	     [KTR_EXTERR] = "EXTERR",
	};

	return type < sizeof(names) / sizeof(names[0]) ? names[type] : NULL;
}

static size_t least_len(const struct ktrace_record *record)
{
	bool lp64 = is_lp64(record);

	switch (record->type) {
	case KTR_SYSCALL:
		return lp64 ? 8 : 4;
	case KTR_SYSRET:
		return lp64 ? 16 : 12;
	case KTR_GENIO:
	case KTR_CSW:
		return 8;
	case KTR_PSIG:
		return lp64 ? sizeof(struct ktrace_psig) : 28;
	case KTR_PROCCTOR:
	case KTR_FAULTEND:
		return 4;
	case KTR_CAPFAIL:
		return lp64 ? 40 : 36;
	case KTR_FAULT:
		return lp64 ? 12 : 8;
	case KTR_EXTERR:
		return EXTERR_LEN;
	}
	/* STRUCT and STRUCT_ARRAY: a bad one is no reason to stop. */
	return 0;
}

bool libktrace_layout_check(const struct ktrace_record *record, char *why, size_t size)
{
	size_t least = least_len(record);

	if (record->len < least) {
		snprintf(why, size, "%s of %zu bytes, but it takes %zu",
			 libktrace_layout_type_name(record->type), record->len, least);
		return false;
	}
	if (record->type == KTR_SYSCALL) {
		int narg = (int16_t)get16(record->data + 2);

		if (narg < 0 || (record->len - least) / record->layout < (size_t)narg) {
			snprintf(why, size, "SYSCALL with %d arguments in %zu bytes", narg,
				 record->len);
			return false;
		}
	}
	return true;
}

void ktrace_record_get_syscall(const struct ktrace_record *record,
			       struct ktrace_record_syscall *out)
{
	out->code = (int16_t)get16(record->data);
	out->narg = get16(record->data + 2);
}

int64_t ktrace_record_arg(const struct ktrace_record *record, unsigned int i)
{
	if (is_lp64(record))
		return (int64_t)get64(record->data + 8 + 8 * (size_t)i);
	return (int32_t)get32(record->data + 4 + 4 * (size_t)i);
}

void ktrace_record_get_sysret(const struct ktrace_record *record, struct ktrace_record_sysret *out)
{
	out->code = (int16_t)get16(record->data);
	out->error = (int32_t)get32(record->data + 4);
	out->retval = is_lp64(record) ? (int64_t)get64(record->data + 8) :
					(int32_t)get32(record->data + 8);
}

void ktrace_record_get_genio(const struct ktrace_record *record, struct ktrace_record_genio *out)
{
	out->fd = (int32_t)get32(record->data);
	out->rw = (int32_t)get32(record->data + 4);
	out->len = record->len - sizeof(struct ktrace_genio);
	out->data = record->data + sizeof(struct ktrace_genio);
}

void ktrace_record_get_psig(const struct ktrace_record *record, struct ktrace_record_psig *out)
{
	const unsigned char *p = record->data;

	out->signo = (int32_t)get32(p);
	out->action = is_lp64(record) ? get64(p + 8) : get32(p + 4);
	p += is_lp64(record) ? 16 : 8;
	out->code = (int32_t)get32(p);
	memcpy(out->mask, p + 4, sizeof(out->mask));
}

void ktrace_record_get_csw(const struct ktrace_record *record, struct ktrace_record_csw *out)
{
	out->out = (int32_t)get32(record->data);
	out->user = (int32_t)get32(record->data + 4);
	out->has_wmesg = record->len >= 16;
	memset(out->wmesg, 0, sizeof(out->wmesg));
	if (out->has_wmesg)
		memcpy(out->wmesg, record->data + 8, 8);
}

void ktrace_record_get_capfail(const struct ktrace_record *record,
			       struct ktrace_record_capfail *out)
{
	const unsigned char *p = record->data;
	/* Old: int, padding on LP64, two pairs.  New: int, short, int, padding on LP64, union. */
	size_t head = is_lp64(record) ? 16 : 12;
	const unsigned char *rights = p + (is_lp64(record) ? 8 : 4);

	memset(out, 0, sizeof(*out));
	out->type = (int32_t)get32(p);
	if (record->len >= head + CAPFAIL_DATA) {
		out->code = (int16_t)get16(p + 4);
		out->svflags = get32(p + 8);
		out->size = record->len - head;
		out->data = p + head;
		rights = out->data;
	}
	memcpy(out->needed, rights, sizeof(out->needed));
	memcpy(out->held, rights + 16, sizeof(out->held));
}

void ktrace_record_get_fault(const struct ktrace_record *record, struct ktrace_record_fault *out)
{
	bool lp64 = is_lp64(record);

	out->vaddr = lp64 ? get64(record->data) : get32(record->data);
	out->type = (int32_t)get32(record->data + record->layout);
}

void ktrace_record_get_exterr(const struct ktrace_record *record, struct ktrace_record_exterr *out)
{
	const unsigned char *p = record->data;

	out->error = get32(p + 4);
	out->category = get32(p + 8);
	out->line = get32(p + 12);
	out->p1 = get64(p + 24);
	out->p2 = get64(p + 32);
	memcpy(out->msg, p + 72, 128);
	out->msg[128] = '\0';
}

size_t ktrace_record_text_len(const struct ktrace_record *record)
{
	return record->len ? strnlen((const char *)record->data, record->len) : 0;
}

uint32_t ktrace_record_sv_flags(const struct ktrace_record *record)
{
	return get32(record->data);
}

int ktrace_record_faultend(const struct ktrace_record *record)
{
	return (int32_t)get32(record->data);
}
