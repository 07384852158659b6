// SPDX-License-Identifier: GPL-2.0
#include <linux/bitmap.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/moduleparam.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "alq.h"
#include "alq_file.h"
#include "control.h"
#include "drain.h"
#include "formats.h"
#include "rings.h"
#include "snapshot.h"
#include "stream.h"

/* An option of the build: make module KTR_ALQ=1. */
#ifndef KTR_ALQ
#define KTR_ALQ 0
#endif

static bool alq_enable = KTR_ALQ;
module_param(alq_enable, bool, 0444);
MODULE_PARM_DESC(alq_enable, "debug.ktr.alq_enable at first: events go to a file");
static char *alq_file = "/tmp/ktr.out";
module_param(alq_file, charp, 0444);
MODULE_PARM_DESC(alq_file, "debug.ktr.alq_file at first (/tmp/ktr.out)");

/* Bytes that are written at a time. */
#define WRITE_SIZE SZ_64K

struct ktr_alq_settings ktr_alq_settings;

/**
 * struct alq - while it is enabled: what the thread works with
 * @file: where to
 * @pos: its end
 * @stream: which formats were in it
 * @buffer: WRITE_SIZE bytes for the next write
 * @used: of them
 * @events: in them
 * @count: events in the file.  Read anywhere, and there until it is enabled again
 * @failed: events that should be in it; likewise
 * @err: why there is no more writing; read anywhere
 */
static struct alq {
	struct file *file;
	loff_t pos;
	struct ktr_stream stream;
	u8 *buffer;
	u32 used;
	u32 events;
	u64 count;
	u64 failed;
	int err;
} alq;

static void add(u64 *counter, u64 n)
{
	WRITE_ONCE(*counter, *counter + n);
}

/*
 * Of what is in the buffer, the events in the first @len bytes; *whole: where the last
 * whole chunk of them ends.
 */
static u32 events_in(const u8 *buffer, u32 used, u32 len, u32 *whole)
{
	u32 at = 0, events = 0;

	while (at < used) {
		const struct ktr_chunk *chunk = (const void *)(buffer + at);

		if (at + chunk->len > len)
			break;
		events += chunk->type == KTR_CHUNK_EVENT;
		at += chunk->len;
	}
	*whole = at;
	return events;
}

/* The disk is full, or broken: back to the ring. */
static void fail(struct ktr_drain *drain, loff_t began, int err)
{
	u32 whole, events;

	events = events_in(alq.buffer, alq.used, alq.pos - began, &whole);
	alq.pos = began + whole;
	ktr_alq_file_cut(alq.file, alq.pos);
	add(&alq.count, events);
	add(&alq.failed, alq.events - events);
	WRITE_ONCE(alq.err, err);
	ktr_drain_detach(drain);
	pr_notice("ktr: writing to alq_file failed (error %d): back to the ring\n", -err);
}

static void flush(struct ktr_drain *drain)
{
	loff_t began = alq.pos;
	int err;

	if (!alq.used || alq.err)
		return;
	err = ktr_alq_file_write(alq.file, alq.buffer, alq.used, &alq.pos);
	if (err)
		fail(drain, began, err);
	else
		add(&alq.count, alq.events);
	alq.used = 0;
	alq.events = 0;
}

static bool full(void)
{
	u64 max = READ_ONCE(ktr_alq_settings.max);

	return max && alq.count + alq.events >= max;
}

static void put_event(struct ktr_drain *drain, const struct ktr_slot *slot)
{
	if (alq.used > WRITE_SIZE - KTR_STREAM_EVENT_MAX)
		flush(drain);
	if (alq.err) {
		add(&alq.failed, 1);
		return;
	}
	if (full())
		return;
	alq.used += ktr_stream_event(&alq.stream, slot, alq.buffer + alq.used);
	alq.events++;
}

/* Events that found no room in a CPU's queue. */
static void put_lost(struct ktr_drain *drain, int cpu)
{
	u64 lost = ktr_queue_failed(drain->queues[cpu]);

	if (!lost || (!alq.err && full()))
		return;
	add(&alq.failed, lost);
	if (alq.used > WRITE_SIZE - sizeof(struct ktr_chunk_lost))
		flush(drain);
	if (!alq.err)
		alq.used += ktr_stream_lost(cpu, lost, alq.buffer + alq.used);
}

/*
 * What is there of one CPU: no more than its queue's length at a time, so that others come
 * to their turn.
 */
static void take(struct ktr_drain *drain, int cpu)
{
	struct ktr_queue *queue = drain->queues[cpu];
	const struct ktr_slot *slot;
	u64 n;

	for (n = 0; n < queue->depth && (slot = ktr_queue_peek(queue)); n++) {
		put_event(drain, slot);
		ktr_queue_next(queue);
		if (!(n % 256))
			cond_resched();
	}
	put_lost(drain, cpu);
}

static void pass(struct ktr_drain *drain)
{
	int cpu;

	for_each_possible_cpu(cpu)
		take(drain, cpu);
	flush(drain);
}

