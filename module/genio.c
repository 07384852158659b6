// SPDX-License-Identifier: GPL-2.0
/*
 * The data that a call moved, taken when it returns: the kernel has just
 * touched the pages, so that they can be read without a fault.  What cannot is
 * left out (short_data).  Another thread may have changed the memory
 * meanwhile: the record then has what it was changed to.
 */
#include <linux/minmax.h>
#include <linux/net.h>
#include <linux/socket.h>
#include <linux/uaccess.h>
#include <linux/uio.h>
#include <net/sock.h>

#include "arch.h"
#include "emit.h"
#include "genio.h"
#include "settings.h"

#define READ_  0 /* ktr_rw */
#define WRITE_ 1

/**
 * enum kind - where a call's data is
 * @NONE: it moves none, or none through the process
 * @PLAIN: args 1 and 2: address and size
 * @VECTOR: args 1 and 2: iovec and count
 * @MESSAGE: arg 1: msghdr
 * @MESSAGES: arg 1: mmsghdr array; the result says how many
 * @QUEUED: PLAIN, but the result is 0 and arg 2 the size
 * @SOCKETCALL: one of the above, arg 0 says which, arg 1 has its arguments
 */
enum kind { NONE, PLAIN, VECTOR, MESSAGE, MESSAGES, QUEUED, SOCKETCALL };

/* @rw: ktr_rw; @flags: which argument has MSG_*; 0: none */
struct call {
	u8 kind;
	u8 rw;
	u8 flags;
};

static const struct call none = { NONE };

/* clang-format off */
static const struct call native_calls[] = {
	[__NR_read] = { PLAIN, READ_ },
	[__NR_pread64] = { PLAIN, READ_ },
	[__NR_getdents64] = { PLAIN, READ_ },
	[__NR_mq_timedreceive] = { PLAIN, READ_ },
	[__NR_recvfrom] = { PLAIN, READ_, 3 },
	[__NR_write] = { PLAIN, WRITE_ },
	[__NR_pwrite64] = { PLAIN, WRITE_ },
	[__NR_sendto] = { PLAIN, WRITE_ },
	[__NR_readv] = { VECTOR, READ_ },
	[__NR_preadv] = { VECTOR, READ_ },
	[__NR_preadv2] = { VECTOR, READ_ },
	[__NR_writev] = { VECTOR, WRITE_ },
	[__NR_pwritev] = { VECTOR, WRITE_ },
	[__NR_pwritev2] = { VECTOR, WRITE_ },
	[__NR_recvmsg] = { MESSAGE, READ_, 2 },
	[__NR_sendmsg] = { MESSAGE, WRITE_ },
	[__NR_recvmmsg] = { MESSAGES, READ_, 3 },
	[__NR_sendmmsg] = { MESSAGES, WRITE_ },
	[__NR_mq_timedsend] = { QUEUED, WRITE_ },
};

static const struct call compat_calls[] = {
#ifdef KTRACE_ARCH_COMPAT
#ifdef CONFIG_X86_64
	[__NR_ia32_socketcall] = { SOCKETCALL },
#else
	[KTRACE_COMPAT_NR(recv)] = { PLAIN, READ_, 3 },
	[KTRACE_COMPAT_NR(send)] = { PLAIN, WRITE_ },
#endif
	[KTRACE_COMPAT_NR(read)] = { PLAIN, READ_ },
	[KTRACE_COMPAT_NR(pread64)] = { PLAIN, READ_ },
	[KTRACE_COMPAT_NR(getdents64)] = { PLAIN, READ_ },
	[KTRACE_COMPAT_NR(mq_timedreceive)] = { PLAIN, READ_ },
	[KTRACE_COMPAT_NR(mq_timedreceive_time64)] = { PLAIN, READ_ },
	[KTRACE_COMPAT_NR(recvfrom)] = { PLAIN, READ_, 3 },
	[KTRACE_COMPAT_NR(write)] = { PLAIN, WRITE_ },
	[KTRACE_COMPAT_NR(pwrite64)] = { PLAIN, WRITE_ },
	[KTRACE_COMPAT_NR(sendto)] = { PLAIN, WRITE_ },
	[KTRACE_COMPAT_NR(readv)] = { VECTOR, READ_ },
	[KTRACE_COMPAT_NR(preadv)] = { VECTOR, READ_ },
	[KTRACE_COMPAT_NR(preadv2)] = { VECTOR, READ_ },
	[KTRACE_COMPAT_NR(writev)] = { VECTOR, WRITE_ },
	[KTRACE_COMPAT_NR(pwritev)] = { VECTOR, WRITE_ },
	[KTRACE_COMPAT_NR(pwritev2)] = { VECTOR, WRITE_ },
	[KTRACE_COMPAT_NR(recvmsg)] = { MESSAGE, READ_, 2 },
	[KTRACE_COMPAT_NR(sendmsg)] = { MESSAGE, WRITE_ },
	[KTRACE_COMPAT_NR(recvmmsg)] = { MESSAGES, READ_, 3 },
	[KTRACE_COMPAT_NR(recvmmsg_time64)] = { MESSAGES, READ_, 3 },
	[KTRACE_COMPAT_NR(sendmmsg)] = { MESSAGES, WRITE_ },
	[KTRACE_COMPAT_NR(mq_timedsend)] = { QUEUED, WRITE_ },
	[KTRACE_COMPAT_NR(mq_timedsend_time64)] = { QUEUED, WRITE_ },
#endif
};
/* clang-format on */

