// SPDX-License-Identifier: GPL-2.0
/*
 * Suite ktrace_merge: what leaves the rings, in which order, with which time,
 * by the invariants M1 to M4 of merge.h.  The tests write down what should be
 * in the file, record by record; a naive merge, which looks at all records for
 * the earliest each time, says so where there are too many to write down.
 */
#include <linux/slab.h>
#include <kunit/test.h>

#include "merge.h"
#include "record.h"
#include "util.h"

#include "merge.c"

#define SIZE	  4096
#define MAX_RINGS 64
#define WALL	  1000000000000LL /* the wall clock's lead: 1000 s */
#define ALL	  (~0ULL) /* no watermark */

struct world {
	struct ktrace_merge m;
	struct ktrace_ring *ring[MAX_RINGS];
	u8 *file;
	size_t bytes, room;
};

static struct world *make_world(struct kunit *test, u32 rings, bool v1)
{
	struct world *w = kunit_kzalloc(test, sizeof(*w), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, w);
	w->room = 1 << 20;
	w->file = kunit_kzalloc(test, w->room, GFP_KERNEL);
	w->m.cursor = kunit_kcalloc(test, rings, sizeof(*w->m.cursor), GFP_KERNEL);
	w->m.heap = kunit_kcalloc(test, rings, sizeof(*w->m.heap), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, w->file);
	KUNIT_ASSERT_NOT_NULL(test, w->m.cursor);
	KUNIT_ASSERT_NOT_NULL(test, w->m.heap);
	w->m.nr_max = rings;
	w->m.v1 = v1;
	w->m.wall = WALL;
	for (i = 0; i < rings; i++) {
		w->ring[i] = kunit_ring(test, SIZE, i);
		KUNIT_ASSERT_EQ(test, ktrace_merge_add(&w->m, w->ring[i]), 0);
	}
	return w;
}

static bool put(struct world *w, u32 ring, u64 id, u64 stamp, u32 payload)
{
	struct ktrace_ring *r = w->ring[ring];
	struct ktrace_slot slot;
	u8 *p;

	p = kunit_reserve(r, test_header_size(w->m.v1) + payload, &slot);
	if (!p)
		return false;
	test_record_fill(p, w->m.v1, payload, r->cpu, id, stamp);
	kunit_publish(r, &slot);
	return true;
}

/*
 * A record that was reserved with @more bytes than it came to need, or (@more
 * < 0) given up, while another came behind it: a hole between the two.
 */
static bool put_hole(struct world *w, u32 ring, u64 id, u64 stamp, u32 payload, s32 more,
		     u64 behind, u64 behind_stamp)
{
	u32 header = test_header_size(w->m.v1);
	struct ktrace_ring *r = w->ring[ring];
	struct ktrace_slot slot;
	bool ok = false;
	u8 *p;

	p = kunit_reserve(r, header + payload + max(more, 0), &slot);
	if (p) {
		memset(p, 0xa5, header + payload + max(more, 0));
		ok = put(w, ring, behind, behind_stamp, 10);
		if (more >= 0) {
			test_record_fill(p, w->m.v1, payload, r->cpu, id, stamp);
			ktrace_ring_trim(r, &slot, header + payload);
		} else {
			ktrace_ring_trim(r, &slot, 0);
		}
		kunit_publish(r, &slot);
	}
	return ok;
}

/* Append the runs to the file, holding them to what they promise. */
static void write_runs(struct kunit *test, struct world *w, size_t limit)
{
	struct ktrace_merge *m = &w->m;
	size_t bytes = 0;
	u64 records = 0;
	u32 i;

	KUNIT_ASSERT_GT(test, m->vecs, 0U);
	KUNIT_ASSERT_LE(test, m->vecs, (u32)KTRACE_MERGE_VECS);
	for (i = 0; i < m->vecs; i++) {
		const u8 *p = m->vec[i].iov_base;
		size_t off = 0;

		/* A run holds whole records. */
		while (off < m->vec[i].iov_len) {
			off += test_header_size(m->v1) + get_unaligned_le32(p + off);
			records++;
		}
		KUNIT_ASSERT_EQ(test, off, m->vec[i].iov_len);
		KUNIT_ASSERT_LE(test, w->bytes + off, w->room);
		memcpy(w->file + w->bytes, p, off);
		w->bytes += off;
		bytes += off;
		/* What follows another directly is one run with it. */
		if (i)
			KUNIT_ASSERT_PTR_NE(test,
					    (u8 *)m->vec[i - 1].iov_base + m->vec[i - 1].iov_len,
					    (u8 *)p);
	}
	KUNIT_ASSERT_EQ(test, bytes, m->bytes);
	KUNIT_ASSERT_EQ(test, records, m->records);
	if (records > 1)
		KUNIT_ASSERT_LE(test, bytes, limit);
}

