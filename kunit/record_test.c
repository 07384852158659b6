// SPDX-License-Identifier: GPL-2.0
/*
 * Suite ktrace_record: the bytes of headers and payloads, as docs of the format
 * (ktrace(5)) have them.  Expected bytes are written out here; nothing is
 * computed by the code under test.  Every target is full of 0xa5 before, so
 * that a byte left out shows, and followed by more of it, so that a byte too
 * many shows.
 */
#include <kunit/test.h>

#include "record.h"

#include "record.c"

#define FILL   0xa5
#define MARGIN 16

struct canvas {
	u8 before[MARGIN];
	u8 bytes[256];
};

static void canvas_init(struct canvas *c)
{
	memset(c, FILL, sizeof(*c));
}

/* @n bytes at offset @at are @expected, and nothing else was touched. */
static void canvas_check(struct kunit *test, const struct canvas *c, u32 at, const u8 *expected,
			 u32 n, const char *what)
{
	u32 i;

	for (i = 0; i < MARGIN; i++)
		KUNIT_EXPECT_EQ_MSG(test, c->before[i], FILL, "%s: byte -%u", what, MARGIN - i);
	for (i = 0; i < sizeof(c->bytes); i++) {
		u8 want = i < at || i >= at + n ? FILL : expected[i - at];

		KUNIT_EXPECT_EQ_MSG(test, c->bytes[i], want, "%s: byte %d", what, (int)(i - at));
	}
}

#define PID  0x01020304
#define TID  0x1122334455667788
#define NAME "abcdefghijklmn"

/* Offsets, sizes and name of a header as it lies in the ring; what is not written yet stays. */
static void header(struct kunit *test)
{
	static const u8 expected[56] = {
		0x07, 0x06, 0x05, 0x00, /* len */
		0x04, 0x80, 0,	  0, /* GENIO | DROP; aux */
		0x04, 0x03, 0x02, 0x01, /* pid */
		'a',  'b',  'c',  'd',	'e',  'f',  'g',  'h',	'i',  'j',
		'k',  'l',  'm',  'n',	0,    0,    FILL, FILL, FILL, FILL,
		0x18, 0x27, 0x36, 0x45, 0x54, 0x63, 0x72, 0x01, /* stamp */
		FILL, FILL, FILL, FILL, FILL, FILL, FILL, FILL, 0x88, 0x77,
		0x66, 0x55, 0x44, 0x33, 0x22, 0x11, /* tid */
	};
	struct canvas c;
	u32 at;

	KUNIT_EXPECT_EQ(test, ktrace_record_header_size(false), 56U);
	KUNIT_EXPECT_EQ(test, ktrace_record_header_size(true), 64U);
	/* At any address. */
	for (at = 0; at < 16; at++) {
		canvas_init(&c);
		ktrace_record_header(c.bytes + at, KTR_GENIO | KTR_DROP, 0x050607, PID, TID,
				     NAME "\0", 0x0172635445362718);
		canvas_check(test, &c, at, expected, 56, "header");
	}
	KUNIT_EXPECT_EQ(test, ktrace_record_len(expected), 0x050607U);
	KUNIT_EXPECT_EQ(test, ktrace_record_type(expected), KTR_GENIO);
	KUNIT_EXPECT_TRUE(test, ktrace_record_dropped(expected));
	KUNIT_EXPECT_EQ(test, ktrace_record_aux(expected), 0);
	KUNIT_EXPECT_EQ(test, ktrace_record_stamp(expected), 0x0172635445362718ULL);
}

/* What is said of a record afterwards changes nothing else. */
static void header_changes(struct kunit *test)
{
	struct canvas c;
	u8 want[56];

	canvas_init(&c);
	ktrace_record_header(c.bytes + 1, KTR_NAMEI, 9, PID, TID, NAME "\0", 7);
	memcpy(want, c.bytes + 1, 56);
	KUNIT_EXPECT_FALSE(test, ktrace_record_dropped(c.bytes + 1));
	ktrace_record_set_drop(c.bytes + 1);
	KUNIT_EXPECT_TRUE(test, ktrace_record_dropped(c.bytes + 1));
	want[5] = 0x80;
	canvas_check(test, &c, 1, want, 56, "drop");
	/* A negative number stays in its place. */
	ktrace_record_set_ids(c.bytes + 1, -1, -1);
	memset(want + 8, 0xff, 4);
	memset(want + 48, 0xff, 8);
	canvas_check(test, &c, 1, want, 56, "numbers");
}

