// SPDX-License-Identifier: GPL-2.0
/*
 * Suite ktr_pool: formats: found, kept once, forgotten, refused; and added by
 * somebody who interrupts another adder anywhere (step(), see ktr_ring_test.c).
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/types.h>
#include <kunit/test.h>

static void step(void);

#undef READ_ONCE
#define READ_ONCE(x)                               \
	({                                         \
		step();                            \
		*(const volatile typeof(x) *)&(x); \
	})
#undef smp_load_acquire
#define smp_load_acquire(p) READ_ONCE(*(p))
#undef smp_store_release
#define smp_store_release(p, v)                         \
	do {                                            \
		typeof(*(p)) value_ = (v);              \
		step();                                 \
		*(volatile typeof(*(p)) *)(p) = value_; \
	} while (0)

static __always_inline u32 stepping_cmpxchg(u32 *p, u32 old, u32 new)
{
	u32 seen;

	step();
	seen = *(volatile u32 *)p;
	if (seen == old)
		*(volatile u32 *)p = new;
	step();
	return seen;
}

#undef cmpxchg
#define cmpxchg stepping_cmpxchg

#include "ktr/pool.c"

#define FORMATS 8
#define TEXT	4096
#define KEYS	16

static struct {
	struct ktr_pool pool;
	struct ktr_pool_key keys[KEYS];
	struct ktr_pool_format formats[FORMATS];
	char text[TEXT];
	u32 formats_used, text_used;
} room;

/* What interrupts: at step @at, @function is called; 0: never. */
static struct {
	u32 steps, at;
	void (*function)(void);
	u32 id, strings; /* what it got */
} irq;

static void step(void)
{
	if (++irq.steps == irq.at)
		irq.function();
}

static void empty_pool(u32 formats, u32 text)
{
	memset(&room, 0, sizeof(room));
	memset(&irq, 0, sizeof(irq));
	room.pool = (struct ktr_pool){
		.keys = room.keys,
		.key_mask = KEYS - 1,
		.formats = room.formats,
		.formats_max = formats,
		.text = room.text,
		.text_max = text,
		.formats_used = &room.formats_used,
		.text_used = &room.text_used,
	};
}

static bool is(u32 id, const char *file, u32 line, const char *desc)
{
	const struct ktr_pool_format *f = ktr_pool_format(&room.pool, id);

	return f && f->line == line && !strcmp(room.text + f->file, file) &&
	       !strcmp(room.text + f->desc, desc);
}

static u32 find(const char *file, u32 line, const char *desc)
{
	u32 strings;

	return ktr_pool_find(&room.pool, file, line, desc, &strings);
}

static u64 refused(void)
{
	return atomic64_read(&room.pool.refused);
}

static const char a_c[] = "a.c", b_c[] = "b.c";
static const char one[] = "one %d", two[] = "two %s";

static void found(struct kunit *test)
{
	char same_file[] = "a.c", same_desc[] = "one %d";
	u32 strings = 9, a, b, c;

	empty_pool(FORMATS, TEXT);
	a = ktr_pool_find(&room.pool, a_c, 10, one, &strings);
	KUNIT_EXPECT_EQ(test, strings, 0U);
	KUNIT_EXPECT_TRUE(test, is(a, "a.c", 10, "one %d"));
	b = ktr_pool_find(&room.pool, a_c, 11, two, &strings);
	KUNIT_EXPECT_EQ(test, strings, 1U);
	KUNIT_EXPECT_TRUE(test, is(b, "a.c", 11, "two %s"));
	c = find(b_c, 10, one);
	KUNIT_EXPECT_TRUE(test, is(c, "b.c", 10, "one %d"));
	KUNIT_EXPECT_TRUE(test, a != b && b != c && a != c);
	/* Again, by address; the texts' parameters come along. */
	KUNIT_EXPECT_EQ(test, ktr_pool_find(&room.pool, a_c, 11, two, &strings), b);
	KUNIT_EXPECT_EQ(test, strings, 1U);
	KUNIT_EXPECT_EQ(test, find(a_c, 10, one), a);
	KUNIT_EXPECT_EQ(test, room.formats_used, 3U);
	/* The same texts elsewhere are the same format. */
	KUNIT_EXPECT_EQ(test, find(same_file, 10, same_desc), a);
	KUNIT_EXPECT_EQ(test, room.formats_used, 3U);
	/* A file's name is kept once. */
	KUNIT_EXPECT_EQ(test, room.formats[0].file, room.formats[1].file);
	KUNIT_EXPECT_EQ(test, refused(), 0ULL);
	KUNIT_EXPECT_PTR_EQ(test, ktr_pool_format(&room.pool, 0), NULL);
	KUNIT_EXPECT_PTR_EQ(test, ktr_pool_format(&room.pool, 4), NULL);
	KUNIT_EXPECT_PTR_EQ(test, ktr_pool_format(&room.pool, FORMATS + 1), NULL);
}