/* A whole pass of the writer; returns the records that left. */
static u64 pass(struct kunit *test, struct world *w, u64 until, size_t limit)
{
	u64 records = 0;

	ktrace_merge_begin(&w->m, until);
	while (ktrace_merge_next(&w->m, limit)) {
		write_runs(test, w, limit);
		records += w->m.records;
		ktrace_merge_consume(&w->m);
	}
	ktrace_merge_consume(&w->m);
	return records;
}

/* One record of the file at *@off. */
struct found {
	const u8 *p;
	u32 cpu, payload;
	u64 id;
	u64 time; /* nanoseconds; of a v0 header, cut to microseconds */
};

static bool next_found(const struct world *w, size_t *off, struct found *f)
{
	const u8 *p = w->file + *off;

	if (*off >= w->bytes)
		return false;
	f->p = p;
	f->payload = get_unaligned_le32(p);
	f->cpu = get_unaligned_le32(p + 8);
	f->id = get_unaligned_le64(p + 48);
	f->time = get_unaligned_le64(p + 32) * 1000000000 +
		  get_unaligned_le64(p + 40) * (w->m.v1 ? 1 : 1000);
	*off += test_header_size(w->m.v1) + f->payload;
	return true;
}

/* The file as "ring:id ring:id@time ...": a time where @times, less WALL. */
static const char *listing(struct kunit *test, const struct world *w, bool times)
{
	char *text = kunit_kzalloc(test, 4096, GFP_KERNEL);
	size_t off = 0, n = 0;
	struct found f;

	KUNIT_ASSERT_NOT_NULL(test, text);
	while (next_found(w, &off, &f)) {
		n += scnprintf(text + n, 4096 - n, "%s%u:%llu", n ? " " : "", f.cpu, f.id);
		if (times)
			n += scnprintf(text + n, 4096 - n, "@%lld", (s64)(f.time - WALL));
	}
	return text;
}

/* As many rings as there is room for; those that are not new keep what they hold. */
static void add(struct kunit *test)
{
	struct world *w = make_world(test, 3, true);
	struct ktrace_merge *m = &w->m;
	struct ktrace_ring *one_more = kunit_ring(test, SIZE, 9);

	KUNIT_EXPECT_EQ(test, ktrace_merge_add(m, one_more), -ENOSPC);
	KUNIT_EXPECT_EQ(test, m->nr, 3U);
	KUNIT_EXPECT_EQ(test, pass(test, w, ALL, SIZE), 0ULL);
	KUNIT_EXPECT_EQ(test, w->bytes, (size_t)0);

	/* A ring that comes late, with records in it, and consumed ones before them. */
	m->nr = 2;
	kunit_ring_at(w->ring[2], (1ULL << 32) - 60);
	put(w, 2, 0, 50, 8);
	put(w, 0, 0, 60, 8);
	KUNIT_EXPECT_EQ(test, pass(test, w, 100, SIZE), 1ULL);
	put(w, 1, 0, 150, 8);
	KUNIT_EXPECT_EQ(test, ktrace_merge_add(m, w->ring[2]), 0);
	KUNIT_EXPECT_EQ(test, pass(test, w, 200, SIZE), 2ULL);
	KUNIT_EXPECT_STREQ(test, listing(test, w, true), "0:0@60 2:0@60 1:0@150");
	KUNIT_EXPECT_EQ(test, w->ring[2]->tail, w->ring[2]->head);
	KUNIT_EXPECT_EQ(test, w->ring[2]->consumed, 1ULL);
}