/* What the merge makes of time and aux: the header as the file has it. */
static void finish(struct kunit *test)
{
	static const struct {
		const char *what;
		bool v1;
		u64 sec;
		u32 nsec;
		u8 aux[2];
		u8 time[16];
	} cases[] = {
		{ "v0",
		  false,
		  0x65432100,
		  999999999,
		  { 0, 0 },
		  { 0x00, 0x21, 0x43, 0x65, 0, 0, 0, 0, 0x3f, 0x42, 0x0f, 0, 0, 0, 0, 0 } },
		{ "v0 cuts",
		  false,
		  1,
		  1999,
		  { 0, 0 },
		  { 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0 } },
		{ "v0 zero", false, 0, 999, { 0, 0 }, { 0 } },
		{ "v1",
		  true,
		  0x65432100,
		  999999999,
		  { 1, 0 },
		  { 0x00, 0x21, 0x43, 0x65, 0, 0, 0, 0, 0xff, 0xc9, 0x9a, 0x3b, 0, 0, 0, 0 } },
		{ "v1 late",
		  true,
		  0x100000000ULL,
		  1,
		  { 1, 0 },
		  { 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0 } },
	};
	struct ktrace_names names = {};
	struct canvas c;
	u32 i, aux;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		u32 size = cases[i].v1 ? 64 : 56;

		/* Whatever hole was noted, it does not reach the file. */
		for (aux = 0; aux < 64; aux += 21) {
			u8 want[64];

			canvas_init(&c);
			ktrace_record_header(c.bytes + 3, KTR_NAMEI, 5, PID, TID, NAME "\0", 12345);
			ktrace_record_set_aux(c.bytes + 3, aux);
			KUNIT_EXPECT_EQ(test, ktrace_record_aux(c.bytes + 3), aux);
			memcpy(want, c.bytes + 3, 56);
			want[5] = cases[i].v1 ? 0x40 : 0;
			memcpy(want + 6, cases[i].aux, 2);
			memset(want + 28, 0, 4);
			memcpy(want + 32, cases[i].time, 16);
			put_unaligned_le64(0x102, want + 56); /* cpu */
			ktrace_record_finish(c.bytes + 3, cases[i].v1, 0x102, cases[i].sec,
					     cases[i].nsec, &names);
			canvas_check(test, &c, 3, want, size, cases[i].what);
		}
	}
}

/* A name is cleaned when it is not the last one's; with KTR_DROP as without. */
static void finish_names(struct kunit *test)
{
	static const struct {
		const char raw[17], clean[17];
	} cases[] = {
		{ "one\0xxxxxxxxxxxx", "one" },
		{ "one\0xxxxxxxxxxxx", "one" },
		{ "one\0xxxxxxxxxxxy", "one" },
		{ "two", "two" },
		{ "two\0\0\0\0\0xxxxxxxx", "two" },
		{ "sixteen bytes ..", "sixteen bytes ." },
		{ "", "" },
		{ "\0xxxxxxxxxxxxxxx", "" },
	};
	struct ktrace_names names = {};
	struct canvas c;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		u8 want[KTRACE_COMM_LEN] = {};

		canvas_init(&c);
		ktrace_record_header(c.bytes, KTR_NAMEI | KTR_DROP, 5, PID, TID, cases[i].raw, 1);
		ktrace_record_finish(c.bytes, true, 3, 1, 1, &names);
		memcpy(want, cases[i].clean, KTRACE_TASK_COMM);
		KUNIT_EXPECT_EQ_MSG(test, memcmp(c.bytes + 12, want, sizeof(want)), 0, "name %u",
				    i);
		KUNIT_EXPECT_EQ(test, get_unaligned_le16(c.bytes + 4),
				KTR_NAMEI | KTR_DROP | KTR_VERSIONED);
	}
}

