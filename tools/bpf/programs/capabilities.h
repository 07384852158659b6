/* SPDX-License-Identifier: GPL-2.0 */
/*
 * capabilities: capabilities that were asked for, and lacking.  A part of recorder.bpf.c.
 */
#ifndef KTRACE_BPF_PROGRAMS_CAPABILITIES_H
#define KTRACE_BPF_PROGRAMS_CAPABILITIES_H

SEC("fexit/cap_capable")
int BPF_PROG(asked, const struct cred *cred, struct user_namespace *ns, int cap, unsigned int opts,
	     int ret)
{
	struct ktrace_bpf_capable *e;
	struct ktrace_bpf_proc *p;
	struct task_struct *task;

	if (!ret || opts & CAP_OPT_NOAUDIT)
		return 0;
	p = proc_of(this_tgid());
	if (!p || !(p->points & KTRFAC_CAPFAIL))
		return 0;
	task = this_task();
	if (cred != BPF_CORE_READ(task, cred) && cred != BPF_CORE_READ(task, real_cred))
		return 0;
	e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);
	if (!e) {
		lose(p);
		return 0;
	}
	fill_head(&e->head, KTRACE_BPF_CAPABLE, p);
	e->head.facts = call_facts(task);
	e->cap = cap;
	e->pad = 0;
	bpf_core_read(&e->held, sizeof(e->held), &cred->cap_effective);
	e->nr = -1;
	bpf_ringbuf_submit(e, BPF_RB_NO_WAKEUP);
	return 0;
}

#endif /* KTRACE_BPF_PROGRAMS_CAPABILITIES_H */
