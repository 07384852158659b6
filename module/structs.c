// SPDX-License-Identifier: GPL-2.0
/*
 * The structures that a call read or returned, taken when it ends, before its
 * SYSRET, in the order of its arguments: the kernel has just touched them, so
 * that they can be read without a fault.  What cannot is left out (short_data).
 *
 * What the kernel read is taken to be what is there at the end.  It is left out
 * where the call has overwritten it, and where the call's error says, or may
 * say, that the kernel never looked at it.
 */
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/eventpoll.h>
#include <linux/futex.h>
#include <linux/minmax.h>
#include <linux/socket.h>
#include <linux/uaccess.h>
#include <linux/uio.h>

#include "arch.h"
#include "emit.h"
#include "layout.h"
#include "settings.h"
#include "struct_calls.h"
#include "structs.h"
#include "thread.h"

#define IPC_SEMTIMEDOP	  4
#define SCHED_ATTR_BYTES0 48 /* what a size of 0 stands for */

/**
 * struct view - a call at its end
 * @proc: whose
 * @points: of it
 * @args: of the call
 * @ret: its result, sign-extended
 * @compat: a 32-bit call
 * @caller: its ABI
 * @wide: which takes the 64-bit forms
 * @room: bytes that it had for a socket address
 */
struct view {
	struct ktrace_proc *proc;
	u32 points;
	unsigned long args[6];
	long ret;
	bool compat;
	enum ktrace_caller caller;
	bool wide;
	u32 room;
};

static bool peek(void *to, unsigned long addr, u32 n)
{
	return addr && ktrace_emit_copy_pointers(to, addr, n);
}

static const struct ktrace_layout *layout_of(const struct view *v,
					     const struct ktrace_struct_arg *a)
{
	return &ktrace_layouts[v->wide ? ktrace_struct_wide(a->id) : a->id];
}

static bool futex_has_timeout(u32 op)
{
	switch (op & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_LOCK_PI:
	case 13: /* FUTEX_LOCK_PI2, 5.14 */
	case FUTEX_WAIT_BITSET:
	case FUTEX_WAIT_REQUEUE_PI:
		return true;
	}
	return false;
}

static bool not_negative(const struct view *v, u32 last)
{
	u32 i;

	for (i = 0; i <= last; i++)
		if ((int)v->args[i] < 0)
			return false;
	return true;
}

/* capset() of another thread is refused before its data is read. */
static bool capset_of_self(const struct view *v)
{
	int header[2];

	return peek(header, v->args[0], sizeof(header)) &&
	       (!header[1] || header[1] == task_pid_vnr(current));
}

static bool interrupted(const struct view *v, u32 flags)
{
	if (flags && v->args[flags] & TIMER_ABSTIME)
		return false;
	return v->ret == -ERESTART_RESTARTBLOCK || v->ret == -EINTR;
}

/* The condition of @a holds. */
static bool in_force(const struct view *v, const struct ktrace_struct_arg *a)
{
	switch ((enum ktrace_struct_when)a->when) {
	case KTRACE_WHEN_ALWAYS:
	case KTRACE_WHEN_INTERRUPTED:
		return true;
	case KTRACE_WHEN_SIGSET:
		return v->args[a->test] == sizeof(u64);
	case KTRACE_WHEN_NOT_NEGATIVE:
		return not_negative(v, a->test);
	case KTRACE_WHEN_RESULT:
		return v->ret;
	case KTRACE_WHEN_FUTEX:
		return futex_has_timeout(v->args[1]);
	case KTRACE_WHEN_EPOLL:
		return (int)v->args[1] != EPOLL_CTL_DEL;
	case KTRACE_WHEN_SEMTIMEDOP:
		return (u16)v->args[0] == IPC_SEMTIMEDOP;
	case KTRACE_WHEN_SLEEP:
		return v->ret != -EOPNOTSUPP &&
		       (v->ret != -EINVAL || (u32)v->args[0] <= CLOCK_MONOTONIC);
	case KTRACE_WHEN_SETTIME:
		return v->ret != -EINVAL || (u32)v->args[0] == CLOCK_REALTIME;
	case KTRACE_WHEN_SETATTR:
		return (int)v->args[0] >= 0 && !(u32)v->args[2];
	case KTRACE_WHEN_CAPSET:
		return capset_of_self(v);
	}
	return false;
}

/* Errors of calls that end before they look at a structure, or in the middle of it. */
static bool never_read(const struct view *v, const struct ktrace_struct_arg *a)
{
	switch (v->ret) {
	case -EFAULT:
	case -EBADF:
	case -ENOTSOCK:
	case -ESPIPE:
	case -ENOSYS:
		return true;
	case -E2BIG:
		return a->how == KTRACE_HOW_SIZED || a->how == KTRACE_HOW_SELF;
	case -EINVAL:
		return a->way & KTRACE_WAY_EINVAL;
	}
	return false;
}

