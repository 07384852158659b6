// SPDX-License-Identifier: GPL-2.0
/* KTR_INTR: interrupts.  KTR_SMP: those that CPUs send each other; CPUs come and go. */
#include <linux/interrupt.h>
#include <trace/events/cpuhp.h>
#include <trace/events/ipi.h>
#include <trace/events/irq.h>
#include <trace/events/nmi.h>

#ifdef CONFIG_X86_LOCAL_APIC
#include <asm/trace/irq_vectors.h>
#endif

#include "events.h"

static void probe_irq_entry(void *data, int irq, struct irqaction *action)
{
	CTR4(KTR_INTR, "irq %d: exec %p(%p) for %s", irq, action->handler, action->dev_id,
	     action->name);
}

static void probe_irq_exit(void *data, int irq, struct irqaction *action, int ret)
{
	CTR3(KTR_INTR, "irq %d: %s for %s", irq, ret ? "handled" : "not handled", action->name);
}

static const char *const soft_names[NR_SOFTIRQS] = {
	[HI_SOFTIRQ] = "hi",	       [TIMER_SOFTIRQ] = "timer", [NET_TX_SOFTIRQ] = "net_tx",
	[NET_RX_SOFTIRQ] = "net_rx",   [BLOCK_SOFTIRQ] = "block", [IRQ_POLL_SOFTIRQ] = "irq_poll",
	[TASKLET_SOFTIRQ] = "tasklet", [SCHED_SOFTIRQ] = "sched", [HRTIMER_SOFTIRQ] = "hrtimer",
	[RCU_SOFTIRQ] = "rcu",
};

static const char *soft_name(unsigned int nr)
{
	return nr < NR_SOFTIRQS ? soft_names[nr] : "?";
}

static void probe_softirq_entry(void *data, unsigned int nr)
{
	CTR1(KTR_INTR, "softirq %s: begin", soft_name(nr));
}

static void probe_softirq_exit(void *data, unsigned int nr)
{
	CTR1(KTR_INTR, "softirq %s: end", soft_name(nr));
}

static void probe_softirq_raise(void *data, unsigned int nr)
{
	CTR1(KTR_INTR, "softirq %s: raised", soft_name(nr));
}

/* Since 6.4 (tracing: Add tracepoints for tasklets). */
static void probe_tasklet_entry(void *data, struct tasklet_struct *tasklet, void *function)
{
	CTR2(KTR_INTR, "tasklet %p: exec %p", tasklet, function);
}

static void probe_tasklet_exit(void *data, struct tasklet_struct *tasklet, void *function)
{
	CTR1(KTR_INTR, "tasklet %p: end", tasklet);
}

static void probe_nmi(void *data, void *handler, s64 ns, int handled)
{
	CTR3(KTR_INTR, "nmi: %p took %jd ns, handled %d", handler, ns, handled);
}

static void probe_cpuhp_enter(void *data, unsigned int cpu, int target, int step,
			      int (*function)(unsigned int cpu))
{
	CTR4(KTR_SMP, "cpu %d: to state %d, step %d (%p)", cpu, target, step, function);
}

static void probe_cpuhp_exit(void *data, unsigned int cpu, int state, int step, int ret)
{
	CTR4(KTR_SMP, "cpu %d: in state %d, step %d, result %d", cpu, state, step, ret);
}

