/* SPDX-License-Identifier: GPL-2.0 */
/*
 * calls: system calls: what their probes will read, as the plan of the call says, and the
 * call.  A part of recorder.bpf.c.
 */
#ifndef KTRACE_BPF_PROGRAMS_CALLS_H
#define KTRACE_BPF_PROGRAMS_CALLS_H

/**
 * struct call - a call at its beginning or end
 * @args: of it
 * @ret: its result, sign-extended, or 0
 * @compat: a 32-bit call
 */
struct call {
	__u64 args[6];
	__s64 ret;
	__u32 compat;
};

static __always_inline void get_args(struct call *c, const struct pt_regs *regs)
{
	if (c->compat) {
		c->args[0] = (__u32)regs->bx;
		c->args[1] = (__u32)regs->cx;
		c->args[2] = (__u32)regs->dx;
		c->args[3] = (__u32)regs->si;
		c->args[4] = (__u32)regs->di;
		c->args[5] = (__u32)regs->bp;
	} else {
		c->args[0] = regs->di;
		c->args[1] = regs->si;
		c->args[2] = regs->dx;
		c->args[3] = regs->r10;
		c->args[4] = regs->r8;
		c->args[5] = regs->r9;
	}
}

static __always_inline bool is_error(__s64 ret)
{
	return ret < 0 && ret >= -MAX_ERRNO;
}

/* An argument whose number is not known when this is compiled. */
static __always_inline __u64 argument(const struct call *c, __u32 i)
{
	switch (i) {
	case 0:
		return c->args[0];
	case 1:
		return c->args[1];
	case 2:
		return c->args[2];
	case 3:
		return c->args[3];
	case 4:
		return c->args[4];
	default:
		return c->args[5];
	}
}

static __always_inline void capture_address(__u64 address, __u64 len)
{
	capture(address, least(len, 128));
}

static __noinline int capture_struct(const struct call *c, const struct ktrace_bpf_plan_arg *a)
{
	__u64 address = argument(c, a->arg), with = argument(c, a->with), x, y;
	__u32 word = c->compat ? 4 : 8, size = a->size;

	switch (a->how) {
	case HOW_TWO:
		capture(address, 2 * size);
		break;
	case HOW_SIZED:
		capture(address, least(with, size));
		break;
	case HOW_CAPS:
		capture(with, 8);
		capture(address, size);
		capture(address, 2 * size);
		break;
	case HOW_PAIR:
		capture(address, 2 * word);
		if (address && get_word(address, c->compat, &x))
			capture(x, size);
		break;
	case HOW_ADDRESS:
		if (!a->room) {
			capture_address(address, (__u32)with);
		} else if (address && get_word(with, 1, &x)) {
			capture(with, 4);
			capture_address(address, x);
		}
		break;
	case HOW_MESSAGE:
		capture(address, 2 * word);
		if (get_word(address, c->compat, &x) && get_word(address + word, 1, &y))
			capture_address(x, y);
		break;
	case HOW_COUNT:
		capture(address, least((__u64)(__u32)with * size, KTRACE_BPF_GENIO_MOST));
		break;
	case HOW_RESULT:
		capture(address, least(c->ret * size, KTRACE_BPF_GENIO_MOST));
		break;
	case HOW_SELF:
		capture(address, 4);
		capture(address, size);
		break;
	default: /* HOW_WHOLE, HOW_ONE */
		capture(address, size);
		break;
	}
	return 0;
}

static __always_inline void capture_structs(const struct call *c,
					    const struct ktrace_bpf_plan *plan)
{
	__u32 i;

#pragma unroll
	for (i = 0; i < KTRACE_BPF_ARGS; i++)
		if (i < plan->n && (plan->arg[i].failed || !is_error(c->ret)))
			capture_struct(c, &plan->arg[i]);
}

/* With MSG_TRUNC, TCP throws away what it would have moved. */
static __noinline bool is_discarded(struct task_struct *task, __u32 fd, __u64 flags)
{
	struct fdtable *table;
	struct socket *sock;
	struct file **slot, *file;
	struct sock *sk;
	__u16 protocol;

	if ((flags & (MSG_TRUNC | MSG_ERRQUEUE)) != MSG_TRUNC)
		return false;
	/* A call that succeeded with these flags had a socket there. */
	table = BPF_CORE_READ(task, files, fdt);
	if (fd >= BPF_CORE_READ(table, max_fds))
		return false;
	slot = BPF_CORE_READ(table, fd);
	if (bpf_probe_read_kernel(&file, sizeof(file), slot + fd) || !file)
		return false;
	sock = BPF_CORE_READ(file, private_data);
	sk = BPF_CORE_READ(sock, sk);
	protocol = BPF_CORE_READ(sk, sk_protocol);
	return BPF_CORE_READ(sock, type) == SOCK_STREAM &&
	       (protocol == IPPROTO_TCP || protocol == IPPROTO_MPTCP);
}

static __always_inline int capture_data(const struct call *c, __u32 data)
{
	switch (data) {
	case KTRACE_BPF_DATA_PLAIN:
		capture(c->args[1], least(least(c->ret, c->args[2]), KTRACE_BPF_GENIO_MOST));
		break;
	case KTRACE_BPF_DATA_QUEUED:
		capture(c->args[1], least(c->args[2], KTRACE_BPF_GENIO_MOST));
		break;
	case KTRACE_BPF_DATA_VECTOR:
		capture_vector(c->args[1], c->args[2], c->ret, c->compat);
		break;
	case KTRACE_BPF_DATA_MESSAGE:
		capture_message(c->args[1], c->ret, c->compat);
		break;
	case KTRACE_BPF_DATA_MESSAGES:
		capture_messages(c->args[1], c->ret, c->compat);
		break;
	}
	return 0;
}

