/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * BSD's <sys/ktr.h> for Linux: see ktr(9).
 *
 * Kernel code that includes it, and is built against ktr.ko's symbols, records
 * events with CTR0() to CTR6() and their kin, in any context.  While its class
 * is off in debug.ktr.mask, an event costs a jump that the kernel patches in.
 * Formats and file names are remembered by address: string constants only.
 * What %s points to is copied at once, and need not last.
 *
 * Programs get the constants and struct ktr_entry.
 */
#ifndef _SYS_KTR_H_
#define _SYS_KTR_H_

#include <sys/ktr_class.h>

#ifdef __KERNEL__
#include <linux/compiler.h>
#include <linux/jump_label.h>
#include <linux/types.h>
#else
#include <sys/types.h>
#endif

#define KTR_VERSION 2 /* of struct ktr_entry */
#define KTR_PARMS   6

struct thread; /* a struct task_struct, in truth */

struct ktr_entry {
	u_int64_t ktr_timestamp; /* nanoseconds, CLOCK_MONOTONIC */
	int ktr_cpu;
	int ktr_line;
	const char *ktr_file;
	const char *ktr_desc;
	struct thread *ktr_thread;
	unsigned long ktr_parms[KTR_PARMS];
};

#ifdef __KERNEL__

#define KTR_CLASSES 32

/* One for each bit of ktr_mask; changed together with it. */
extern struct static_key_false ktr_class_keys[KTR_CLASSES];

/* debug.ktr.mask */
extern unsigned int ktr_mask;

/*
 * Records an event if one of the classes of @mask is on.  @file and @format
 * must stay as they are for as long as the module that has them.
 * Context: any, NMI included.
 */
void ktr_tracepoint(unsigned int mask, const char *file, int line, const char *format,
		    unsigned long arg1, unsigned long arg2, unsigned long arg3,
		    unsigned long arg4, unsigned long arg5, unsigned long arg6);

/* Of a mask that is known when it is compiled, that mask; else 0. */
#define KTR_CONSTANT(m)	 __builtin_choose_expr(__builtin_constant_p(m), (m), 0)
#define KTR_ONE_CLASS(m) (KTR_CONSTANT(m) && !(KTR_CONSTANT(m) & (KTR_CONSTANT(m) - 1)))

/* Is one of the classes of @m on?  For a constant class, a patched jump. */
#define KTR_ENABLED(m)                                                                           \
	__builtin_choose_expr(                                                                   \
		KTR_ONE_CLASS(m),                                                                \
		static_branch_unlikely(&ktr_class_keys[__builtin_ctz(KTR_CONSTANT(m) | 1U << 31)]), \
		unlikely(READ_ONCE(ktr_mask) & (m)))

#define CTR6(m, format, p1, p2, p3, p4, p5, p6)                                             \
	do {                                                                                \
		if (((KTR_COMPILE) & (m)) && KTR_ENABLED(m))                                \
			ktr_tracepoint((m), __FILE__, __LINE__, format,                     \
				       (unsigned long)(p1), (unsigned long)(p2),            \
				       (unsigned long)(p3), (unsigned long)(p4),            \
				       (unsigned long)(p5), (unsigned long)(p6));           \
	} while (0)
#define CTR5(m, format, p1, p2, p3, p4, p5) CTR6(m, format, p1, p2, p3, p4, p5, 0)
#define CTR4(m, format, p1, p2, p3, p4)	    CTR6(m, format, p1, p2, p3, p4, 0, 0)
#define CTR3(m, format, p1, p2, p3)	    CTR6(m, format, p1, p2, p3, 0, 0, 0)
#define CTR2(m, format, p1, p2)		    CTR6(m, format, p1, p2, 0, 0, 0, 0)
#define CTR1(m, format, p1)		    CTR6(m, format, p1, 0, 0, 0, 0, 0)
#define CTR0(m, format)			    CTR6(m, format, 0, 0, 0, 0, 0, 0)