/* The call moved it: the kernel read it, or wrote it. */
static bool moved(const struct view *v, const struct ktrace_struct_arg *a)
{
	bool yes;

	if (a->when == KTRACE_WHEN_INTERRUPTED)
		yes = interrupted(v, a->test);
	else if (a->way & KTRACE_WAY_IN)
		yes = !never_read(v, a);
	else
		yes = !IS_ERR_VALUE(v->ret);
	return yes && in_force(v, a);
}

/* What was read is there no more: the same memory took a result. */
static bool overwritten(const struct view *v, const struct ktrace_struct_arg *all,
			const struct ktrace_struct_arg *a)
{
	u32 size = layout_of(v, a)->form[v->caller].size;
	const struct ktrace_struct_arg *other;

	if (a->way & KTRACE_WAY_OUT)
		return false;
	for (other = all; other->way; other++) {
		unsigned long distance = v->args[other->arg] - v->args[a->arg];

		if (!(other->way & KTRACE_WAY_IN) && (distance < size || -distance < size) &&
		    moved(v, other))
			return true;
	}
	return false;
}

static u8 *put_name(u8 *p, const char *name, u32 size)
{
	memcpy(p, name, size);
	return p + size;
}

static noinline void emit_bytes(const struct view *v, const struct ktrace_layout *layout,
				const u8 *from, u32 n)
{
	u32 name = strlen(layout->name) + 1;
	struct ktrace_emit e = {};
	u8 *p = ktrace_emit_begin(&e, v->proc, KTR_STRUCT, name + layout->size);

	if (!p)
		return;
	ktrace_layout_convert(layout, v->caller, put_name(p, layout->name, name), from, n);
	ktrace_emit_end(&e);
}

/* @n bytes of a structure: all of it, or of one that may be shorter. */
static noinline void emit_struct(const struct view *v, const struct ktrace_layout *layout,
				 unsigned long addr, u32 n)
{
	u8 from[KTRACE_LAYOUT_MOST];

	if (!addr || !n)
		return;
	if (peek(from, addr, n))
		emit_bytes(v, layout, from, n);
	else
		ktrace_emit_short(v->proc);
}

static void emit_whole(const struct view *v, const struct ktrace_layout *layout, unsigned long addr)
{
	emit_struct(v, layout, addr, layout->form[v->caller].size);
}

static void emit_two(const struct view *v, const struct ktrace_layout *layout, unsigned long addr)
{
	if (!addr)
		return;
	emit_whole(v, layout, addr);
	emit_whole(v, layout, addr + layout->form[v->caller].size);
}

/* What is smaller than the kernel takes, or larger than a page, it did not read. */
static void emit_sized(const struct view *v, const struct ktrace_struct_arg *a, unsigned long size)
{
	const struct ktrace_layout *layout = layout_of(v, a);

	if (a->way & KTRACE_WAY_OUT)
		size = (u32)size;
	else if (size < layout->least || size > PAGE_SIZE)
		return;
	emit_struct(v, layout, v->args[a->arg], min_t(unsigned long, size, layout->size));
}

static void emit_self(const struct view *v, const struct ktrace_struct_arg *a)
{
	u32 size;

	if (peek(&size, v->args[a->arg], sizeof(size)))
		emit_sized(v, a, size ? size : SCHED_ATTR_BYTES0);
}

static void emit_pair(const struct view *v, const struct ktrace_layout *layout, unsigned long pair)
{
	u32 word = v->compat ? sizeof(u32) : sizeof(unsigned long);
	unsigned long addr, size;

	if (pair && ktrace_emit_word(pair, v->compat, &addr) &&
	    ktrace_emit_word(pair + word, v->compat, &size) && size == layout->size)
		emit_whole(v, layout, addr);
}

/* One or two structures in a single record. */
static noinline void emit_caps(const struct view *v, const struct ktrace_struct_arg *a)
{
	struct ktrace_layout caps = *layout_of(v, a);
	u32 version;

	if (!peek(&version, v->args[a->with], sizeof(version)))
		return;
	if (version != _LINUX_CAPABILITY_VERSION_1)
		caps.size *= 2;
	emit_struct(v, &caps, v->args[a->arg], caps.size);
}

static noinline void emit_sockaddr(const struct view *v, unsigned long addr, u32 len)
{
	static const char name[] = "sockaddr";
	u8 from[KTRACE_SOCKADDR_MOST];
	struct ktrace_emit e = {};
	u8 *p;

	if (!addr || len < sizeof(struct ktrace_sockaddr))
		return;
	if (!peek(from, addr, len)) {
		ktrace_emit_short(v->proc);
		return;
	}
	p = ktrace_emit_begin(&e, v->proc, KTR_STRUCT, sizeof(name) + len);
	if (!p)
		return;
	ktrace_layout_sockaddr(put_name(p, name, sizeof(name)), from, len);
	ktrace_emit_end(&e);
}

