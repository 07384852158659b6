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

/* @flags: which argument has MSG_*; 0: none */
struct call {
	enum kind kind;
	int rw;
	int flags;
};

static struct call call_native(long nr)
{
	switch (nr) {
	case __NR_read:
	case __NR_pread64:
	case __NR_getdents64:
	case __NR_mq_timedreceive:
		return (struct call){ PLAIN, READ_ };
	case __NR_recvfrom:
		return (struct call){ PLAIN, READ_, 3 };
	case __NR_write:
	case __NR_pwrite64:
	case __NR_sendto:
		return (struct call){ PLAIN, WRITE_ };
	case __NR_readv:
	case __NR_preadv:
	case __NR_preadv2:
		return (struct call){ VECTOR, READ_ };
	case __NR_writev:
	case __NR_pwritev:
	case __NR_pwritev2:
		return (struct call){ VECTOR, WRITE_ };
	case __NR_recvmsg:
		return (struct call){ MESSAGE, READ_, 2 };
	case __NR_sendmsg:
		return (struct call){ MESSAGE, WRITE_ };
	case __NR_recvmmsg:
		return (struct call){ MESSAGES, READ_, 3 };
	case __NR_sendmmsg:
		return (struct call){ MESSAGES, WRITE_ };
	case __NR_mq_timedsend:
		return (struct call){ QUEUED, WRITE_ };
	}
	return (struct call){ NONE };
}

#ifdef CONFIG_IA32_EMULATION
static struct call call_compat(long nr)
{
	switch (nr) {
	case __NR_ia32_read:
	case __NR_ia32_pread64:
	case __NR_ia32_getdents64:
	case __NR_ia32_mq_timedreceive:
	case __NR_ia32_mq_timedreceive_time64:
		return (struct call){ PLAIN, READ_ };
	case __NR_ia32_recvfrom:
		return (struct call){ PLAIN, READ_, 3 };
	case __NR_ia32_write:
	case __NR_ia32_pwrite64:
	case __NR_ia32_sendto:
		return (struct call){ PLAIN, WRITE_ };
	case __NR_ia32_readv:
	case __NR_ia32_preadv:
	case __NR_ia32_preadv2:
		return (struct call){ VECTOR, READ_ };
	case __NR_ia32_writev:
	case __NR_ia32_pwritev:
	case __NR_ia32_pwritev2:
		return (struct call){ VECTOR, WRITE_ };
	case __NR_ia32_recvmsg:
		return (struct call){ MESSAGE, READ_, 2 };
	case __NR_ia32_sendmsg:
		return (struct call){ MESSAGE, WRITE_ };
	case __NR_ia32_recvmmsg:
	case __NR_ia32_recvmmsg_time64:
		return (struct call){ MESSAGES, READ_, 3 };
	case __NR_ia32_sendmmsg:
		return (struct call){ MESSAGES, WRITE_ };
	case __NR_ia32_mq_timedsend:
	case __NR_ia32_mq_timedsend_time64:
		return (struct call){ QUEUED, WRITE_ };
	case __NR_ia32_socketcall:
		return (struct call){ SOCKETCALL };
	}
	return (struct call){ NONE };
}
#else
static struct call call_compat(long nr)
{
	return (struct call){ NONE };
}
#endif

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

static bool payload_begin(struct payload *pl, struct ktrace_proc *proc, int fd, int rw, u64 moved)
{
	struct ktrace_session *s = rcu_dereference_raw(proc->session);
	u64 most = READ_ONCE(ktrace_settings.genio_size);
	u8 *p;

	if (!s)
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

static void payload_add_vector(struct payload *pl, unsigned long iov, unsigned long n, bool compat)
{
	const u32 word = compat ? sizeof(u32) : sizeof(unsigned long);
	unsigned long i, base, len;

	n = min_t(unsigned long, n, UIO_MAXIOV);
	for (i = 0; pl->left && i < n; i++, iov += 2 * word) {
		if (!ktrace_emit_word(iov, compat, &base) ||
		    !ktrace_emit_word(iov + word, compat, &len))
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
	struct payload pl;

	/* MSG_TRUNC: the result may be more than the buffer. */
	moved = min_t(u64, moved, args[2]);
	if (!payload_begin(&pl, proc, args[0], call->rw, moved))
		return;
	payload_add(&pl, args[1], moved);
	payload_end(&pl);
}

static void vector(struct ktrace_proc *proc, const struct call *call, int fd, unsigned long iov,
		   unsigned long n, u64 moved, bool compat)
{
	struct payload pl;

	if (!payload_begin(&pl, proc, fd, call->rw, moved))
		return;
	payload_add_vector(&pl, iov, n, compat);
	payload_end(&pl);
}

/* The iovec of a msghdr: name, namelen (padded), iov, iovlen. */
static bool get_message(unsigned long msg, bool compat, unsigned long *iov, unsigned long *n)
{
	const u32 word = compat ? sizeof(u32) : sizeof(unsigned long);

	return ktrace_emit_word(msg + 2 * word, compat, iov) &&
	       ktrace_emit_word(msg + 3 * word, compat, n);
}

/* Room in an iovec: what a message was cut to.  All, if that cannot be read: then neither can the data. */
static u64 vector_room(unsigned long iov, unsigned long n, u64 most, bool compat)
{
	const u32 word = compat ? sizeof(u32) : sizeof(unsigned long);
	unsigned long i, len;
	u64 room = 0;

	n = min_t(unsigned long, n, UIO_MAXIOV);
	for (i = 0; i < n && room < most; i++, iov += 2 * word) {
		if (!ktrace_emit_word(iov + word, compat, &len))
			return most;
		room += len;
	}
	return min(room, most);
}

static void message(struct ktrace_proc *proc, const struct call *call, int fd, unsigned long msg,
		    u64 moved, bool compat)
{
	unsigned long iov = 0, n = 0;

	if (!get_message(msg, compat, &iov, &n))
		n = 0;
	else
		moved = vector_room(iov, n, moved, compat);
	vector(proc, call, fd, iov, n, moved, compat);
}

static void messages(struct ktrace_proc *proc, const struct call *call, const unsigned long *args,
		     u64 count, bool compat)
{
	const u32 header = compat ? 28 : 56, size = compat ? 32 : 64; /* mmsghdr */
	unsigned long at = args[1];
	u64 i;

	count = min_t(u64, count, UIO_MAXIOV);
	for (i = 0; i < count; i++, at += size) {
		u32 moved;

		if (copy_from_user_nofault(&moved, (const void __user *)(at + header),
					   sizeof(moved))) {
			ktrace_emit_short(proc);
			return;
		}
		message(proc, call, args[0], at, moved, compat);
	}
}

/* Each message has a record all the same: of no data. */
static void discarded(struct ktrace_proc *proc, const struct call *call, const unsigned long *args,
		      u64 count)
{
	u64 i;

	for (i = 0; i < min_t(u64, count, UIO_MAXIOV); i++)
		vector(proc, call, args[0], 0, 0, 0, false);
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
	struct call call = compat ? call_compat(nr) : call_native(nr);
	unsigned long args[6];

	if (likely(call.kind == NONE))
		return;
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
		vector(proc, &call, args[0], args[1], args[2], retval, compat);
		break;
	case MESSAGE:
		message(proc, &call, args[0], args[1], retval, compat);
		break;
	case MESSAGES:
		messages(proc, &call, args, retval, compat);
		break;
	case NONE:
	case SOCKETCALL:
		break;
	}
}