/* General events. */
#define TR0(format)	     CTR0(KTR_GEN, format)
#define TR1(format, ...)     CTR1(KTR_GEN, format, __VA_ARGS__)
#define TR2(format, ...)     CTR2(KTR_GEN, format, __VA_ARGS__)
#define TR3(format, ...)     CTR3(KTR_GEN, format, __VA_ARGS__)
#define TR4(format, ...)     CTR4(KTR_GEN, format, __VA_ARGS__)
#define TR5(format, ...)     CTR5(KTR_GEN, format, __VA_ARGS__)
#define TR6(format, ...)     CTR6(KTR_GEN, format, __VA_ARGS__)

/* Events of initialization; without KTR_INIT in KTR_COMPILE not even their strings stay. */
#define ITR0(format)	     CTR0(KTR_INIT, format)
#define ITR1(format, ...)    CTR1(KTR_INIT, format, __VA_ARGS__)
#define ITR2(format, ...)    CTR2(KTR_INIT, format, __VA_ARGS__)
#define ITR3(format, ...)    CTR3(KTR_INIT, format, __VA_ARGS__)
#define ITR4(format, ...)    CTR4(KTR_INIT, format, __VA_ARGS__)
#define ITR5(format, ...)    CTR5(KTR_INIT, format, __VA_ARGS__)
#define ITR6(format, ...)    CTR6(KTR_INIT, format, __VA_ARGS__)

/*
 * Events that schedgraph draws: something happens (what: "state", "counter",
 * "point", "start" or "stop") to an ident of a group.  Groups, kinds and the
 * names of attributes are string constants, the latter with a conversion, as
 * "prio:%d"; a string that may have a comma or colon stands in quotes.
 */
#define KTR_ATTR_LINKED "linkedto:\"%s\"" /* the value: another ident */

#define KTR_EFMT(egroup, ident, etype) \
	"KTRGRAPH group:\"" egroup "\", id:\"%s\", " etype ", attributes: "

#define KTR_EVENT0(m, egroup, ident, etype, edat) \
	CTR2(m, KTR_EFMT(egroup, ident, etype) "none", ident, edat)
#define KTR_EVENT1(m, egroup, ident, etype, edat, a0, v0) \
	CTR3(m, KTR_EFMT(egroup, ident, etype) a0, ident, edat, v0)
#define KTR_EVENT2(m, egroup, ident, etype, edat, a0, v0, a1, v1) \
	CTR4(m, KTR_EFMT(egroup, ident, etype) a0 ", " a1, ident, edat, v0, v1)
#define KTR_EVENT3(m, egroup, ident, etype, edat, a0, v0, a1, v1, a2, v2) \
	CTR5(m, KTR_EFMT(egroup, ident, etype) a0 ", " a1 ", " a2, ident, edat, v0, v1, v2)
#define KTR_EVENT4(m, egroup, ident, etype, edat, a0, v0, a1, v1, a2, v2, a3, v3)              \
	CTR6(m, KTR_EFMT(egroup, ident, etype) a0 ", " a1 ", " a2 ", " a3, ident, edat, v0, v1, \
	     v2, v3)

/* The ident is in a state from now on. */
#define KTR_ESTATE "state:\"%s\""
#define KTR_STATE0(m, egroup, ident, state) KTR_EVENT0(m, egroup, ident, KTR_ESTATE, state)
#define KTR_STATE1(m, egroup, ident, state, ...) \
	KTR_EVENT1(m, egroup, ident, KTR_ESTATE, state, __VA_ARGS__)
#define KTR_STATE2(m, egroup, ident, state, ...) \
	KTR_EVENT2(m, egroup, ident, KTR_ESTATE, state, __VA_ARGS__)
#define KTR_STATE3(m, egroup, ident, state, ...) \
	KTR_EVENT3(m, egroup, ident, KTR_ESTATE, state, __VA_ARGS__)
#define KTR_STATE4(m, egroup, ident, state, ...) \
	KTR_EVENT4(m, egroup, ident, KTR_ESTATE, state, __VA_ARGS__)

