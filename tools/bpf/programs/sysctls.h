/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sysctls: entries of /proc/sys that are read and written.  A part of recorder.bpf.c.
 */
#ifndef KTRACE_BPF_PROGRAMS_SYSCTLS_H
#define KTRACE_BPF_PROGRAMS_SYSCTLS_H

SEC("fentry/proc_sys_call_handler")
int BPF_PROG(setting, struct kiocb *iocb)
{
	struct ktrace_bpf_proc *p = proc_of(this_tgid());
	struct ktrace_bpf_sysctl *e;
	struct dentry *d;
	__u32 i;

	if (!p || !(p->points & KTRFAC_SYSCTL))
		return 0;
	e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);
	if (!e) {
		lose(p);
		return 0;
	}
	fill_head(&e->head, KTRACE_BPF_SYSCTL, p);
	d = BPF_CORE_READ(iocb, ki_filp, f_path.dentry);
	/* Up to the "sys" that is in the root of procfs. */
	for (i = 0; i < KTRACE_BPF_PARTS; i++) {
		struct dentry *up = BPF_CORE_READ(d, d_parent);

		if (d == up || up == BPF_CORE_READ(up, d_parent))
			break;
		bpf_probe_read_kernel_str(e->part[i], KTRACE_BPF_PART_MOST,
					  BPF_CORE_READ(d, d_name.name));
		d = up;
	}
	e->n = i;
	e->pad = 0;
	bpf_ringbuf_submit(e, BPF_RB_NO_WAKEUP);
	return 0;
}

#endif /* KTRACE_BPF_PROGRAMS_SYSCTLS_H */