static void no_formats(struct kunit *test)
{
	u32 i, first;

	empty_pool(3, TEXT);
	first = find(a_c, 0, one);
	for (i = 0; i < 10; i++)
		KUNIT_EXPECT_EQ(test, !!find(a_c, i, one), i < 3);
	KUNIT_EXPECT_EQ(test, refused(), 7ULL);
	KUNIT_EXPECT_EQ(test, find(a_c, 0, one), first);
	KUNIT_EXPECT_EQ(test, refused(), 7ULL);
	KUNIT_EXPECT_EQ(test, room.formats_used, 3U);
}

static void no_text(struct kunit *test)
{
	/* Room for "a.c" and "one %d" once, and one format more. */
	empty_pool(FORMATS, 4 + 7 + 7 + 3);
	KUNIT_EXPECT_NE(test, find(a_c, 1, one), 0U);
	KUNIT_EXPECT_NE(test, find(a_c, 2, one), 0U);
	KUNIT_EXPECT_EQ(test, find(a_c, 3, one), 0U);
	KUNIT_EXPECT_EQ(test, find(a_c, 4, one), 0U);
	KUNIT_EXPECT_EQ(test, refused(), 2ULL);
	KUNIT_EXPECT_LE(test, room.text_used, 4 + 7 + 7 + 3U);
	KUNIT_EXPECT_TRUE(test, is(find(a_c, 2, one), "a.c", 2, "one %d"));
}

/* More places than keys that are looked at: the rest have no format, and the others keep theirs. */
static void no_keys(struct kunit *test)
{
	static char file[KEYS + 4][4];
	u32 i;

	empty_pool(FORMATS, TEXT);
	for (i = 0; i < KEYS; i++) {
		strcpy(file[i], "a.c"); /* one format, many addresses */
		KUNIT_EXPECT_EQ(test, find(file[i], 1, one), 1U);
	}
	for (; i < KEYS + 4; i++)
		KUNIT_EXPECT_EQ(test, find(file[i], 1, one), 0U);
	KUNIT_EXPECT_EQ(test, refused(), 4ULL);
	for (i = 0; i < KEYS; i++)
		KUNIT_EXPECT_EQ(test, find(file[i], 1, one), 1U);
}

static void cut(struct kunit *test)
{
	char *file = kunit_kzalloc(test, 2 * KTR_POOL_FILE, GFP_KERNEL);
	char *desc = kunit_kzalloc(test, 2 * KTR_POOL_DESC, GFP_KERNEL);
	const struct ktr_pool_format *f;
	u32 id;

	KUNIT_ASSERT_TRUE(test, file && desc);
	memset(file, 'f', 2 * KTR_POOL_FILE - 1);
	memset(desc, 'd', 2 * KTR_POOL_DESC - 1);
	empty_pool(FORMATS, TEXT);
	id = find(file, 1, desc);
	f = ktr_pool_format(&room.pool, id);
	KUNIT_ASSERT_TRUE(test, f);
	KUNIT_EXPECT_EQ(test, strlen(room.text + f->file), KTR_POOL_FILE - 1UL);
	KUNIT_EXPECT_EQ(test, strlen(room.text + f->desc), KTR_POOL_DESC - 1UL);
	/* It is the same again from elsewhere. */
	KUNIT_EXPECT_EQ(test, find(file, 1, desc + 1), id);
}

