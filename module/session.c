// SPDX-License-Identifier: GPL-2.0
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/log2.h>
#include <linux/memcontrol.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/user_namespace.h>

#include "deferred.h"
#include "ktrace_format.h"
#include "ktrace_ioctl.h"
#include "record.h"
#include "ringmem.h"
#include "session.h"
#include "settings.h"
#include "user.h"
#include "writer.h"

#define DRAIN_ROUND (HZ / 25)

static DEFINE_MUTEX(sessions_lock);
static LIST_HEAD(sessions);
static LIST_HEAD(ending); /* whose last user has gone, until their writer has */
static struct ktrace_ioc_stats ended; /* sessions_lock */

/**
 * struct failure - what is left of a session to whose file writing failed
 * @list: the newest first
 * @dev: the file's file system
 * @ino: its inode
 * @generation: of it
 * @euid: whose session
 * @stats: its counters
 *
 * For who reads the file: all under sessions_lock.
 */
struct failure {
	struct list_head list;
	dev_t dev;
	unsigned long ino;
	u32 generation;
	kuid_t euid;
	struct ktrace_ioc_stats stats;
};

#define FAILURES_MAX  64 /* of all */
#define FAILURES_EACH 8 /* of one user, who may well make them on purpose */

static LIST_HEAD(failures);
static unsigned int failures_nr;
static struct workqueue_struct *reaper; /* sessions whose writer took too long */
static enum cpuhp_state hotplug_state;
static void (*detach_failed)(struct work_struct *work);

/** ktrace_session_clock - the clock of stamps: nanoseconds, any context */
u64 ktrace_session_clock(void)
{
	return ktime_get_mono_fast_ns();
}

/*
 * Memory.
 */

static void session_free(struct work_struct *work)
{
	struct ktrace_session *s = container_of(to_rcu_work(work), struct ktrace_session, free);
	unsigned int cpu;

	irq_work_sync(&s->wake);
	for_each_possible_cpu(cpu)
		ktrace_ringmem_free(*per_cpu_ptr(s->ring, cpu));
	if (s->user) {
		ktrace_user_uncharge(s->user, (u64)s->rings * s->size);
		ktrace_user_put(s->user);
	}
	put_pid_ns(s->pid_ns);
	put_cred(s->cred);
	mem_cgroup_put(s->memcg);
	free_percpu(s->ring);
	kvfree(s->merge.cursor);
	kvfree(s->merge.heap);
	kfree(s);
}

/** ktrace_session_unref - drop a ref (memory).  Context: any but NMI. */
void ktrace_session_unref(struct ktrace_session *s)
{
	if (refcount_dec_and_test(&s->refs))
		queue_rcu_work(reaper, &s->free);
}

static bool failure_is_of(const struct failure *f, const struct inode *inode)
{
	return f->dev == inode->i_sb->s_dev && f->ino == inode->i_ino &&
	       f->generation == inode->i_generation;
}

static void forget_failure_locked(struct failure *f)
{
	lockdep_assert_held(&sessions_lock);
	list_del(&f->list);
	failures_nr--;
	kfree(f);
}

/* A new session of the same user: the file's story begins anew. */
static void forget_failures_locked(const struct inode *inode, kuid_t euid)
{
	struct failure *f, *next;

	list_for_each_entry_safe(f, next, &failures, list)
		if (failure_is_of(f, inode) && uid_eq(f->euid, euid))
			forget_failure_locked(f);
}

/* The oldest of a user, if he has more than he may. */
static struct failure *too_old_locked(kuid_t euid)
{
	struct failure *f, *oldest = NULL;
	unsigned int nr = 0;

	lockdep_assert_held(&sessions_lock);
	list_for_each_entry(f, &failures, list)
		if (uid_eq(f->euid, euid)) {
			oldest = f;
			nr++;
		}
	return nr > FAILURES_EACH ? oldest : NULL;
}

static void remember_failure_locked(struct ktrace_session *s)
{
	struct failure *f = kzalloc(sizeof(*f), GFP_KERNEL);

	lockdep_assert_held(&sessions_lock);
	if (!f)
		return;
	f->dev = s->inode->i_sb->s_dev;
	f->ino = s->inode->i_ino;
	f->generation = s->inode->i_generation;
	f->euid = s->cred->euid;
	ktrace_session_stats(s, &f->stats);
	f->stats.sessions = 0;
	list_add(&f->list, &failures);
	failures_nr++;
	f = too_old_locked(s->cred->euid);
	if (!f && failures_nr > FAILURES_MAX)
		f = list_last_entry(&failures, struct failure, list);
	if (f)
		forget_failure_locked(f);
}

