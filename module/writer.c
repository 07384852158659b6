// SPDX-License-Identifier: GPL-2.0
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kthread.h>
#include <linux/printk.h>
#include <linux/sched.h>

#include "compat.h"
#include "record.h"
#include "session.h"
#include "writer.h"

#define WRITER_NAP   (HZ / 25) /* 40 ms: in the file within 100 */
#define WRITER_CHUNK (256 * 1024) /* bytes per write */
/*
 * It shall run when it is woken: else the rings fill until their processes wait, which
 * costs them ten times as much.
 */
#define WRITER_NICE (-10)

/*
 * R5 in ring.h: after this, whatever was stamped before the clock was read is
 * published.  Producers do not sleep: the wait is short, unless a hypervisor
 * took the CPU away.
 */
static void wait_quiet(const struct ktrace_ring *ring)
{
	unsigned int spins = 0;
	u64 until = U64_MAX;

	while (ktrace_ring_pending(ring, &until)) {
		cpu_relax();
		if (++spins % 1024 == 0)
			usleep_range(20, 100);
	}
}

static void add_rings(struct ktrace_session *s)
{
	unsigned int cpu;

	/* Pairs with add_ring() in session.c. */
	if (likely(smp_load_acquire(&s->rings) == s->merge.nr))
		return;
	for_each_possible_cpu(cpu) {
		/* Likewise. */
		struct ktrace_ring *ring = smp_load_acquire(per_cpu_ptr(s->ring, cpu));
		u32 i;

		for (i = 0; ring && i < s->merge.nr; i++)
			if (s->merge.cursor[i].ring == ring)
				ring = NULL;
		if (ring)
			ktrace_merge_add(&s->merge, ring);
	}
}

/* A write stopped inside a record: cut it off if it is still the file's end. */
static void cut_tail(struct ktrace_session *s, loff_t end, size_t tail)
{
	if (i_size_read(s->inode) == end)
		vfs_truncate(&s->file->f_path, end - tail);
}

/* Append the runs of s->merge.  Return: 0, or the errno that ends the trace. */
static int write_runs(struct ktrace_session *s)
{
	struct ktrace_merge *m = &s->merge;
	u64 size = i_size_read(s->inode);
	u64 room = s->fsize_limit > size ? s->fsize_limit - size : 0;
	size_t want = m->bytes, done = 0, whole;
	struct mem_cgroup *old_memcg;
	const struct cred *old;
	struct iov_iter iter;
	loff_t pos = size;
	int err = 0;
	u64 records;

	if (want > room) {
		ktrace_merge_whole(m, room, &want);
		WRITE_ONCE(s->over_limit, ktrace_record_pid(ktrace_merge_at(m, want)));
		err = -EFBIG;
	}
	iov_iter_kvec(&iter, WRITE, m->vec, m->vecs, want);
	old = override_creds(s->cred);
	old_memcg = ktrace_pay_by(s->memcg);
	while (done < want) {
		ssize_t n = ktrace_iter_write(s->file, &iter, &pos);

		if (n <= 0) {
			err = n ? n : -EIO;
			break;
		}
		done += n;
	}
	records = m->records;
	if (unlikely(done < m->bytes)) {
		records = ktrace_merge_whole(m, done, &whole);
		if (whole < done)
			cut_tail(s, pos, done - whole);
	}
	ktrace_pay_by(old_memcg);
	revert_creds(old);
	atomic64_add(records, &s->written_records);
	return err;
}

/*
 * @last: nobody makes records any more: what is there is written, whatever its stamp.  It may be
 * the clock's of right now, if that is coarse.
 *
 * Return: whether there was anything to write, or is already; or the errno that ends the trace.
 */
static int pass(struct ktrace_session *s, bool last)
{
	struct ktrace_merge *m = &s->merge;
	bool any = false;
	int err = 0;
	u64 until;
	u32 i;

	WRITE_ONCE(s->urgent, 0);
	smp_mb(); /* who finds urgent set gets a pass that begins after it looked */
	until = last ? U64_MAX : ktrace_session_clock();
	mb(); /* A in ring.h: the clock is read before any head, */
	rmb(); /* which x86 says with a barrier of its own */
	add_rings(s);
	for (i = 0; i < m->nr; i++)
		wait_quiet(m->cursor[i].ring);
	ktrace_merge_begin(m, until);
	while (!err && ktrace_merge_next(m, WRITER_CHUNK)) {
		any = true;
		err = write_runs(s);
		ktrace_merge_consume(m);
		WRITE_ONCE(s->progress, s->progress + m->bytes);
		WRITE_ONCE(s->stalled, false);
		WRITE_ONCE(s->stuck, false);
		wake_up_all(&s->done_wait);
		cond_resched();
	}
	if (err)
		return err;
	ktrace_merge_consume(m); /* holes */
	WRITE_ONCE(s->stuck, false); /* also when there was nothing: it runs */
	smp_store_release(&s->written, until); /* pairs with ktrace_session_drained() */
	wake_up_all(&s->done_wait);
	/* Who made a record that stays has perhaps not seen that we were about to sleep. */
	return any || ktrace_merge_left(m);
}

