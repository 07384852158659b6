/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session: a trace file that is being written.
 *
 * Locking overview
 * ----------------
 * In this order, outermost first; nobody takes one of them the other way round.
 *
 *  cpus_read_lock()	the set of online CPUs (enlist; the hotplug callbacks
 *			hold it for writing)
 *  sessions_lock	mutex: the list of sessions; users going from and to 0;
 *			rings being added to those in the list
 *  hooks_lock		mutex (hooks.c): which hooks are registered
 *  proc->lock		spinlock (proc.h): what a process is traced for
 *  bucket lock		spinlock (proc.c): a chain of the hash of processes
 *  session->spare_lock	raw spinlock, irqs off: the spare deferred works
 *  user_lock		spinlock (user.c): memory per uid
 *
 * The kernel's locks: nothing here is held while a file is opened, written or
 * truncated, while another process's memory or credentials are asked for, or while
 * memory is charged to a user's cgroup, which can take as long as he likes (who brings
 * a CPU online, root, pays for its rings with both mutexes held).
 * Probes run with siglock or a runqueue lock held: they take spare_lock only,
 * and wake the writer through irq_work.
 *
 * Lifetime
 * --------
 * refs: memory.  Held by users > 0 (one), every deferred work, every ioctl that
 *	looks at the session.  The last put frees, after an RCU grace period.
 * users: traces.  Held by every traced process and every ioctl that may set one.
 *	When the last goes, the session ends: make dead (off the list, ending),
 *	wait (the writer writes what is left and says finished), free (put).
 *	Only sleepable contexts drop the last, never the writer.
 *
 * Who may still hold a session that ended: a probe that found it through a
 * process (preempt-disabled: an RCU reader), a deferred work that waits (woken
 * by the end), an ioctl (has a ref).
 *
 * A session pins the module from creation until it has ended; a deferred work
 * does so by the file it hangs on.
 */
#ifndef KTRACE_SESSION_H
#define KTRACE_SESSION_H

#include <linux/completion.h>
#include <linux/cred.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "merge.h"
#include "ring.h"

struct ktrace_user;
struct file;
struct pid_namespace;

#define KTRACE_DRAIN_TIMEOUT (5 * HZ) /* at exit, CLEAR, flush */

/**
 * enum ktrace_wake - why the writer is to run
 * @KTRACE_WAKE_PENDING: it sleeps, and there is a record: within its nap
 * @KTRACE_WAKE_URGENT: now: a ring fills, or somebody waits
 */
enum ktrace_wake {
	KTRACE_WAKE_PENDING,
	KTRACE_WAKE_URGENT,
};

/**
 * struct ktrace_session - one trace file, one writer
 *
 * Identity, const: @file (O_APPEND, the opener's), @inode (pinned by @file),
 * @cred (the opener's; used only to write), @memcg (likewise: who pays for the pages of the
 * file), @pid_ns, @v1.
 * @fsize_limit: the opener's RLIMIT_FSIZE (const)
 *
 * Hot, read by probes:
 * @ring: of each CPU; NULL until the CPU's first preparation (set once, release)
 * @unusual: @dead, or of a pid namespace that is not the first (set once)
 * @header: bytes of a record's header (const)
 * @calm: bytes in a ring up to which nothing is to be done: the lesser of @quarter and @share
 *	(const)
 * @dead: records go nowhere any more: ended, or writing failed (set once)
 * @idle: the writer sleeps without a timer (writer; cleared by who wakes it)
 * @urgent: set by who needs it now, cleared by the writer
 * @size: bytes per ring (const); @quarter, @half: thresholds (const)
 * @init_ns: @pid_ns is the first (const)
 * @pool: request_pool (const)
 * @share: bytes that a CPU's share of @pool takes at least: what rings hold within it is not
 *	counted, so that records in flight are twice @pool at most (const)
 *
 * Waiting:
 * @writer_wait: the writer; @done_wait: drains and hold-backs
 * @over_limit: the process, in @pid_ns, whose record would have passed @fsize_limit; 0: none
 * @written: everything stamped before is in the file (writer)
 * @stalled: a hold-back saw no progress; none is tried until there is some
 * @stuck: a drain took too long; nobody waits for the end any more, until the writer gets on
 * @progress: bytes consumed ever (writer)
 *
 * @spare: deferred works ready to be armed (spare_lock); @spare_nr of them;
 * @threads: threads of the processes traced, about: how many there should be
 */
struct ktrace_session {
	struct ktrace_ring *__percpu *ring;
	bool unusual;
	bool v1;
	u32 header;
	int idle;
	u32 calm;
	bool dead;
	bool init_ns;
	bool stalled;
	bool stuck;
	int urgent;
	u32 size, quarter, half;
	u32 pool, share;
	struct pid_namespace *pid_ns;