static void put_late(struct work_struct *work)
{
	struct ktrace_session *s = container_of(work, struct ktrace_session, late);
	int n = atomic_xchg(&s->late_puts, 0);

	while (n--)
		ktrace_session_put(s);
	ktrace_session_unref(s);
}

/** ktrace_session_put_later - ktrace_session_put() where one may not sleep */
void ktrace_session_put_later(struct ktrace_session *s)
{
	atomic_inc(&s->late_puts);
	ktrace_session_ref(s);
	if (!queue_work(reaper, &s->late))
		ktrace_session_unref(s);
}

/** ktrace_session_failed - writing failed: let its processes go, in a workqueue */
void ktrace_session_failed(struct ktrace_session *s)
{
	ktrace_session_ref(s);
	if (!queue_work(reaper, &s->failed))
		ktrace_session_unref(s);
}

static void wake_irq(struct irq_work *work)
{
	struct ktrace_session *s = container_of(work, struct ktrace_session, wake);

	wake_up(&s->writer_wait);
}

/* Nobody else adds rings to it: it is in no list yet, or in one, under sessions_lock. */
static int add_ring(struct ktrace_session *s, unsigned int cpu)
{
	struct ktrace_ring **at = per_cpu_ptr(s->ring, cpu), *ring;

	if (*at)
		return 0;
	ring = ktrace_ringmem_alloc(s->size, cpu);
	if (!ring)
		return -ENOMEM;
	/* The writer looks for rings when their number has changed. */
	smp_store_release(at, ring); /* an initialised ring */
	smp_store_release(&s->rings, s->rings + 1); /* after the ring itself */
	return 0;
}

static u32 ring_size(void)
{
	return roundup_pow_of_two(READ_ONCE(ktrace_settings.buffer_size));
}

/* A session without rings, writer and spares: session_free() undoes it. */
static struct ktrace_session *session_alloc(struct file *file, bool v1)
{
	struct ktrace_session *s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);
	struct pid_namespace *pid_ns = task_active_pid_ns(current);

	if (!s)
		return NULL;
	s->cpus = num_possible_cpus();
	s->ring = alloc_percpu_gfp(struct ktrace_ring *, GFP_KERNEL_ACCOUNT);
	s->merge.cursor = kvcalloc(s->cpus, sizeof(*s->merge.cursor), GFP_KERNEL_ACCOUNT);
	s->merge.heap = kvcalloc(s->cpus, sizeof(*s->merge.heap), GFP_KERNEL_ACCOUNT);
	if (!s->ring || !s->merge.cursor || !s->merge.heap) {
		free_percpu(s->ring);
		kvfree(s->merge.cursor);
		kvfree(s->merge.heap);
		kfree(s);
		return NULL;
	}
	s->merge.nr_max = s->cpus;
	s->merge.v1 = v1;
	s->v1 = v1;
	s->header = ktrace_record_header_size(v1);
	s->size = ring_size();
	s->quarter = s->size / 4;
	s->half = s->size / 2;
	s->pool = READ_ONCE(ktrace_settings.request_pool);
	s->share = min_t(u64, U32_MAX, (u64)(s->pool / s->cpus) * sizeof(struct ktrace_header_v0));
	s->calm = min(s->quarter, s->share);
	s->pid_ns = get_pid_ns(pid_ns);
	s->init_ns = pid_ns == &init_pid_ns;
	s->unusual = !s->init_ns;
	s->cred = get_current_cred();
	s->memcg = get_mem_cgroup_from_mm(current->mm);
	s->fsize_limit = rlimit(RLIMIT_FSIZE);
	if (s->fsize_limit == RLIM_INFINITY)
		s->fsize_limit = U64_MAX;
	s->inode = file_inode(file);
	s->merge.wall = ktime_get_real_ns() - ktrace_session_clock();
	refcount_set(&s->users, 1);
	refcount_set(&s->refs, 1);
	INIT_LIST_HEAD(&s->list);
	INIT_LIST_HEAD(&s->spare);
	raw_spin_lock_init(&s->spare_lock);
	init_waitqueue_head(&s->writer_wait);
	init_waitqueue_head(&s->done_wait);
	init_irq_work(&s->wake, wake_irq);
	init_completion(&s->finished);
	INIT_RCU_WORK(&s->free, session_free);
	INIT_WORK(&s->reap, ktrace_writer_reap);
	INIT_WORK(&s->late, put_late);
	INIT_WORK(&s->failed, detach_failed);
	return s;
}

