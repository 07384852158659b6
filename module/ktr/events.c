// SPDX-License-Identifier: GPL-2.0
#include <linux/bits.h>
#include <linux/log2.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "../wchan.h"
#include "events.h"

static const struct ktr_events *const tables[] = {
	&ktr_events_sched, &ktr_events_proc, &ktr_events_syscall, &ktr_events_intr,
	&ktr_events_timer, &ktr_events_lock, &ktr_events_mem,	  &ktr_events_fs,
	&ktr_events_net,   &ktr_events_inet, &ktr_events_system,
};

/* Classes that the kernel is to feed, by bit.  The others are for who names events after them. */
static const char *const names[KTR_CLASSES] = {
	[ilog2(KTR_GEN)] = "GEN",     [ilog2(KTR_NET)] = "NET",
	[ilog2(KTR_LOCK)] = "LOCK",   [ilog2(KTR_SMP)] = "SMP",
	[ilog2(KTR_PMAP)] = "PMAP",   [ilog2(KTR_MALLOC)] = "MALLOC",
	[ilog2(KTR_TRAP)] = "TRAP",   [ilog2(KTR_INTR)] = "INTR",
	[ilog2(KTR_SIG)] = "SIG",     [ilog2(KTR_PROC)] = "PROC",
	[ilog2(KTR_SYSC)] = "SYSC",   [ilog2(KTR_INIT)] = "INIT",
	[ilog2(KTR_EVH)] = "EVH",     [ilog2(KTR_VFS)] = "VFS",
	[ilog2(KTR_VOP)] = "VOP",     [ilog2(KTR_VM)] = "VM",
	[ilog2(KTR_INET)] = "INET",   [ilog2(KTR_RUNQ)] = "RUNQ",
	[ilog2(KTR_UMA)] = "UMA",     [ilog2(KTR_CALLOUT)] = "CALLOUT",
	[ilog2(KTR_GEOM)] = "GEOM",   [ilog2(KTR_BUSDMA)] = "BUSDMA",
	[ilog2(KTR_INET6)] = "INET6", [ilog2(KTR_SCHED)] = "SCHED",
	[ilog2(KTR_BUF)] = "BUF",     [ilog2(KTR_PTRACE)] = "PTRACE",
};

/* Classes that are on (protected by the control mutex). */
static u32 on;
/* Classes of which it has been said what they lack (likewise). */
static u32 told;

static bool usable(const struct ktr_event *event)
{
	return event->probe && event->tp;
}

/* The events of all tables, by number; NULL: there are no more. */
static struct ktr_event *event_at(unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tables); i++) {
		if (nr < tables[i]->nr)
			return &tables[i]->event[nr];
		nr -= tables[i]->nr;
	}
	return NULL;
}

static void match(struct tracepoint *tp, void *unused)
{
	struct ktr_event *event;
	unsigned int i;

	for (i = 0; (event = event_at(i)); i++)
		if (!strcmp(event->name, tp->name))
			event->tp = tp;
}

/** ktr_events_init - find the kernel's tracepoints.  Context: module init.  Return: 0 or -errno. */
int ktr_events_init(void)
{
	for_each_kernel_tracepoint(match, NULL);
	return ktrace_wchan_init();
}

/* Is there an entry for the tracepoint of this name that can be used? */
static bool any_usable(const char *name)
{
	struct ktr_event *event;
	unsigned int i;

	for (i = 0; (event = event_at(i)); i++)
		if (usable(event) && !strcmp(event->name, name))
			return true;
	return false;
}

/* Says what this kernel does not tell us of a class. */
static void tell(unsigned int bit)
{
	struct ktr_event *event;
	unsigned int i, have = 0;
	size_t len = 0;
	char missing[256] = "";

	for (i = 0; (event = event_at(i)); i++) {
		if (!(event->classes & BIT(bit)))
			continue;
		if (any_usable(event->name))
			have++;
		else
			len += scnprintf(missing + len, sizeof(missing) - len, " %s", event->name);
	}
	if (!have)
		pr_info("ktr: KTR_%s: this kernel has no tracepoints for it\n", names[bit]);
	else if (len)
		pr_info("ktr: KTR_%s: this kernel lacks%s\n", names[bit], missing);
}

static void attach(struct ktr_event *event)
{
	int err = tracepoint_probe_register(event->tp, event->probe, NULL);

	if (err)
		pr_warn("ktr: no events from tracepoint %s: error %d\n", event->name, err);
	event->attached = !err;
}

static void attach_table(const struct ktr_events *table, u32 mask)
{
	bool begun = false;
	unsigned int i;

	for (i = 0; i < table->nr; i++)
		begun |= table->event[i].attached;
	for (i = 0; i < table->nr; i++) {
		struct ktr_event *event = &table->event[i];

		if (event->attached || !usable(event) || !(event->classes & mask))
			continue;
		if (!begun && table->begin)
			table->begin();
		begun = true;
		attach(event);
	}
}

/* Returns whether there was something to detach. */
static bool detach_others(u32 mask)
{
	struct ktr_event *event;
	bool some = false;
	unsigned int i;

	for (i = 0; (event = event_at(i)); i++) {
		if (!event->attached || event->classes & mask)
			continue;
		tracepoint_probe_unregister(event->tp, event->probe, NULL);
		event->attached = false;
		some = true;
	}
	return some;
}

/**
 * ktr_events_update - feed just these classes
 * @mask: of them
 *
 * Says what this kernel lacks for classes that are on for the first time.
 * When it returns, probes of no other class run.
 *
 * Context: may sleep; the control mutex is held.
 */
void ktr_events_update(u32 mask)
{
	unsigned int i;

	for (i = 0; i < KTR_CLASSES; i++)
		if (names[i] && mask & ~told & BIT(i))
			tell(i);
	told |= mask;
	for (i = 0; mask & ~on && i < ARRAY_SIZE(tables); i++)
		attach_table(tables[i], mask);
	if (detach_others(mask))
		tracepoint_synchronize_unregister();
	on = mask;
}

/** ktr_events_exit - no probe runs any more.  Context: module exit. */
void ktr_events_exit(void)
{
	ktr_events_update(0);
	ktrace_wchan_exit();
}

/* What a quoted string of a line may have. */
static char harmless(char c)
{
	if (c == '"')
		return '\'';
	return c >= ' ' && c < 0x7f ? c : '?';
}

/**
 * ktr_ident - what to call a thread
 * @ident: gets it
 * @task: the thread
 *
 * Context: any.  Return: @ident's text.
 */
const char *ktr_ident(struct ktr_ident *ident, const struct task_struct *task)
{
	unsigned int nr = task->pid, i;
	char digits[10], *p = ident->text;

	for (i = 0; i < TASK_COMM_LEN - 1 && task->comm[i]; i++)
		*p++ = harmless(task->comm[i]);
	memcpy(p, " tid ", 5);
	p += 5;
	i = 0;
	do {
		digits[i++] = '0' + nr % 10;
		nr /= 10;
	} while (nr);
	while (i)
		*p++ = digits[--i];
	*p = '\0';
	return ident->text;
}
