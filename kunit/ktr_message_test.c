// SPDX-License-Identifier: GPL-2.0
/* Suite ktr_message: events as text. */
#include <kunit/test.h>

#include "ktr/format.h"

#include "ktr/message.c"

#define BIG 0xffffffff80000000ULL

/* Parameters, and a message made of them. */
static void numbers(struct kunit *test)
{
	static const struct {
		const char *format;
		u64 parms[3];
		const char *message;
	} cases[] = {
		{ "", {}, "" },
		{ "none", {}, "none" },
		{ "%d %u %x", { 1, 2, 255 }, "1 2 ff" },
		{ "%d %i", { -1, -20 }, "-1 -20" },
		{ "%u", { -1 }, "4294967295" },
		{ "%lu", { -1 }, "18446744073709551615" },
		{ "%ld", { 1ULL << 63 }, "-9223372036854775808" },
		{ "%d %ld", { BIG, BIG }, "-2147483648 -2147483648" },
		{ "%hhd %hhu %hu", { 0x1ff, 0x1ff, 0x1ffff }, "-1 255 65535" },
		{ "%lld %qd %jd", { -5, -6, -7 }, "-5 -6 -7" },
		{ "%zu %td", { 8, -8 }, "8 -8" },
		{ "%x %X %#x", { 0xabcdef, 0xabcdef, 0xabc }, "abcdef ABCDEF 0xabc" },
		{ "%#x %#X %#o", { 0, 15, 8 }, "0 0XF 010" },
		{ "%o", { 64 }, "100" },
		{ "%p %p", { 0, 0xffff888000000000 }, "0x0 0xffff888000000000" },
		{ "%016lx|%5d|%-5d|", { 0xbeef, 42, 42 }, "000000000000beef|   42|42   |" },
		{ "%05d|%+d|% d", { -42, 42, 42 }, "-0042|+42| 42" },
		{ "%-05d|%08.3d|", { 42, 42 }, "42   |     042|" },
		{ "%.5d|%8.3d|%-8.3d|", { 42, 7, 7 }, "00042|     007|007     |" },
		{ "%#010x|%-#10x|", { 255, 255 }, "0x000000ff|0xff      |" },
		{ "%*d|%.*d", { 5, 42, 3 }, "   42|000" },
		{ "%*d|", { -5, 42 }, "42   |" },
		{ "%c%c", { 'a', '\n' }, "a\\012" },
		{ "%b %d", { 0x1f, 0, 5 }, "1f 5" },
		{ "%6D|%d", { 0x10, 0, 5 }, "    10|5" },
		{ "%%|%5%|%d", { 3 }, "%|%|3" },
		{ "%y", { 16 }, "10" },
		{ "%n%n%d", { 1, 2, 3 }, "123" },
		{ "cut %", {}, "cut " },
		{ "cut %l", {}, "cut " },
		{ "cut %-08.", {}, "cut " },
		{ "\x1b[31m\n\xff", {}, "\\033[31m\\012\\377" },
		{ "%d%d%d%d%d%d%d|", { 1, 2, 3 }, "1230000|" },
		{ "%s", { 1 }, "?" },
	};
	char text[KTR_MESSAGE_SIZE];
	int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct ktr_slot slot = {};

		memcpy(slot.entry.parms, cases[i].parms, sizeof(cases[i].parms));
		KUNIT_EXPECT_EQ(test, ktr_message(cases[i].format, &slot, text, sizeof(text)),
				strlen(cases[i].message));
		KUNIT_EXPECT_STREQ(test, text, cases[i].message);
	}
}