/* Length and aux change alone. */
static void fields(struct kunit *test)
{
	struct canvas c;
	u8 want[56];

	canvas_init(&c);
	ktrace_record_header(c.bytes + 1, KTR_GENIO, 100, PID, TID, NAME "\0", 7);
	memcpy(want, c.bytes + 1, 56);
	ktrace_record_set_len(c.bytes + 1, 0x20304);
	ktrace_record_set_aux(c.bytes + 1, 0x3f);
	want[0] = 4;
	want[1] = 3;
	want[2] = 2;
	want[6] = 0x3f;
	canvas_check(test, &c, 1, want, 56, "fields");
	KUNIT_EXPECT_EQ(test, ktrace_record_type(c.bytes + 1), KTR_GENIO);
	KUNIT_EXPECT_EQ(test, ktrace_record_stamp(c.bytes + 1), 7ULL);
}

/* A hole is found again, with its size, and writes no more than the smallest hole has. */
static void hole(struct kunit *test)
{
	static const u32 sizes[] = { KTRACE_HEADER_MAX, 65, 100, 4096, 131072 + 200 };
	struct canvas c;
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		canvas_init(&c);
		ktrace_record_make_hole(c.bytes + 5, sizes[i]);
		KUNIT_EXPECT_EQ(test, ktrace_record_type(c.bytes + 5), KTRACE_TYPE_HOLE);
		KUNIT_EXPECT_EQ(test, ktrace_record_len(c.bytes + 5) + 56, sizes[i]);
		KUNIT_EXPECT_EQ(test, ktrace_record_stamp(c.bytes + 5), 0ULL);
		for (j = 0; j < sizeof(c.bytes); j++)
			if (j < 5 || j >= 5 + 56)
				KUNIT_EXPECT_EQ(test, c.bytes[j], FILL);
	}
	/* No type that exists is taken for one, in either header, dropped or not. */
	for (i = 0; i <= KTR_EXTERR; i++) {
		struct ktrace_names names = {};

		ktrace_record_header(c.bytes, i | (i & 2 ? KTR_DROP : 0), 0, PID, TID, NAME "\0",
				     0);
		KUNIT_EXPECT_EQ(test, ktrace_record_type(c.bytes), i);
		ktrace_record_finish(c.bytes, i & 1, 0, 0, 0, &names);
		KUNIT_EXPECT_EQ(test, ktrace_record_type(c.bytes), i);
		KUNIT_EXPECT_NE(test, ktrace_record_type(c.bytes), KTRACE_TYPE_HOLE);
	}
}

/* Nothing behind the NUL of a name gets out, whatever the name's length. */
static void comm_masked(struct kunit *test)
{
	u32 len, garbage;

	for (len = 0; len <= KTRACE_TASK_COMM; len++) {
		for (garbage = 0; garbage < 4; garbage++) {
			static const u8 behind[4] = { 0, 'x', 0x01, 0xff };
			char comm[KTRACE_TASK_COMM + 1];
			u8 want[KTRACE_TASK_COMM] = {};
			u64 words[2];
			u32 i;

			memset(comm, behind[garbage], sizeof(comm));
			for (i = 0; i < len && i < KTRACE_TASK_COMM; i++)
				comm[1 + i] = 0x80 + i * 5;
			if (len < KTRACE_TASK_COMM)
				comm[1 + len] = '\0';
			/* 15 bytes at most: the last is the NUL, whatever it is now. */
			memcpy(want, comm + 1, min_t(u32, len, KTRACE_TASK_COMM - 1));
			memcpy(words, comm + 1, sizeof(words));
			ktrace_record_comm(words);
			for (i = 0; i < KTRACE_TASK_COMM; i++)
				KUNIT_EXPECT_EQ_MSG(test, ((u8 *)words)[i], want[i],
						    "length %u, garbage %#x, byte %u", len,
						    behind[garbage], i);
		}
	}
}

