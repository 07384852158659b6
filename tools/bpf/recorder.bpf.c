// SPDX-License-Identifier: GPL-2.0
/*
 * The programs that the kernel runs for the recorder: at each hook, is this process
 * traced for it, and if so, what happened?  What a record of it looks like is not
 * known here, nor what is wrong with it: the recorder runs the module's own probes
 * on what it is told.
 *
 * A process is traced when its number is in the map "procs", which fork extends and
 * exit cuts, before anybody in user space knows.
 */
#include "kernel.h"

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#include "event.h"
#include "points.h"

char LICENSE[] SEC("license") = "GPL";

#define PAGE		4096
#define MAX_ERRNO	4095
#define TS_COMPAT	0x2
#define TIF_SYSCALL_EMU 6 /* up to 5.10 */
#define PF_EXITING	0x4
#define PF_KTHREAD	0x200000
#define PF_IO_WORKER	0x10
#define SIGKILL		9
#define SIGSYS		31
#define FAULT_FLAG_USER 0x40
#define CAP_OPT_NOAUDIT 0x2
#define NR_SOCKETCALL	102 /* of i386 */
#define MSG_TRUNC	0x20
#define MSG_ERRQUEUE	0x2000
#define SOCK_STREAM	1
#define IPPROTO_TCP	6
#define IPPROTO_MPTCP	262
#define STEP		32 /* of KTRACE_BPF_VECTORS at a time */
#define QUEUE_MOST	32 /* signals that are looked at */

/* enum ktrace_struct_how, in its order: the recorder asserts it. */
enum how {
	HOW_WHOLE,
	HOW_TWO,
	HOW_SIZED,
	HOW_SELF,
	HOW_CAPS,
	HOW_PAIR,
	HOW_ADDRESS,
	HOW_MESSAGE,
	HOW_ONE,
	HOW_COUNT,
	HOW_RESULT,
};

/* Set by the recorder before it loads us. */
const volatile bool switch_has_state; /* sched_switch tells the state of who stops */
const volatile __u32 much = 1 << 20; /* bytes in the buffer that it is woken for */

/* Set by it later: the bits of path_init()'s flags that tell a first try from a second. */
__u32 lookup_mask;
__u32 lookup_first;
__u32 learner; /* it finds them out: the flags of a lookup of its own */
__u32 learned;
__u64 regs_seen;
__u64 regs_offset; /* where a task's registers are from user mode, from its stack on: any call tells */

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 25); /* or what KTRACE_BPF_BUFFER says */
} events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, __u32);
	__type(value, struct ktrace_bpf_proc);
} procs SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, KTRACE_BPF_PLANS);
	__type(key, __u32);
	__type(value, struct ktrace_bpf_plan);
} plans SEC(".maps");

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