/*
 * A session that works, but that nobody finds.  Nothing is locked: a task whose memory cgroup is
 * above memory.high sleeps up to two seconds for each 64 pages that it takes.
 */
static struct ktrace_session *session_create(struct file *file, bool v1)
{
	u32 cpus = num_online_cpus();
	struct ktrace_session *s;
	unsigned int cpu;
	int err = 0;

	s = session_alloc(file, v1);
	if (!s)
		return ERR_PTR(-ENOMEM);
	s->user = ktrace_user_charge(ktrace_user_payer(s->cred), (u64)cpus * s->size,
				     READ_ONCE(ktrace_settings.max_user_memory));
	if (IS_ERR(s->user)) {
		err = PTR_ERR(s->user);
		s->user = NULL;
		goto err_session;
	}
	for_each_online_cpu(cpu) {
		if (!err && s->rings < cpus)
			err = add_ring(s, cpu);
	}
	/* session_free() gives back what the rings have. */
	ktrace_user_uncharge(s->user, (u64)(cpus - s->rings) * s->size);
	if (err)
		goto err_session;
	s->file = get_file(file);
	err = ktrace_deferred_refill(s);
	if (err)
		goto err_spares;
	err = ktrace_writer_start(s);
	if (err)
		goto err_spares;
	__module_get(THIS_MODULE); /* the ioctl pins it now; put when the session has ended */
	return s;

err_spares:
	ktrace_session_kill(s);
	ktrace_deferred_empty(s);
	fput(s->file);
err_session:
	ktrace_session_unref(s);
	return ERR_PTR(err);
}

static bool same(const struct ktrace_session *s, const struct file *file, bool v1)
{
	return s->inode == file_inode(file) && s->v1 == v1 && !READ_ONCE(s->dead) &&
	       uid_eq(s->cred->euid, current_euid()) && s->cred->user_ns == current_user_ns() &&
	       s->pid_ns == task_active_pid_ns(current);
}

/* With a user. */
static struct ktrace_session *find_locked(const struct file *file, bool v1)
{
	struct ktrace_session *s;

	lockdep_assert_held(&sessions_lock);
	list_for_each_entry(s, &sessions, list)
		if (same(s, file, v1)) {
			refcount_inc(&s->users);
			return s;
		}
	return NULL;
}

/* Has one come online since session_create() looked?  nr_cpu_ids: none.  Under cpus_read_lock(). */
static unsigned int cpu_without_ring(const struct ktrace_session *s)
{
	unsigned int cpu;

	for_each_online_cpu(cpu)
		if (!*per_cpu_ptr(s->ring, cpu))
			return cpu;
	return nr_cpu_ids;
}

/*
 * Let others find the session, unless the file has one meanwhile: that is returned, with a user.
 * NULL and *@cpu: first this CPU is to have a ring.
 */
static struct ktrace_session *enlist(struct ktrace_session *fresh, const struct file *file,
				     unsigned int *cpu)
{
	struct ktrace_session *s;

	cpus_read_lock();
	mutex_lock(&sessions_lock);
	s = find_locked(file, fresh->v1);
	*cpu = s ? nr_cpu_ids : cpu_without_ring(fresh);
	if (s) {
		list_add(&fresh->list, &ending);
	} else if (*cpu == nr_cpu_ids) {
		forget_failures_locked(fresh->inode, fresh->cred->euid);
		list_add(&fresh->list, &sessions);
		s = fresh;
	}
	mutex_unlock(&sessions_lock);
	cpus_read_unlock();
	return s;
}

/**
 * ktrace_session_get - find the caller's session of a trace file, or begin one
 * @file: open for appending; a reference is taken if a session begins
 * @v1: header version
 *
 * Context: may sleep.
 * Return: with a user: ktrace_session_put(); -ENOMEM.
 */
struct ktrace_session *ktrace_session_get(struct file *file, bool v1)
{
	struct ktrace_session *s, *fresh;
	unsigned int cpu;
	int err = 0;

	mutex_lock(&sessions_lock);
	s = find_locked(file, v1);
	mutex_unlock(&sessions_lock);
	if (s)
		return s;
	fresh = session_create(file, v1);
	if (IS_ERR(fresh)) {
		/* Perhaps because another SET took what the user may have, for the same session. */
		mutex_lock(&sessions_lock);
		s = find_locked(file, v1);
		mutex_unlock(&sessions_lock);
		return s ?: fresh;
	}
	while (!(s = enlist(fresh, file, &cpu)) && !err) {
		err = add_ring(fresh, cpu);
		if (!err)
			ktrace_user_charge_more(fresh->user, fresh->size);
	}
	if (s != fresh)
		ktrace_writer_end(fresh, reaper);
	return s ?: ERR_PTR(err);
}