/* The plan of a call; that of socketcall(2) has its arguments in memory. */
static __always_inline const struct ktrace_bpf_plan *find_plan(struct call *c, __s64 nr)
{
	__u32 index = c->compat ? KTRACE_BPF_CALLS + nr : nr;
	__u32 words[6];

	if ((__u64)nr >= KTRACE_BPF_CALLS)
		return 0;
	if (c->compat && nr == NR_SOCKETCALL) {
		if (c->args[0] >= KTRACE_BPF_SOCKETS)
			return 0;
		index = 2 * KTRACE_BPF_CALLS + c->args[0];
		capture(c->args[1], sizeof(words));
		/* Not all calls have six, and what is behind them need not be there. */
		if (bpf_probe_read_user(words, sizeof(words), (const void *)c->args[1])) {
			words[3] = 0;
			words[4] = 0;
			words[5] = 0;
			capture(c->args[1], sizeof(words) / 2);
			if (bpf_probe_read_user(words, sizeof(words) / 2, (const void *)c->args[1]))
				return 0;
		}
		c->args[0] = words[0];
		c->args[1] = words[1];
		c->args[2] = words[2];
		c->args[3] = words[3];
		c->args[4] = words[4];
		c->args[5] = words[5];
	}
	return bpf_map_lookup_elem(&plans, &index);
}

static __always_inline void put_call(__u16 type, const struct ktrace_bpf_proc *p,
				     struct task_struct *task, const struct call *c, __s64 nr,
				     __u32 facts)
{
	struct ktrace_bpf_call *e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);

	if (!e) {
		lose_of(this_tgid());
		return;
	}
	fill_head(&e->head, type, p);
	e->head.facts = facts;
	e->head.seccomp = BPF_CORE_READ(task, seccomp.mode);
	e->task = (__u64)task;
	e->nr = nr;
	e->ret = c->ret;
	e->args[0] = c->args[0];
	e->args[1] = c->args[1];
	e->args[2] = c->args[2];
	e->args[3] = c->args[3];
	e->args[4] = c->args[4];
	e->args[5] = c->args[5];
	bpf_ringbuf_submit(e, wakeup());
}

/* Which the verifier has no pointers subtracted for: by way of memory it is a number. */
static __noinline void learn_offset(struct task_struct *task, __u64 regs)
{
	__u64 stack = (__u64)BPF_CORE_READ(task, stack);

	regs_seen = regs;
	barrier();
	regs_offset = *(volatile __u64 *)&regs_seen - stack;
}

SEC("tp_btf/sys_enter")
int BPF_PROG(enter, struct pt_regs *regs, long nr)
{
	struct ktrace_bpf_proc *p = proc_of(this_tgid());
	const struct ktrace_bpf_plan *plan;
	struct task_struct *task;
	struct call c = {};
	struct call look;
	__u32 facts;

	if (!p || !(p->points & KTRACE_PAIRED))
		return 0;
	task = this_task();
	if (!regs_offset)
		learn_offset(task, (__u64)regs);
	facts = call_facts(task);
	c.compat = facts & KTRACE_BPF_COMPAT_CALL;
	get_args(&c, regs);
	if (p->points & KTRFAC_STRUCT) {
		look = c;
		plan = find_plan(&look, nr);
		if (plan && plan->n && plan->arg[0].room) {
			__u64 with = argument(&look, plan->arg[0].with);

			if (plan->arg[0].how == HOW_MESSAGE)
				with = argument(&look, plan->arg[0].arg) + (c.compat ? 4 : 8);
			capture(with, 4);
		}
	}
	put_call(KTRACE_BPF_ENTER, p, task, &c, nr, facts);
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(leave, struct pt_regs *regs, long ret)
{
	struct ktrace_bpf_proc *p = proc_of(this_tgid());
	const struct ktrace_bpf_plan *plan;
	struct task_struct *task;
	struct call c = {};
	struct call look;
	__u32 facts;
	__s64 nr;

	if (!p || !(p->points & KTRACE_PAIRED))
		return 0;
	task = this_task();
	facts = call_facts(task);
	c.compat = facts & KTRACE_BPF_COMPAT_CALL;
	c.ret = ret;
	nr = (int)regs->orig_ax;
	get_args(&c, regs);
	if (p->points & (KTRACE_STRUCTS | KTRFAC_GENIO)) {
		look = c;
		if (c.compat)
			look.ret = is_error((int)ret) ? (int)ret : (__u32)ret;
		plan = find_plan(&look, nr);
		if (plan) {
			if (p->points & KTRACE_STRUCTS)
				capture_structs(&look, plan);
			if (p->points & KTRFAC_GENIO && plan->data && !is_error(look.ret)) {
				if (plan->flags &&
				    is_discarded(task, look.args[0], argument(&look, plan->flags)))
					facts |= KTRACE_BPF_DISCARDED;
				else
					capture_data(&look, plan->data);
			}
		}
	}
	put_call(KTRACE_BPF_LEAVE, p, task, &c, nr, facts);
	return 0;
}

#endif /* KTRACE_BPF_PROGRAMS_CALLS_H */
