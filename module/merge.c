// SPDX-License-Identifier: GPL-2.0
#include <linux/errno.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "merge.h"
#include "record.h"

/**
 * ktrace_merge_add - one more ring
 * @m: not between begin and consume
 * @ring: empty or not; a ring never leaves
 *
 * Return: 0, or -ENOSPC when nr_max rings are there.
 */
int ktrace_merge_add(struct ktrace_merge *m, struct ktrace_ring *ring)
{
	struct ktrace_cursor *c;

	if (m->nr == m->nr_max)
		return -ENOSPC;
	c = &m->cursor[m->nr++];
	c->ring = ring;
	c->pos = ring->tail;
	c->end = c->pos;
	c->stamp = 0;
	c->records = 0;
	return 0;
}

static u32 hole_size(const u8 *p)
{
	return sizeof(struct ktrace_header_v0) + ktrace_record_len(p);
}

/* Step over holes; true if a record of before @until is at c->pos. */
static bool find_record(struct ktrace_merge *m, struct ktrace_cursor *c)
{
	while (c->pos < c->end) {
		const u8 *p = ktrace_ring_at(c->ring, c->pos);

		if (ktrace_record_type(p) != KTRACE_TYPE_HOLE) {
			c->stamp = max(c->stamp, ktrace_record_stamp(p));
			return c->stamp < m->until;
		}
		c->pos += hole_size(p);
	}
	return false;
}

static bool before(const struct ktrace_merge *m, u32 a, u32 b)
{
	const struct ktrace_cursor *x = &m->cursor[a], *y = &m->cursor[b];

	return x->stamp != y->stamp ? x->stamp < y->stamp : x->ring->cpu < y->ring->cpu;
}

static void sift_down(struct ktrace_merge *m, u32 i)
{
	u16 *h = m->heap;

	for (;;) {
		u32 child = 2 * i + 1;

		if (child >= m->heap_nr)
			return;
		if (child + 1 < m->heap_nr && before(m, h[child + 1], h[child]))
			child++;
		if (!before(m, h[child], h[i]))
			return;
		swap(h[child], h[i]);
		i = child;
	}
}

/**
 * ktrace_merge_begin - begin a pass
 * @m: consumed
 * @until: T, see merge.h
 */
void ktrace_merge_begin(struct ktrace_merge *m, u64 until)
{
	u32 i;

	m->until = until;
	m->heap_nr = 0;
	for (i = 0; i < m->nr; i++) {
		struct ktrace_cursor *c = &m->cursor[i];

		c->end = ktrace_ring_committed(c->ring);
		if (find_record(m, c))
			m->heap[m->heap_nr++] = i;
	}
	for (i = m->heap_nr / 2; i-- > 0;)
		sift_down(m, i);
}

/* Add [p, p + len) to the runs; false if there is no vec left. */
static bool add_run(struct ktrace_merge *m, u8 *p, u32 len)
{
	struct kvec *v = m->vec + m->vecs - 1;

	if (!m->vecs || (u8 *)v->iov_base + v->iov_len != p) {
		if (m->vecs == KTRACE_MERGE_VECS)
			return false;
		v = m->vec + m->vecs++;
		v->iov_base = p;
		v->iov_len = 0;
	}
	v->iov_len += len;
	m->bytes += len;
	m->records++;
	return true;
}

/* Wall-clock time of the record at @p; M1. */
static void finish(struct ktrace_merge *m, u8 *p, u64 stamp)
{
	u64 now = max(stamp + m->wall, m->last);
	u32 nsec;

	m->last = now;
	if (now - m->sec_start >= NSEC_PER_SEC) {
		m->sec = div_u64_rem(now, NSEC_PER_SEC, &nsec);
		m->sec_start = now - nsec;
	}
	ktrace_record_finish(p, m->v1, m->sec, now - m->sec_start);
}

/*
 * Take records of the earliest ring for as long as it stays the earliest.
 * False when the runs are full.
 */
static bool take_run(struct ktrace_merge *m, size_t limit)
{
	const u32 header = ktrace_record_header_size(m->v1);
	struct ktrace_cursor *c = &m->cursor[m->heap[0]];
	u32 second = m->heap_nr > 1 ? 1 : 0;

	if (m->heap_nr > 2 && before(m, m->heap[2], m->heap[1]))
		second = 2;
	do {
		u8 *p = ktrace_ring_at(c->ring, c->pos);
		u32 len = header + ktrace_record_len(p);
		u32 aux = ktrace_record_aux(p);

		if ((m->bytes && m->bytes + len > limit) || !add_run(m, p, len))
			return false;
		finish(m, p, c->stamp);
		c->pos += len + aux;
		c->records++;
		if (!find_record(m, c)) {
			m->heap[0] = m->heap[--m->heap_nr];
			break;
		}
	} while (!second || !before(m, m->heap[second], m->heap[0]));
	sift_down(m, 0);
	return true;
}

/**
 * ktrace_merge_next - the next runs of the pass
 * @m: begun; what an earlier call found is consumed
 * @limit: bytes to find at most (a single record may be longer)
 *
 * Return: true with vec, vecs, bytes and records set; false at the pass's end.
 */
bool ktrace_merge_next(struct ktrace_merge *m, size_t limit)
{
	m->vecs = 0;
	m->bytes = 0;
	m->records = 0;
	while (m->heap_nr && take_run(m, limit))
		;
	return m->records > 0;
}

/** ktrace_merge_consume - the runs are written: give their memory back */
void ktrace_merge_consume(struct ktrace_merge *m)
{
	u32 i;

	for (i = 0; i < m->nr; i++) {
		struct ktrace_cursor *c = &m->cursor[i];

		if (c->pos != c->ring->tail)
			ktrace_ring_consume(c->ring, c->pos, c->records);
		c->records = 0;
	}
}

/**
 * ktrace_merge_whole - whole records in the beginning of the runs
 * @m: after ktrace_merge_next(), before consume
 * @bytes: of the runs that count
 * @whole: how many bytes of them are whole records
 *
 * Return: how many records that is.
 */
u64 ktrace_merge_whole(const struct ktrace_merge *m, size_t bytes, size_t *whole)
{
	const u32 header = ktrace_record_header_size(m->v1);
	size_t done = 0;
	u64 records = 0;
	u32 i;

	for (i = 0; i < m->vecs; i++) {
		size_t off = 0;

		while (off < m->vec[i].iov_len) {
			u32 len = header + ktrace_record_len((u8 *)m->vec[i].iov_base + off);

			if (done + len > bytes)
				goto out;
			off += len;
			done += len;
			records++;
		}
	}
out:
	*whole = done;
	return records;
}

/**
 * ktrace_merge_at - a record of the runs
 * @m: after ktrace_merge_next(), before consume
 * @bytes: before it, as ktrace_merge_whole() says
 *
 * Return: it; NULL at the end.
 */
const u8 *ktrace_merge_at(const struct ktrace_merge *m, size_t bytes)
{
	u32 i;

	for (i = 0; i < m->vecs; i++) {
		if (bytes < m->vec[i].iov_len)
			return (const u8 *)m->vec[i].iov_base + bytes;
		bytes -= m->vec[i].iov_len;
	}
	return NULL;
}