/**
 * ktrace_session_put - a process or an ioctl uses the session no longer
 * @s: with a user
 *
 * The last one ends it: waits at most KTRACE_DRAIN_TIMEOUT for the writer.
 *
 * Context: may sleep; not the writer.
 */
void ktrace_session_put(struct ktrace_session *s)
{
	if (!refcount_dec_and_mutex_lock(&s->users, &sessions_lock))
		return;
	list_move(&s->list, &ending);
	mutex_unlock(&sessions_lock);
	ktrace_writer_end(s, reaper);
}

/** ktrace_session_ended - its writer has gone: let the rest go.  Context: may sleep. */
void ktrace_session_ended(struct ktrace_session *s)
{
	mutex_lock(&sessions_lock);
	list_del(&s->list);
	ktrace_session_stats(s, &ended);
	if (s->error)
		remember_failure_locked(s);
	mutex_unlock(&sessions_lock);
	ktrace_deferred_empty(s);
	fput(s->file);
	ktrace_session_unref(s);
	module_put(THIS_MODULE); /* the caller runs in an ioctl, a deferred work or the reaper */
}

/*
 * Waiting.
 */

/**
 * ktrace_session_wake - make the writer run
 * @s: the session
 * @why: how soon
 *
 * Context: any; a runqueue lock may be held.
 */
void ktrace_session_wake(struct ktrace_session *s, enum ktrace_wake why)
{
	if (why == KTRACE_WAKE_PENDING) {
		if (xchg(&s->idle, 0))
			irq_work_queue(&s->wake);
	} else if (!READ_ONCE(s->urgent) && !xchg(&s->urgent, 1)) {
		irq_work_queue(&s->wake);
	}
}

/** ktrace_session_kill - its records go nowhere any more.  Context: any. */
void ktrace_session_kill(struct ktrace_session *s)
{
	WRITE_ONCE(s->dead, true);
	WRITE_ONCE(s->unusual, true);
}

/**
 * ktrace_session_drained - is everything stamped so far in the file?
 * @s: referenced
 * @stamp: of the clock, in the past
 *
 * Context: any.
 * Return: true also when nothing more will be.
 */
bool ktrace_session_drained(struct ktrace_session *s, u64 stamp)
{
	/* Pairs with pass() in writer.c: the file has it before we say so. */
	return smp_load_acquire(&s->written) > stamp || READ_ONCE(s->error) ||
	       completion_done(&s->finished);
}

/**
 * ktrace_session_drain - wait until everything stamped so far is in the file
 * @s: referenced
 * @stamp: of the clock, in the past
 * @end: jiffies at which to give up: KTRACE_DRAIN_TIMEOUT from the first of a batch
 * @killable: a fatal signal ends the wait
 *
 * Context: may sleep.
 * Return: 0, also when the session has ended or failed; -EINTR; -ETIME.
 */
int ktrace_session_drain(struct ktrace_session *s, u64 stamp, unsigned long end, bool killable)
{
	for (;;) {
		long left;

		/* Each round asks for a pass: the last may have begun at @stamp itself. */
		smp_mb(); /* pairs with pass() in writer.c */
		if (ktrace_session_drained(s, stamp))
			return 0;
		/* Who comes after one that gave up does not wait, until there is progress. */
		if (READ_ONCE(s->stuck) || time_after_eq(jiffies, end)) {
			WRITE_ONCE(s->stuck, true);
			return -ETIME;
		}
		/*
		 * ktrace_session_wake() would do it through an interrupt: no need to,
		 * nothing is locked.
		 */
		if (!READ_ONCE(s->urgent) && !xchg(&s->urgent, 1))
			wake_up(&s->writer_wait);
		if (killable)
			left = wait_event_killable_timeout(
				s->done_wait, ktrace_session_drained(s, stamp), DRAIN_ROUND);
		else
			left = wait_event_timeout(s->done_wait, ktrace_session_drained(s, stamp),
						  DRAIN_ROUND);
		if (left < 0)
			return -EINTR;
	}
}