	refcount_t users ____cacheline_aligned;
	refcount_t refs;
	struct list_head list; /* sessions_lock */
	struct file *file;
	struct inode *inode;
	const struct cred *cred;
	struct mem_cgroup *memcg;
	u64 fsize_limit;
	struct ktrace_user *user;
	u32 rings; /* allocated (who makes it; then sessions_lock) */
	u32 cpus; /* that may ever be (const) */

	struct task_struct *writer;
	wait_queue_head_t writer_wait;
	wait_queue_head_t done_wait;
	struct irq_work wake;
	struct ktrace_merge merge; /* writer only */
	bool ending;
	int error; /* of writing (writer) */
	pid_t over_limit; /* (writer) */
	struct completion finished;
	u64 written;
	u64 progress;
	atomic64_t written_records;

	raw_spinlock_t spare_lock;
	struct list_head spare;
	u32 spare_nr;
	atomic_t threads;

	atomic_t processes;
	atomic64_t lost_hook;
	atomic64_t lost_memory;
	atomic64_t lost_noring;
	atomic64_t held;

	struct work_struct reap; /* its writer took too long, and has ended */
	struct workqueue_struct *reaper; /* for it (who ended the session) */
	atomic_t handed_over; /* by who ended the session, and by its writer */
	struct work_struct failed; /* writing failed */
	struct work_struct late; /* puts from atomic context */
	atomic_t late_puts;
	struct rcu_work free;
};

int ktrace_session_init(void (*failed)(struct work_struct *work));
void ktrace_session_exit(void);

struct ktrace_session *ktrace_session_get(struct file *file, bool v1);
void ktrace_session_put(struct ktrace_session *s);
void ktrace_session_put_later(struct ktrace_session *s);
void ktrace_session_unref(struct ktrace_session *s);
void ktrace_session_failed(struct ktrace_session *s);

void ktrace_session_wake(struct ktrace_session *s, enum ktrace_wake why);
void ktrace_session_kill(struct ktrace_session *s);
bool ktrace_session_drained(struct ktrace_session *s, u64 stamp);
int ktrace_session_drain(struct ktrace_session *s, u64 stamp, unsigned long end, bool killable);
void ktrace_session_hold(struct ktrace_session *s, const struct ktrace_ring *ring);
void ktrace_session_ended(struct ktrace_session *s);
u64 ktrace_session_clock(void);

struct ktrace_ioc_stats;
int ktrace_session_collect(const struct inode *inode, struct ktrace_session ***list);
void ktrace_session_stats(struct ktrace_session *s, struct ktrace_ioc_stats *stats);
void ktrace_session_file_stats(const struct inode *inode, struct ktrace_ioc_stats *stats);
void ktrace_session_totals(struct ktrace_ioc_stats *stats);
bool ktrace_session_mine(const struct ktrace_session *s);

/**
 * ktrace_session_in_flight - records that are not in the file yet
 * @s: the session
 * @used: bytes of one of its rings
 *
 * As of a moment ago; never too few but for those that other CPUs make just now.
 *
 * Context: any.
 * Return: how many; 0 if @used is within the ring's share.
 */
static inline u64 ktrace_session_in_flight(struct ktrace_session *s, u64 used)
{
	u64 recorded = 0, written;
	unsigned int cpu;

	if (likely(used <= s->share))
		return 0;
	written = atomic64_read(&s->written_records);
	smp_rmb(); /* before recorded, so that it is never more */
	for_each_possible_cpu(cpu) {
		/* Pairs with add_ring(). */
		const struct ktrace_ring *ring = smp_load_acquire(per_cpu_ptr(s->ring, cpu));

		if (ring)
			recorded += local_read(&ring->count[KTRACE_RECORDED]);
	}
	return recorded - written;
}

/**
 * ktrace_session_behind - is there more to write than a part of what there is room for?
 * @s: the session
 * @used: bytes of one of its rings
 * @flying: ktrace_session_in_flight()
 * @part: 2: half of the ring or of request_pool, 4: a quarter
 */
static inline bool ktrace_session_behind(const struct ktrace_session *s, u64 used, u64 flying,
					 u32 part)
{
	return used > s->size / part || flying > s->pool / part;
}

/* A probe found a way in while users > 0: its process holds one. */
static inline void ktrace_session_hold_user(struct ktrace_session *s)
{
	refcount_inc(&s->users);
}

/* A process leaves, and another of the session's is locked: its hold is not the last. */
static inline void ktrace_session_drop_user(struct ktrace_session *s)
{
	refcount_dec(&s->users);
}

static inline void ktrace_session_ref(struct ktrace_session *s)
{
	refcount_inc(&s->refs);
}

#endif /* KTRACE_SESSION_H */