/* A vector that comes and goes. */
#define VECTOR(mask, name)                                        \
	static void probe_##name##_entry(void *data, int vector)  \
	{                                                         \
		CTR1(mask, #name ": begin (vector %#x)", vector); \
	}                                                         \
	static void probe_##name##_exit(void *data, int vector)   \
	{                                                         \
		CTR1(mask, #name ": end (vector %#x)", vector);   \
	}

#ifdef CONFIG_X86_LOCAL_APIC
VECTOR(KTR_INTR, local_timer)
VECTOR(KTR_INTR, spurious_apic)
VECTOR(KTR_INTR, error_apic)
VECTOR(KTR_INTR, x86_platform_ipi)
VECTOR(KTR_INTR, irq_work)
VECTOR(KTR_INTR, thermal_apic)
VECTOR(KTR_SMP, reschedule)
VECTOR(KTR_SMP, call_function)
VECTOR(KTR_SMP, call_function_single)
#endif

/* Other architectures may have these, and tell nobody by them. */
#ifdef CONFIG_ARM64
static void probe_ipi_raise(void *data, const struct cpumask *mask, const char *reason)
{
	CTR3(KTR_SMP, "ipi: raised (%s) for %d CPUs, the first is %d", reason, cpumask_weight(mask),
	     cpumask_first(mask));
}

static void probe_ipi_entry(void *data, const char *reason)
{
	CTR1(KTR_SMP, "ipi: begin (%s)", reason);
}

static void probe_ipi_exit(void *data, const char *reason)
{
	CTR1(KTR_SMP, "ipi: end (%s)", reason);
}
#endif

static struct ktr_event events[] = {
	KTR_TRACEPOINT(KTR_INTR, irq_handler_entry, probe_irq_entry),
	KTR_TRACEPOINT(KTR_INTR, irq_handler_exit, probe_irq_exit),
	KTR_TRACEPOINT(KTR_INTR, softirq_entry, probe_softirq_entry),
	KTR_TRACEPOINT(KTR_INTR, softirq_exit, probe_softirq_exit),
	KTR_TRACEPOINT(KTR_INTR, softirq_raise, probe_softirq_raise),
	KTR_TRACEPOINT(KTR_INTR, tasklet_entry, probe_tasklet_entry),
	KTR_TRACEPOINT(KTR_INTR, tasklet_exit, probe_tasklet_exit),
	KTR_TRACEPOINT(KTR_INTR, nmi_handler, probe_nmi),
	KTR_TRACEPOINT(KTR_SMP, cpuhp_enter, probe_cpuhp_enter),
	KTR_TRACEPOINT(KTR_SMP, cpuhp_exit, probe_cpuhp_exit),
#ifdef CONFIG_X86_LOCAL_APIC
	KTR_TRACEPOINT(KTR_INTR, local_timer_entry, probe_local_timer_entry),
	KTR_TRACEPOINT(KTR_INTR, local_timer_exit, probe_local_timer_exit),
	KTR_TRACEPOINT(KTR_INTR, spurious_apic_entry, probe_spurious_apic_entry),
	KTR_TRACEPOINT(KTR_INTR, spurious_apic_exit, probe_spurious_apic_exit),
	KTR_TRACEPOINT(KTR_INTR, error_apic_entry, probe_error_apic_entry),
	KTR_TRACEPOINT(KTR_INTR, error_apic_exit, probe_error_apic_exit),
	KTR_TRACEPOINT(KTR_INTR, x86_platform_ipi_entry, probe_x86_platform_ipi_entry),
	KTR_TRACEPOINT(KTR_INTR, x86_platform_ipi_exit, probe_x86_platform_ipi_exit),
	KTR_TRACEPOINT(KTR_INTR, irq_work_entry, probe_irq_work_entry),
	KTR_TRACEPOINT(KTR_INTR, irq_work_exit, probe_irq_work_exit),
	KTR_TRACEPOINT(KTR_INTR, thermal_apic_entry, probe_thermal_apic_entry),
	KTR_TRACEPOINT(KTR_INTR, thermal_apic_exit, probe_thermal_apic_exit),
	KTR_TRACEPOINT(KTR_SMP, reschedule_entry, probe_reschedule_entry),
	KTR_TRACEPOINT(KTR_SMP, reschedule_exit, probe_reschedule_exit),
	KTR_TRACEPOINT(KTR_SMP, call_function_entry, probe_call_function_entry),
	KTR_TRACEPOINT(KTR_SMP, call_function_exit, probe_call_function_exit),
	KTR_TRACEPOINT(KTR_SMP, call_function_single_entry, probe_call_function_single_entry),
	KTR_TRACEPOINT(KTR_SMP, call_function_single_exit, probe_call_function_single_exit),
#endif
#ifdef CONFIG_ARM64
	KTR_TRACEPOINT(KTR_SMP, ipi_raise, probe_ipi_raise),
	KTR_TRACEPOINT(KTR_SMP, ipi_entry, probe_ipi_entry),
	KTR_TRACEPOINT(KTR_SMP, ipi_exit, probe_ipi_exit),
#endif
};

const struct ktr_events ktr_events_intr = { events, ARRAY_SIZE(events) };