static __always_inline const struct call *call_of(bool compat, long nr)
{
	const struct call *calls = compat ? compat_calls : native_calls;
	size_t n = compat ? ARRAY_SIZE(compat_calls) : ARRAY_SIZE(native_calls);

	return (unsigned long)nr < n ? &calls[nr] : &none;
}

static struct call call_socket(unsigned long which)
{
	switch (which) {
	case SYS_RECV:
	case SYS_RECVFROM:
		return (struct call){ PLAIN, READ_, 3 };
	case SYS_SEND:
	case SYS_SENDTO:
		return (struct call){ PLAIN, WRITE_ };
	case SYS_RECVMSG:
		return (struct call){ MESSAGE, READ_, 2 };
	case SYS_SENDMSG:
		return (struct call){ MESSAGE, WRITE_ };
	case SYS_RECVMMSG:
		return (struct call){ MESSAGES, READ_, 3 };
	case SYS_SENDMMSG:
		return (struct call){ MESSAGES, WRITE_ };
	}
	return (struct call){ NONE };
}

/**
 * struct payload - a GENIO record being filled
 * @e: it
 * @p: its next byte
 * @left: bytes of room
 */
struct payload {
	struct ktrace_emit e;
	u8 *p;
	u32 left;
};

static __always_inline bool payload_begin(struct payload *pl, struct ktrace_proc *proc, int fd,
					  int rw, u64 moved)
{
	struct ktrace_session *s = rcu_dereference_raw(proc->session);
	u64 most = READ_ONCE(ktrace_settings.genio_size);
	u8 *p;

	if (unlikely(!s))
		return false;
	/* A record is at most half a ring. */
	most = min_t(u64, most, s->half - KTRACE_HEADER_MAX - sizeof(struct ktrace_genio));
	pl->left = min(moved, most);
	p = ktrace_emit_begin(&pl->e, proc, KTR_GENIO, sizeof(struct ktrace_genio) + pl->left);
	if (!p)
		return false;
	ktrace_record_genio(p, fd, rw);
	pl->p = p + sizeof(struct ktrace_genio);
	return true;
}

static void payload_end(struct payload *pl)
{
	if (unlikely(pl->left)) {
		ktrace_ring_count(pl->e.ring, KTRACE_SHORT_DATA, 1);
		ktrace_emit_shorten(&pl->e, pl->e.len - pl->left);
	}
	ktrace_emit_end(&pl->e);
}

/* Add up to @n bytes.  False when the payload is full or memory ends. */
static bool payload_add(struct payload *pl, unsigned long addr, u64 n)
{
	u32 want = min_t(u64, n, pl->left);
	u32 have = ktrace_emit_user(pl->p, addr, want);

	pl->p += have;
	pl->left -= have;
	return have == want && pl->left;
}

/* Memory ends within a plain payload: what there is of it. */
static noinline void payload_rest(struct payload pl, unsigned long addr)
{
	payload_add(&pl, addr, pl.left);
	payload_end(&pl);
}

/* Read at a time, onto the stack. */
#define IOVECS 16UL
/*
 * Read of one call: preemption is disabled, and a call may have 1024 messages of 1024 each,
 * which are looked at twice.  The data behind the others are left out (short_data).
 */
#define IOVECS_MOST 65536

/**
 * struct iovecs - the way through an array of iovec
 * @at: what is not read yet
 * @left: how many these are
 * @compat: a 32-bit caller's
 * @most: how many more the call may read
 * @next: of those that were read
 * @have: how many were read
 * @native: base and length of each
 * @compat32: likewise, of a 32-bit caller
 */
