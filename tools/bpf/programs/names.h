/* SPDX-License-Identifier: GPL-2.0 */
/*
 * names: paths that are looked up.  A part of recorder.bpf.c.
 */
#ifndef KTRACE_BPF_PROGRAMS_NAMES_H
#define KTRACE_BPF_PROGRAMS_NAMES_H

static __always_inline bool put_name(const struct ktrace_bpf_proc *p, const char *name,
				     const __u32 most)
{
	struct ktrace_bpf_name *e = bpf_ringbuf_reserve(&events, sizeof(*e) + most, 0);
	long len;

	if (!e) {
		lose_of(this_tgid());
		return true;
	}
	len = bpf_probe_read_kernel_str(e->name, most, name);
	/* It may have been cut: try again with more room. */
	if (len == most && most < KTRACE_BPF_NAME_MOST) {
		bpf_ringbuf_discard(e, BPF_RB_NO_WAKEUP);
		return false;
	}
	fill_head(&e->head, KTRACE_BPF_NAME, p);
	e->len = len > 0 ? len - 1 : 0;
	e->pad = 0;
	bpf_ringbuf_submit(e, wakeup());
	return true;
}

static __always_inline int lookup(const struct nameidata *nd, __u32 flags)
{
	struct ktrace_bpf_proc *p;
	const char *name;

	if (learner && this_tgid() == learner) {
		learned = flags;
		return 0;
	}
	p = proc_of(this_tgid());
	if (!p || !(p->points & KTRFAC_NAMEI) || (flags & lookup_mask) != lookup_first)
		return 0;
	/* An empty path may have no struct filename. */
	name = BPF_CORE_READ(nd, name, name);
	if (!put_name(p, name, 128))
		put_name(p, name, KTRACE_BPF_NAME_MOST);
	return 0;
}

SEC("fentry/path_init")
int BPF_PROG(lookup_begins, struct nameidata *nd, unsigned int flags)
{
	return lookup(nd, flags);
}

/* For kernels that do not let one hook it in the other way. */
SEC("kprobe/path_init")
int BPF_KPROBE(lookup_begins_kprobe, struct nameidata *nd, unsigned int flags)
{
	return lookup(nd, flags);
}

#endif /* KTRACE_BPF_PROGRAMS_NAMES_H */
