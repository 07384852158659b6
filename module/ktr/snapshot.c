// SPDX-License-Identifier: GPL-2.0
#include <linux/bitmap.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/utsname.h>
#include <linux/vmalloc.h>

#include "control.h"
#include "record.h"
#include "rings.h"
#include "snapshot.h"
#include "stream.h"
#include "sys/ktr.h"

/**
 * struct ktr_snapshot - (its user's own)
 * @header: of the stream
 * @stream: which formats were in it
 * @slots: events, CPU by CPU, the oldest first
 * @nr: how many
 * @lost: of each CPU, by number
 * @started: the header has been given
 * @cpu: whose @lost is next
 * @next: event that is next
 * @chunk: what was given last
 */
struct ktr_snapshot {
	struct ktr_stream_header header;
	struct ktr_stream stream;
	struct ktr_slot *slots;
	u64 nr;
	u64 *lost;
	bool started;
	unsigned int cpu;
	u64 next;
	u8 chunk[KTR_STREAM_EVENT_MAX] __aligned(8);
};

/**
 * ktr_snapshot_header - of a stream that begins now
 * @header: zero
 * @source: enum ktr_stream_source
 *
 * Context: with the control mutex.
 */
void ktr_snapshot_header(struct ktr_stream_header *header, u32 source)
{
	memcpy(header->magic, KTR_STREAM_MAGIC, sizeof(header->magic));
	header->version = KTR_STREAM_VERSION;
	header->len = sizeof(*header);
	header->cpus = num_possible_cpus();
	header->entries = ktr_settings.entries;
	header->mask = ktr_mask;
	header->source = source;
	header->wall = ktime_get_real_ns() - ktime_get_mono_fast_ns();
	strscpy(header->release, init_utsname()->release, sizeof(header->release));
}

/* The newest events that there were when the ring's head was @head; *lost: what is missing. */
static void take(struct ktr_snapshot *snapshot, const struct ktr_ring *ring, u64 head, u64 *lost)
{
	u64 n = head - min_t(u64, head, ktr_settings.entries);

	*lost = ktr_ring_lost(ring);
	for (; n < head; n++) {
		switch (ktr_ring_read(ring, n, &snapshot->slots[snapshot->nr])) {
		case KTR_RING_GOT:
			snapshot->nr++;
			break;
		case KTR_RING_OVERWRITTEN:
			++*lost;
			break;
		case KTR_RING_ABSENT: /* Not whole yet, or counted by the ring. */
			break;
		}
		if (!(n % 1024))
			cond_resched();
	}
}

static int take_all(struct ktr_snapshot *snapshot)
{
	u64 *heads = kcalloc(nr_cpu_ids, sizeof(*heads), GFP_KERNEL);
	u64 total = 0;
	int cpu;

	if (!heads)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		heads[cpu] = ktr_ring_head(ktr_rings_of(cpu));
		total += min_t(u64, heads[cpu], ktr_settings.entries);
	}
	if (total)
		snapshot->slots = __vmalloc(total * sizeof(*snapshot->slots),
					    GFP_KERNEL_ACCOUNT | __GFP_NOWARN | __GFP_NORETRY);
	if (total && !snapshot->slots) {
		kfree(heads);
		return -ENOMEM;
	}
	for_each_possible_cpu(cpu)
		take(snapshot, ktr_rings_of(cpu), heads[cpu], &snapshot->lost[cpu]);
	kfree(heads);
	return 0;
}

/**
 * ktr_snapshot_new - take a snapshot
 *
 * Context: process.  Return: it, to be freed; or ERR_PTR(-ENOMEM), ERR_PTR(-EINTR): killed.
 */
struct ktr_snapshot *ktr_snapshot_new(void)
{
	struct ktr_snapshot *snapshot = kzalloc(sizeof(*snapshot), GFP_KERNEL_ACCOUNT);
	int err;

	if (!snapshot)
		return ERR_PTR(-ENOMEM);
	err = mutex_lock_killable(&ktr_control_mutex);
	if (err) {
		kfree(snapshot);
		return ERR_PTR(err);
	}
	err = -ENOMEM;
	ktr_snapshot_header(&snapshot->header, KTR_SOURCE_RING);
	snapshot->stream.pool = &ktr_pool;
	snapshot->stream.sent = bitmap_zalloc(ktr_pool.formats_max + 1, GFP_KERNEL_ACCOUNT);
	snapshot->lost = kcalloc(nr_cpu_ids, sizeof(*snapshot->lost), GFP_KERNEL_ACCOUNT);
	if (snapshot->stream.sent && snapshot->lost)
		err = ktr_rings_exist() ? take_all(snapshot) : 0;
	mutex_unlock(&ktr_control_mutex);
	if (err) {
		ktr_snapshot_free(snapshot);
		return ERR_PTR(err);
	}
	return snapshot;
}

void ktr_snapshot_free(struct ktr_snapshot *snapshot)
{
	vfree(snapshot->slots);
	kfree(snapshot->lost);
	bitmap_free(snapshot->stream.sent);
	kfree(snapshot);
}

/**
 * ktr_snapshot_next - the next piece of its stream
 * @snapshot: by nobody else meanwhile
 * @len: gets its length
 *
 * Return: the piece, which holds until the next call; NULL: that was all.
 */
const u8 *ktr_snapshot_next(struct ktr_snapshot *snapshot, u32 *len)
{
	if (!snapshot->started) {
		snapshot->started = true;
		*len = sizeof(snapshot->header);
		return (const u8 *)&snapshot->header;
	}
	while (snapshot->cpu < nr_cpu_ids) {
		unsigned int cpu = snapshot->cpu++;

		if (snapshot->lost[cpu]) {
			*len = ktr_stream_lost(cpu, snapshot->lost[cpu], snapshot->chunk);
			return snapshot->chunk;
		}
	}
	if (snapshot->next == snapshot->nr)
		return NULL;
	*len = ktr_stream_event(&snapshot->stream, &snapshot->slots[snapshot->next++],
				snapshot->chunk);
	return snapshot->chunk;
}