/* Order by time, then CPU, then place in the ring; M2's raised stamps. */
static void order(struct kunit *test)
{
	static const struct {
		const char *what;
		struct {
			u32 ring;
			u64 stamp;
		} put[8];
		const char *file;
	} cases[] = {
		{ "one ring", { { 0, 10 }, { 0, 20 }, { 0, 30 } }, "0:0@10 0:1@20 0:2@30" },
		{ "two, in turn",
		  { { 0, 10 }, { 1, 20 }, { 0, 30 }, { 1, 40 } },
		  "0:0@10 1:1@20 0:2@30 1:3@40" },
		{ "written later, stamped earlier",
		  { { 2, 30 }, { 1, 20 }, { 0, 10 } },
		  "0:2@10 1:1@20 2:0@30" },
		{ "a run of one between those of another",
		  { { 0, 10 }, { 0, 11 }, { 1, 12 }, { 1, 13 }, { 0, 14 }, { 0, 15 } },
		  "0:0@10 0:1@11 1:2@12 1:3@13 0:4@14 0:5@15" },
		{ "equal: by CPU", { { 2, 10 }, { 1, 10 }, { 0, 10 } }, "0:2@10 1:1@10 2:0@10" },
		{ "equal in one ring: its order",
		  { { 1, 10 }, { 1, 10 }, { 0, 10 }, { 1, 10 } },
		  "0:2@10 1:0@10 1:1@10 1:3@10" },
		{ "equal, later",
		  { { 1, 5 }, { 1, 10 }, { 0, 10 }, { 0, 11 }, { 1, 11 } },
		  "1:0@5 0:2@10 1:1@10 0:3@11 1:4@11" },
		{ "early in its ring: raised, not moved",
		  { { 0, 20 }, { 0, 10 }, { 0, 30 } },
		  "0:0@20 0:1@20 0:2@30" },
		{ "raised stamps count for the order",
		  { { 1, 20 }, { 1, 10 }, { 0, 20 }, { 0, 21 }, { 2, 20 } },
		  "0:2@20 1:0@20 1:1@20 2:4@20 0:3@21" },
		{ "raised twice",
		  { { 0, 30 }, { 0, 10 }, { 0, 20 }, { 1, 25 }, { 1, 31 } },
		  "1:3@25 0:0@30 0:1@30 0:2@30 1:4@31" },
		{ "stamp 0", { { 1, 0 }, { 0, 1 } }, "1:0@0 0:1@1" },
		{ "far apart",
		  { { 0, 1 }, { 1, 1ULL << 53 }, { 2, 1ULL << 52 } },
		  "0:0@1 2:2@4503599627370496 1:1@9007199254740992" },
	};
	u32 i, j, way;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		/* The order in which rings were added does not matter, their CPUs do. */
		for (way = 0; way < 2; way++) {
			struct world *w = make_world(test, 3, true);

			if (way) {
				w->ring[0]->cpu = 2;
				w->ring[2]->cpu = 0;
				swap(w->ring[0], w->ring[2]);
			}
			for (j = 0; j < 8 && (cases[i].put[j].stamp || cases[i].put[j].ring); j++)
				KUNIT_ASSERT_TRUE(test, put(w, cases[i].put[j].ring, j,
							    cases[i].put[j].stamp, 5));
			KUNIT_EXPECT_EQ_MSG(test, pass(test, w, ALL, SIZE), (u64)j, "%s",
					    cases[i].what);
			KUNIT_EXPECT_STREQ_MSG(test, listing(test, w, true), cases[i].file, "%s",
					       cases[i].what);
		}
	}
}

/* M3: what is stamped at T or later stays, and all behind it; the next pass has it. */
static void watermark(struct kunit *test)
{
	static const struct {
		u64 until;
		const char *file;
	} cases[] = {
		{ 0, "" },
		{ 10, "" },
		{ 11, "0:0" },
		{ 20, "0:0" },
		{ 21, "0:0 1:10" },
		{ 30, "0:0 1:10 1:11" },
		{ 31, "0:0 1:10 1:11 0:1 0:2" },
		{ 40, "0:0 1:10 1:11 0:1 0:2" },
		{ 41, "0:0 1:10 1:11 0:1 0:2 0:3 1:12" },
		{ ALL, "0:0 1:10 1:11 0:1 0:2 0:3 1:12" },
	};
	const char *everything = cases[ARRAY_SIZE(cases) - 1].file;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct world *w = make_world(test, 2, false);

		put(w, 0, 0, 10, 3);
		put(w, 0, 1, 30, 3);
		put(w, 0, 2, 15, 3); /* early, but behind one that stays at 30 */
		put(w, 0, 3, 40, 3);
		put(w, 1, 10, 20, 3);
		put(w, 1, 11, 29, 3);
		put(w, 1, 12, 40, 3);
		pass(test, w, cases[i].until, SIZE);
		KUNIT_EXPECT_STREQ_MSG(test, listing(test, w, false), cases[i].file, "T %llu",
				       cases[i].until);
		/* The same T again brings nothing, but the writer must not sleep yet. */
		KUNIT_EXPECT_EQ(test, pass(test, w, cases[i].until, SIZE), 0ULL);
		KUNIT_EXPECT_EQ(test, ktrace_merge_left(&w->m), cases[i].until < 41);
		/* What stayed comes with the next, once. */
		pass(test, w, ALL, SIZE);
		KUNIT_EXPECT_STREQ_MSG(test, listing(test, w, false), everything, "T %llu",
				       cases[i].until);
		KUNIT_EXPECT_EQ(test, w->ring[0]->consumed + w->ring[1]->consumed, 7ULL);
	}
}

/*
 * The late CPU.  CPU 0 took its bytes and its stamp, and then takes its time;
 * CPU 1's later record is in its ring long before.  The writer takes T, sees
 * what CPU 0 took, and waits: then both leave in the order of their stamps.
 */
