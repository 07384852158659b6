/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * ktr's stream: what /dev/ktr and an ALQ file have, and what ktrdump makes of
 * a memory image.
 *
 * It needs nothing but itself to be read: formats travel in it before the
 * events that use them, strings that %s stands for are in the events.
 *
 * A stream is one struct ktr_stream_header, then chunks.  A chunk is a struct
 * ktr_chunk and what its type says, and as long as @len, a multiple of 8.
 * Unknown types are to be skipped.  A stream that is cut short is good up to
 * its last whole chunk.  Events come in the order in which they were written,
 * CPU by CPU or mixed: who wants them in order sorts by timestamp.
 *
 * Little endian, natural alignment, padding is zero.
 *
 * /dev/ktr (mode 0400, root only): open(2) takes a snapshot of the ring, of
 * the newest debug.ktr.entries events of each CPU; read(2) gives it, to its
 * end.  Recording goes on meanwhile.
 */
#ifndef _KTR_FORMAT_H_
#define _KTR_FORMAT_H_

#ifdef __KERNEL__
#include <linux/build_bug.h>
#include <linux/types.h>
#else
#include <assert.h>
#include <linux/types.h>
#endif

#define KTR_STREAM_MAGIC   "KTRstrm\n"
#define KTR_STREAM_VERSION 1
#define KTR_STREAM_PARMS   6

struct ktr_stream_header {
	char magic[8]; /* KTR_STREAM_MAGIC without NUL */
	__u32 version;
	__u32 len; /* of this header: chunks begin there; newer ones may be longer */
	__u32 cpus; /* possible ones */
	__u32 entries; /* debug.ktr.entries, of each CPU */
	__u32 mask; /* debug.ktr.mask */
	__u32 source; /* enum ktr_stream_source */
	__s64 wall; /* added to a timestamp: CLOCK_REALTIME, nanoseconds */
	char release[64]; /* of the kernel, NUL-terminated */
};

enum ktr_stream_source {
	KTR_SOURCE_RING = 1, /* a snapshot */
	KTR_SOURCE_ALQ,
	KTR_SOURCE_CORE,
};

struct ktr_chunk {
	__u32 len; /* with this header */
	__u16 type; /* enum ktr_chunk_type */
	__u16 flags; /* 0 */
};

enum ktr_chunk_type {
	KTR_CHUNK_FORMAT = 1,
	KTR_CHUNK_EVENT,
	KTR_CHUNK_LOST,
};

/*
 * A place in the source that records events.  The same place may have several IDs, an ID
 * has one place.
 */
struct ktr_chunk_format {
	struct ktr_chunk chunk;
	__u32 id; /* not 0 */
	__u32 line;
	__u16 file_len; /* of what follows: the file's name, then the format, neither with a NUL */
	__u16 desc_len;
	__u32 pad;
	/* bytes */
};

/* An event. */
struct ktr_chunk_event {
	struct ktr_chunk chunk;
	__u32 format; /* ID; 0: there was no room for its format in the kernel */
	__s32 cpu;
	__u64 timestamp; /* nanoseconds, CLOCK_MONOTONIC */
	__u64 thread; /* the task's address: tells threads apart, nothing else */
	__u64 parms[KTR_STREAM_PARMS];
	/*
	 * Parameters whose strings follow, by bit, in their order, each with
	 * its NUL; KTR_EVENT_CUT beside them: the last one was cut.
	 */
	__u32 strings;
#define KTR_EVENT_CUT 0x80000000
	__s32 pid; /* of the thread */
	/* bytes */
};

/* Events that are not in the stream, and ought to be. */
struct ktr_chunk_lost {
	struct ktr_chunk chunk;
	__s32 cpu; /* -1: not known */
	__u32 pad;
	__u64 count;
};

static_assert(sizeof(struct ktr_stream_header) == 104, "ktr_stream_header");
static_assert(sizeof(struct ktr_chunk_format) == 24, "ktr_chunk_format");
static_assert(sizeof(struct ktr_chunk_event) == 88, "ktr_chunk_event");
static_assert(sizeof(struct ktr_chunk_lost) == 24, "ktr_chunk_lost");

/*
 * The recorder in memory, for whoever has nothing else of a machine: a crash
 * dump or /proc/kcore.  An anchor is found by its magic at a multiple of 64
 * bytes, and says where the rest is by physical address.
 */
#define KTR_ANCHOR_MAGIC0 \
	0x72746b2d726f6863ULL /* each XORed with KTR_ANCHOR_XOR in the reader's source, */
#define KTR_ANCHOR_MAGIC1 \
	0x6e612d72746b2d58ULL /* so that no program's memory looks like an anchor */
#define KTR_ANCHOR_VERSION 1

/* Some pages of memory that follow each other. */
struct ktr_extent {
	__u64 phys;
	__u64 len; /* bytes */
};

/*
 * All lengths in bytes.  Extents of a thing are in order; together they are
 * the thing.  While @generation is odd, or when it differs between two looks,
 * the extents are being changed.
 */
struct ktr_anchor {
	__u64 magic[2];
	__u32 version;
	__u32 len; /* of this structure */
	__u32 generation;
	__u32 cpus; /* possible ones: rings that there may be */
	__u32 entries; /* debug.ktr.entries */
	__u32 slots; /* of each ring: a power of two */
	__u32 slot_len; /* sizeof(struct ktr_slot) */
	__u32 mask;
	__s64 wall;
	char release[64];
	struct ktr_extent rings; /* @cpus struct ktr_extent lists, see ring_extents */
	__u32 ring_extents; /* extents of each ring, in @rings, ring by ring */
	__u32 pad;
	struct ktr_extent formats; /* struct ktr_pool_format, by ID - 1 */
	__u32 formats_used;
	__u32 strings_used;
	struct ktr_extent strings; /* what they point into */
};

/* A format in the kernel's pool. */
struct ktr_pool_format {
	__u32 line;
	__u32 file; /* offset in the strings, NUL-terminated there */
	__u32 desc;
	__u32 ready; /* 1 when the others hold */
};

/* As <sys/ktr.h> has it, in fixed-width types. */
struct ktr_entry64 {
	__u64 timestamp;
	__s32 cpu;
	__s32 line;
	__u64 file; /* pointers, of no use outside the kernel */
	__u64 desc;
	__u64 thread;
	__u64 parms[KTR_STREAM_PARMS];
};

/* One event in a ring. */
#define KTR_SLOT_TEXT 80
struct ktr_slot {
	/* 2 n + 2: has the ring's event n whole; odd: is being written; 0: nothing */
	__u64 sequence;
	struct ktr_entry64 entry;
	__u32 format; /* ID */
	__u32 strings; /* as in struct ktr_chunk_event */
	__s32 pid;
	__u32 pad;
	char text[KTR_SLOT_TEXT]; /* the strings */
};

static_assert(sizeof(struct ktr_slot) == 192, "ktr_slot");

#endif /* _KTR_FORMAT_H_ */