struct iovecs {
	unsigned long at;
	unsigned long left;
	bool compat;
	unsigned long *most;
	u32 next;
	u32 have;
	union {
		unsigned long native[IOVECS][2];
		u32 compat32[IOVECS][2];
	};
};

static void iovecs_begin(struct iovecs *v, unsigned long iov, unsigned long n, bool compat,
			 unsigned long *most)
{
	v->at = iov;
	v->left = min_t(unsigned long, n, UIO_MAXIOV);
	v->compat = compat;
	v->most = most;
	v->next = 0;
	v->have = 0;
}

static bool iovecs_read(struct iovecs *v, unsigned long n)
{
	u32 size = n * (v->compat ? sizeof(v->compat32[0]) : sizeof(v->native[0]));

	if (n > *v->most || !ktrace_emit_copy_pointers(v->native, v->at, size))
		return false;
	*v->most -= n;
	v->at += size;
	v->left -= n;
	v->next = 0;
	v->have = n;
	return true;
}

static bool iovecs_more(const struct iovecs *v)
{
	return v->next < v->have || v->left;
}

/* The next one, of which there is one; false if it cannot be read. */
static bool iovecs_next(struct iovecs *v, unsigned long *base, unsigned long *len)
{
	if (v->next == v->have && !iovecs_read(v, min(v->left, IOVECS)) && !iovecs_read(v, 1))
		return false;
	*base = v->compat ? v->compat32[v->next][0] : v->native[v->next][0];
	*len = v->compat ? v->compat32[v->next][1] : v->native[v->next][1];
	v->next++;
	return true;
}

static void payload_add_vector(struct payload *pl, unsigned long iov, unsigned long n, bool compat,
			       unsigned long *most)
{
	unsigned long base, len;
	struct iovecs v;

	iovecs_begin(&v, iov, n, compat, most);
	while (pl->left && iovecs_more(&v)) {
		if (!iovecs_next(&v, &base, &len))
			return;
		if (len && !payload_add(pl, base, len))
			return;
	}
}

/* With MSG_TRUNC, TCP throws away what it would have moved (tcp(7)).  Others cut messages. */
static bool is_discarded(int fd, unsigned long flags)
{
	struct socket *sock;
	bool tcp;
	int err;

	if (likely((flags & (MSG_TRUNC | MSG_ERRQUEUE)) != MSG_TRUNC))
		return false;
	sock = sockfd_lookup(fd, &err);
	if (!sock)
		return false;
	tcp = sock->type == SOCK_STREAM && sock->sk &&
	      (sock->sk->sk_protocol == IPPROTO_TCP || sock->sk->sk_protocol == IPPROTO_MPTCP);
	sockfd_put(sock);
	return tcp;
}

static void plain(struct ktrace_proc *proc, const struct call *call, const unsigned long *args,
		  u64 moved)
{
	struct payload pl = {};

	/* MSG_TRUNC: the result may be more than the buffer. */
	moved = min_t(u64, moved, args[2]);
	if (!payload_begin(&pl, proc, args[0], call->rw, moved))
		return;
	payload_add(&pl, args[1], moved);
	payload_end(&pl);
}

/* The same for a native call; nothing but the registers is looked at twice. */
static __always_inline void plain_native(struct ktrace_proc *proc, int rw,
					 const struct pt_regs *regs, u64 moved)
{
	struct payload pl = {};

	moved = min_t(u64, moved, ktrace_arch_argument(regs, 2));
	if (!payload_begin(&pl, proc, ktrace_arch_argument(regs, 0), rw, moved))
		return;
	if (likely(ktrace_emit_copy(pl.p, ktrace_arch_argument(regs, 1), pl.left)))
		ktrace_emit_end(&pl.e);
	else
		payload_rest(pl, ktrace_arch_argument(regs, 1));
}

static void vector(struct ktrace_proc *proc, const struct call *call, int fd, unsigned long iov,
		   unsigned long n, u64 moved, bool compat, unsigned long *most)
{
	struct payload pl = {};

	if (!payload_begin(&pl, proc, fd, call->rw, moved))
		return;
	payload_add_vector(&pl, iov, n, compat, most);
	payload_end(&pl);
}