/* The ident, which has no states, counts this. */
#define KTR_ECOUNTER "counter:%d"
#define KTR_COUNTER0(m, egroup, ident, counter) KTR_EVENT0(m, egroup, ident, KTR_ECOUNTER, counter)
#define KTR_COUNTER1(m, egroup, ident, counter, ...) \
	KTR_EVENT1(m, egroup, ident, KTR_ECOUNTER, counter, __VA_ARGS__)
#define KTR_COUNTER2(m, egroup, ident, counter, ...) \
	KTR_EVENT2(m, egroup, ident, KTR_ECOUNTER, counter, __VA_ARGS__)
#define KTR_COUNTER3(m, egroup, ident, counter, ...) \
	KTR_EVENT3(m, egroup, ident, KTR_ECOUNTER, counter, __VA_ARGS__)
#define KTR_COUNTER4(m, egroup, ident, counter, ...) \
	KTR_EVENT4(m, egroup, ident, KTR_ECOUNTER, counter, __VA_ARGS__)

/* Something of note, drawn on the ident's states or counts. */
#define KTR_EPOINT "point:\"%s\""
#define KTR_POINT0(m, egroup, ident, point) KTR_EVENT0(m, egroup, ident, KTR_EPOINT, point)
#define KTR_POINT1(m, egroup, ident, point, ...) \
	KTR_EVENT1(m, egroup, ident, KTR_EPOINT, point, __VA_ARGS__)
#define KTR_POINT2(m, egroup, ident, point, ...) \
	KTR_EVENT2(m, egroup, ident, KTR_EPOINT, point, __VA_ARGS__)
#define KTR_POINT3(m, egroup, ident, point, ...) \
	KTR_EVENT3(m, egroup, ident, KTR_EPOINT, point, __VA_ARGS__)
#define KTR_POINT4(m, egroup, ident, point, ...) \
	KTR_EVENT4(m, egroup, ident, KTR_EPOINT, point, __VA_ARGS__)

/* A piece of work begins, and ends: the same key, an integer, tells which. */
#define KTR_ESTART "start:0x%jX"
#define KTR_START0(m, egroup, ident, key) KTR_EVENT0(m, egroup, ident, KTR_ESTART, key)
#define KTR_START1(m, egroup, ident, key, ...) \
	KTR_EVENT1(m, egroup, ident, KTR_ESTART, key, __VA_ARGS__)
#define KTR_START2(m, egroup, ident, key, ...) \
	KTR_EVENT2(m, egroup, ident, KTR_ESTART, key, __VA_ARGS__)
#define KTR_START3(m, egroup, ident, key, ...) \
	KTR_EVENT3(m, egroup, ident, KTR_ESTART, key, __VA_ARGS__)
#define KTR_START4(m, egroup, ident, key, ...) \
	KTR_EVENT4(m, egroup, ident, KTR_ESTART, key, __VA_ARGS__)

#define KTR_ESTOP "stop:0x%jX"
#define KTR_STOP0(m, egroup, ident, key) KTR_EVENT0(m, egroup, ident, KTR_ESTOP, key)
#define KTR_STOP1(m, egroup, ident, key, ...) \
	KTR_EVENT1(m, egroup, ident, KTR_ESTOP, key, __VA_ARGS__)
#define KTR_STOP2(m, egroup, ident, key, ...) \
	KTR_EVENT2(m, egroup, ident, KTR_ESTOP, key, __VA_ARGS__)
#define KTR_STOP3(m, egroup, ident, key, ...) \
	KTR_EVENT3(m, egroup, ident, KTR_ESTOP, key, __VA_ARGS__)
#define KTR_STOP4(m, egroup, ident, key, ...) \
	KTR_EVENT4(m, egroup, ident, KTR_ESTOP, key, __VA_ARGS__)

#endif /* __KERNEL__ */

#endif /* _SYS_KTR_H_ */
