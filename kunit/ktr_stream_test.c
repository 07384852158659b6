// SPDX-License-Identifier: GPL-2.0
/* Suite ktr_stream: chunks, byte by byte. */
#include <linux/string.h>
#include <kunit/test.h>

#include "ktr/stream.c"

static char text[2048];
static struct ktr_pool_format formats[3];
static u32 used = 3, text_used;
static unsigned long sent[1];
static const struct ktr_pool pool = {
	.formats = formats,
	.formats_max = 3,
	.text = text,
	.text_max = sizeof(text),
	.formats_used = &used,
	.text_used = &text_used,
};
static struct ktr_stream stream;
static u8 out[KTR_STREAM_EVENT_MAX + 8] __aligned(8);
static struct ktr_slot slot;

static int init(struct kunit *test)
{
	memset(text, 0, sizeof(text));
	strcpy(text, "file.c");
	strcpy(text + 8, "%s and %s");
	formats[0] = (struct ktr_pool_format){ .line = 77, .file = 0, .desc = 8, .ready = 1 };
	/* As long as the pool lets them be. */
	memset(text + 100, 'f', KTR_POOL_FILE - 1);
	memset(text + 400, 'd', KTR_POOL_DESC - 1);
	formats[1] = (struct ktr_pool_format){ .line = 1, .file = 100, .desc = 400, .ready = 1 };
	formats[2] = (struct ktr_pool_format){ .ready = 0 };
	sent[0] = 0;
	stream = (struct ktr_stream){ .pool = &pool, .sent = sent };
	memset(&slot, 0, sizeof(slot));
	memset(out, 0xee, sizeof(out));
	return 0;
}

static void event(struct kunit *test)
{
	const struct ktr_chunk_format *format = (void *)out;
	const struct ktr_chunk_event *ev;
	u32 len, n;
	int i;

	slot.sequence = 2;
	slot.format = 1;
	slot.entry.timestamp = 0x1122334455667788ULL;
	slot.entry.cpu = 3;
	slot.entry.thread = 0xffff888000000000ULL;
	for (i = 0; i < KTR_STREAM_PARMS; i++)
		slot.entry.parms[i] = ~0ULL - i;
	slot.pid = 42;
	slot.strings = 3;
	memcpy(slot.text, "ab\0cdef\0junk", 12);
	len = ktr_stream_event(&stream, &slot, out);

	/* 24 + 6 + 9 = 39, and a byte of padding. */
	KUNIT_EXPECT_EQ(test, format->chunk.len, 40U);
	KUNIT_EXPECT_EQ(test, format->chunk.type, KTR_CHUNK_FORMAT);
	KUNIT_EXPECT_EQ(test, format->chunk.flags, 0);
	KUNIT_EXPECT_EQ(test, format->id, 1U);
	KUNIT_EXPECT_EQ(test, format->line, 77U);
	KUNIT_EXPECT_EQ(test, format->file_len, 6);
	KUNIT_EXPECT_EQ(test, format->desc_len, 9);
	KUNIT_EXPECT_EQ(test, format->pad, 0U);
	KUNIT_EXPECT_EQ(test, memcmp(out + 24, "file.c%s and %s\0", 16), 0);

	ev = (void *)out + 40;
	/* 88 + 3 + 5 */
	KUNIT_EXPECT_EQ(test, ev->chunk.len, 96U);
	KUNIT_EXPECT_EQ(test, ev->chunk.type, KTR_CHUNK_EVENT);
	KUNIT_EXPECT_EQ(test, ev->format, 1U);
	KUNIT_EXPECT_EQ(test, ev->cpu, 3);
	KUNIT_EXPECT_EQ(test, ev->timestamp, 0x1122334455667788ULL);
	KUNIT_EXPECT_EQ(test, ev->thread, 0xffff888000000000ULL);
	KUNIT_EXPECT_EQ(test, ev->parms[5], ~0ULL - 5);
	KUNIT_EXPECT_EQ(test, ev->strings, 3U);
	KUNIT_EXPECT_EQ(test, ev->pid, 42);
	KUNIT_EXPECT_EQ(test, memcmp(ev + 1, "ab\0cdef", 8), 0);
	KUNIT_EXPECT_EQ(test, len, 136U);
	for (n = len; n < sizeof(out); n++)
		KUNIT_EXPECT_EQ(test, out[n], 0xee);

	/* The format goes once. */
	KUNIT_EXPECT_EQ(test, ktr_stream_event(&stream, &slot, out), 96U);
	KUNIT_EXPECT_EQ(test, ((struct ktr_chunk *)out)->type, KTR_CHUNK_EVENT);
}

static void largest(struct kunit *test)
{
	slot.format = 2;
	slot.strings = 0x3f | KTR_EVENT_CUT;
	memset(slot.text, 'x', sizeof(slot.text));
	slot.text[9] = slot.text[19] = slot.text[29] = slot.text[39] = slot.text[49] = 0;
	slot.text[79] = 0;
	KUNIT_EXPECT_LE(test, ktr_stream_event(&stream, &slot, out), KTR_STREAM_EVENT_MAX + 0U);
	KUNIT_EXPECT_EQ(test, out[KTR_STREAM_EVENT_MAX], 0xee);
	/* Without a NUL where one ought to be, no further than the text. */
	memset(slot.text, 'x', sizeof(slot.text));
	KUNIT_EXPECT_EQ(test, ktr_stream_event(&stream, &slot, out), 88U + 80);
}

static void no_format(struct kunit *test)
{
	static const u32 ids[] = { 0, 3, 4, ~0U };
	int i;

	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		slot.format = ids[i];
		KUNIT_EXPECT_EQ(test, ktr_stream_event(&stream, &slot, out), 88U);
		KUNIT_EXPECT_EQ(test, ((struct ktr_chunk_event *)out)->format, 0U);
	}
	KUNIT_EXPECT_EQ(test, sent[0], 0UL);
}

static void lost(struct kunit *test)
{
	const struct ktr_chunk_lost *chunk = (void *)out;

	KUNIT_EXPECT_EQ(test, ktr_stream_lost(-1, 1ULL << 33, out), 24U);
	KUNIT_EXPECT_EQ(test, chunk->chunk.len, 24U);
	KUNIT_EXPECT_EQ(test, chunk->chunk.type, KTR_CHUNK_LOST);
	KUNIT_EXPECT_EQ(test, chunk->cpu, -1);
	KUNIT_EXPECT_EQ(test, chunk->pad, 0U);
	KUNIT_EXPECT_EQ(test, chunk->count, 1ULL << 33);
}

/* clang-format off */
static struct kunit_case cases[] = {
	KUNIT_CASE(event),
	KUNIT_CASE(largest),
	KUNIT_CASE(no_format),
	KUNIT_CASE(lost),
	{}
};
/* clang-format on */

static struct kunit_suite suite = {
	.name = "ktr_stream",
	.init = init,
	.test_cases = cases,
};

kunit_test_suite(suite);
