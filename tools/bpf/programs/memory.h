/* SPDX-License-Identifier: GPL-2.0 */
/*
 * memory: memory of the current task, copied into the buffer before the event that it
 * belongs to.  A part of recorder.bpf.c.
 */
#ifndef KTRACE_BPF_PROGRAMS_MEMORY_H
#define KTRACE_BPF_PROGRAMS_MEMORY_H

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

#endif /* KTRACE_BPF_PROGRAMS_MEMORY_H */