/* The kernel says how long the address is, and writes as much of it as there was room for. */
static u32 written_length(const struct view *v, int len)
{
	return len < 0 ? 0 : min_t(u32, len, v->room);
}

static void emit_address(const struct view *v, const struct ktrace_struct_arg *a)
{
	unsigned long with = v->args[a->with];
	int len;

	/* A length is an int, whatever else the register has. */
	if (a->way & KTRACE_WAY_OUT) {
		if (v->args[a->arg] && peek(&len, with, sizeof(len)))
			emit_sockaddr(v, v->args[a->arg], written_length(v, len));
	} else if ((u32)with <= KTRACE_SOCKADDR_MOST) {
		emit_sockaddr(v, v->args[a->arg], (u32)with);
	}
}

/* A msghdr begins with the address's address and its length. */
static unsigned long message_length_at(bool compat, unsigned long msg)
{
	return msg + (compat ? sizeof(u32) : sizeof(unsigned long));
}

static void emit_message(const struct view *v, const struct ktrace_struct_arg *a)
{
	unsigned long msg = v->args[a->arg], addr;
	int len;

	if (!ktrace_emit_word(msg, v->compat, &addr) || !addr ||
	    !peek(&len, message_length_at(v->compat, msg), sizeof(len)))
		return;
	if (a->way & KTRACE_WAY_OUT)
		len = written_length(v, len);
	emit_sockaddr(v, addr, clamp(len, 0, KTRACE_SOCKADDR_MOST));
}

/**
 * struct elements - an array on its way into a record
 * @layout: of its elements
 * @from: the next one's address
 * @to: where it goes
 * @left: how many are still to come
 */
struct elements {
	const struct ktrace_layout *layout;
	unsigned long from;
	u8 *to;
	u32 left;
};

/* Copies elements, up to @n at a time, until one cannot be read. */
static noinline void copy_elements(const struct view *v, struct elements *el, u32 n)
{
	u32 size = el->layout->form[v->caller].size;
	u8 from[256];
	u32 i;

	while (el->left) {
		n = min3(n, el->left, (u32)sizeof(from) / size);
		if (!peek(from, el->from, n * size))
			return;
		for (i = 0; i < n; i++, el->to += el->layout->size)
			ktrace_layout_convert(el->layout, v->caller, el->to, from + i * size, size);
		el->from += n * size;
		el->left -= n;
	}
}

/* How many elements a record takes: genio_size, and never more than half a ring. */
static u32 array_room(const struct view *v, u32 head, u32 size)
{
	struct ktrace_session *s = rcu_dereference_raw(v->proc->session);
	u32 most = READ_ONCE(ktrace_settings.genio_size);

	if (!s)
		return 0;
	return min(most, s->half - KTRACE_HEADER_MAX - head) / size;
}

static noinline void emit_array(const struct view *v, const struct ktrace_layout *layout,
				unsigned long addr, u64 n)
{
	u32 name = strlen(layout->name) + 1, head = sizeof(u64) + name;
	struct elements el = { .layout = layout, .from = addr };
	struct ktrace_emit e = {};
	u8 *p;

	if (!addr)
		return;
	n = min_t(u64, n, array_room(v, head, layout->size));
	if (!n)
		return;
	p = ktrace_emit_begin(&e, v->proc, KTR_STRUCT_ARRAY, head + n * layout->size);
	if (!p)
		return;
	put_unaligned_le64(layout->size, p);
	el.to = put_name(p + sizeof(u64), layout->name, name);
	el.left = n;
	copy_elements(v, &el, n);
	copy_elements(v, &el, 1);
	if (unlikely(el.left)) {
		ktrace_ring_count(e.ring, KTRACE_SHORT_DATA, 1);
		if (el.left == n) {
			ktrace_emit_cancel(&e);
			return;
		}
		ktrace_emit_shorten(&e, el.to - p);
	}
	ktrace_emit_end(&e);
}

static void emit_counted(const struct view *v, const struct ktrace_struct_arg *a)
{
	u32 n = v->args[a->with]; /* the kernel takes no more of it */

	if (a->id == KTRACE_LAYOUT_IOVEC && n > UIO_MAXIOV)
		return;
	emit_array(v, layout_of(v, a), v->args[a->arg], n);
}

static bool is_array(const struct ktrace_struct_arg *a)
{
	return a->how >= KTRACE_HOW_ONE;
}

