// SPDX-License-Identifier: GPL-2.0
/*
 * NAMEI: every path that the kernel begins to walk.
 *
 * path_init() has the path in kernel memory and returns it.  It is called
 * again when a lookup is retried: without LOOKUP_RCU when it has to sleep, with
 * LOOKUP_REVAL when what it found was stale.  That is no new one.
 */
#include <linux/mm.h>
#include <linux/namei.h>
#include <linux/uaccess.h>
#include <asm/word-at-a-time.h>

#include "emit.h"
#include "probe_return.h"
#include "probes.h"
#include "thread.h"

#define PATH_MOST      4096
#define NAMEIDATA_MOST 256

/*
 * Where struct nameidata has its name: needed when path_init() returns an error
 * in place of it.  Found by a lookup of our own; -1 if it was not found: then
 * such lookups leave no record.
 */
static int name_offset = -1;
static bool name_indirect; /* nameidata has a struct filename, whose first word is the name */
static struct task_struct *preparing;

static noinline const char *name_of(const void *nd)
{
	const char *name;

	if (READ_ONCE(name_offset) < 0 ||
	    copy_from_kernel_nofault(&name, nd + name_offset, sizeof(name)))
		return NULL;
	if (name_indirect && copy_from_kernel_nofault(&name, name, sizeof(name)))
		return NULL;
	return name;
}

static noinline void find_offset(const void *nd, const char *name)
{
	const void *word, *first;
	int off;

	for (off = 0; off < NAMEIDATA_MOST; off += sizeof(void *)) {
		if (copy_from_kernel_nofault(&word, nd + off, sizeof(word)))
			return;
		/* What is no pointer at all is not even to be tried: kernels warn of some such reads. */
		if (word == name ||
		    (virt_addr_valid(word) &&
		     !copy_from_kernel_nofault(&first, word, sizeof(first)) && first == name)) {
			name_indirect = word != name;
			WRITE_ONCE(name_offset, off);
			return;
		}
	}
}

/* Nonzero: the return does not interest us. */
static int namei_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	if (likely(!ktrace_proc_maybe(current->signal)) && likely(!READ_ONCE(preparing)))
		return 1;
	if ((regs_get_kernel_argument(regs, 1) & (LOOKUP_RCU | LOOKUP_REVAL)) != LOOKUP_RCU)
		return 1;
	*(const void **)ri->data = (const void *)regs_get_kernel_argument(regs, 0);
	if (READ_ONCE(preparing) == current)
		return 0;
	return !ktrace_return_wanted(&ktrace_return_namei);
}

/* strnlen() by words: it may read up to seven bytes behind the NUL, mapped or not. */
static u32 name_length(const char *name)
{
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	unsigned long word, zeros;
	u32 n;

	for (n = 0; n < PATH_MOST; n += sizeof(word)) {
		word = load_unaligned_zeropad(name + n);
		if (has_zero(word, &zeros, &constants)) {
			zeros = prep_zero_mask(word, zeros, &constants);
			return n + find_zero(create_zero_mask(zeros));
		}
	}
	return PATH_MOST;
}

static void emit_name(const char *name)
{
	struct ktrace_proc *proc;
	struct ktrace_emit e = {};
	u32 len;
	u8 *p;

	ktrace_guard();
	proc = ktrace_proc_find(current->signal);
	if (proc && READ_ONCE(proc->points) & KTRFAC_NAMEI) {
		len = name_length(name);
		p = ktrace_emit_begin(&e, proc, KTR_NAMEI, len);
		if (p) {
			memcpy(p, name, len);
			ktrace_emit_end(&e);
		}
	}
	ktrace_unguard();
}

static int namei_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const void *nd = *(const void **)ri->data;
	const char *name = (const char *)regs_return_value(regs);

	if (unlikely(READ_ONCE(preparing) == current)) {
		if (!IS_ERR(name))
			find_offset(nd, name);
		return 0;
	}
	if (IS_ERR(name))
		name = name_of(nd);
	if (name)
		emit_name(name);
	return 0;
}

struct ktrace_return ktrace_return_namei = {
	.rp.kp.symbol_name = "path_init",
	.rp.entry_handler = namei_entry,
	.rp.handler = namei_return,
	.rp.data_size = sizeof(void *),
	.points = KTRFAC_NAMEI,
	.most = 16,
};

/** ktrace_probe_namei_prepare - Context: module init.  Return: 0, or why it cannot be hooked. */
int ktrace_probe_namei_prepare(void)
{
	struct path path;
	int err;

	err = ktrace_return_register(&ktrace_return_namei);
	if (err)
		return err;
	WRITE_ONCE(preparing, current);
	if (!kern_path("/", 0, &path))
		path_put(&path);
	WRITE_ONCE(preparing, NULL);
	ktrace_return_unregister(&ktrace_return_namei);
	if (name_offset < 0)
		pr_notice(
			"ktrace: lookups that fail at once leave no NAMEI record on this kernel\n");
	return 0;
}
