// SPDX-License-Identifier: GPL-2.0
/*
 * The first function on the stack that is not the scheduler's.  Its name is
 * found in microseconds, which is long under a runqueue lock: each CPU keeps
 * those that it found last.  Nobody but a context switch of this CPU looks at
 * them, and those do not nest: they need no lock.
 *
 * A name stays right until a module comes that may lie where another one was.
 */
#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/stacktrace.h>
#include <linux/string.h>

#include "wchan.h"
#include "wmesg.h"

/* What calls us in a switch, the scheduler, and one more. */
#define FRAMES	  20
#define NAME_BITS 6

/**
 * struct names - what a CPU has found (its context switches: interrupts off)
 * @epoch: of the modules, when it began
 * @name: by the hash of its address: a function's word, 0 if it is the scheduler's
 * @buffer: for a symbol
 */
struct names {
	int epoch;
	struct name {
		unsigned long address;
		u64 wmesg;
	} name[1 << NAME_BITS];
	char buffer[KSYM_SYMBOL_LEN];
};

static struct names __percpu *names;
static atomic_t epoch; /* how many modules came */

/* The section .sched.text; 0: unknown, then functions are known by name (const after init). */
static unsigned long sched_start, sched_end;

static bool in_sched_text(unsigned long address)
{
	return address >= sched_start && address < sched_end;
}

static u64 look_up(struct names *n, unsigned long address)
{
	sprint_symbol_no_offset(n->buffer, address);
	if (!sched_end && ktrace_wmesg_scheduler(n->buffer))
		return 0;
	return ktrace_wmesg(n->buffer);
}

/* The word of the function that @address is in; 0: it is the scheduler's. */
static u64 name_of(struct names *n, unsigned long address)
{
	struct name *name;

	if (in_sched_text(address))
		return 0;
	name = &n->name[hash_long(address, NAME_BITS)];
	if (name->address != address) {
		name->wmesg = look_up(n, address);
		name->address = address;
	}
	return name->wmesg;
}

static struct names *names_now(void)
{
	struct names *n = this_cpu_ptr(names);
	int now = atomic_read(&epoch);

	if (unlikely(n->epoch != now)) {
		memset(n->name, 0, sizeof(n->name));
		n->epoch = now;
	}
	return n;
}

/**
 * ktrace_wchan - where current is about to sleep
 *
 * Context: tracepoint sched_switch: runqueue lock held, interrupts off.
 * Return: a word (wmesg.h); KTRACE_WMESG_UNKNOWN if the stack does not tell.
 */
u64 ktrace_wchan(void)
{
	unsigned long frame[FRAMES];
	unsigned int count = stack_trace_save(frame, FRAMES, 1), i;
	struct names *n = names_now();
	bool asleep = false;

	for (i = 0; i < count; i++) {
		u64 wmesg;

		/* Before the scheduler come we. */
		if (!asleep && sched_end && !in_sched_text(frame[i]))
			continue;
		wmesg = name_of(n, frame[i]);
		if (!wmesg)
			asleep = true;
		else if (asleep)
			return wmesg;
	}
	return KTRACE_WMESG_UNKNOWN;
}

static int module_came(struct notifier_block *block, unsigned long state, void *module)
{
	if (state == MODULE_STATE_COMING)
		atomic_inc(&epoch);
	return NOTIFY_DONE;
}

static struct notifier_block module_block = { .notifier_call = module_came };

/*
 * A kprobe knows the address of its symbol even if it can never be there.  It
 * is never armed: nothing is called or changed at that address.
 */
static unsigned long address_of(const char *symbol)
{
	struct kprobe kp = { .symbol_name = symbol, .flags = KPROBE_FLAG_DISABLED };

	if (!register_kprobe(&kp))
		unregister_kprobe(&kp);
	return (unsigned long)kp.addr;
}

static void find_sched_text(void)
{
	unsigned long start = address_of("__sched_text_start"),
		      end = address_of("__sched_text_end");
	unsigned long inside = (unsigned long)schedule;

	if (!start || inside < start || inside >= end || end - start > SZ_1M) {
		pr_notice("ktrace: the scheduler's functions are known by their names only\n");
		return;
	}
	sched_start = start;
	sched_end = end;
}

/** ktrace_wchan_init - Context: module init.  Return: 0 or an errno. */
int ktrace_wchan_init(void)
{
	int err;

	names = alloc_percpu(struct names);
	if (!names)
		return -ENOMEM;
	err = register_module_notifier(&module_block);
	if (err) {
		free_percpu(names);
		return err;
	}
	find_sched_text();
	return 0;
}

/** ktrace_wchan_exit - no switch is traced any more */
void ktrace_wchan_exit(void)
{
	unregister_module_notifier(&module_block);
	free_percpu(names);
}