static bool has_caught_up(struct ktrace_session *s, const struct ktrace_ring *ring)
{
	u64 used = ktrace_ring_used(ring);

	return !ktrace_session_behind(s, used, ktrace_session_in_flight(s, used), 4);
}

/**
 * ktrace_session_hold - a traced task waits for the writer
 * @s: referenced
 * @ring: of the CPU that it was on when the writer was behind by more than half
 *
 * Ends when that is a quarter at most, with the session, by a fatal signal,
 * or after a second without any progress of the writer: the task may be the
 * very one that the writer waits for.  Then no task waits until there is
 * progress again.  After KTRACE_DRAIN_TIMEOUT in all events: others of the trace, who are not
 * held, may make more than the writer writes.
 *
 * Context: may sleep.
 */
void ktrace_session_hold(struct ktrace_session *s, const struct ktrace_ring *ring)
{
	unsigned long end = jiffies + KTRACE_DRAIN_TIMEOUT;
	u64 progress = READ_ONCE(s->progress);
	long left;

	if (READ_ONCE(s->stalled))
		return;
	atomic64_inc(&s->held);
	for (;;) {
		left = wait_event_killable_timeout(
			s->done_wait, has_caught_up(s, ring) || READ_ONCE(s->dead), HZ);
		if (left || time_after(jiffies, end))
			return;
		if (READ_ONCE(s->progress) == progress)
			break;
		progress = READ_ONCE(s->progress);
	}
	WRITE_ONCE(s->stalled, true);
}

/*
 * Looking.
 */

/** ktrace_session_mine - may the caller flush it and see its counters? */
bool ktrace_session_mine(const struct ktrace_session *s)
{
	return ns_capable_noaudit(&init_user_ns, CAP_SYS_PTRACE) ||
	       (uid_eq(s->cred->euid, current_euid()) && s->cred->user_ns == current_user_ns());
}

/* How many sessions of a file the caller has. */
static unsigned int count_locked(const struct inode *inode)
{
	struct ktrace_session *s;
	unsigned int n = 0;

	lockdep_assert_held(&sessions_lock);
	list_for_each_entry(s, &sessions, list)
		n += s->inode == inode && ktrace_session_mine(s);
	return n;
}

/**
 * ktrace_session_collect - the caller's sessions of a file
 * @inode: the file's
 * @list: gets an array of them, each with a ref, to be freed with kfree(); only if
 *	there are any
 *
 * Context: may sleep.
 * Return: how many there are, or -ENOMEM.
 */
int ktrace_session_collect(const struct inode *inode, struct ktrace_session ***list)
{
	struct ktrace_session *s;
	int n, i = 0;

	mutex_lock(&sessions_lock);
	n = count_locked(inode);
	if (!n)
		goto out;
	/* Not charged to the user: who is above memory.high would sleep, and others with him. */
	*list = kmalloc_array(n, sizeof(**list), GFP_KERNEL);
	if (!*list) {
		n = -ENOMEM;
		goto out;
	}
	list_for_each_entry(s, &sessions, list) {
		if (s->inode != inode || !ktrace_session_mine(s))
			continue;
		ktrace_session_ref(s);
		(*list)[i++] = s;
	}
out:
	mutex_unlock(&sessions_lock);
	return n;
}

/** ktrace_session_stats - add a session's counters to @stats */
void ktrace_session_stats(struct ktrace_session *s, struct ktrace_ioc_stats *stats)
{
	u64 recorded = 0, written;
	unsigned int cpu;

	written = atomic64_read(&s->written_records);
	smp_rmb(); /* before recorded, so that it is never more */
	for_each_possible_cpu(cpu) {
		/* Pairs with add_ring(). */
		const struct ktrace_ring *ring = smp_load_acquire(per_cpu_ptr(s->ring, cpu));

		if (!ring)
			continue;
		recorded += local_read(&ring->count[KTRACE_RECORDED]);
		stats->bytes += ktrace_ring_bytes(ring);
		stats->lost_full += local_read(&ring->count[KTRACE_LOST_FULL]);
		stats->lost_pool += local_read(&ring->count[KTRACE_LOST_POOL]);
		stats->short_data += local_read(&ring->count[KTRACE_SHORT_DATA]);
	}
	stats->sessions++;
	stats->processes += atomic_read(&s->processes);
	stats->recorded += recorded;
	stats->written += written;
	stats->lost_full += atomic64_read(&s->lost_noring);
	stats->lost_hook += atomic64_read(&s->lost_hook);
	stats->lost_memory += atomic64_read(&s->lost_memory);
	if (READ_ONCE(s->error)) {
		stats->lost_write += recorded - written;
		stats->error = -READ_ONCE(s->error);
	}
	stats->held += atomic64_read(&s->held);
}