static void late_cpu(struct kunit *test)
{
	struct world *w = make_world(test, 2, true);
	u64 wait[2] = { U64_MAX, U64_MAX };
	u64 clock = 100, stamp, until;
	struct ktrace_slot slot;
	u8 *p;

	/* CPU 0 */
	p = kunit_reserve(w->ring[0], 64 + 4, &slot);
	KUNIT_ASSERT_NOT_NULL(test, p);
	stamp = ++clock;
	/* CPU 1 */
	put(w, 1, 1, ++clock, 4);
	/* The writer. */
	until = ++clock;
	KUNIT_EXPECT_TRUE(test, ktrace_ring_pending(w->ring[0], &wait[0]));
	KUNIT_EXPECT_FALSE(test, ktrace_ring_pending(w->ring[1], &wait[1]));
	/* CPU 0 at last; CPU 1 goes on meanwhile. */
	put(w, 1, 2, ++clock, 4);
	KUNIT_EXPECT_TRUE(test, ktrace_ring_pending(w->ring[0], &wait[0]));
	test_record_fill(p, true, 4, 0, 0, stamp);
	KUNIT_EXPECT_TRUE(test, ktrace_ring_pending(w->ring[0], &wait[0]));
	kunit_publish(w->ring[0], &slot);
	/* What it begins now is not waited for. */
	p = kunit_reserve(w->ring[0], 64 + 4, &slot);
	KUNIT_ASSERT_NOT_NULL(test, p);
	KUNIT_EXPECT_FALSE(test, ktrace_ring_pending(w->ring[0], &wait[0]));
	KUNIT_EXPECT_EQ(test, pass(test, w, until, SIZE), 2ULL);
	KUNIT_EXPECT_STREQ(test, listing(test, w, true), "0:0@101 1:1@102");
	test_record_fill(p, true, 4, 0, 3, ++clock);
	kunit_publish(w->ring[0], &slot);
	pass(test, w, ++clock, SIZE);
	KUNIT_EXPECT_STREQ(test, listing(test, w, true), "0:0@101 1:1@102 1:2@104 0:3@105");
}

/* What comes late for all that: M1 holds, its time is raised to the file's last. */
static void late_record(struct kunit *test)
{
	struct world *w = make_world(test, 2, true);

	put(w, 1, 0, 500, 4);
	pass(test, w, ALL, SIZE);
	put(w, 0, 1, 400, 4);
	put(w, 0, 2, 450, 4);
	put(w, 1, 3, 460, 4);
	put(w, 0, 4, 501, 4);
	pass(test, w, ALL, SIZE);
	KUNIT_EXPECT_STREQ(test, listing(test, w, true), "1:0@500 0:1@500 0:2@500 1:3@500 0:4@501");
}

/* M4: a ring's committed records at the beginning of a pass, not those that come during it. */
static void during(struct kunit *test)
{
	struct world *w = make_world(test, 2, false);

	put(w, 0, 0, 10, 4);
	put(w, 1, 1, 20, 4);
	ktrace_merge_begin(&w->m, ALL);
	put(w, 0, 2, 11, 4);
	KUNIT_ASSERT_TRUE(test, ktrace_merge_next(&w->m, SIZE));
	write_runs(test, w, SIZE);
	put(w, 1, 3, 21, 4);
	/* Not given back before it is consumed. */
	KUNIT_EXPECT_EQ(test, w->ring[0]->tail | w->ring[1]->tail, 0ULL);
	ktrace_merge_consume(&w->m);
	KUNIT_EXPECT_EQ(test, w->ring[0]->tail, 60ULL);
	KUNIT_EXPECT_EQ(test, w->ring[1]->tail, 60ULL);
	KUNIT_EXPECT_FALSE(test, ktrace_merge_next(&w->m, SIZE));
	KUNIT_EXPECT_STREQ(test, listing(test, w, false), "0:0 1:1");
	pass(test, w, ALL, SIZE);
	KUNIT_EXPECT_STREQ(test, listing(test, w, false), "0:0 1:1 0:2 1:3");
}

/* What is reserved but not published is not looked at, whatever lies there. */
static void unpublished(struct kunit *test)
{
	struct world *w = make_world(test, 2, false);
	struct ktrace_slot slot;
	u8 *p;

	put(w, 0, 0, 10, 4);
	p = kunit_reserve(w->ring[0], 56 + 4, &slot);
	KUNIT_ASSERT_NOT_NULL(test, p);
	test_record_fill(p, false, 4, 0, 1, 11);
	put(w, 0, 2, 12, 4); /* an interrupt's: behind it, and so not published either */
	put(w, 1, 3, 13, 4);
	KUNIT_EXPECT_EQ(test, pass(test, w, ALL, SIZE), 2ULL);
	KUNIT_EXPECT_STREQ(test, listing(test, w, false), "0:0 1:3");
	kunit_publish(w->ring[0], &slot);
	KUNIT_EXPECT_EQ(test, pass(test, w, ALL, SIZE), 2ULL);
	KUNIT_EXPECT_STREQ(test, listing(test, w, false), "0:0 1:3 0:1 0:2");
}

