// SPDX-License-Identifier: GPL-2.0
/* KTR_LOCK: who waits for a lock. */
#include <trace/events/lock.h>

#include "events.h"

#ifdef LCB_F_SPIN
/** ktr_lock_kind - what LCB_F_* of a contended lock say of it */
const char *ktr_lock_kind(unsigned int flags)
{
	if (flags & LCB_F_MUTEX)
		return "mutex";
	if (flags & LCB_F_PERCPU)
		return "percpu_rwsem";
	if (flags & LCB_F_RT)
		return "rtmutex";
	if (flags & (LCB_F_READ | LCB_F_WRITE))
		return flags & LCB_F_SPIN ? "rwlock" : "rwsem";
	return flags & LCB_F_SPIN ? "spinlock" : "lock";
}

static void probe_begin(void *data, void *lock, unsigned int flags)
{
	CTR4(KTR_LOCK, "%s contested (lock=%p) by tid %d (%s)", ktr_lock_kind(flags), lock,
	     current->pid, current->comm);
}

static void probe_end(void *data, void *lock, int ret)
{
	CTR4(KTR_LOCK, "contested lock %s (lock=%p) by tid %d (%s)", ret ? "given up" : "acquired",
	     lock, current->pid, current->comm);
}
#endif

static struct ktr_event events[] = {
#ifdef LCB_F_SPIN
	KTR_TRACEPOINT(KTR_LOCK, contention_begin, probe_begin),
	KTR_TRACEPOINT(KTR_LOCK, contention_end, probe_end),
#endif
};

const struct ktr_events ktr_events_lock = { events, ARRAY_SIZE(events) };
