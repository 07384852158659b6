// SPDX-License-Identifier: GPL-2.0
#include <linux/anon_inodes.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "deferred.h"
#include "proc.h"
#include "session.h"
#include "thread.h"

#define SPARE_MIN 8
#define SPARE_MAX 4096

static int deferred_release(struct inode *inode, struct file *file)
{
	struct ktrace_deferred *d = file->private_data;
	struct ktrace_session *s = d->session;

	switch (d->what) {
	case KTRACE_DEFER_NOTHING:
		break;
	case KTRACE_DEFER_HOLD:
		ktrace_session_hold(s, d->ring);
		ktrace_thread_clear(current, KTRACE_THREAD_HELD);
		ktrace_deferred_refill(s);
		break;
	case KTRACE_DEFER_REFILL:
		ktrace_deferred_refill(s);
		break;
	case KTRACE_DEFER_DETACH:
		ktrace_session_drain(s, d->stamp, jiffies + KTRACE_DRAIN_TIMEOUT, false);
		ktrace_session_put(s);
		break;
	}
	if (d->child)
		ktrace_proc_put(d->child);
	kfree(d);
	ktrace_session_unref(s);
	return 0;
}

static const struct file_operations deferred_fops = {
	.owner = THIS_MODULE, /* what pins the module until ->release is done */
	.release = deferred_release,
};

static struct ktrace_deferred *make(struct ktrace_session *s)
{
	struct ktrace_deferred *d = kzalloc(sizeof(*d), GFP_KERNEL_ACCOUNT);

	if (!d)
		return NULL;
	d->child = ktrace_proc_alloc(GFP_KERNEL_ACCOUNT);
	if (!d->child)
		goto err_deferred;
	d->session = s;
	d->file = anon_inode_getfile("[ktrace]", &deferred_fops, d, O_RDONLY);
	if (IS_ERR(d->file))
		goto err_child;
	ktrace_session_ref(s);
	return d;

err_child:
	ktrace_proc_put(d->child);
err_deferred:
	kfree(d);
	return NULL;
}

static u32 spare_wanted(struct ktrace_session *s)
{
	return clamp_t(int, atomic_read(&s->threads) + SPARE_MIN, SPARE_MIN, SPARE_MAX);
}

/** ktrace_deferred_low - is it time to make new ones? */
bool ktrace_deferred_low(struct ktrace_session *s)
{
	return READ_ONCE(s->spare_nr) < spare_wanted(s) / 2;
}

/*
 * One more spare, unless the session has ended meanwhile: who refills it is no user of it, and
 * ktrace_deferred_empty() comes once, after dead.
 */
static bool add_spare(struct ktrace_session *s, struct ktrace_deferred *d)
{
	bool alive;

	raw_spin_lock_irq(&s->spare_lock);
	alive = !READ_ONCE(s->dead);
	if (alive) {
		list_add_tail(&d->list, &s->spare);
		WRITE_ONCE(s->spare_nr, s->spare_nr + 1);
	}
	raw_spin_unlock_irq(&s->spare_lock);
	return alive;
}

/**
 * ktrace_deferred_refill - have as many spares as the session's threads may need
 * @s: referenced
 *
 * Context: may sleep; a task with memory of its own to charge.
 * Return: 0, or -ENOMEM with some of them made.
 */
int ktrace_deferred_refill(struct ktrace_session *s)
{
	while (READ_ONCE(s->spare_nr) < spare_wanted(s) && !READ_ONCE(s->dead)) {
		struct ktrace_deferred *d = make(s);

		if (!d)
			return -ENOMEM;
		if (!add_spare(s, d))
			ktrace_deferred_drop(d);
	}
	return 0;
}

/**
 * ktrace_deferred_take - a spare, to be armed, returned or dropped
 * @s: referenced
 *
 * Those that were returned come first: the others have a child for when there is no memory.
 *
 * Context: any but NMI.
 * Return: NULL when there is none.
 */
struct ktrace_deferred *ktrace_deferred_take(struct ktrace_session *s)
{
	struct ktrace_deferred *d;
	unsigned long flags;

	raw_spin_lock_irqsave(&s->spare_lock, flags);
	d = list_first_entry_or_null(&s->spare, struct ktrace_deferred, list);
	if (d) {
		list_del(&d->list);
		WRITE_ONCE(s->spare_nr, s->spare_nr - 1);
	}
	raw_spin_unlock_irqrestore(&s->spare_lock, flags);
	return d;
}

/**
 * ktrace_deferred_arm - to be done at the task's next return to user mode
 * @d: taken; gone after this
 * @what: with the fields that it needs set
 *
 * Context: any of current's own, not an interrupt.
 */
void ktrace_deferred_arm(struct ktrace_deferred *d, enum ktrace_deferred_what what)
{
	d->what = what;
	fput(d->file);
}

/**
 * ktrace_deferred_return - not needed by this process: for the next
 * @d: taken, and not armed; gone after this (NULL: nothing)
 *
 * Context: any of current's own, not an interrupt; the caller is a user of its session.
 */
void ktrace_deferred_return(struct ktrace_deferred *d)
{
	struct ktrace_session *s = d ? d->session : NULL;
	unsigned long flags;
	bool wanted;

	if (!d)
		return;
	raw_spin_lock_irqsave(&s->spare_lock, flags);
	wanted = s->spare_nr < spare_wanted(s);
	if (wanted) {
		list_add(&d->list, &s->spare);
		WRITE_ONCE(s->spare_nr, s->spare_nr + 1);
	}
	raw_spin_unlock_irqrestore(&s->spare_lock, flags);
	if (!wanted)
		ktrace_deferred_drop(d);
}

/** ktrace_deferred_drop - one that is not needed after all (NULL: nothing) */
void ktrace_deferred_drop(struct ktrace_deferred *d)
{
	if (d)
		fput(d->file);
}

/** ktrace_deferred_empty - drop all spares: the session has ended, and is dead */
void ktrace_deferred_empty(struct ktrace_session *s)
{
	struct ktrace_deferred *d;

	while ((d = ktrace_deferred_take(s)))
		ktrace_deferred_drop(d);
}
