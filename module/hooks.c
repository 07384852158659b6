// SPDX-License-Identifier: GPL-2.0
#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include "arch.h"
#include "exclusive.h"
#include "hooks.h"
#include "probe_return.h"
#include "probes.h"
#include "proc.h"
#include "thread.h"
#include "sys/ktrace.h"

#define LINGER HZ

/**
 * struct hook - a hook that several points may need
 * @name: the tracepoint's, or NULL: it is a kretprobe
 * @probe: what the tracepoint calls
 * @ret: the kretprobe
 * @points: who needs the tracepoint; ~0: every trace
 * @users: processes and SETs that need it now (atomic; from 0 to 1 under hooks_lock)
 * @tp: the tracepoint (const after init)
 * @registered: hooks_lock
 */
struct hook {
	const char *name;
	void *probe;
	struct ktrace_return *ret;
	u32 points;
	atomic_t users;
	struct tracepoint *tp;
	bool registered;
};

#define TRACEPOINT(tp_name, function, needed_by)                         \
	{                                                                \
		.name = tp_name, .probe = function, .points = needed_by, \
	}
#define RETURN(kretprobe)         \
	{                         \
		.ret = kretprobe, \
	}

/* Exit is the first to come and the last to go: whoever is found is also lost. */
static struct hook hooks[] = {
	TRACEPOINT("sched_process_exit", ktrace_probe_exit, ~0U),
	TRACEPOINT("sched_process_exec", ktrace_probe_exec, ~0U),
	TRACEPOINT("sched_process_fork", ktrace_probe_fork, ~0U),
	TRACEPOINT("signal_deliver", ktrace_probe_signal, KTRFAC_PSIG | KTRACE_FAULTS),
	RETURN(&ktrace_return_fault),
#ifdef KTRACE_ARCH_FAULT_TRACE
	TRACEPOINT("page_fault_user", ktrace_probe_fault, KTRACE_FAULTS),
#endif
	TRACEPOINT("sched_switch", ktrace_probe_switch, KTRFAC_CSW),
	RETURN(&ktrace_return_namei),
	RETURN(&ktrace_return_sysctl),
	RETURN(&ktrace_return_capable),
	TRACEPOINT("sys_exit", ktrace_probe_sys_exit,
		   KTRACE_CALLS | KTRACE_STRUCTS | KTRFAC_GENIO | KTRFAC_CAPFAIL),
	/* The last: see ktrace_hooks_exclusive(). */
	TRACEPOINT("sys_enter", ktrace_probe_sys_enter,
		   KTRACE_CALLS | KTRACE_STRUCTS | KTRFAC_GENIO | KTRFAC_CAPFAIL),
};

static DEFINE_MUTEX(hooks_lock);
static bool exclusive; /* hooks_lock: it is wished */

static void linger(struct work_struct *work);
static DECLARE_DELAYED_WORK(linger_work, linger);

static bool needs(const struct hook *h, u32 points)
{
	u32 needed_by = h->ret ? h->ret->points : h->points;

	return needed_by == ~0U || needed_by & points;
}

static int register_hook(struct hook *h)
{
	int err;

	if (h->name)
		err = tracepoint_probe_register(h->tp, h->probe, NULL);
	else
		err = ktrace_return_register(h->ret);
	h->registered = !err;
	if (h->probe == ktrace_probe_sys_enter && h->registered && exclusive)
		ktrace_exclusive_begin();
	return err;
}

static bool unregister_hook(struct hook *h)
{
	if (h->probe == ktrace_probe_sys_enter)
		ktrace_exclusive_end();
	if (!h->name) {
		ktrace_return_unregister(h->ret);
		h->registered = false;
		return false;
	}
	tracepoint_probe_unregister(h->tp, h->probe, NULL);
	h->registered = false;
	return true;
}

/* Unregister what nobody uses. */
static void settle_locked(void)
{
	bool wait = false;
	size_t i;

	lockdep_assert_held(&hooks_lock);
	for (i = ARRAY_SIZE(hooks); i-- > 0;)
		if (hooks[i].registered && !atomic_read(&hooks[i].users))
			wait |= unregister_hook(&hooks[i]);
	if (!wait)
		return;
	tracepoint_synchronize_unregister();
	if (!hooks[0].registered)
		ktrace_thread_forget();
}

static void linger(struct work_struct *work)
{
	ktrace_hooks_settle();
}

/**
 * ktrace_hooks_get - have the hooks that some points need
 * @points: KTRFAC_*
 *
 * Context: may sleep.
 * Return: 0: ktrace_hooks_put(@points) is due; or an errno.
 */
int ktrace_hooks_get(u32 points)
{
	int err = 0;
	size_t i;

	mutex_lock(&hooks_lock);
	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		if (!needs(&hooks[i], points))
			continue;
		if (!hooks[i].registered)
			err = register_hook(&hooks[i]);
		if (err)
			break;
		atomic_inc(&hooks[i].users);
	}
	if (err) {
		while (i-- > 0)
			if (needs(&hooks[i], points))
				atomic_dec(&hooks[i].users);
		settle_locked();
	}
	mutex_unlock(&hooks_lock);
	return err;
}

/** ktrace_hooks_inherit - once more what the caller has.  Context: any. */
void ktrace_hooks_inherit(u32 points)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(hooks); i++)
		if (needs(&hooks[i], points))
			atomic_inc(&hooks[i].users);
}

/** ktrace_hooks_put - @points need their hooks no longer; they go later.  Context: any. */
void ktrace_hooks_put(u32 points)
{
	bool idle = false;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(hooks); i++)
		if (needs(&hooks[i], points))
			idle |= atomic_dec_and_test(&hooks[i].users);
	if (idle) /* what lets hooks go waits for grace periods */
		mod_delayed_work(system_long_wq, &linger_work, LINGER);
}

/** ktrace_hooks_settle - hooks that nobody needs go now.  Context: may sleep. */
void ktrace_hooks_settle(void)
{
	mutex_lock(&hooks_lock);
	settle_locked();
	mutex_unlock(&hooks_lock);
}

/**
 * ktrace_hooks_exclusive - shall those who are not traced pay nothing?
 * @on: the setting
 *
 * From now on, and whenever calls are traced later.
 *
 * Context: may sleep: grace periods.
 */
void ktrace_hooks_exclusive(bool on)
{
	const struct hook *call = &hooks[ARRAY_SIZE(hooks) - 1];

	mutex_lock(&hooks_lock);
	exclusive = on;
	if (!on)
		ktrace_exclusive_end();
	else if (call->registered)
		ktrace_exclusive_begin();
	mutex_unlock(&hooks_lock);
}

static void match(struct tracepoint *tp, void *unused)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(hooks); i++)
		if (hooks[i].name && !strcmp(hooks[i].name, tp->name))
			hooks[i].tp = tp;
}

/** ktrace_hooks_init - Context: module init.  Return: 0, or why this kernel cannot be traced. */
int ktrace_hooks_init(void)
{
	size_t i;

	for_each_kernel_tracepoint(match, NULL);
	for (i = 0; i < ARRAY_SIZE(hooks); i++)
		if (hooks[i].name && !hooks[i].tp) {
			pr_err("ktrace: this kernel has no tracepoint %s\n", hooks[i].name);
			return -ENOENT;
		}
	return ktrace_probe_namei_prepare();
}

/** ktrace_hooks_exit - nothing is traced any more: let go of everything */
void ktrace_hooks_exit(void)
{
	cancel_delayed_work_sync(&linger_work);
	ktrace_hooks_settle();
}
