// SPDX-License-Identifier: GPL-2.0
/*
 * ktr_user: a module that records events with <sys/ktr.h>.
 *
 * A line written to /proc/ktr_user says which (see runs).  Writing returns when
 * all are recorded; several may be at work at a time.  Reading says how many the
 * last flood had: lines of CPU, and events of the thread and of the timer.
 * /proc/ktr_attached has the names of the tracepoints that somebody listens to.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>
#ifdef CONFIG_X86
#include <asm/apic.h>
#include <asm/nmi.h>
#endif

#include <sys/ktr.h>

#include "compat.h"

/* What a line says after the name. */
struct how {
	unsigned long count, delay;
};

static void macros(const struct how *how)
{
	TR0("tr0");
	TR1("tr1 %d", 1);
	TR2("tr2 %d %d", 1, 2);
	TR3("tr3 %d %d %d", 1, 2, 3);
	TR4("tr4 %d %d %d %d", 1, 2, 3, 4);
	TR5("tr5 %d %d %d %d %d", 1, 2, 3, 4, 5);
	TR6("tr6 %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6);
	ITR0("itr0");
	ITR1("itr1 %d", 1);
	ITR6("itr6 %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6);
	KTR_EVENT0(KTR_SCHED, "g", "i", "point:\"%s\"", "p");
	KTR_STATE0(KTR_SCHED, "thread", "a", "running");
	KTR_STATE4(KTR_SCHED, "thread", "a", "sleep", "a:%d", 1, "b:%d", 2, "c:%d", 3,
		   KTR_ATTR_LINKED, "b");
	KTR_COUNTER0(KTR_SCHED, "cpu", "CPU 0 load", 7);
	KTR_COUNTER1(KTR_SCHED, "cpu", "CPU 0 load", 8, "a:%d", 1);
	KTR_POINT0(KTR_SCHED, "thread", "a", "wakeup");
	KTR_POINT2(KTR_SCHED, "thread", "a", "wakeup", "a:%d", 1, "b:%d", 2);
	KTR_START0(KTR_SCHED, "io", "disk", 0xabc);
	KTR_START3(KTR_SCHED, "io", "disk", 0xabc, "a:%d", 1, "b:%d", 2, "c:%d", 3);
	KTR_STOP0(KTR_SCHED, "io", "disk", 0xabc);
	KTR_STOP1(KTR_SCHED, "io", "disk", 0xabc, "a:%d", 1);
}

static unsigned int several = KTR_VM | KTR_PTRACE;
module_param(several, uint, 0644);

/* Every class alone, several, those known at run time only, and none. */
static void classes(const struct how *how)
{
#define ONE(bit) CTR1(1U << (bit), "class %d", bit)
#define FOUR(bit)               \
	do {                    \
		ONE(bit);       \
		ONE((bit) + 1); \
		ONE((bit) + 2); \
		ONE((bit) + 3); \
	} while (0)
	FOUR(0);
	FOUR(4);
	FOUR(8);
	FOUR(12);
	FOUR(16);
	FOUR(20);
	FOUR(24);
	FOUR(28);
	CTR0(KTR_NET | KTR_INET, "net or inet");
	CTR0(several, "vm or ptrace");
	CTR0(0, "never");
}

static void strings(const struct how *how)
{
	char *kept = kstrdup("kept", GFP_KERNEL);
	char longer[200];

	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	CTR2(KTR_SUBSYS, "string %s and %s", kept, "constant");
	if (kept)
		memcpy(kept, "gone", 4);
	kfree(kept);
	CTR1(KTR_SUBSYS, "string null %s", NULL);
	CTR1(KTR_SUBSYS, "string bad %s", 0x1000);
	CTR1(KTR_SUBSYS, "string worse %s", 0xdead000000000000);
	CTR1(KTR_SUBSYS, "string hole %s", 0xfffffffffffff000);
	CTR1(KTR_SUBSYS, "string vsyscall %s", 0xffffffffff600000);
	CTR1(KTR_SUBSYS, "string long %s", longer);
	CTR4(KTR_SUBSYS, "string mixed %d %s %*s", 5, "one", 7, "two");
	CTR2(KTR_SUBSYS, "string second is cut %s %s", longer + 130, longer);
}

static enum hrtimer_restart hard(struct hrtimer *timer)
{
	CTR2(KTR_SUBSYS, "context %s %d", "hrtimer", !!in_hardirq());
	return HRTIMER_NORESTART;
}

static void soft(struct timer_list *timer)
{
	CTR2(KTR_SUBSYS, "context %s %d", "timer", !!in_serving_softirq());
}

static void work(struct irq_work *work)
{
	CTR2(KTR_SUBSYS, "context %s %d", "irq_work", !!in_hardirq());
}

static void ipi(void *arg)
{
	CTR2(KTR_SUBSYS, "context %s %d", "ipi", raw_smp_processor_id());
}

#ifdef CONFIG_X86
static atomic_t nmis;

static int nmi(unsigned int type, struct pt_regs *regs)
{
	CTR2(KTR_SUBSYS, "context %s %d", "nmi", !!in_nmi());
	atomic_inc(&nmis);
	return NMI_HANDLED;
}

static int send_nmis(unsigned int times)
{
	int before, err;

	err = register_nmi_handler(NMI_LOCAL, nmi, 0, "ktr_user");
	while (!err && times--) {
		before = atomic_read(&nmis);
		apic->send_IPI_mask(cpumask_of(raw_smp_processor_id()), NMI_VECTOR);
		while (atomic_read(&nmis) == before)
			cpu_relax();
	}
	unregister_nmi_handler(NMI_LOCAL, "ktr_user");
	return err;
}
#else
/* What nests deepest where no interrupt goes through all masks. */
static int send_nmis(unsigned int times)
{
	struct irq_work iw = IRQ_WORK_INIT_HARD(work);

	while (times--) {
		irq_work_queue(&iw);
		irq_work_sync(&iw);
	}
	return 0;
}
#endif

static void contexts(const struct how *how)
{
	struct hrtimer hr;
	struct timer_list timer;
	struct irq_work iw = IRQ_WORK_INIT_HARD(work);
	unsigned long flags;

	CTR2(KTR_SUBSYS, "context %s %d", "process", !!in_task());
	local_irq_save(flags);
	CTR2(KTR_SUBSYS, "context %s %d", "irqs off", !!irqs_disabled());
	local_irq_restore(flags);

	hrtimer_setup_on_stack(&hr, hard, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	hrtimer_start(&hr, ms_to_ktime(1), HRTIMER_MODE_REL_HARD);
	timer_setup_on_stack(&timer, soft, 0);
	mod_timer(&timer, jiffies + 1);
	irq_work_queue(&iw);
	irq_work_sync(&iw);
	on_each_cpu(ipi, NULL, 1);
	if (IS_ENABLED(CONFIG_X86))
		send_nmis(1);
	schedule_timeout_uninterruptible(HZ / 10);
	hrtimer_cancel(&hr);
	destroy_hrtimer_on_stack(&hr);
	timer_delete_sync(&timer);
	timer_destroy_on_stack(&timer);
}

/* Events of the last flood, by CPU: of the thread, and of the timer. */
static unsigned long made[NR_CPUS][2];

/* A thread of each CPU records so many events, so many microseconds apart, and a timer some between them. */
struct flood {
	const struct how *how;
	struct task_struct *task;
	struct hrtimer timer;
	unsigned long done, in_timer;
};

static enum hrtimer_restart flood_timer(struct hrtimer *timer)
{
	struct flood *flood = container_of(timer, struct flood, timer);

	CTR2(KTR_SUBSYS, "flood timer cpu %d event %lu", raw_smp_processor_id(), flood->in_timer++);
	hrtimer_forward_now(timer, ms_to_ktime(1));
	return HRTIMER_RESTART;
}

static int flood_thread(void *arg)
{
	struct flood *flood = arg;

	hrtimer_start(&flood->timer, ms_to_ktime(1), HRTIMER_MODE_REL_PINNED_HARD);
	for (; flood->done < flood->how->count; flood->done++) {
		CTR2(KTR_SUBSYS, "flood cpu %d event %lu", raw_smp_processor_id(), flood->done);
		udelay(flood->how->delay);
		if (!(flood->done % 256))
			cond_resched();
	}
	hrtimer_cancel(&flood->timer);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static void flood(const struct how *how)
{
	struct flood *all = kcalloc(nr_cpu_ids, sizeof(*all), GFP_KERNEL);
	int cpu;

	if (!all)
		return;
	for_each_online_cpu(cpu) {
		all[cpu].how = how;
		hrtimer_setup(&all[cpu].timer, flood_timer, CLOCK_MONOTONIC,
			      HRTIMER_MODE_REL_PINNED_HARD);
		all[cpu].task = kthread_create(flood_thread, &all[cpu], "ktr_flood/%d", cpu);
		if (IS_ERR(all[cpu].task)) {
			all[cpu].task = NULL;
			continue;
		}
		kthread_bind(all[cpu].task, cpu);
		wake_up_process(all[cpu].task);
	}
	for_each_online_cpu(cpu) {
		while (all[cpu].task && READ_ONCE(all[cpu].done) < how->count)
			schedule_timeout_uninterruptible(1);
		if (all[cpu].task)
			kthread_stop(all[cpu].task);
		made[cpu][0] = all[cpu].done;
		made[cpu][1] = all[cpu].in_timer;
	}
	kfree(all);
}

static void many(const struct how *how)
{
	unsigned long i;

	for (i = 0; i < how->count; i++)
		CTR1(KTR_SUBSYS, "many %lu", i);
}

static void nmis_many(const struct how *how)
{
	send_nmis(how->count);
}

/* In a thread: who asks for it goes on. */
static int oops_thread(void *arg)
{
	*(volatile int *)8 = 0;
	return 0;
}

static void oops(const struct how *how)
{
	kthread_run(oops_thread, NULL, "ktr_oops");
}

static const struct {
	const char *name;
	void (*function)(const struct how *how);
} runs[] = {
	{ "macros", macros },	  { "classes", classes }, { "strings", strings },
	{ "contexts", contexts }, { "flood", flood },	  { "many", many },
	{ "nmis", nmis_many },	  { "oops", oops },
};

static ssize_t run(struct file *file, const char __user *from, size_t size, loff_t *pos)
{
	struct how how = { .count = 1 };
	char line[64] = "", name[16];
	int i;

	if (size >= sizeof(line) || copy_from_user(line, from, size))
		return -EINVAL;
	if (sscanf(line, "%15s %lu %lu", name, &how.count, &how.delay) < 1)
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(runs); i++) {
		if (!strcmp(name, runs[i].name)) {
			runs[i].function(&how);
			return size;
		}
	}
	return -EINVAL;
}

static int show(struct seq_file *seq, void *unused)
{
	int cpu;

	for_each_online_cpu(cpu)
		seq_printf(seq, "%d %lu %lu\n", cpu, made[cpu][0], made[cpu][1]);
	return 0;
}

static int open_made(struct inode *inode, struct file *file)
{
	return single_open(file, show, NULL);
}

static const struct proc_ops ops = {
	.proc_open = open_made,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = run,
};

static void show_attached(struct tracepoint *tp, void *seq)
{
	if (static_key_enabled(&tp->key))
		seq_printf(seq, "%s\n", tp->name);
}

static int attached(struct seq_file *seq, void *unused)
{
	for_each_kernel_tracepoint(show_attached, seq);
	return 0;
}

static int __init user_init(void)
{
	CTR0(KTR_INIT, "user of ktr: init");
	if (!proc_create("ktr_user", 0600, NULL, &ops))
		return -ENOMEM;
	if (!proc_create_single("ktr_attached", 0400, NULL, attached)) {
		remove_proc_entry("ktr_user", NULL);
		return -ENOMEM;
	}
	return 0;
}

static void __exit user_exit(void)
{
	remove_proc_entry("ktr_attached", NULL);
	remove_proc_entry("ktr_user", NULL);
	CTR0(KTR_INIT, "user of ktr: exit");
}

module_init(user_init);
module_exit(user_exit);

MODULE_DESCRIPTION("Test of ktr(9)");
MODULE_LICENSE("GPL");
