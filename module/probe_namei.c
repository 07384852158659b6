// SPDX-License-Identifier: GPL-2.0
/*
 * NAMEI: every path that the kernel begins to walk.
 *
 * path_init() has the path in kernel memory, in its nameidata, and returns it.  It is called
 * again when a lookup is retried: without LOOKUP_RCU when it has to sleep, with
 * LOOKUP_REVAL when what it found was stale.  That is no new one.
 */
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/namei.h>
#include <linux/uaccess.h>
#include <asm/word-at-a-time.h>

#include "emit.h"
#include "probe_return.h"
#include "probes.h"
#include "thread.h"

#define PATH_MOST	4096
#define NAMEIDATA_LEAST (sizeof(struct path) + sizeof(struct qstr)) /* not set yet, and before it */
#define NAMEIDATA_MOST	256

/*
 * Where struct nameidata has its name.  Found by lookups of our own, when the
 * module is loaded; -1 if it was not found: then what path_init() returns is taken for the
 * name, and lookups for which that is an error leave no record.
 */
static int name_offset = -1;
static bool name_indirect; /* nameidata has a struct filename, whose first word is the name */
static struct task_struct *preparing;
static unsigned int looks; /* lookups of our own that were seen */
/* Words of nameidata that were the name in all of them; and that pointed to what begins with it. */
static u32 direct = ~0U, indirect = ~0U;

/* The name of a lookup that begins. */
static const char *name_of(const void *nd)
{
	const void *word = *(const void *const *)(nd + name_offset);

	if (!name_indirect)
		return word;
	/* Since 6.13 an empty path may have no struct filename. */
	return likely(word) ? *(const char *const *)word : "";
}

/*
 * nameidata is not cleared: what else looks like the name may be stale.  It is not in two
 * ways to look up.
 */
static noinline void find_name(const void *nd, const char *name)
{
	u32 here = 0, there = 0, i;
	const void *word, *first;

	for (i = NAMEIDATA_LEAST / sizeof(word); i < NAMEIDATA_MOST / sizeof(word); i++) {
		if (copy_from_kernel_nofault(&word, nd + i * sizeof(word), sizeof(word)))
			break;
		/*
		 * What is no pointer at all is not even to be tried: kernels warn of some
		 * such reads.
		 */
		if (word == name)
			here |= BIT(i);
		else if (virt_addr_valid(word) &&
			 !copy_from_kernel_nofault(&first, word, sizeof(first)) && first == name)
			there |= BIT(i);
	}
	direct &= here;
	indirect &= there;
	looks++;
}

static void settle_offset(void)
{
	if (looks < 2 || !(direct | indirect))
		return;
	name_offset = __ffs(direct | indirect) * sizeof(void *);
	name_indirect = !(direct & BIT(name_offset / sizeof(void *)));
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

/* A lookup that is tried again is no new one. */
static bool is_first(const struct pt_regs *regs)
{
	return (regs_get_kernel_argument((struct pt_regs *)regs, 1) &
		(LOOKUP_RCU | LOOKUP_REVAL)) == LOOKUP_RCU;
}

/* The usual way: the name is in nameidata when path_init() begins. */
static int namei_begins(struct kprobe *kp, struct pt_regs *regs)
{
	if (likely(!ktrace_proc_maybe(current->signal)))
		return 0;
	if (is_first(regs) && ktrace_return_wanted(&ktrace_return_namei))
		emit_name(name_of((const void *)regs_get_kernel_argument(regs, 0)));
	return 0;
}

/*
 * Where the name is was not found: path_init() returns it.  Nonzero: the return
 * does not interest us.
 */
static int namei_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	if (likely(!ktrace_proc_maybe(current->signal)) && likely(!READ_ONCE(preparing)))
		return 1;
	if (!is_first(regs))
		return 1;
	*(const void **)ri->data = (const void *)regs_get_kernel_argument(regs, 0);
	if (READ_ONCE(preparing) == current)
		return 0;
	return !ktrace_return_wanted(&ktrace_return_namei);
}

static int namei_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const void *nd = *(const void **)ri->data;
	const char *name = (const char *)regs_return_value(regs);

	if (unlikely(READ_ONCE(preparing) == current)) {
		if (!IS_ERR(name))
			find_name(nd, name);
		return 0;
	}
	if (!IS_ERR(name))
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
	struct file *file;
	struct path path;
	int err;

	err = ktrace_return_register(&ktrace_return_namei);
	if (err)
		return err;
	WRITE_ONCE(preparing, current);
	if (!kern_path("/", 0, &path))
		path_put(&path);
	file = filp_open("/", O_RDONLY | O_DIRECTORY, 0);
	if (!IS_ERR(file))
		fput(file);
	WRITE_ONCE(preparing, NULL);
	ktrace_return_unregister(&ktrace_return_namei);
	settle_offset();
	if (name_offset >= 0)
		ktrace_return_namei.entry = namei_begins;
	else
		pr_notice(
			"ktrace: lookups that fail at once leave no NAMEI record on this kernel\n");
	return 0;
}