static void emit_arg(const struct view *v, const struct ktrace_struct_arg *a)
{
	const struct ktrace_layout *layout = layout_of(v, a);
	unsigned long addr = v->args[a->arg];

	switch ((enum ktrace_struct_how)a->how) {
	case KTRACE_HOW_WHOLE:
		emit_whole(v, layout, addr);
		break;
	case KTRACE_HOW_TWO:
		emit_two(v, layout, addr);
		break;
	case KTRACE_HOW_SIZED:
		emit_sized(v, a, v->args[a->with]);
		break;
	case KTRACE_HOW_SELF:
		emit_self(v, a);
		break;
	case KTRACE_HOW_CAPS:
		emit_caps(v, a);
		break;
	case KTRACE_HOW_PAIR:
		emit_pair(v, layout, addr);
		break;
	case KTRACE_HOW_ADDRESS:
		emit_address(v, a);
		break;
	case KTRACE_HOW_MESSAGE:
		emit_message(v, a);
		break;
	case KTRACE_HOW_ONE:
		emit_array(v, layout, addr, 1);
		break;
	case KTRACE_HOW_COUNT:
		emit_counted(v, a);
		break;
	case KTRACE_HOW_RESULT:
		emit_array(v, layout, addr, v->ret);
		break;
	}
}

/*
 * The structures of a call, with its arguments: those of socketcall(2) are in
 * memory.
 */
static const struct ktrace_struct_arg *find(struct view *v, struct pt_regs *regs, long nr)
{
	const struct ktrace_struct_arg *all;
	u32 i, narg = 0;
	unsigned long list;

	if (unlikely(v->compat && ktrace_arch_is_socketcall(nr))) {
		ktrace_arch_arguments(regs, v->compat, v->args);
		all = ktrace_struct_socketcall(v->args[0], &narg);
		list = v->args[1];
		for (i = 0; all && i < narg; i++)
			if (!ktrace_emit_word(list + i * sizeof(u32), v->compat, &v->args[i]))
				return NULL;
		return all;
	}
	all = ktrace_struct_call(v->compat, nr, &v->wide);
	if (likely(!all))
		return NULL;
	ktrace_arch_arguments(regs, v->compat, v->args);
	return all;
}

static bool has_room(const struct ktrace_struct_arg *a)
{
	return a->way == KTRACE_WAY_OUT &&
	       (a->how == KTRACE_HOW_ADDRESS || a->how == KTRACE_HOW_MESSAGE);
}

/**
 * ktrace_structs_enter - a call begins: remember what its end will overwrite
 * @proc: current's, with KTRFAC_STRUCT
 * @regs: at its beginning
 * @compat: a 32-bit call
 * @nr: its number
 *
 * That is the room for a socket address.  Without it (the page was not there
 * yet), the length that the kernel says is taken for that of what it wrote.
 *
 * Context: guarded.
 */
void ktrace_structs_enter(struct ktrace_proc *proc, struct pt_regs *regs, bool compat, long nr)
{
	struct view v = { .proc = proc, .compat = compat };
	const struct ktrace_struct_arg *a = find(&v, regs, nr);
	unsigned long at;
	u32 room;

	if (likely(!a) || !has_room(a))
		return;
	at = a->how == KTRACE_HOW_ADDRESS ? v.args[a->with] :
					    message_length_at(compat, v.args[a->arg]);
	if (peek(&room, at, sizeof(room)) && room < KTRACE_SOCKADDR_MOST)
		ktrace_thread_put(current, proc->struct_generation, KTRACE_THREAD_LEN, room);
	else
		ktrace_thread_clear(current, KTRACE_THREAD_LEN);
}

/* What the beginning remembered is taken at every end. */
static u32 take_room(const struct ktrace_proc *proc)
{
	u64 room;

	if (ktrace_thread_take(current, proc->struct_generation, KTRACE_THREAD_LEN, &room))
		return room;
	return KTRACE_SOCKADDR_MOST;
}

/**
 * ktrace_structs - the STRUCT and STRUCT_ARRAY records of a call
 * @proc: current's
 * @regs: at its end
 * @compat: a 32-bit call
 * @nr: its number
 * @ret: its result, sign-extended
 * @points: KTRFAC_STRUCT, KTRFAC_STRUCT_ARRAY, or both
 *
 * Context: guarded.
 */
void ktrace_structs(struct ktrace_proc *proc, struct pt_regs *regs, bool compat, long nr, long ret,
		    u32 points)
{
	struct view v = {
		.proc = proc,
		.points = points,
		.compat = compat,
		.caller = ktrace_arch_caller(compat),
		.ret = ret,
	};
	const struct ktrace_struct_arg *all = find(&v, regs, nr), *a;
	u32 point;

	if (likely(!all))
		return;
	if (has_room(all))
		v.room = take_room(proc);
	for (a = all; a->way; a++) {
		point = is_array(a) ? KTRFAC_STRUCT_ARRAY : KTRFAC_STRUCT;
		if (points & point && moved(&v, a) && !overwritten(&v, all, a))
			emit_arg(&v, a);
	}
}