/* Each byte value in each place, with a NUL in each later place. */
static void comm_bytes(struct kunit *test)
{
	u32 value, at, nul, i, wrong = 0;

	for (value = 1; value < 256; value++) {
		for (at = 0; at < KTRACE_TASK_COMM - 1; at++) {
			for (nul = at + 1; nul < KTRACE_TASK_COMM; nul++) {
				char comm[KTRACE_TASK_COMM];
				u8 want[KTRACE_TASK_COMM] = {};
				u64 words[2];

				memset(comm, 'c', sizeof(comm));
				comm[at] = value;
				comm[nul] = '\0';
				for (i = 0; i < nul; i++)
					want[i] = comm[i];
				memcpy(words, comm, sizeof(words));
				ktrace_record_comm(words);
				if (memcmp(words, want, sizeof(want)))
					wrong++;
			}
		}
	}
	KUNIT_EXPECT_EQ(test, wrong, 0U);
}

/* A number that does not fit a positive short is -1; it never aliases a call. */
static void code(struct kunit *test)
{
	static const struct {
		long nr;
		s16 code;
	} cases[] = {
		{ 0, 0 },
		{ 1, 1 },
		{ 59, 59 },
		{ 471, 471 },
		{ 32767, 32767 },
		{ 32768, -1 },
		{ 65535, -1 },
		{ 65536, -1 },
		{ 65537, -1 },
		{ -1, -1 },
		{ -2, -1 },
		{ -32768, -1 },
		{ -65535, -1 },
		{ 0x40000001, -1 },
		{ LONG_MAX, -1 },
		{ LONG_MIN, -1 },
		{ LONG_MIN + 1, -1 },
#if BITS_PER_LONG == 64
		{ 1L << 32, -1 },
		{ (1L << 32) + 59, -1 },
		{ (1L << 62) + 1, -1 },
#endif
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, ktrace_record_code(cases[i].nr), cases[i].code, "%ld",
				    cases[i].nr);
}

static void syscall(struct kunit *test)
{
	static const unsigned long args[KTRACE_MAX_ARGS] = {
		0x1817161514131211, 0, -1UL, 0x80000000, 5, 0x6867666564636261,
	};
	static const u8 bytes[48] = {
		0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0,    0,    0,	  0,
		0,    0,    0,	  0,	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0,    0,    0,	  0x80, 0,    0,    0,	  0,	5,    0,    0,	  0,
		0,    0,    0,	  0,	0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68,
	};
	struct canvas c;
	u8 want[56];
	u32 narg;

	for (narg = 0; narg <= KTRACE_MAX_ARGS; narg++) {
		KUNIT_EXPECT_EQ(test, ktrace_record_syscall_size(narg), 8 + 8 * narg);
		memcpy(want, (u8[8]){ 0x3b, 0x01, narg }, 8);
		memcpy(want + 8, bytes, 8 * narg);
		canvas_init(&c);
		ktrace_record_syscall(c.bytes + 7, 0x13b, narg, args);
		canvas_check(test, &c, 7, want, 8 + 8 * narg, "syscall");
	}
	/* -1 does not run into narg or the padding. */
	memcpy(want, (u8[8]){ 0xff, 0xff, 6 }, 8);
	canvas_init(&c);
	ktrace_record_syscall(c.bytes + 1, -1, 6, args);
	canvas_check(test, &c, 1, want, 56, "syscall -1");
}

static void sysret(struct kunit *test)
{
	static const struct {
		const char *what;
		long nr;
		s32 error;
		s64 retval;
		u8 bytes[16];
	} cases[] = {
		{ "read 10", 0, 0, 10, { 0, 0, 0, 0, 0, 0, 0, 0, 10 } },
		{ "mmap",
		  9,
		  0,
		  0x7ffff7fc0000,
		  { 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xfc, 0xf7, 0xff, 0x7f } },
		{ "a value below 0 without an error",
		  1,
		  0,
		  -5000,
		  { 1, 0, 0, 0, 0, 0, 0, 0, 0x78, 0xec, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } },
		{ "ENOENT: no value", 257, 2, -2, { 1, 1, 0, 0, 2 } },
		{ "1044", 1, 1044, 7, { 1, 0, 0, 0, 0x14, 4 } },
		{ "ERESTART", 0, KTRACE_ERESTART, 99, { 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff } },
		{ "EJUSTRETURN",
		  59,
		  KTRACE_EJUSTRETURN,
		  1,
		  { 59, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff } },
		{ "code -1: eosys stays 0", 70000, 0, 0, { 0xff, 0xff } },
	};
	struct canvas c;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		canvas_init(&c);
		ktrace_record_sysret(c.bytes + 3, cases[i].nr, cases[i].error, cases[i].retval);
		canvas_check(test, &c, 3, cases[i].bytes, 16, cases[i].what);
	}
}