/*
 * Holes of every size: in the middle, at the end, in front of what stays; neither in the
 * file nor kept.
 */
static void holes(struct kunit *test)
{
	int v1, when;
	s32 more;

	for (v1 = 0; v1 < 2; v1++) {
		for (when = 0; when < 3; when++) {
			struct world *w = make_world(test, 2, v1);
			u32 n = 0;

			for (more = -1; more <= 200; more++) {
				size_t off = w->bytes;
				struct found f;

				put(w, 1, 7, 1000 * more + 1100, 1);
				KUNIT_ASSERT_TRUE(test, put_hole(w, 0, 1, 1000 * more + 1200, 20,
								 more, 2, 1000 * more + 1300));
				/* T before, between or after the two around the hole. */
				if (when == 0)
					pass(test, w, 1000 * more + 1200, SIZE);
				if (when == 1)
					pass(test, w, 1000 * more + 1300, SIZE);
				pass(test, w, ALL, SIZE);
				KUNIT_ASSERT_FALSE(test, ktrace_merge_left(&w->m));
				KUNIT_ASSERT_TRUE(test, next_found(w, &off, &f));
				KUNIT_ASSERT_EQ(test, f.id, 7ULL);
				if (more >= 0) {
					KUNIT_ASSERT_TRUE(test, next_found(w, &off, &f));
					KUNIT_ASSERT_EQ_MSG(test, f.id, 1ULL, "hole of %d", more);
					KUNIT_ASSERT_EQ(test, f.payload, 20U);
					KUNIT_ASSERT_EQ(test, get_unaligned_le16(f.p + 6), v1);
				}
				KUNIT_ASSERT_TRUE(test, next_found(w, &off, &f));
				KUNIT_ASSERT_EQ_MSG(test, f.id, 2ULL, "hole of %d", more);
				KUNIT_ASSERT_FALSE(test, next_found(w, &off, &f));
				/* All is given back. */
				KUNIT_ASSERT_EQ(test, w->ring[0]->tail, w->ring[0]->head);
				n += more >= 0 ? 2 : 1;
			}
			KUNIT_EXPECT_EQ(test, w->ring[0]->consumed, (u64)n);
		}
	}
}

/* A hole with nothing behind it that leaves: its bytes are given back all the same. */
static void hole_alone(struct kunit *test)
{
	struct world *w = make_world(test, 1, false);

	KUNIT_ASSERT_TRUE(test, put_hole(w, 0, 1, 100, 20, -1, 2, 300));
	KUNIT_EXPECT_EQ(test, pass(test, w, 200, SIZE), 0ULL);
	KUNIT_EXPECT_EQ(test, w->ring[0]->tail, 76ULL);
	KUNIT_EXPECT_EQ(test, w->ring[0]->consumed, 0ULL);
	pass(test, w, ALL, SIZE);
	KUNIT_EXPECT_STREQ(test, listing(test, w, false), "0:2");
}

/* Few long runs: one for a ring that is alone, one per change. */
static void runs(struct kunit *test)
{
	struct world *w = make_world(test, 2, false);
	u32 i;

	for (i = 0; i < 30; i++)
		put(w, 0, i, i, 44);
	ktrace_merge_begin(&w->m, ALL);
	KUNIT_EXPECT_TRUE(test, ktrace_merge_next(&w->m, SIZE));
	KUNIT_EXPECT_EQ(test, w->m.vecs, 1U);
	KUNIT_EXPECT_EQ(test, w->m.bytes, (size_t)3000);
	KUNIT_EXPECT_EQ(test, w->m.records, 30ULL);
	KUNIT_EXPECT_PTR_EQ(test, w->m.vec[0].iov_base, (void *)w->ring[0]->data);
	ktrace_merge_consume(&w->m);
	/* Through the end of memory, which goes on behind it. */
	for (i = 0; i < 30; i++)
		put(w, 0, 30 + i, 30 + i, 44);
	ktrace_merge_begin(&w->m, ALL);
	KUNIT_EXPECT_TRUE(test, ktrace_merge_next(&w->m, SIZE));
	KUNIT_EXPECT_EQ(test, w->m.vecs, 1U);
	KUNIT_EXPECT_EQ(test, w->m.vec[0].iov_len, (size_t)3000);
	KUNIT_EXPECT_PTR_EQ(test, w->m.vec[0].iov_base, (void *)w->ring[0]->data + 3000);
	ktrace_merge_consume(&w->m);
	/* Two in turn, by fives. */
	for (i = 0; i < 40; i++)
		put(w, i / 5 % 2, i, 100 + i, 44);
	ktrace_merge_begin(&w->m, ALL);
	KUNIT_EXPECT_TRUE(test, ktrace_merge_next(&w->m, SIZE));
	KUNIT_EXPECT_GE(test, w->m.vecs, 8U);
	KUNIT_EXPECT_LE(test, w->m.vecs, 9U);
	KUNIT_EXPECT_EQ(test, w->m.records, 40ULL);
	ktrace_merge_consume(&w->m);
}