static __always_inline void fill_head(struct ktrace_bpf_head *h, __u16 type,
				      const struct ktrace_bpf_proc *p)
{
	__u64 id = bpf_get_current_pid_tgid();

	h->type = type;
	h->seccomp = 0;
	h->facts = 0;
	h->cpu = bpf_get_smp_processor_id();
	h->lost = p->lost;
	h->stamp = bpf_ktime_get_ns();
	h->tgid = id >> 32;
	h->pid = id;
	h->points = p->points;
	h->session = p->session;
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

/*
 * Memory of the current task.
 */

/* The verifier must see the bounds of the very register that it is asked about: @len has 64 bits. */
static __always_inline long put_chunk(__u64 address, __u64 len, const __u32 most)
{
	struct ktrace_bpf_chunk *c = bpf_ringbuf_reserve(&events, sizeof(*c) + most, 0);
	__u64 id = bpf_get_current_pid_tgid();

	if (!c) {
		lose_of(id >> 32);
		return 0;
	}
	barrier_var(len);
	if (len > most)
		len = most;
	if (bpf_probe_read_user(c->data, len, (const void *)address)) {
		bpf_ringbuf_discard(c, BPF_RB_NO_WAKEUP);
		return -1;
	}
	c->type = KTRACE_BPF_CHUNK;
	c->pad = 0;
	c->len = len;
	c->tgid = id >> 32;
	c->pid = id;
	c->address = address;
	bpf_ringbuf_submit(c, BPF_RB_NO_WAKEUP);
	return 0;
}

static __always_inline long put_sized(__u64 address, __u64 len)
{
	if (len <= 64)
		return put_chunk(address, len, 64);
	if (len <= 512)
		return put_chunk(address, len, 512);
	return put_chunk(address, len, KTRACE_BPF_CHUNK_MOST);
}

/* Takes up to a chunk.  What is not there ends it, at the end of a page. */
__noinline int capture(__u64 address, __u32 len)
{
	__u32 first = PAGE - (address & (PAGE - 1));

	if (!address || !len)
		return 0;
	if (len > KTRACE_BPF_CHUNK_MOST)
		len = KTRACE_BPF_CHUNK_MOST;
	if (put_sized(address, len) && first < len)
		put_sized(address, first);
	return 0;
}

/* Takes any length, by chunks. */
__noinline int capture_long(__u64 address, __u64 len)
{
	__u32 i;

	for (i = 0; i < KTRACE_BPF_STRINGS / KTRACE_BPF_CHUNK_MOST; i++) {
		__u64 done = (__u64)i * KTRACE_BPF_CHUNK_MOST;

		if (done >= len)
			break;
		capture(address + done,
			len - done > KTRACE_BPF_CHUNK_MOST ? KTRACE_BPF_CHUNK_MOST : len - done);
	}
	return 0;
}

static __always_inline bool get_word(__u64 address, __u32 compat, __u64 *word)
{
	*word = 0;
	return !bpf_probe_read_user(word, compat ? 4 : 8, (const void *)address);
}

static __always_inline __u64 least(__u64 a, __u64 b)
{
	return a < b ? a : b;
}

/*
 * Some of an iovec's elements, of which @left bytes are wanted.  Returns how many bytes
 * they had of these, or -1: one cannot be read.
 *
 * Loops are short, and within each other: the verifier goes around each by itself.
 */
__noinline long capture_some(__u64 iov, __u32 n, __u64 left, __u32 compat)
{
	__u32 word = compat ? 4 : 8, i;
	__u64 done = 0;

	for (i = 0; i < STEP; i++) {
		__u64 base, len;

		if (i >= n || done >= left)
			break;
		if (!get_word(iov, compat, &base) || !get_word(iov + word, compat, &len))
			return -1;
		len = least(len, left - done);
		if (len)
			capture(base, len);
		done += len;
		iov += 2 * word;
	}
	return done;
}

/* The array of an iovec, and what it points to, up to @moved bytes. */
__noinline int capture_vector(__u64 iov, __u64 n, __u64 moved, __u32 compat)
{
	__u32 size = compat ? 8 : 16, i;
	__u64 left = least(moved, KTRACE_BPF_GENIO_MOST);

	n = least(n, KTRACE_BPF_VECTORS);
	capture_long(iov, n * size);
	for (i = 0; i < KTRACE_BPF_VECTORS / STEP; i++) {
		__u64 from = (__u64)i * STEP;
		long done;

		if (from >= n || !left)
			break;
		done = capture_some(iov + from * size, least(n - from, STEP), left, compat);
		if (done < 0)
			break;
		left -= least(done, left);
	}
	return 0;
}

/* A msghdr: name, namelen (padded), iov, iovlen. */
__noinline int capture_message(__u64 msg, __u64 moved, __u32 compat)
{
	__u32 word = compat ? 4 : 8;
	__u64 iov, n;

	capture(msg, 4 * word);
	if (get_word(msg + 2 * word, compat, &iov) && get_word(msg + 3 * word, compat, &n))
		capture_vector(iov, n, moved, compat);
	return 0;
}

/* Some messages of an array.  Nonzero: one cannot be read. */
__noinline int capture_some_messages(__u64 at, __u32 n, __u32 compat)
{
	const __u32 header = compat ? 28 : 56, size = compat ? 32 : 64; /* mmsghdr */
	__u32 i;

	for (i = 0; i < STEP; i++) {
		__u32 moved = 0;

		if (i >= n)
			break;
		if (bpf_probe_read_user(&moved, sizeof(moved), (const void *)(at + header)))
			return -1;
		capture(at + header, sizeof(moved));
		capture_message(at, moved, compat);
		at += size;
	}
	return 0;
}

__noinline int capture_messages(__u64 at, __u64 count, __u32 compat)
{
	__u32 size = (compat ? 32 : 64) * STEP, i;

	for (i = 0; i < KTRACE_BPF_VECTORS / STEP; i++) {
		__u64 from = (__u64)i * STEP;

		if (from >= count ||
		    capture_some_messages(at + (__u64)i * size, least(count - from, STEP), compat))
			break;
	}
	return 0;
}

/*
 * Calls.
 */

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

/*
 * Life.
 */

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

/*
 * Names.
 */

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

/*
 * Signals.
 */

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

/*
 * Page faults.
 */

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

/*
 * Context switches.
 */

static __always_inline bool is_exiting(const struct task_struct *task)
{
	return BPF_CORE_READ(task, flags) & PF_EXITING;
}

static __always_inline void fill_head_of(struct ktrace_bpf_head *h, __u16 type,
					 const struct ktrace_bpf_proc *p, struct task_struct *task)
{
	h->type = type;
	h->seccomp = 0;
	h->facts = 0;
	h->cpu = bpf_get_smp_processor_id();
	h->lost = p->lost;
	h->stamp = bpf_ktime_get_ns();
	h->tgid = BPF_CORE_READ(task, tgid);
	h->pid = BPF_CORE_READ(task, pid);
	h->points = p->points;
	h->session = p->session;
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

/*
 * Capabilities.
 */

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

/*
 * Sysctls.
 */

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