static void strings(struct kunit *test)
{
	struct ktr_slot slot = { .strings = 0x01 | 0x04 | 0x10 };
	char text[KTR_MESSAGE_SIZE];

	slot.entry.parms[1] = 7;
	slot.entry.parms[3] = 3;
	memcpy(slot.text, "one\0\0five\x1b", 11);
	ktr_message("%s %d [%s] %d %s", &slot, text, sizeof(text));
	KUNIT_EXPECT_STREQ(test, text, "one 7 [] 3 five\\033");
	ktr_message("%5s|%d|%-3s|%d|%.2s", &slot, text, sizeof(text));
	KUNIT_EXPECT_STREQ(test, text, "  one|7|   |3|fi");
	/* It says that there are strings, and there are none that end. */
	slot.strings = 0x3f;
	memset(slot.text, 'x', sizeof(slot.text));
	KUNIT_EXPECT_EQ(test, ktr_message("%s%s%s%s%s%s%s", &slot, text, sizeof(text)),
			KTR_SLOT_TEXT + 1);
}

/* Conversions that are more than any event has parameters, and bits that a word has. */
static void beyond(struct kunit *test)
{
	struct ktr_slot slot = { .strings = 0x3f };
	char format[3 * 70], text[KTR_MESSAGE_SIZE];
	unsigned int before, n;

	for (before = 0; before < 66; before++) {
		for (n = 0; n < before; n++)
			memcpy(format + 2 * n, "%d", 2);
		strcpy(format + 2 * before, "[%s]");
		ktr_message(format, &slot, text, sizeof(text));
		KUNIT_EXPECT_STREQ(test, text + strlen(text) - (before < 6 ? 2 : 3),
				   before < 6 ? "[]" : "[?]");
	}
}

/* Whatever does not fit is cut, and the text ends. */
static void sizes(struct kunit *test)
{
	struct ktr_slot slot = {};
	char text[16];
	u32 size;

	for (size = 1; size < sizeof(text); size++) {
		memset(text, '#', sizeof(text));
		KUNIT_EXPECT_EQ(test, ktr_message("%0999999999d\n\n", &slot, text, size), size - 1);
		KUNIT_EXPECT_EQ(test, strlen(text), size - 1);
		KUNIT_EXPECT_EQ(test, text[size], '#');
	}
	ktr_message("%300d", &slot, text, sizeof(text));
	KUNIT_EXPECT_STREQ(test, text, "               ");
}

static void lines(struct kunit *test)
{
	static struct ktr_pool_format format = { .line = 42, .file = 1, .desc = 19, .ready = 1 };
	static const char texts[] = "\0../../dir/file.c\0\0value %d";
	struct ktr_pool pool = { .formats = &format, .formats_max = 1, .text = (char *)texts };
	struct ktr_slot slot = { .format = 1 };
	char text[KTR_MESSAGE_SIZE];

	slot.entry.cpu = 12;
	slot.entry.timestamp = 5000000042;
	slot.entry.parms[0] = 3;
	ktr_message_line(&pool, &slot, 0, text, sizeof(text));
	KUNIT_EXPECT_STREQ(test, text, "cpu12 value 3");
	ktr_message_line(&pool, &slot, KTR_WITH_PLACE, text, sizeof(text));
	KUNIT_EXPECT_STREQ(test, text, "cpu12 dir/file.c.42 value 3");
	ktr_message_line(&pool, &slot, KTR_WITH_TIME | KTR_WITH_PLACE, text, sizeof(text));
	KUNIT_EXPECT_STREQ(test, text, "cpu12 5.000000042 dir/file.c.42 value 3");
	slot.format = 0;
	ktr_message_line(&pool, &slot, KTR_WITH_PLACE, text, sizeof(text));
	KUNIT_EXPECT_STREQ(test, text, "cpu12 (its format found no room)");
}

/* clang-format off */
static struct kunit_case cases[] = {
	KUNIT_CASE(numbers),
	KUNIT_CASE(strings),
	KUNIT_CASE(beyond),
	KUNIT_CASE(sizes),
	KUNIT_CASE(lines),
	{}
};
/* clang-format on */

static struct kunit_suite suite = {
	.name = "ktr_message",
	.test_cases = cases,
};

kunit_test_suite(suite);