/* The trace ends here: probes stop, waiters go on, the processes are let go. */
static void fail(struct ktrace_session *s, int err)
{
	char name[64];
	int len;

	WRITE_ONCE(s->error, err);
	ktrace_session_kill(s);
	wake_up_all(&s->done_wait);
	/* The name is the user's, and so is the number of failures. */
	len = scnprintf(name, sizeof(name), "%pD", s->file);
	pr_notice_ratelimited(
		"ktrace: write to %*pEhp failed (error %d): tracing to it has ended\n", len, name,
		err);
	ktrace_session_failed(s);
}

static bool wanted(struct ktrace_session *s)
{
	return READ_ONCE(s->urgent) || READ_ONCE(s->ending);
}

/*
 * The session has ended, or its writer has: whoever comes second lets the rest go, in the
 * workqueue.  So nobody waits for a writer that its file system keeps.
 */
static void hand_over(struct ktrace_session *s)
{
	if (atomic_inc_return(&s->handed_over) == 2)
		queue_work(s->reaper, &s->reap);
}

static int writer_main(void *data)
{
	struct ktrace_session *s = data;
	bool idle = false;

	for (;;) {
		/* Pairs with ktrace_writer_end(): the pass that follows is the last. */
		bool ending = smp_load_acquire(&s->ending);
		int any;

		/*
		 * With the flag up, one more look (which passes the barrier of
		 * R5) finds every record whose producer did not see the flag.
		 */
		WRITE_ONCE(s->idle, idle);
		any = pass(s, ending);
		if (any < 0) {
			fail(s, any);
			wait_event_idle(s->writer_wait, READ_ONCE(s->ending));
			break;
		}
		if (ending)
			break;
		if (!any && !idle) {
			idle = true;
			continue;
		}
		if (!any)
			wait_event_idle(s->writer_wait, !READ_ONCE(s->idle) || wanted(s));
		idle = false;
		wait_event_idle_timeout(s->writer_wait, wanted(s), WRITER_NAP);
	}
	complete_all(&s->finished);
	wake_up_all(&s->done_wait);
	hand_over(s);
	/* Whoever ended the session stops us, now or from the workqueue. */
	for (;;) {
		set_current_state(TASK_IDLE);
		if (kthread_should_stop())
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

/**
 * ktrace_writer_start - a writer for a new session
 * @s: with rings
 *
 * Context: may sleep.  Return: 0, or an errno.
 */
int ktrace_writer_start(struct ktrace_session *s)
{
	struct task_struct *task = kthread_create(writer_main, s, "ktrace");

	if (IS_ERR(task))
		return PTR_ERR(task);
	set_user_nice(task, WRITER_NICE);
	s->writer = get_task_struct(task);
	wake_up_process(task);
	return 0;
}

static void release_writer(struct ktrace_session *s)
{
	kthread_stop(s->writer);
	put_task_struct(s->writer);
	irq_work_sync(&s->wake);
	ktrace_session_ended(s);
}

/** ktrace_writer_reap - a writer has ended at last that took too long (workqueue) */
void ktrace_writer_reap(struct work_struct *work)
{
	release_writer(container_of(work, struct ktrace_session, reap));
}

/**
 * ktrace_writer_end - the session's last user has gone
 * @s: off the list
 * @reaper: who lets the rest go if the writer is stuck in its file system, when it has ended
 *
 * Probes that found the session through a process are over when their records
 * are drained, or see it dead.
 *
 * Context: may sleep, at most KTRACE_DRAIN_TIMEOUT.
 */
void ktrace_writer_end(struct ktrace_session *s, struct workqueue_struct *reaper)
{
	unsigned long done;

	smp_store_release(&s->ending, true); /* after all that was recorded */
	wake_up(&s->writer_wait);
	done = wait_for_completion_timeout(&s->finished,
					   READ_ONCE(s->stuck) ? 1 : KTRACE_DRAIN_TIMEOUT);
	ktrace_session_kill(s);
	wake_up_all(&s->done_wait);
	if (done) {
		release_writer(s);
		return;
	}
	s->reaper = reaper;
	hand_over(s);
}
