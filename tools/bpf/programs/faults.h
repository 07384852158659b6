/* SPDX-License-Identifier: GPL-2.0 */
/*
 * faults: page faults of the program, and their ends.  A part of recorder.bpf.c.
 */
#ifndef KTRACE_BPF_PROGRAMS_FAULTS_H
#define KTRACE_BPF_PROGRAMS_FAULTS_H

static __always_inline void put_fault(__u16 type, __u64 address, __u64 code)
{
	struct ktrace_bpf_proc *p = proc_of(this_tgid());
	struct ktrace_bpf_fault *e;

	if (!p || !(p->points & KTRACE_FAULTS))
		return;
	e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);
	if (!e) {
		lose_of(this_tgid());
		return;
	}
	fill_head(&e->head, type, p);
	e->address = address;
	e->code = code;
	bpf_ringbuf_submit(e, wakeup());
}

SEC("tp_btf/page_fault_user")
int BPF_PROG(fault, unsigned long address, struct pt_regs *regs, unsigned long code)
{
	put_fault(KTRACE_BPF_FAULT, address, code);
	return 0;
}

SEC("fexit/handle_mm_fault")
int BPF_PROG(faulted, struct vm_area_struct *vma, unsigned long address, unsigned int flags,
	     struct pt_regs *regs, __u32 ret)
{
	if (flags & FAULT_FLAG_USER)
		put_fault(KTRACE_BPF_FAULTED, address, ret);
	return 0;
}

#endif /* KTRACE_BPF_PROGRAMS_FAULTS_H */