/* What the kernel returned, as ktr_error and ktr_retval. */
static void error(struct kunit *test)
{
	static const struct {
		long value;
		s32 error;
	} cases[] = {
		{ 0, 0 },	 { 1, 0 },	 { LONG_MAX, 0 }, { 0x7fffffff, 0 }, { -1, 1 },
		{ -2, 2 },	 { -11, 35 },	 { -36, 63 },	  { -38, 78 },	     { -40, 62 },
		{ -110, 60 },	 { -117, 97 },	 { -133, 1133 },  { -134, 1134 },    { -511, 1511 },
		{ -512, -1 },	 { -513, -1 },	 { -514, -1 },	  { -515, -1 },	     { -516, -1 },
		{ -517, 1517 },	 { -529, 1529 }, { -4095, 5095 }, { -4096, 0 },	     { -4097, 0 },
		{ LONG_MIN, 0 },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, ktrace_record_error(cases[i].value), cases[i].error,
				    "%ld", cases[i].value);
	/* An error is never 0, nor FreeBSD's two negative ones but for a restart. */
	for (i = 1; i <= 4095; i++) {
		s32 got = ktrace_record_error(-(long)i);

		if (i >= 512 && i <= 516)
			KUNIT_EXPECT_EQ(test, got, KTRACE_ERESTART);
		else
			KUNIT_EXPECT_GT_MSG(test, got, 0, "%u", i);
	}
}

static void genio(struct kunit *test)
{
	struct canvas c;

	canvas_init(&c);
	ktrace_record_genio(c.bytes + 1, 0x01020304, 1);
	canvas_check(test, &c, 1, (u8[8]){ 4, 3, 2, 1, 1 }, 8, "genio");
	canvas_init(&c);
	ktrace_record_genio(c.bytes + 2, -1, 0);
	canvas_check(test, &c, 2, (u8[8]){ 0xff, 0xff, 0xff, 0xff }, 8, "genio -1");
}

/* Each Linux signal alone, and all together: bit n-1 of FreeBSD's four words. */
static void mask(struct kunit *test)
{
	static const struct {
		int sig;
		int bit;
	} spots[] = {
		{ 1, 0 },   { 2, 1 },	{ 7, 9 },   { 10, 29 }, { 12, 30 }, { 17, 19 }, { 18, 18 },
		{ 19, 16 }, { 20, 17 }, { 23, 15 }, { 29, 22 }, { 31, 11 }, { 32, 64 }, { 33, 65 },
		{ 34, 66 }, { 63, 95 }, { 64, 96 }, { 16, -1 }, { 30, -1 },
	};
	u32 got[4], i, sig, all[4] = {};

	for (i = 0; i < ARRAY_SIZE(spots); i++) {
		u32 want[4] = {};

		if (spots[i].bit >= 0)
			want[spots[i].bit / 32] = 1U << spots[i].bit % 32;
		memset(got, FILL, sizeof(got));
		KUNIT_EXPECT_EQ_MSG(test, ktrace_record_mask(1ULL << (spots[i].sig - 1), got),
				    spots[i].bit >= 0 ? 1U : 0U, "signal %d", spots[i].sig);
		KUNIT_EXPECT_EQ_MSG(test, memcmp(got, want, sizeof(got)), 0,
				    "signal %d: %08x %08x %08x %08x", spots[i].sig, got[0], got[1],
				    got[2], got[3]);
	}
	/* No two share a bit: 64 signals, less SIGSTKFLT and SIGPWR. */
	for (sig = 1; sig <= 64; sig++) {
		u32 n = ktrace_record_mask(1ULL << (sig - 1), got), word;

		KUNIT_EXPECT_EQ_MSG(test, n, sig == 16 || sig == 30 ? 0U : 1U, "signal %u", sig);
		for (word = 0; word < 4; word++) {
			KUNIT_EXPECT_EQ_MSG(test, all[word] & got[word], 0U, "signal %u", sig);
			all[word] |= got[word];
		}
	}
	KUNIT_EXPECT_EQ(test, ktrace_record_mask(~0ULL, got), 62U);
	KUNIT_EXPECT_EQ(test, memcmp(got, all, sizeof(got)), 0);
	KUNIT_EXPECT_EQ(test, ktrace_record_mask(0, got), 0U);
	KUNIT_EXPECT_EQ(test, got[0] | got[1] | got[2] | got[3], 0U);
}