/* As many runs as there are vecs, then the rest, in order. */
static void many_runs(struct kunit *test)
{
	struct world *w = make_world(test, 10, true);
	u64 seen = 0;
	struct found f;
	size_t off = 0;
	u32 i;

	for (i = 0; i < 500; i++)
		KUNIT_ASSERT_TRUE(test, put(w, i * 7 % 10, i, i, 1));
	KUNIT_EXPECT_EQ(test, pass(test, w, ALL, 1 << 20), 500ULL);
	while (next_found(w, &off, &f))
		KUNIT_ASSERT_EQ(test, f.id, seen++);
	KUNIT_EXPECT_EQ(test, seen, 500ULL);
}

/* Never more bytes than asked for, but always a record; the pass goes on where it stopped. */
static void limit(struct kunit *test)
{
	static const size_t limits[] = { 0, 1, 63, 64, 65, 164, 165, 500, 1000, 4096, 1 << 20 };
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(limits); i++) {
		struct world *w = make_world(test, 3, true);
		u64 seen = 0, calls = 0;
		struct found f;
		size_t off = 0;

		for (j = 0; j < 60; j++)
			KUNIT_ASSERT_TRUE(test, put(w, j / 2 % 3, j, j, j * 37 % 101));
		ktrace_merge_begin(&w->m, ALL);
		while (ktrace_merge_next(&w->m, limits[i])) {
			write_runs(test, w, limits[i]);
			ktrace_merge_consume(&w->m);
			calls++;
		}
		while (next_found(w, &off, &f))
			KUNIT_ASSERT_EQ_MSG(test, f.id, seen++, "limit %zu", limits[i]);
		KUNIT_EXPECT_EQ_MSG(test, seen, 60ULL, "limit %zu", limits[i]);
		if (limits[i] < 64)
			KUNIT_EXPECT_EQ(test, calls, 60ULL);
		if (limits[i] == 1 << 20)
			KUNIT_EXPECT_EQ(test, calls, 1ULL);
	}
}

/* Time in the file: the wall clock, in seconds and the rest. */
static void wall(struct kunit *test)
{
	static const struct {
		u64 stamp;
		s64 wall;
		u64 sec, nsec;
	} cases[] = {
		{ 0, 0, 0, 0 },
		{ 1, 0, 0, 1 },
		{ 999999999, 0, 0, 999999999 },
		{ 1000000000, 0, 1, 0 },
		{ 1, 999999999, 1, 0 },
		{ 5000000000ULL, -3000000001LL, 1, 999999999 },
		{ 123456789012ULL, 1700000000000000000LL, 1700000123, 456789012 },
		{ 86400000000000ULL, 4294967295999999999LL, 4295053695ULL, 999999999 },
	};
	u32 i;
	int v1;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		for (v1 = 0; v1 < 2; v1++) {
			struct world *w = make_world(test, 1, v1);

			w->m.wall = cases[i].wall;
			put(w, 0, 1, cases[i].stamp, 9);
			KUNIT_ASSERT_EQ(test, pass(test, w, ALL, SIZE), 1ULL);
			KUNIT_EXPECT_EQ_MSG(test, get_unaligned_le64(w->file + 32), cases[i].sec,
					    "stamp %llu", cases[i].stamp);
			KUNIT_EXPECT_EQ_MSG(test, get_unaligned_le64(w->file + 40),
					    v1 ? cases[i].nsec : cases[i].nsec / 1000, "stamp %llu",
					    cases[i].stamp);
			KUNIT_EXPECT_EQ(test, get_unaligned_le16(w->file + 6), v1);
			KUNIT_EXPECT_STREQ(
				test, test_record_wrong_in_file(w->file, v1, 9, 0, 1) ?: "right",
				"right");
		}
	}
}

