// SPDX-License-Identifier: GPL-2.0
#include <linux/module.h>

#include "record.h"
#include "ring.h"
#include "util.h"

#include "ringmem.c"

static unsigned int seed = 1;
module_param(seed, uint, 0444);
MODULE_PARM_DESC(seed, "for the random tests");

void rnd_init(struct rnd *r, u32 salt)
{
	r->state = ((u64)seed << 32 | salt) * 0x9e3779b97f4a7c15ULL | 1;
}

u32 rnd_next(struct rnd *r)
{
	r->state ^= r->state >> 12;
	r->state ^= r->state << 25;
	r->state ^= r->state >> 27;
	return (r->state * 0x2545f4914f6cdd1dULL) >> 32;
}

u32 rnd_below(struct rnd *r, u32 n)
{
	return rnd_next(r) % n;
}

struct ring_params {
	u32 size;
	u32 cpu;
};

static int ring_resource_init(struct kunit_resource *res, void *context)
{
	const struct ring_params *params = context;

	res->data = ktrace_ringmem_alloc(params->size, 0);
	return res->data ? 0 : -ENOMEM;
}

static void ring_resource_free(struct kunit_resource *res)
{
	ktrace_ringmem_free(res->data);
}

struct ktrace_ring *kunit_ring(struct kunit *test, u32 size, u32 cpu)
{
	struct ring_params params = { .size = size };
	struct ktrace_ring *ring;

	ring = kunit_alloc_resource(test, ring_resource_init, ring_resource_free, GFP_KERNEL,
				    &params);
	KUNIT_ASSERT_NOT_NULL(test, ring);
	ring->cpu = cpu;
	return ring;
}

void kunit_ring_at(struct ktrace_ring *ring, u64 pos)
{
	ring->head = pos;
	ring->commit = pos;
	ring->tail = pos;
}

u32 test_header_size(bool v1)
{
	return v1 ? 64 : 56;
}

static u8 payload_byte(u32 cpu, u64 id, u32 i)
{
	return (cpu * 31 + id * 7 + i * 13) ^ (i >> 5) ^ 0x5a;
}

static const char name[KTRACE_TASK_COMM] = "kunit\0and a rest";

void test_record_fill(u8 *p, bool v1, u32 payload, u32 cpu, u64 id, u64 stamp)
{
	u32 header = test_header_size(v1), i;

	/* What the merge has to write. */
	memset(p, 0xee, header);
	ktrace_record_header(p, KTR_USER, payload, cpu, id, name, stamp);
	for (i = 0; i < payload; i++)
		p[header + i] = payload_byte(cpu, id, i);
}

/* What is the same in the ring and in the file. */
static const char *record_wrong(const u8 *p, bool v1, u32 payload, u32 cpu, u64 id)
{
	u32 i;

	if (get_unaligned_le32(p) != payload)
		return "length";
	if (get_unaligned_le32(p + 8) != cpu)
		return "pid";
	if (get_unaligned_le64(p + 48) != id)
		return "tid";
	p += test_header_size(v1);
	for (i = 0; i < payload; i++)
		if (p[i] != payload_byte(cpu, id, i))
			return "payload";
	return NULL;
}

const char *test_record_wrong(const u8 *p, bool v1, u32 payload, u32 cpu, u64 id)
{
	if (get_unaligned_le16(p + 4) != KTR_USER)
		return "type";
	if (memcmp(p + 12, name, KTRACE_TASK_COMM))
		return "comm";
	return record_wrong(p, v1, payload, cpu, id);
}

const char *test_record_wrong_in_file(const u8 *p, bool v1, u32 payload, u32 cpu, u64 id)
{
	if (get_unaligned_le32(p + 4) != (v1 ? KTR_USER | KTR_VERSIONED | 1 << 16 : KTR_USER))
		return "type or version";
	if (memcmp(p + 12, "kunit\0\0\0\0\0\0\0\0\0\0\0\0\0\0", KTRACE_COMM_LEN))
		return "comm";
	if (v1 && get_unaligned_le64(p + 56) != cpu)
		return "cpu";
	return record_wrong(p, v1, payload, cpu, id);
}

bool walk_ring(const struct ktrace_ring *ring, bool v1, u64 pos, u64 end, struct walk *w)
{
	while (pos < end) {
		const u8 *p = ring->data + pos % ring->size;
		u32 len = get_unaligned_le32(p);

		if ((get_unaligned_le16(p + 4) & 0x3fff) == 0x3fff) {
			pos += 56 + len;
			continue;
		}
		w->p = p;
		w->payload = len;
		w->stamp = get_unaligned_le64(p + 32);
		w->id = get_unaligned_le64(p + 48);
		w->next = pos + test_header_size(v1) + len + get_unaligned_le16(p + 6);
		return true;
	}
	return false;
}

MODULE_DESCRIPTION("KUnit suites of ktrace");
MODULE_LICENSE("GPL");

u8 *kunit_reserve(struct ktrace_ring *ring, u32 len, struct ktrace_slot *slot)
{
	struct ktrace_slot aimed;

	if (ktrace_ring_aim(ring, len, &aimed) > ring->size || !ktrace_ring_take(ring, &aimed))
		return NULL;
	*slot = aimed;
	return ktrace_ring_at(ring, slot->pos);
}

void kunit_publish(struct ktrace_ring *ring, const struct ktrace_slot *slot)
{
	if (!ktrace_slot_empty(slot))
		ktrace_ring_publish(ring, slot);
}