static void psig(struct kunit *test)
{
	static const struct {
		const char *what;
		int sig;
		u64 action;
		int code;
		u64 mask;
		u8 bytes[40];
	} cases
		[] = {
			{ "SIGUSR1 from kill, handled, SIGCHLD and SIGRTMAX blocked",
			  10,
			  0x5566778899aa,
			  0,
			  1ULL << 16 | 1ULL << 63,
			  { 30, 0, 0, 0, 0, 0, 0, 0, 0xaa, 0x99, 0x88, 0x77, 0x66, 0x55,
			    0,	0, 1, 0, 1, 0, 0, 0, 8,	   0,	 0,    0,    0,	   0,
			    0,	0, 0, 0, 1, 0, 0, 0, 0,	   0,	 0,    0 } },
			{ "SIGSEGV, default action, mapping error",
			  11,
			  0,
			  1,
			  0,
			  { 11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 } },
			{ "SIGFPE, division",
			  8,
			  0,
			  1,
			  0,
			  { 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2 } },
			{ "SIGPWR from the kernel",
			  30,
			  1,
			  0x80,
			  0,
			  { 0x1e, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 6, 0, 1 } },
			{ "SIGIO, a code that FreeBSD lacks",
			  29,
			  0,
			  -5,
			  1,
			  { 23, 0, 0, 0, 0, 0,	  0,	0,    0,    0, 0,
			    0,	0, 0, 0, 0, 0xfb, 0xff, 0xff, 0xff, 1 } },
		};
	struct canvas c;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		canvas_init(&c);
		ktrace_record_psig(c.bytes + 5, cases[i].sig, cases[i].action, cases[i].code,
				   cases[i].mask);
		canvas_check(test, &c, 5, cases[i].bytes, 40, cases[i].what);
	}
}

/* Both layouts, every byte: what is no field is zero, and nothing is written beyond the end. */
static void capfail(struct kunit *test)
{
	static const struct ktrace_refusal lacking = {
		.type = KTRACE_CAPFAIL_NOTCAPABLE,
		.nr = 0x12345, /* fits no ktr_code */
		.sv_flags = 0x4103,
		.needed = 1ULL << 40,
		.held = 0x1234567890,
	};
	static const struct ktrace_refusal refused = {
		.type = KTRACE_CAPFAIL_SYSCALL,
		.nr = 0x1234,
		.sv_flags = 0x203,
	};
	static const u8 lacking_v0[40] = {
		[13] = 1, [15] = 2, [23] = 4, [24] = 0x90, 0x78,
		0x56,	  0x34,	    0x12,     [31] = 2,	   [39] = 4,
	};
	static const u8 refused_v0[40] = {
		[0] = 2, [15] = 2, [23] = 4, [31] = 2, [39] = 4,
	};
	static const u8 lacking_v1[48] = {
		[4] = 0xff,  0xff, [8] = 0x03, 0x41, [21] = 1, [23] = 2, [31] = 4,
		[32] = 0x90, 0x78, 0x56,       0x34, 0x12,     [39] = 2, [47] = 4,
	};
	static const u8 refused_v1[48] = {
		[0] = 2, [4] = 0x34, 0x12, [8] = 0x03, 0x02,
	};
	const struct {
		const char *what;
		const struct ktrace_refusal *refusal;
		bool v1;
		const u8 *bytes;
		u32 size;
	} cases[] = {
		{ "lacking, v0", &lacking, false, lacking_v0, 40 },
		{ "refused, v0", &refused, false, refused_v0, 40 },
		{ "lacking, v1", &lacking, true, lacking_v1, 1040 },
		{ "refused, v1", &refused, true, refused_v1, 1040 },
	};
	u8 *got = kunit_kzalloc(test, 1042, GFP_KERNEL);
	u8 *want = kunit_kzalloc(test, 1042, GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, got);
	KUNIT_ASSERT_NOT_NULL(test, want);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const u32 size = cases[i].size;

		memset(got, 0xa5, 1042);
		memset(want, 0xa5, 1042);
		memset(want + 1, 0, size);
		memcpy(want + 1, cases[i].bytes, size == 40 ? 40 : 48);
		KUNIT_EXPECT_EQ(test, ktrace_record_capfail_size(cases[i].v1), size);
		ktrace_record_capfail(got + 1, cases[i].v1, cases[i].refusal);
		KUNIT_EXPECT_EQ_MSG(test, memcmp(got, want, 1042), 0, "%s", cases[i].what);
	}
}