/* Seconds change in the middle of runs, between passes, and by more than one. */
static void seconds(struct kunit *test)
{
	static const u64 stamps[] = {
		1,	    500000000,	  999999998,	999999999,    1000000000,
		1000000001, 1999999999,	  2000000000,	2000000001,   7999999999,
		8000000001, 100000000000, 100999999999, 101000000000,
	};
	u32 i, every;

	for (every = 1; every <= 4; every++) {
		struct world *w = make_world(test, 2, true);
		struct found f;
		size_t off = 0;

		for (i = 0; i < ARRAY_SIZE(stamps); i++) {
			put(w, i % 2, i, stamps[i], 3);
			if (i % every == 0)
				pass(test, w, ALL, SIZE);
		}
		pass(test, w, ALL, SIZE);
		for (i = 0; i < ARRAY_SIZE(stamps); i++) {
			KUNIT_ASSERT_TRUE(test, next_found(w, &off, &f));
			KUNIT_EXPECT_EQ(test, f.id, (u64)i);
			KUNIT_EXPECT_EQ(test, f.time - WALL, stamps[i]);
			KUNIT_EXPECT_LT(test, get_unaligned_le64(f.p + 40), 1000000000ULL);
		}
	}
}

/* A write may end anywhere: how many whole records are in each number of bytes. */
static void whole(struct kunit *test)
{
	int v1;

	for (v1 = 0; v1 < 2; v1++) {
		struct world *w = make_world(test, 2, v1);
		size_t bytes, end[13] = {};
		u64 n = 0;
		u32 i;

		for (i = 0; i < 12; i++) {
			u32 payload = i * 29 % 50;

			KUNIT_ASSERT_TRUE(test, put(w, i / 3 % 2, i, i, payload));
			end[i + 1] = end[i] + test_header_size(v1) + payload;
		}
		ktrace_merge_begin(&w->m, ALL);
		KUNIT_ASSERT_TRUE(test, ktrace_merge_next(&w->m, SIZE));
		KUNIT_ASSERT_EQ(test, w->m.bytes, end[12]);
		for (bytes = 0; bytes <= end[12] + 100; bytes++) {
			size_t got = 12345;

			while (n < 12 && end[n + 1] <= bytes)
				n++;
			KUNIT_ASSERT_EQ(test, ktrace_merge_whole(&w->m, bytes, &got), n);
			KUNIT_ASSERT_EQ(test, got, end[n]);
		}
		for (n = 0; n < 12; n++) {
			const u8 *p = ktrace_merge_at(&w->m, end[n]);

			KUNIT_ASSERT_NOT_NULL(test, p);
			KUNIT_EXPECT_EQ(test, ktrace_record_len(p), n * 29 % 50);
		}
		KUNIT_EXPECT_NULL(test, ktrace_merge_at(&w->m, end[12]));
		ktrace_merge_consume(&w->m);
	}
}

/* What the naive merge knows of a record. */
struct known {
	u32 ring, payload;
	u64 stamp, id;
	bool left;
};

struct naive {
	struct known *rec; /* by ring in ring order: those of one ring in the order made */
	u32 nr, max;
	u64 raised[MAX_RINGS]; /* last stamp that left, by ring */
	u64 last; /* of the file */
	size_t off;
};

/* The earliest first record of a ring that may leave, or NULL. */
static struct known *naive_next(struct naive *n, u32 rings, u64 until, const u32 *first, u64 *when)
{
	struct known *best = NULL;
	u32 i;

	for (i = 0; i < rings; i++) {
		struct known *k;
		u64 stamp;

		if (first[i] == U32_MAX)
			continue;
		k = &n->rec[first[i]];
		stamp = max(k->stamp, n->raised[i]);
		if (stamp < until && (!best || stamp < *when)) {
			best = k;
			*when = stamp;
		}
	}
	return best;
}

static u32 next_of_ring(const struct naive *n, u32 ring, u32 from)
{
	for (; from < n->nr; from++)
		if (n->rec[from].ring == ring && !n->rec[from].left)
			return from;
	return U32_MAX;
}

/* Everything that should have left by @until has, and is in the file next. */
static void naive_check(struct kunit *test, struct naive *n, struct world *w, u32 rings, u64 until)
{
	u32 first[MAX_RINGS], i;
	struct known *k;
	struct found f;
	u64 when;

	for (i = 0; i < rings; i++)
		first[i] = next_of_ring(n, i, 0);
	while ((k = naive_next(n, rings, until, first, &when))) {
		KUNIT_ASSERT_TRUE(test, next_found(w, &n->off, &f));
		KUNIT_ASSERT_EQ(test, f.id, k->id);
		KUNIT_ASSERT_EQ(test, f.cpu, k->ring);
		KUNIT_ASSERT_STREQ(
			test,
			test_record_wrong_in_file(f.p, w->m.v1, k->payload, k->ring, k->id) ?:
											      "right",
			"right");
		KUNIT_ASSERT_EQ(test, get_unaligned_le16(f.p + 6), w->m.v1);
		n->last = max(n->last, when);
		KUNIT_ASSERT_EQ(test, f.time,
				w->m.v1 ? n->last + WALL : (n->last + WALL) / 1000 * 1000);
		n->raised[k->ring] = when;
		k->left = true;
		first[k->ring] = next_of_ring(n, k->ring, k - n->rec);
	}
	KUNIT_ASSERT_EQ(test, n->off, w->bytes);
	/* What left need not be remembered. */
	for (i = 0; i < n->nr && n->rec[i].left; i++)
		;
	memmove(n->rec, n->rec + i, (n->nr - i) * sizeof(*n->rec));
	n->nr -= i;
	if (w->bytes > w->room / 2) {
		w->bytes = 0;
		n->off = 0;
	}
}

