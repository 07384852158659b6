/* SPDX-License-Identifier: GPL-2.0 */
/*
 * life: processes and threads that come, execute, and go.  A part of recorder.bpf.c.
 */
#ifndef KTRACE_BPF_PROGRAMS_LIFE_H
#define KTRACE_BPF_PROGRAMS_LIFE_H

SEC("tp_btf/sched_process_fork")
int BPF_PROG(born, struct task_struct *parent, struct task_struct *child)
{
	struct ktrace_bpf_proc *p = proc_of(parent->tgid), fresh = {};
	struct ktrace_bpf_fork *e;
	__u32 tgid = child->tgid;

	if (!p || !(p->points & KTRFAC_INHERIT) || tgid == (__u32)parent->tgid)
		return 0;
	fresh.points = p->points;
	fresh.session = p->session;
	if (bpf_map_update_elem(&procs, &tgid, &fresh, 0)) {
		lose(p);
		return 0;
	}
	e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);
	if (!e) {
		lose(p);
		return 0;
	}
	fill_head(&e->head, KTRACE_BPF_FORK, p);
	e->tgid = tgid;
	e->pid = child->pid;
	bpf_probe_read_kernel(e->comm, sizeof(e->comm), child->comm);
	bpf_ringbuf_submit(e, BPF_RB_NO_WAKEUP);
	return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(executed, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	struct ktrace_bpf_proc *p = proc_of(this_tgid());
	struct ktrace_bpf_exec *e;
	struct mm_struct *mm;

	if (!p)
		return 0;
	mm = BPF_CORE_READ(task, mm);
	if (p->points & KTRFAC_ARGS)
		capture_long(BPF_CORE_READ(mm, arg_start),
			     BPF_CORE_READ(mm, arg_end) - BPF_CORE_READ(mm, arg_start));
	if (p->points & KTRFAC_ENVS)
		capture_long(BPF_CORE_READ(mm, env_start),
			     BPF_CORE_READ(mm, env_end) - BPF_CORE_READ(mm, env_start));
	e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);
	if (!e) {
		lose(p);
		return 0;
	}
	fill_head(&e->head, KTRACE_BPF_EXEC, p);
	e->head.facts = call_facts(task);
	e->old_pid = old_pid;
	e->pad = 0;
	e->arg_start = BPF_CORE_READ(mm, arg_start);
	e->arg_end = BPF_CORE_READ(mm, arg_end);
	e->env_start = BPF_CORE_READ(mm, env_start);
	e->env_end = BPF_CORE_READ(mm, env_end);
	bpf_ringbuf_submit(e, BPF_RB_NO_WAKEUP);
	return 0;
}

/* The call that a thread exits in: seccomp may have killed it there, before it began. */
static __always_inline void put_last_call(struct ktrace_bpf_call *e, struct task_struct *task)
{
	const struct pt_regs *regs = BPF_CORE_READ(task, stack) + regs_offset;

	e->nr = -1;
	e->ret = 0;
	if (!regs_offset)
		return;
	e->nr = (int)BPF_CORE_READ(regs, orig_ax);
	if (e->head.facts & KTRACE_BPF_COMPAT_CALL) {
		e->args[0] = (__u32)BPF_CORE_READ(regs, bx);
		e->args[1] = (__u32)BPF_CORE_READ(regs, cx);
		e->args[2] = (__u32)BPF_CORE_READ(regs, dx);
		e->args[3] = (__u32)BPF_CORE_READ(regs, si);
		e->args[4] = (__u32)BPF_CORE_READ(regs, di);
		e->args[5] = (__u32)BPF_CORE_READ(regs, bp);
	} else {
		e->args[0] = BPF_CORE_READ(regs, di);
		e->args[1] = BPF_CORE_READ(regs, si);
		e->args[2] = BPF_CORE_READ(regs, dx);
		e->args[3] = BPF_CORE_READ(regs, r10);
		e->args[4] = BPF_CORE_READ(regs, r8);
		e->args[5] = BPF_CORE_READ(regs, r9);
	}
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(exits, struct task_struct *task)
{
	__u32 tgid = task->tgid, facts = call_facts(task);
	struct ktrace_bpf_proc *p = proc_of(tgid), last;
	struct ktrace_bpf_call *e;
	bool gone;

	if (!p)
		return 0;
	gone = !BPF_CORE_READ(task, signal, live.counter);
	e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);
	if (!e) {
		if (gone) {
			/* The recorder finds out, and makes the record. */
			p->points = 0;
			p->dead = 1;
		} else {
			lose(p);
		}
		return 0;
	}
	last = *p;
	/* Two threads may both see that they are the last: one of them takes the process away. */
	if (gone && bpf_map_delete_elem(&procs, &tgid)) {
		bpf_ringbuf_discard(e, BPF_RB_NO_WAKEUP);
		return 0;
	}
	if (gone)
		facts |= KTRACE_BPF_LAST;
	fill_head(&e->head, KTRACE_BPF_EXIT, &last);
	e->head.facts = facts;
	e->head.seccomp = BPF_CORE_READ(task, seccomp.mode);
	__builtin_memset(&e->task, 0, sizeof(*e) - sizeof(e->head));
	put_last_call(e, task);
	bpf_ringbuf_submit(e, BPF_RB_NO_WAKEUP);
	return 0;
}

#endif /* KTRACE_BPF_PROGRAMS_LIFE_H */
