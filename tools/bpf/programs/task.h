/* SPDX-License-Identifier: GPL-2.0 */
/*
 * task: who runs: is it traced, what the head of its events says, and what probes ask
 * about it.  A part of recorder.bpf.c.
 */
#ifndef KTRACE_BPF_PROGRAMS_TASK_H
#define KTRACE_BPF_PROGRAMS_TASK_H

static __always_inline __u32 this_tgid(void)
{
	return bpf_get_current_pid_tgid() >> 32;
}

static __always_inline struct task_struct *this_task(void)
{
	return (struct task_struct *)bpf_get_current_task();
}

static __always_inline struct ktrace_bpf_proc *proc_of(__u32 tgid)
{
	return bpf_map_lookup_elem(&procs, &tgid);
}

/* An event of a process found no room. */
static __always_inline void lose(struct ktrace_bpf_proc *p)
{
	__sync_fetch_and_add(&p->lost, 1);
}

static __always_inline void lose_of(__u32 tgid)
{
	struct ktrace_bpf_proc *p = proc_of(tgid);

	if (p)
		lose(p);
}

/* The recorder looks often enough by itself, unless much comes at once. */
static __always_inline __u64 wakeup(void)
{
	return bpf_ringbuf_query(&events, BPF_RB_AVAIL_DATA) > much ? BPF_RB_FORCE_WAKEUP :
								      BPF_RB_NO_WAKEUP;
}

/* All of a head but whose it is. */
static __always_inline void fill_event(struct ktrace_bpf_head *h, __u16 type,
				       const struct ktrace_bpf_proc *p)
{
	h->type = type;
	h->seccomp = 0;
	h->facts = 0;
	h->cpu = bpf_get_smp_processor_id();
	h->lost = p->lost;
	h->stamp = bpf_ktime_get_ns();
	h->points = p->points;
	h->session = p->session;
}

static __always_inline void fill_head(struct ktrace_bpf_head *h, __u16 type,
				      const struct ktrace_bpf_proc *p)
{
	__u64 id = bpf_get_current_pid_tgid();

	fill_event(h, type, p);
	h->tgid = id >> 32;
	h->pid = id;
	bpf_get_current_comm(h->comm, sizeof(h->comm));
}

static __always_inline __u32 is_compat_call(struct task_struct *task)
{
	return BPF_CORE_READ(task, thread_info.status) & TS_COMPAT ? KTRACE_BPF_COMPAT_CALL : 0;
}

/* The number of TIF_ADDR32 differs between kernels, and nothing tells it; but exec made this of it. */
static __always_inline __u32 is_compat_image(struct task_struct *task)
{
	__u64 size = BPF_CORE_READ(task, mm, task_size);

	return size && size <= ~0U ? KTRACE_BPF_COMPAT_IMAGE : 0;
}

static __always_inline __u32 is_emulated(struct task_struct *task)
{
	unsigned long word;
	__u32 bit;

	if (bpf_core_enum_value_exists(enum syscall_work_bit, SYSCALL_WORK_BIT_SYSCALL_EMU)) {
		bit = bpf_core_enum_value(enum syscall_work_bit, SYSCALL_WORK_BIT_SYSCALL_EMU);
		word = BPF_CORE_READ(task, thread_info.syscall_work);
	} else {
		bit = TIF_SYSCALL_EMU;
		word = BPF_CORE_READ(task, thread_info.flags);
	}
	return word >> (bit & 63) & 1 ? KTRACE_BPF_EMULATED : 0;
}

/* What a call's probe asks about the task. */
static __always_inline __u32 call_facts(struct task_struct *task)
{
	__u64 pending = BPF_CORE_READ(task, pending.signal.sig[0]);
	__u32 flags = BPF_CORE_READ(task, flags);
	__u32 facts = is_compat_call(task) | is_compat_image(task) | is_emulated(task);

	if (pending >> (SIGSYS - 1) & 1)
		facts |= KTRACE_BPF_SIGSYS;
	if (pending >> (SIGKILL - 1) & 1)
		facts |= KTRACE_BPF_FATAL;
	if (flags & PF_EXITING)
		facts |= KTRACE_BPF_EXITING;
	if (flags & (PF_KTHREAD | PF_IO_WORKER))
		facts |= KTRACE_BPF_WORKER;
	return facts;
}

#endif /* KTRACE_BPF_PROGRAMS_TASK_H */
