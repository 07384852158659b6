/* SPDX-License-Identifier: GPL-2.0 */
/* An event of ftrace with two numbers, to compare with. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ktr_cost

#if !defined(KTR_COST_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define KTR_COST_TRACE_H

#include <linux/tracepoint.h>

/* clang-format off */
TRACE_EVENT(ktr_cost,
	TP_PROTO(unsigned long a, unsigned long b),
	TP_ARGS(a, b),
	TP_STRUCT__entry(
		__field(unsigned long, a)
		__field(unsigned long, b)
	),
	TP_fast_assign(
		__entry->a = a;
		__entry->b = b;
	),
	TP_printk("event %lu of %lu", __entry->a, __entry->b)
);

/* Kbuild asks the kernel's headers. */
#ifdef KTR_COST_ONE
#define KTR_COST_ASSIGN(s) __assign_str(s)
#else
#define KTR_COST_ASSIGN(s) __assign_str(s, s)
#endif

TRACE_EVENT(ktr_cost_string,
	TP_PROTO(const char *s, unsigned long b),
	TP_ARGS(s, b),
	TP_STRUCT__entry(
		__string(s, s)
		__field(unsigned long, b)
	),
	TP_fast_assign(
		KTR_COST_ASSIGN(s);
		__entry->b = b;
	),
	TP_printk("event %s of %lu", __get_str(s), __entry->b)
);
/* clang-format on */

#endif /* KTR_COST_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE ktr_cost_trace
#include <trace/define_trace.h>