static struct ktr_drain drain = { .name = "ktr_alq", .way = KTR_WAY_ALQ, .pass = pass };

static void release(void)
{
	bitmap_free(alq.stream.sent);
	vfree(alq.buffer);
	if (alq.file)
		fput(alq.file);
	alq.stream.sent = NULL;
	alq.buffer = NULL;
	alq.file = NULL;
}

static int begin(void)
{
	struct ktr_stream_header header = {};
	struct file *file;
	int err;

	err = ktr_formats_start();
	if (err)
		return err;
	alq.stream.pool = &ktr_pool;
	alq.stream.sent = bitmap_zalloc(ktr_pool.formats_max + 1, GFP_KERNEL_ACCOUNT);
	alq.buffer = vmalloc(WRITE_SIZE);
	if (!alq.stream.sent || !alq.buffer)
		return -ENOMEM;
	file = ktr_alq_file_open(ktr_alq_settings.file);
	if (IS_ERR(file))
		return PTR_ERR(file);
	alq.file = file;
	ktr_snapshot_header(&header, KTR_SOURCE_ALQ);
	return ktr_alq_file_write(alq.file, &header, sizeof(header), &alq.pos);
}

static int enable(void)
{
	u32 depth = ktr_alq_settings.depth;
	int err = security_locked_down(LOCKDOWN_TRACEFS);

	if (err)
		return err;
	alq.pos = 0;
	alq.used = 0;
	alq.events = 0;
	err = begin();
	if (!err)
		err = ktr_drain_start(&drain, depth, max(depth / 2, 1U));
	if (err) {
		release();
		return err;
	}
	/* Nothing comes yet that would be counted. */
	WRITE_ONCE(alq.count, 0);
	WRITE_ONCE(alq.failed, 0);
	WRITE_ONCE(alq.err, 0);
	ktr_drain_attach(&drain);
	return 0;
}

/** ktr_alq_enabled - do events go to the file? */
bool ktr_alq_enabled(void)
{
	return drain.task && !READ_ONCE(alq.err);
}

/**
 * ktr_alq_enable - from now on, events go to the file, or to the ring
 * @on: to the file
 *
 * Events that are on their way to the file are there afterwards.
 *
 * Return: 0, or -errno: they go to the ring.
 */
int ktr_alq_enable(bool on)
{
	lockdep_assert_held(&ktr_control_mutex);
	if (on == ktr_alq_enabled() && (on || !drain.task))
		return 0;
	if (drain.task) {
		ktr_drain_stop(&drain);
		release();
	}
	return on ? enable() : 0;
}

/** ktr_alq_count - events that were written since it was enabled */
u64 ktr_alq_count(void)
{
	return READ_ONCE(alq.count);
}

/** ktr_alq_failed - events that found no room since it was enabled, in the queues or on the disk */
u64 ktr_alq_failed(void)
{
	return READ_ONCE(alq.failed);
}

/**
 * ktr_alq_set_file - the file for when it is enabled next
 * @path: absolute, and of a file
 *
 * Return: 0, -EINVAL, -ENAMETOOLONG.
 */
int ktr_alq_set_file(const char *path)
{
	const char *last = strrchr(path, '/');

	lockdep_assert_held(&ktr_control_mutex);
	if (*path != '/' || !last[1] || !strcmp(last, "/.") || !strcmp(last, "/.."))
		return -EINVAL;
	if (strlen(path) >= KTR_ALQ_PATH)
		return -ENAMETOOLONG;
	strscpy(ktr_alq_settings.file, path, KTR_ALQ_PATH);
	return 0;
}

/**
 * ktr_alq_set_depth - entries of each buffer for when it is enabled next
 * @depth: how many
 *
 * Return: 0 or -EINVAL.
 */
int ktr_alq_set_depth(u32 depth)
{
	lockdep_assert_held(&ktr_control_mutex);
	if (!depth || depth > KTR_RINGS_ENTRIES_MAX)
		return -EINVAL;
	ktr_alq_settings.depth = depth;
	return 0;
}

/**
 * ktr_alq_init - the settings as they are at first
 *
 * Context: module init, after ktr_control_init().  Return: 0 or -errno.
 */
int ktr_alq_init(void)
{
	int err;

	mutex_lock(&ktr_control_mutex);
	ktr_alq_settings.depth = ktr_settings.entries;
	err = ktr_alq_set_file(alq_file);
	if (!err && alq_enable)
		err = ktr_alq_enable(true);
	mutex_unlock(&ktr_control_mutex);
	if (err)
		pr_err("ktr: events cannot go to alq_file (error %d)\n", -err);
	return err;
}

/** ktr_alq_exit - what is on its way to the file is written.  Context: module exit. */
void ktr_alq_exit(void)
{
	mutex_lock(&ktr_control_mutex);
	ktr_alq_enable(false);
	mutex_unlock(&ktr_control_mutex);
}
