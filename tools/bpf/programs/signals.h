/* SPDX-License-Identifier: GPL-2.0 */
/*
 * signals: signals that are taken.  A part of recorder.bpf.c.
 */
#ifndef KTRACE_BPF_PROGRAMS_SIGNALS_H
#define KTRACE_BPF_PROGRAMS_SIGNALS_H

/* The si_code of a signal that is still queued. */
static __noinline bool queued_code(const struct sigpending *pending, int signo, int *code)
{
	const struct list_head *end = &pending->list, *at = BPF_CORE_READ(pending, list.next);
	__u32 i;

	for (i = 0; i < QUEUE_MOST && at && at != end; i++) {
		const struct sigqueue *q = (const void *)at; /* list is its first member */

		if (BPF_CORE_READ(q, info.si_signo) == signo) {
			*code = BPF_CORE_READ(q, info.si_code);
			return true;
		}
		at = BPF_CORE_READ(at, next);
	}
	return false;
}

SEC("tp_btf/signal_deliver")
int BPF_PROG(delivered, int signo, struct kernel_siginfo *info, struct k_sigaction *ka)
{
	struct ktrace_bpf_proc *p = proc_of(this_tgid());
	struct ktrace_bpf_signal *e;
	struct task_struct *task;
	struct signal_struct *sig;
	int fatal = 0, code = 0;
	__u64 action = 0;
	bool known = false;

	if (!p || !(p->points & (KTRFAC_PSIG | KTRACE_FAULTS)))
		return 0;
	task = this_task();
	sig = BPF_CORE_READ(task, signal);
	if (signo == SIGKILL) {
		fatal = BPF_CORE_READ(sig, group_exit_code) & 0x7f;
		if (fatal > 0 && fatal <= 64) {
			const struct sighand_struct *all = BPF_CORE_READ(task, sighand);
			const void *of = (const void *)&all->action +
					 (fatal - 1) * bpf_core_type_size(struct k_sigaction);

			action =
				(__u64)BPF_CORE_READ((const struct k_sigaction *)of, sa.sa_handler);
			known = queued_code(&sig->shared_pending, fatal, &code) ||
				queued_code(&task->pending, fatal, &code);
		}
	}
	e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);
	if (!e) {
		lose(p);
		return 0;
	}
	fill_head(&e->head, KTRACE_BPF_SIGNAL, p);
	e->head.facts = call_facts(task);
	e->signo = signo;
	e->info = (__u64)info;
	/* SEND_SIG_NOINFO and SEND_SIG_PRIV are no pointers. */
	e->code = (__u64)info > 1 ? BPF_CORE_READ(info, si_code) : 0;
	e->action = (__u64)BPF_CORE_READ(ka, sa.sa_handler);
	e->blocked = BPF_CORE_READ(task, blocked.sig[0]);
	e->saved = BPF_CORE_READ(task, saved_sigmask.sig[0]);
	e->restore = BPF_CORE_READ_BITFIELD_PROBED(task, restore_sigmask);
	e->group_flags = BPF_CORE_READ(sig, flags);
	e->group_exit_code = BPF_CORE_READ(sig, group_exit_code);
	e->fatal_code = code;
	e->fatal_action = action;
	e->fatal_known = known;
	e->pad = 0;
	bpf_ringbuf_submit(e, BPF_RB_NO_WAKEUP);
	return 0;
}

#endif /* KTRACE_BPF_PROGRAMS_SIGNALS_H */
