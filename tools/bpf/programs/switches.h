/* SPDX-License-Identifier: GPL-2.0 */
/*
 * switches: threads that stop, and resume.  A part of recorder.bpf.c.
 */
#ifndef KTRACE_BPF_PROGRAMS_SWITCHES_H
#define KTRACE_BPF_PROGRAMS_SWITCHES_H

static __always_inline bool is_exiting(const struct task_struct *task)
{
	return BPF_CORE_READ(task, flags) & PF_EXITING;
}

static __always_inline void fill_head_of(struct ktrace_bpf_head *h, __u16 type,
					 const struct ktrace_bpf_proc *p, struct task_struct *task)
{
	fill_event(h, type, p);
	h->tgid = BPF_CORE_READ(task, tgid);
	h->pid = BPF_CORE_READ(task, pid);
	bpf_probe_read_kernel(h->comm, sizeof(h->comm), task->comm);
}

static __always_inline void put_stop(void *ctx, struct task_struct *task, bool preempt, __u32 state)
{
	struct ktrace_bpf_proc *p = proc_of(BPF_CORE_READ(task, tgid));
	struct ktrace_bpf_switch *e;
	long n = 0;

	if (!p || !(p->points & KTRFAC_CSW) || is_exiting(task))
		return;
	e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);
	if (!e) {
		lose(p);
		return;
	}
	fill_head_of(&e->head, KTRACE_BPF_STOP, p, task);
	e->preempt = preempt;
	e->state = state;
	if (!preempt && state)
		n = bpf_get_stack(ctx, e->frame, sizeof(e->frame), 0);
	e->frames = n > 0 ? n / sizeof(e->frame[0]) : 0;
	e->pad = 0;
	bpf_ringbuf_submit(e, BPF_RB_NO_WAKEUP);
}

static __always_inline void put_resume(struct task_struct *task)
{
	struct ktrace_bpf_proc *p = proc_of(BPF_CORE_READ(task, tgid));
	struct ktrace_bpf_switch *e;

	if (!p || !(p->points & KTRFAC_CSW) || is_exiting(task) ||
	    !(BPF_CORE_READ(task, nvcsw) + BPF_CORE_READ(task, nivcsw)))
		return;
	e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);
	if (!e) {
		lose(p);
		return;
	}
	fill_head_of(&e->head, KTRACE_BPF_RESUME, p, task);
	e->preempt = 0;
	e->state = 0;
	e->frames = 0;
	e->pad = 0;
	bpf_ringbuf_submit(e, BPF_RB_NO_WAKEUP);
}

static __always_inline __u32 state_of(struct task_struct *task)
{
	if (bpf_core_field_exists(task->__state))
		return BPF_CORE_READ(task, __state);
	return BPF_CORE_READ((struct task_struct___old *)task, state);
}

SEC("tp_btf/sched_switch")
int switched(__u64 *ctx)
{
	struct task_struct *prev = (struct task_struct *)ctx[1];
	struct task_struct *next = (struct task_struct *)ctx[2];
	__u32 state = switch_has_state ? ctx[3] : state_of(prev);

	put_stop(ctx, prev, (bool)ctx[0], state);
	put_resume(next);
	return 0;
}

#endif /* KTRACE_BPF_PROGRAMS_SWITCHES_H */
