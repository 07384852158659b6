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

/* A place in the runs for what begins at @p; false if there is none left. */
static bool begin_run(struct ktrace_merge *m, u8 *p)
{
	struct kvec *v = m->vec + m->vecs - 1;

	if (m->vecs && (u8 *)v->iov_base + v->iov_len == p)
		return true;
	if (m->vecs == KTRACE_MERGE_VECS)
		return false;
	v = m->vec + m->vecs++;
	v->iov_base = p;
	v->iov_len = 0;
	return true;
}

/* A record's time is in another second than the last one's. */
static noinline void new_second(struct ktrace_merge *m, u64 now)
{
	u32 nsec;

	m->sec = div_u64_rem(now, NSEC_PER_SEC, &nsec);
	m->sec_start = now - nsec;
}

/* The stamp from which on the earliest ring is not the earliest any more, or has reached T. */
static u64 bound_of(const struct ktrace_merge *m)
{
	const struct ktrace_cursor *first = &m->cursor[m->heap[0]], *second;
	u64 bound;

	if (m->heap_nr < 2)
		return m->until;
	second = &m->cursor[m->heap[1]];
	if (m->heap_nr > 2 && before(m, m->heap[2], m->heap[1]))
		second = &m->cursor[m->heap[2]];
	bound = second->stamp + (first->ring->cpu < second->ring->cpu);
	return min(bound, m->until);
}

/*
 * Records of a ring, up to a hole: as they lie there, without a look at another ring.
 *
 * @c: at a record that leaves, for which there is a place in the runs
 * @bound: those stamped before it leave, too, as long as they fit in @limit
 */
static void take_records(struct ktrace_merge *m, struct ktrace_cursor *c, u64 bound, size_t limit)
{
	const u32 header = ktrace_record_header_size(m->v1), cpu = c->ring->cpu;
	u8 *const begin = ktrace_ring_at(c->ring, c->pos), *const end = begin + (c->end - c->pos);
	u8 *p = begin, *const most = begin + limit - min(limit, m->bytes);
	u32 len = header + ktrace_record_len(p), aux;
	u64 stamp = c->stamp, now = m->last, records = 0;
	const bool v1 = m->v1;

	for (;;) {
		now = max(stamp + m->wall, now); /* M1 */
		if (unlikely(now - m->sec_start >= NSEC_PER_SEC))
			new_second(m, now);
		aux = ktrace_record_aux(p);
		ktrace_record_finish(p, v1, cpu, m->sec, now - m->sec_start, &m->names);
		p += len;
		records++;
		if (unlikely(aux) || p >= end || ktrace_record_type(p) == KTRACE_TYPE_HOLE)
			break;
		len = header + ktrace_record_len(p);
		stamp = max(stamp, ktrace_record_stamp(p));
		if (stamp >= bound || p + len > most)
			break;
	}
	m->last = now;
	m->vec[m->vecs - 1].iov_len += p - begin;
	m->bytes += p - begin;
	m->records += records;
	c->pos += p - begin + aux;
	c->records += records;
	c->stamp = stamp;
}

/*
 * Take records of the earliest ring for as long as it stays the earliest.
 * False when the runs are full.
 */
static bool take_run(struct ktrace_merge *m, size_t limit)
{
	struct ktrace_cursor *c = &m->cursor[m->heap[0]];
	u8 *p = ktrace_ring_at(c->ring, c->pos);
	u32 len = ktrace_record_header_size(m->v1) + ktrace_record_len(p);

	if ((m->bytes && m->bytes + len > limit) || !begin_run(m, p))
		return false;
	take_records(m, c, bound_of(m), limit);
	if (!find_record(m, c))
		m->heap[0] = m->heap[--m->heap_nr];
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

/** ktrace_merge_left - has the pass, at its end, seen records that stay (M3)? */
bool ktrace_merge_left(const struct ktrace_merge *m)
{
	u32 i;

	for (i = 0; i < m->nr; i++)
		if (m->cursor[i].pos != m->cursor[i].end)
			return true;
	return false;
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