/* Add the counters of one that is ending, which is none of those that there are. */
static void add_ending_locked(struct ktrace_session *s, struct ktrace_ioc_stats *stats)
{
	lockdep_assert_held(&sessions_lock);
	ktrace_session_stats(s, stats);
	stats->sessions--;
}

/* Add the counters of the caller's sessions that failed to write @inode. */
static void add_failures_locked(const struct inode *inode, struct ktrace_ioc_stats *stats)
{
	bool root = ns_capable_noaudit(&init_user_ns, CAP_SYS_PTRACE);
	const struct failure *f;

	lockdep_assert_held(&sessions_lock);
	list_for_each_entry(f, &failures, list) {
		if (!failure_is_of(f, inode) || !(root || uid_eq(f->euid, current_euid())))
			continue;
		stats->recorded += f->stats.recorded;
		stats->bytes += f->stats.bytes;
		stats->written += f->stats.written;
		stats->lost_full += f->stats.lost_full;
		stats->lost_pool += f->stats.lost_pool;
		stats->lost_hook += f->stats.lost_hook;
		stats->lost_memory += f->stats.lost_memory;
		stats->lost_write += f->stats.lost_write;
		stats->short_data += f->stats.short_data;
		stats->held += f->stats.held;
		stats->error = f->stats.error;
	}
}

/**
 * ktrace_session_file_stats - add the counters of the caller's sessions of a file
 * @inode: the file's
 * @stats: added to
 *
 * Also of those that failed to write it.
 *
 * Context: may sleep.
 */
void ktrace_session_file_stats(const struct inode *inode, struct ktrace_ioc_stats *stats)
{
	struct ktrace_session *s;

	mutex_lock(&sessions_lock);
	list_for_each_entry(s, &sessions, list)
		if (s->inode == inode && ktrace_session_mine(s))
			ktrace_session_stats(s, stats);
	list_for_each_entry(s, &ending, list)
		if (s->inode == inode && ktrace_session_mine(s))
			add_ending_locked(s, stats);
	add_failures_locked(inode, stats);
	mutex_unlock(&sessions_lock);
}

/** ktrace_session_totals - the counters of all sessions, also of those that have ended */
void ktrace_session_totals(struct ktrace_ioc_stats *stats)
{
	struct ktrace_session *s;

	mutex_lock(&sessions_lock);
	*stats = ended;
	list_for_each_entry(s, &sessions, list)
		ktrace_session_stats(s, stats);
	list_for_each_entry(s, &ending, list)
		add_ending_locked(s, stats);
	mutex_unlock(&sessions_lock);
}

/*
 * CPUs that come online: each session gets a ring for one before it runs.
 * Without memory its records are counted as lost.
 */
static int cpu_prepare(unsigned int cpu)
{
	struct ktrace_session *s;

	mutex_lock(&sessions_lock);
	list_for_each_entry(s, &sessions, list) {
		u32 rings = s->rings;

		if (!add_ring(s, cpu) && s->rings != rings)
			ktrace_user_charge_more(s->user, s->size);
	}
	mutex_unlock(&sessions_lock);
	return 0;
}

/**
 * ktrace_session_init
 * @failed: detaches the processes of a session whose work it gets (its
 *	member failed), and drops the ref that comes with it
 *
 * Context: module init.
 * Return: 0 or an errno.
 */
int ktrace_session_init(void (*failed)(struct work_struct *work))
{
	int state;

	detach_failed = failed;
	reaper = alloc_workqueue("ktrace", WQ_UNBOUND, 0);
	if (!reaper)
		return -ENOMEM;
	state = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "ktrace:prepare", cpu_prepare,
					  NULL);
	if (state < 0) {
		destroy_workqueue(reaper);
		return state;
	}
	hotplug_state = state;
	return 0;
}

/** ktrace_session_exit - no session is left but, perhaps, its memory */
void ktrace_session_exit(void)
{
	struct failure *f, *next;

	cpuhp_remove_state_nocalls(hotplug_state);
	mutex_lock(&sessions_lock);
	list_for_each_entry_safe(f, next, &failures, list)
		forget_failure_locked(f);
	mutex_unlock(&sessions_lock);
	drain_workqueue(reaper); /* the last ktrace_session_unref()s */
	rcu_barrier(); /* their queue_rcu_work() */
	destroy_workqueue(reaper);
}
