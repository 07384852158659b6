// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "reader/foreign.h"

#include <stdbool.h>
#include <sys/ktrace.h>

#include "reader/layout.h"

#define OTHER_FORMAT ", whose format is a different one"

/* NetBSD, and OpenBSD before 5.6: their first record tells which system's calls follow. */
#define KTR_EMUL 7

#define ELF_TYPE_OFFSET 16
#define ELF_CORE	4

struct magic {
	const char *bytes;
	size_t len;
	const char *text;
};

#define MAGIC(bytes, text)                     \
	{                                      \
		bytes, sizeof(bytes) - 1, text \
	}

static const struct magic magics[] = {
	MAGIC("\037\213", "this is a file that gzip compressed: decompress it first"),
	MAGIC("\3757zXZ", "this is a file that xz compressed: decompress it first"),
	MAGIC("\050\265\057\375", "this is a file that zstd compressed: decompress it first"),
	MAGIC("BZh", "this is a file that bzip2 compressed: decompress it first"),
	MAGIC("\004\042\115\030", "this is a file that lz4 compressed: decompress it first"),
	MAGIC("PK\003\004", "this is a ZIP archive: unpack it first"),
	MAGIC("PERFILE2", "this is a file of perf-record(1): perf script prints it"),
	MAGIC("2ELIFREP", "this is a file of perf-record(1): perf script prints it"),
	MAGIC("\027\010Dtracing",
	      "this is a file of trace-cmd-record(1): trace-cmd report prints it"),
	MAGIC("\324\303\262\241", "this is a packet capture, no trace file"),
	MAGIC("\012\015\015\012", "this is a packet capture, no trace file"),
	MAGIC("SQLite format 3", "this is a SQLite database, no trace file"),
};

static bool is_netbsd_header(const unsigned char *p)
{
	unsigned int type = get16(p + 4), version = get16(p + 6);

	return type >= 1 && type <= 31 && (version == 1 || version == 2) &&
	       get32(p) <= KTRACE_READER_MAX_LEN;
}

/*
 * NetBSD has its version where FreeBSD's v0 header has padding, of which
 * anything may be left: look at the next record, too, if there is one.
 */
static bool is_netbsd(const unsigned char *p, size_t len)
{
	size_t next;

	if (len < 8 || !is_netbsd_header(p))
		return false;
	next = 48 + (size_t)get32(p); /* 32-bit NetBSD's header */
	if (len >= next + 8 && is_netbsd_header(p + next))
		return true;
	next = 56 + (size_t)get32(p);
	if (len >= next + 8)
		return is_netbsd_header(p + next);
	return get16(p + 6) == 2;
}

static bool is_big_endian(const unsigned char *p, size_t len)
{
	unsigned int type, swapped;

	if (len < 12)
		return false;
	type = get16(p + 4) & ~KTR_TYPE;
	swapped = __builtin_bswap16(get16(p + 4)) & ~KTR_TYPE;
	if (type >= 1 && type <= 31)
		return false;
	return swapped >= 1 && swapped <= 31 &&
	       __builtin_bswap32(get32(p)) <= KTRACE_READER_MAX_LEN &&
	       __builtin_bswap32(get32(p + 8)) <= INT32_MAX;
}

static bool is_macos(const unsigned char *p, size_t len)
{
	uint32_t magic;

	if (len < 16)
		return false;
	magic = get32(p);
	/* trace(1), versions 1 and 2; then the chunks of ktrace(1): a tag, 64-bit length. */
	if (magic == 0x55aa0101 || magic == 0x55aa0200 || magic == 0x55aa0300)
		return true;
	return magic == 0x00001000 && get32(p + 8) < 0x1000 && get32(p + 12) == 0;
}

static bool is_openbsd(const unsigned char *p, size_t len)
{
	return len >= 4 && (memcmp(p, "KTR", 4) == 0 || memcmp(p, "\0RTK", 4) == 0);
}

/*
 * A KTR_EMUL record in FreeBSD's layout, where it is a program's own record: tell by what
 * it says.
 */
static bool is_emul(const unsigned char *p, size_t len)
{
	static const char *const systems[] = { "native", "netbsd", "netbsd32", "openbsd", "linux" };
	size_t i, j, text_len;

	if (len < 6 || get16(p + 4) != KTR_EMUL)
		return false;
	text_len = get32(p);
	for (i = 0; i < sizeof(systems) / sizeof(systems[0]); i++) {
		if (strlen(systems[i]) != text_len)
			continue;
		for (j = 44; j <= 56; j += 4)
			if (len >= j + text_len && memcmp(p + j, systems[i], text_len) == 0)
				return true;
	}
	return false;
}

const char *libktrace_foreign_trace(const unsigned char *p, size_t len)
{
	if (is_openbsd(p, len))
		return "this is an OpenBSD trace file" OTHER_FORMAT;
	if (is_macos(p, len))
		return "this is a macOS trace file" OTHER_FORMAT;
	if (is_big_endian(p, len))
		return "this is a big-endian trace file" OTHER_FORMAT;
	if (is_netbsd(p, len))
		return "this is a NetBSD trace file" OTHER_FORMAT;
	if (is_emul(p, len))
		return "this is a trace file of NetBSD or an old OpenBSD" OTHER_FORMAT;
	return NULL;
}

static bool is_text(const unsigned char *p, size_t len)
{
	size_t i;

	for (i = 0; i < len && i < 256; i++)
		if ((p[i] < ' ' && !strchr("\t\n\f\r\033", p[i])) || p[i] == 0x7f || p[i] == '\0')
			return false;
	return len >= 4;
}

static bool is_zeros(const unsigned char *p, size_t len)
{
	size_t i;

	for (i = 0; i < len && i < 256; i++)
		if (p[i])
			return false;
	return len >= LAYOUT_HEADER_MAX;
}

const char *libktrace_foreign_file(const unsigned char *p, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if (len >= magics[i].len && memcmp(p, magics[i].bytes, magics[i].len) == 0)
			return magics[i].text;
	if (len > ELF_TYPE_OFFSET + 1 && memcmp(p, "\177ELF", 4) == 0)
		return get16(p + ELF_TYPE_OFFSET) == ELF_CORE ?
			       "this is a core dump, no trace file" :
			       "this is a program or library, no trace file";
	if (is_zeros(p, len))
		return "this is a file of zeros, no trace file";
	if (is_text(p, len))
		return "this is text, no trace file";
	return NULL;
}
