/* SPDX-License-Identifier: GPL-2.0 */
/*
 * events: the kernel's own events, which its tracepoints tell us.
 *
 * A probe_*.c has the probes of some classes, and a table of them.  A probe is
 * attached while one of its classes is on.  It may be called in any context,
 * with any lock held: it does nothing but look at its arguments and record.
 */
#ifndef KTR_EVENTS_H
#define KTR_EVENTS_H

#include <linux/kconfig.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>

#include "../compat_pure.h"
#include "sys/ktr.h"

/**
 * struct ktr_event - a tracepoint, and who is told of it
 * @classes: who needs it
 * @name: the tracepoint's
 * @probe: what it calls; NULL: this kernel's has other arguments, or none
 * @tp: the tracepoint; NULL: this kernel has none (const after init)
 * @attached: (protected by the control mutex)
 */
struct ktr_event {
	u32 classes;
	const char *name;
	void *probe;
	struct tracepoint *tp;
	bool attached;
};

/**
 * struct ktr_events - a table of events
 * @begin: called before the first of them is attached, or NULL
 */
struct ktr_events {
	struct ktr_event *event;
	unsigned int nr;
	void (*begin)(void);
};

/*
 * An entry for tracepoint @tp.  What its arguments are depends on the kernel:
 * a probe of another type than the kernel's headers want is left out.  A
 * tracepoint may have several entries then, of which one fits.
 *
 * KTR_TP_* are from Kbuild: tracepoints that the kernel's headers have.
 */
#define KTR_TRACEPOINT(mask, tp, function)                                             \
	{                                                                              \
		.classes = mask, .name = #tp,                                          \
		.probe = KTR_PASTE(KTR_FIT_, __is_defined(KTR_TP_##tp))(tp, function), \
	}

#define KTR_PASTE(a, b)	 KTR_PASTE_(a, b)
#define KTR_PASTE_(a, b) a##b

#define KTR_FIT_0(tp, function) __builtin_choose_expr(0, (void *)(function), NULL)
#define KTR_FIT_1(tp, function)                                                                   \
	__builtin_choose_expr(__builtin_types_compatible_p(typeof(&register_trace_##tp),          \
							   int (*)(typeof(&(function)), void *)), \
			      (void *)(function), NULL)

extern const struct ktr_events ktr_events_fs, ktr_events_inet, ktr_events_intr, ktr_events_lock,
	ktr_events_mem, ktr_events_net, ktr_events_proc, ktr_events_sched, ktr_events_syscall,
	ktr_events_system, ktr_events_timer;

/* Control mutex held, may sleep; init and exit: nobody else is there. */
int ktr_events_init(void);
void ktr_events_update(u32 mask);
void ktr_events_exit(void);

/* How schedgraph's lines call a thread: "NAME tid N". */
struct ktr_ident {
	char text[TASK_COMM_LEN + sizeof(" tid ") + 11];
};

const char *ktr_ident(struct ktr_ident *ident, const struct task_struct *task);

const char *ktr_lock_kind(unsigned int flags);

#endif /* KTR_EVENTS_H */