static bool in_module(const void *p, void *range)
{
	return p >= range && p < range + 64;
}

static void forgotten(struct kunit *test)
{
	static char module[64];
	char *desc = module + 8;
	u32 a, b, c;

	empty_pool(FORMATS, TEXT);
	strcpy(module, "m.c");
	strcpy(desc, "from a module");
	a = find(module, 1, desc);
	b = find(a_c, 1, one);
	c = find(a_c, 2, desc);
	ktr_pool_forget(&room.pool, in_module, module);
	/* Its memory is somebody else's now. */
	strcpy(module, "n.c");
	strcpy(desc, "other");
	KUNIT_EXPECT_TRUE(test, is(a, "m.c", 1, "from a module"));
	KUNIT_EXPECT_TRUE(test, is(find(module, 1, desc), "n.c", 1, "other"));
	KUNIT_EXPECT_TRUE(test, is(find(a_c, 2, desc), "a.c", 2, "other"));
	KUNIT_EXPECT_TRUE(test, is(c, "a.c", 2, "from a module"));
	KUNIT_EXPECT_EQ(test, find(a_c, 1, one), b);
	/* It comes again, and finds its formats. */
	ktr_pool_forget(&room.pool, in_module, module);
	strcpy(module, "m.c");
	strcpy(desc, "from a module");
	KUNIT_EXPECT_EQ(test, find(module, 1, desc), a);
	KUNIT_EXPECT_EQ(test, room.formats_used, 5U);
}

static void add_same(void)
{
	irq.id = ktr_pool_find(&room.pool, a_c, 1, two, &irq.strings);
}

static void add_other(void)
{
	irq.id = ktr_pool_find(&room.pool, b_c, 2, two, &irq.strings);
}

/* An interrupt at each step, with the same place, and with another. */
static void interrupted(struct kunit *test)
{
	u32 at, id, strings, runs = 0;
	int other;

	for (other = 0; other < 2; other++) {
		for (at = 1;; at++) {
			empty_pool(FORMATS, TEXT);
			irq.at = at;
			irq.function = other ? add_other : add_same;
			strings = 0;
			id = ktr_pool_find(&room.pool, a_c, 1, two, &strings);
			if (irq.steps < at)
				break;
			runs++;
			irq.at = 0;
			if (!is(id, "a.c", 1, "two %s") || strings != 1 || irq.strings != 1 ||
			    !is(irq.id, other ? "b.c" : "a.c", other ? 2 : 1, "two %s"))
				KUNIT_FAIL(test, "at step %u: %u and %u", at, id, irq.id);
			if (find(a_c, 1, two) != id && find(a_c, 1, two) != irq.id)
				KUNIT_FAIL(test, "at step %u: lost", at);
			KUNIT_EXPECT_EQ(test, refused(), 0ULL);
			KUNIT_EXPECT_LE(test, room.formats_used, 2U);
		}
	}
	KUNIT_EXPECT_GT(test, runs, 30U);
}

/* clang-format off */
static struct kunit_case cases[] = {
	KUNIT_CASE(found),
	KUNIT_CASE(no_formats),
	KUNIT_CASE(no_text),
	KUNIT_CASE(no_keys),
	KUNIT_CASE(cut),
	KUNIT_CASE(forgotten),
	KUNIT_CASE(interrupted),
	{}
};
/* clang-format on */

static struct kunit_suite suite = {
	.name = "ktr_pool",
	.test_cases = cases,
};

kunit_test_suite(suite);