/* The iovec of a msghdr: name, namelen (padded), iov, iovlen. */
static bool get_message(unsigned long msg, bool compat, unsigned long *iov, unsigned long *n)
{
	const u32 word = compat ? sizeof(u32) : sizeof(unsigned long);

	return ktrace_emit_word(msg + 2 * word, compat, iov) &&
	       ktrace_emit_word(msg + 3 * word, compat, n);
}

/*
 * Room in an iovec: what a message was cut to.  All, if that cannot be read: then neither
 * can the data.
 */
static u64 vector_room(unsigned long iov, unsigned long n, u64 moved, bool compat,
		       unsigned long *most)
{
	unsigned long base, len;
	struct iovecs v;
	u64 room = 0;

	iovecs_begin(&v, iov, n, compat, most);
	while (room < moved && iovecs_more(&v)) {
		if (!iovecs_next(&v, &base, &len))
			return moved;
		room += len;
	}
	return min(room, moved);
}

static void message(struct ktrace_proc *proc, const struct call *call, int fd, unsigned long msg,
		    u64 moved, bool compat, unsigned long *most)
{
	unsigned long iov = 0, n = 0;

	if (!get_message(msg, compat, &iov, &n))
		n = 0;
	else
		moved = vector_room(iov, n, moved, compat, most);
	vector(proc, call, fd, iov, n, moved, compat, most);
}

static void messages(struct ktrace_proc *proc, const struct call *call, const unsigned long *args,
		     u64 count, bool compat, unsigned long *most)
{
	const u32 header = compat ? 28 : 56, size = compat ? 32 : 64; /* mmsghdr */
	unsigned long at = args[1];
	u64 i;

	count = min_t(u64, count, UIO_MAXIOV);
	for (i = 0; i < count; i++, at += size) {
		u32 moved;

		if (!ktrace_emit_copy(&moved, at + header, sizeof(moved))) {
			ktrace_emit_short(proc);
			return;
		}
		message(proc, call, args[0], at, moved, compat, most);
	}
}

/* Each message has a record all the same: of no data. */
static void discarded(struct ktrace_proc *proc, const struct call *call, const unsigned long *args,
		      u64 count)
{
	unsigned long no_more = 0;
	u64 i;

	for (i = 0; i < min_t(u64, count, UIO_MAXIOV); i++)
		vector(proc, call, args[0], 0, 0, 0, false, &no_more);
}

/* What socketcall() stands for; its arguments are in memory. */
static bool get_socketcall(struct call *call, unsigned long *args)
{
	unsigned long list = args[1];
	int i;

	*call = call_socket(args[0]);
	if (call->kind == NONE)
		return true;
	for (i = 0; i < max(3, call->flags + 1); i++)
		if (!ktrace_emit_word(list + i * sizeof(u32), true, &args[i]))
			return false;
	return true;
}

static noinline void genio_rare(struct ktrace_proc *proc, struct call call, struct pt_regs *regs,
				bool compat, s64 retval)
{
	unsigned long args[6], most = IOVECS_MOST;

	ktrace_arch_arguments(regs, compat, args);
	if (call.kind == SOCKETCALL && !get_socketcall(&call, args)) {
		ktrace_emit_short(proc);
		return;
	}
	if (call.flags && is_discarded(args[0], args[call.flags])) {
		discarded(proc, &call, args, call.kind == MESSAGES ? retval : 1);
		return;
	}
	switch (call.kind) {
	case PLAIN:
		plain(proc, &call, args, retval);
		break;
	case QUEUED:
		plain(proc, &call, args, args[2]);
		break;
	case VECTOR:
		vector(proc, &call, args[0], args[1], args[2], retval, compat, &most);
		break;
	case MESSAGE:
		message(proc, &call, args[0], args[1], retval, compat, &most);
		break;
	case MESSAGES:
		messages(proc, &call, args, retval, compat, &most);
		break;
	case NONE:
	case SOCKETCALL:
		break;
	}
}

/**
 * ktrace_genio - the GENIO records of a call that succeeded
 * @proc: current's, with KTRFAC_GENIO
 * @regs: at its exit
 * @compat: a 32-bit call
 * @nr: its number
 * @retval: its result, not below 0
 *
 * Context: guarded.
 */
void ktrace_genio(struct ktrace_proc *proc, struct pt_regs *regs, bool compat, long nr, s64 retval)
{
	const struct call *call = call_of(compat, nr);

	if (likely(call->kind == NONE))
		return;
	if (likely(call->kind == PLAIN && !call->flags && !compat))
		plain_native(proc, call->rw, regs, retval);
	else
		genio_rare(proc, *call, regs, compat, retval);
}
