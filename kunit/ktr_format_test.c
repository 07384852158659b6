// SPDX-License-Identifier: GPL-2.0
/* Suite ktr_format: which parameters a format takes for strings. */
#include <kunit/test.h>

#include "ktr_format.h"

#include "ktr/format.c"

static void strings(struct kunit *test)
{
	static const struct {
		const char *format;
		u32 strings;
	} cases[] = {
		{ "", 0 },
		{ "none", 0 },
		{ "%s", 0x01 },
		{ "%d %s", 0x02 },
		{ "%s%s%s%s%s%s", 0x3f },
		{ "%s%s%s%s%s%s%s", 0x3f },
		{ "%d %d %d %d %d %d %s", 0 },
		{ "%%s %s", 0x01 },
		{ "%5%%s", 0x01 },
		{ "%-20s|%20s", 0x03 },
		{ "%.5s %.*s %*s %*.*s", 0x01 | 0x04 | 0x10 },
		{ "%p %lx %llu %jX %zd %hhd %s", 0 },
		{ "%p %lx %llu %jX %zd %s", 0x20 },
		{ "%b %s", 0x02 | 0x04 },
		{ "%c%s", 0x02 },
		{ "%6D %d %s", 0x02 | 0x08 },
		{ "%#x %+d % d %08x %s", 0x10 },
		{ "%", 0 },
		{ "%l", 0 },
		{ "%*", 0 },
		{ "%.", 0 },
		{ "%*s", 0x02 },
		{ "%****s", 0 },
		{ "%s %", 0x01 },
		{ "KTRGRAPH group:\"%s\", id:\"%s\", state:\"%s\", attributes: none", 0x07 },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, ktr_format_strings(cases[i].format), cases[i].strings,
				    "%s", cases[i].format);
}

/* clang-format off */
static struct kunit_case cases[] = {
	KUNIT_CASE(strings),
	{}
};
/* clang-format on */

static struct kunit_suite suite = {
	.name = "ktr_format",
	.test_cases = cases,
};

kunit_test_suite(suite);
