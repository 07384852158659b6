// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * USER: bytes, or what FreeBSD's malloc(3) and run-time linker report.
 */
#include <string.h>

#include "decode/out.h"
#include "options.h"
#include "records.h"

static uint64_t word(const unsigned char *p, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, p, size); /* little endian */
	return value;
}

/* Pointer, size, result: three words. */
static void malloc_print(const unsigned char *p, size_t size)
{
	uint64_t pointer = word(p, size), bytes = word(p + size, size);
	uint64_t result = word(p + 2 * size, size);

	if (pointer == (size == 8 ? UINT64_MAX : UINT32_MAX)) {
		out_str("malloc_init()");
	} else if (bytes == 0) {
		out_str("free(");
		out_pointer(pointer);
		out_char(')');
	} else {
		out_pointer(result);
		if (pointer == 0) {
			out_str(" = malloc(");
		} else {
			out_str(" = realloc(");
			out_pointer(pointer);
			out_str(", ");
		}
		out_printf("%llu)", (unsigned long long)bytes);
	}
}

#define RTLD_NAME_LEN 1024

struct rtld {
	int event;
	uint64_t handle;
	uint64_t base;
	uint64_t size;
	int refs;
	const unsigned char *name;
};

enum rtld_event {
	RTLD_DLOPEN_START = 1,
	RTLD_DLOPEN_STOP,
	RTLD_DLCLOSE_START,
	RTLD_DLCLOSE_STOP,
	RTLD_LOADED,
	RTLD_UNLOADED,
	RTLD_DEPENDS,
	RTLD_PRELOAD_FINISHED,
	RTLD_INIT,
	RTLD_FINI,
	RTLD_DLSYM_START,
	RTLD_DLSYM_STOP,
	RTLD_ERROR,
};

static void out_rtld_mode(int mode)
{
	if (mode == 0) {
		out_char('0');
		return;
	}
	switch (mode & 3) {
	case 0:
		break;
	case 1:
		out_str("RTLD_LAZY");
		break;
	case 2:
		out_str("RTLD_NOW");
		break;
	default:
		out_hex(mode & 3);
	}
	if (mode & 0x100)
		out_str(mode & 3 ? " | RTLD_GLOBAL" : "RTLD_GLOBAL");
	if (mode & 0x200)
		out_str(mode & 0x103 ? " | RTLD_TRACE" : "RTLD_TRACE");
	if (mode & ~0x303) {
		if (mode & 0x303)
			out_str(" | ");
		out_hex((unsigned int)mode & ~0x303);
	}
}

static void out_name(const struct rtld *r)
{
	out_text_str(r->name, RTLD_NAME_LEN);
}

static void out_range(const struct rtld *r, const char *what)
{
	out_str(what);
	out_pointer(r->handle);
	out_str(" @ ");
	out_pointer(r->base);
	out_str(" - ");
	out_pointer(r->base + r->size - 1);
	out_str(" (");
	out_name(r);
	out_char(')');
}

static void out_call(const struct rtld *r, const char *what)
{
	out_str(what);
	out_pointer(r->base);
	out_str(" for ");
	out_pointer(r->handle);
	out_str(" (");
	out_name(r);
	out_char(')');
}

static void out_handle_and_name(const struct rtld *r)
{
	out_pointer(r->handle);
	out_str(", ");
	out_name(r);
	out_char(')');
}

static bool rtld_print(const struct rtld *r)
{
	switch (r->event) {
	case RTLD_DLOPEN_START:
		out_str("dlopen(");
		out_name(r);
		out_str(", ");
		out_rtld_mode(r->refs);
		out_char(')');
		break;
	case RTLD_DLOPEN_STOP:
		out_pointer(r->handle);
		out_str(" = dlopen(");
		out_name(r);
		out_printf(") ref %d", r->refs);
		break;
	case RTLD_DLCLOSE_START:
		out_str("dlclose(");
		out_pointer(r->handle);
		out_str(") (");
		out_name(r);
		out_printf(", %d)", r->refs);
		break;
	case RTLD_DLCLOSE_STOP:
		out_str("dlclose(");
		out_pointer(r->handle);
		out_str(") finished");
		break;
	case RTLD_LOADED:
		out_range(r, "RTLD: loaded   ");
		break;
	case RTLD_UNLOADED:
		out_range(r, "RTLD: unloaded ");
		break;
	case RTLD_DEPENDS:
		out_str("RTLD: ");
		out_pointer(r->base);
		out_str(" now depends on ");
		out_pointer(r->handle);
		out_str(" (");
		out_name(r);
		out_printf(", %d)", r->refs);
		break;
	case RTLD_PRELOAD_FINISHED:
		out_str("RTLD: LD_PRELOAD finished");
		break;
	case RTLD_INIT:
		out_call(r, "RTLD: init ");
		break;
	case RTLD_FINI:
		out_call(r, "RTLD: fini ");
		break;
	case RTLD_DLSYM_START:
		out_str("RTLD: dlsym(");
		out_handle_and_name(r);
		break;
	case RTLD_DLSYM_STOP:
		out_str("RTLD: ");
		out_pointer(r->base);
		out_str(" = dlsym(");
		out_handle_and_name(r);
		break;
	case RTLD_ERROR:
		out_str("RTLD: error: ");
		out_name(r);
		out_char('\n');
		break;
	default:
		return false;
	}
	return true;
}

/* "RTLD", event, handle, base, size, references, name. */
static bool try_rtld(const unsigned char *p, size_t len)
{
	struct rtld r;
	size_t size;

	if (len != 1064 && len != 1048)
		return false;
	if (memcmp(p, "RTLD", 4) != 0)
		return false;
	size = len == 1064 ? 8 : 4;
	r.event = (int)word(p + 4, 4);
	r.handle = word(p + 8, size);
	r.base = word(p + 8 + size, size);
	r.size = word(p + 8 + 2 * size, size);
	r.refs = (int)word(p + 8 + 3 * size, 4);
	r.name = p + 12 + 3 * size;
	return rtld_print(&r);
}

bool user_print_known(const struct ktrace_record *record)
{
	if (record->len == 24 || record->len == 12) {
		malloc_print(record->data, record->len / 3);
		return true;
	}
	return try_rtld(record->data, record->len);
}

static void bytes_print(const struct ktrace_record *record)
{
	size_t i;

	out_dec(record->len);
	out_char(' ');
	for (i = 0; i < record->len; i++) {
		out_char(' ');
		if (options.decimal)
			out_dec(record->data[i]);
		else
			out_byte(record->data[i]);
	}
}

void user_print(const struct ktrace_record *record)
{
	if (!user_print_known(record))
		bytes_print(record);
	out_char('\n');
}