static void know(struct naive *n, u32 ring, u64 id, u64 stamp, u32 payload)
{
	n->rec[n->nr++] = (struct known){
		.ring = ring,
		.payload = payload,
		.stamp = stamp,
		.id = id,
	};
}

/*
 * Anything goes: up to 64 rings, stamps that jump back, equal ones, holes, full
 * rings, late ones, any T, any limit.  The file is what the naive merge says,
 * to the byte, and nothing is left in the end.
 */
static void random(struct kunit *test)
{
	static const u32 nr_rings[] = { 1, 2, 3, 4, 7, 16, 33, 64 };
	struct rnd rnd;
	u32 i;

	rnd_init(&rnd, 2);
	for (i = 0; i < 2 * ARRAY_SIZE(nr_rings); i++) {
		u32 rings = nr_rings[i / 2], round, r;
		struct world *w = make_world(test, rings, i & 1);
		u64 clock = 1000, id = 0, left = 0, consumed = 0, cancelled = 0;
		struct naive n = { .max = 65536 };

		n.rec = kunit_kcalloc(test, n.max, sizeof(*n.rec), GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, n.rec);
		for (round = 0; round < 60; round++) {
			u32 puts = rnd_below(&rnd, 20 * rings), k;
			u32 favourite = rnd_below(&rnd, rings);
			u64 until;

			for (k = 0; k < puts && n.nr + 2 < n.max; k++) {
				u32 payload = rnd_below(&rnd, 4) ? rnd_below(&rnd, 60) :
								   rnd_below(&rnd, 600);
				u64 stamp;

				r = rnd_below(&rnd, 2) ? favourite : rnd_below(&rnd, rings);
				clock += rnd_below(&rnd, 4) ? rnd_below(&rnd, 3) :
							      rnd_below(&rnd, 1000000);
				/* Some early, some of a while ago. */
				stamp = clock - (rnd_below(&rnd, 8) ? 0 : rnd_below(&rnd, 900));
				if (rnd_below(&rnd, 8)) {
					if (!put(w, r, id, stamp, payload))
						continue;
					know(&n, r, id++, stamp, payload);
				} else {
					s32 more = (s32)rnd_below(&rnd, 150) - 20;
					u64 head = w->ring[r]->head;

					/* Room for both, or none of it. */
					if (head + 400 + payload + 2 * 64 > w->ring[r]->tail + SIZE)
						continue;
					put_hole(w, r, id, stamp, payload, more, id + 1, clock);
					if (more >= 0)
						know(&n, r, id, stamp, payload);
					else
						cancelled++;
					know(&n, r, id + 1, clock, 10);
					id += 2;
				}
			}
			until = rnd_below(&rnd, 4) ? clock - rnd_below(&rnd, 2000) : clock + 1;
			left += pass(test, w, until,
				     rnd_below(&rnd, 3) ? 1 << 18 : rnd_below(&rnd, 2000));
			naive_check(test, &n, w, rings, until);
		}
		left += pass(test, w, ALL, 1 << 18);
		naive_check(test, &n, w, rings, ALL);
		KUNIT_EXPECT_EQ(test, n.nr, 0U);
		for (r = 0; r < rings; r++) {
			consumed += w->ring[r]->consumed;
			KUNIT_EXPECT_EQ(test, w->ring[r]->tail, w->ring[r]->head);
		}
		KUNIT_EXPECT_EQ(test, consumed, left);
		KUNIT_EXPECT_EQ(test, left, id - cancelled);
		KUNIT_EXPECT_GT(test, left, 300ULL);
	}
}

/* clang-format off */
static struct kunit_case cases[] = {
	KUNIT_CASE(add),
	KUNIT_CASE(order),
	KUNIT_CASE(watermark),
	KUNIT_CASE(late_cpu),
	KUNIT_CASE(late_record),
	KUNIT_CASE(during),
	KUNIT_CASE(unpublished),
	KUNIT_CASE(holes),
	KUNIT_CASE(hole_alone),
	KUNIT_CASE(runs),
	KUNIT_CASE(many_runs),
	KUNIT_CASE(limit),
	KUNIT_CASE(wall),
	KUNIT_CASE(seconds),
	KUNIT_CASE(whole),
	KUNIT_CASE(random),
	{}
};
/* clang-format on */

static struct kunit_suite suite = {
	.name = "ktrace_merge",
	.test_cases = cases,
};

kunit_test_suite(suite);