/* clang-format off */
/* Results of 32-bit calls: errors keep their sign, addresses never get one. */
static void compat(struct kunit *test)
{
	static const struct {
		unsigned long reg;
		long value;
	} cases[] = {
		{ 0, 0 },
		{ 0x7fffffff, 0x7fffffff },
		{ 0xfffffff7, -9 },
		{ 0xfffff001, -4095 },
		{ 0xfffff000, 0xfffff000 },
		{ 0xf7f00000, 0xf7f00000 },
		{ 0x80000000, 0x80000000 },
		{ 0xfffffffffffffff7, -9 },
		{ 0xdeadbeef00000001, 1 },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, ktrace_record_compat(cases[i].reg), cases[i].value,
				    "register %lx", cases[i].reg);
}

/* Stops and resumes; what else there is in the word's highest byte is not the file's business. */
static void csw(struct kunit *test)
{
	static const u8 stop[16] = { 1, 0, 0, 0, 0, 0, 0, 0, 'f', 'u', 't', 'e', 'x', '_', 'w' };
	static const u8 resume[16] = { 0, 0, 0, 0, 1, 0, 0, 0, '-' };
	struct canvas c;

	canvas_init(&c);
	ktrace_record_csw(c.bytes + 3, true, false, 0xff775f7865747566);
	canvas_check(test, &c, 3, stop, sizeof(stop), "stop");
	canvas_init(&c);
	ktrace_record_csw(c.bytes + 3, false, true, '-');
	canvas_check(test, &c, 3, resume, sizeof(resume), "resume");
}

static void fault(struct kunit *test)
{
	static const u8 begin[16] = { 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0xff, 2 };
	static const u8 end[4] = { 6 };
	struct canvas c;

	canvas_init(&c);
	ktrace_record_fault(c.bytes + 1, 0xff22334455667788, KTRACE_VM_WRITE);
	canvas_check(test, &c, 1, begin, sizeof(begin), "FAULT");
	canvas_init(&c);
	ktrace_record_faultend(c.bytes + 1, KTRACE_KERN_RESOURCE_SHORTAGE);
	canvas_check(test, &c, 1, end, sizeof(end), "FAULTEND");
}

static struct kunit_case cases[] = {
	KUNIT_CASE(compat),
	KUNIT_CASE(header),
	KUNIT_CASE(header_changes),
	KUNIT_CASE(finish),
	KUNIT_CASE(finish_names),
	KUNIT_CASE(fields),
	KUNIT_CASE(hole),
	KUNIT_CASE(comm_masked),
	KUNIT_CASE(comm_bytes),
	KUNIT_CASE(code),
	KUNIT_CASE(syscall),
	KUNIT_CASE(sysret),
	KUNIT_CASE(error),
	KUNIT_CASE(genio),
	KUNIT_CASE(mask),
	KUNIT_CASE(psig),
	KUNIT_CASE(capfail),
	KUNIT_CASE(csw),
	KUNIT_CASE(fault),
	{}
};
/* clang-format on */

static struct kunit_suite suite = {
	.name = "ktrace_record",
	.test_cases = cases,
};

kunit_test_suite(suite);
