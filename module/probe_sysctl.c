// SPDX-License-Identifier: GPL-2.0
/*
 * SYSCTL: every read and write of a file in /proc/sys.
 *
 * The name is made of the file's dentries, so that it is the same whatever path
 * led there: of another mount, from a chroot, relative.  Each belongs to its
 * child, and that to the open file; procfs renames none.
 */
#include <linux/dcache.h>
#include <linux/fs.h>

#include "emit.h"
#include "probe_return.h"

#define DEPTH_MOST 24 /* FreeBSD's CTL_MAXNAME; Linux has 5 */

/**
 * struct name - a sysctl's name
 * @part: its components, the last first
 * @n: of them
 * @size: bytes of them all, with what is behind each: a dot or the NUL
 */
struct name {
	const struct qstr *part[DEPTH_MOST];
	u32 n;
	u32 size;
};

/* The components, up to the "sys" that is in the root of procfs. */
static void name_find(struct name *name, const struct dentry *d)
{
	name->n = 0;
	name->size = 0;
	while (!IS_ROOT(d) && !IS_ROOT(d->d_parent) && name->n < DEPTH_MOST) {
		name->part[name->n++] = &d->d_name;
		name->size += d->d_name.len + 1;
		d = d->d_parent;
	}
}

/* As sysctl(8) shows it: components between dots, and a dot within one as a slash. */
static void name_write(const struct name *name, u8 *p)
{
	u32 i, k;

	for (i = name->n; i-- > 0;) {
		const struct qstr *part = name->part[i];

		for (k = 0; k < part->len; k++)
			*p++ = part->name[k] == '.' ? '/' : part->name[k];
		*p++ = i ? '.' : '\0';
	}
}

static noinline void access_traced(const struct file *file)
{
	struct ktrace_proc *proc;
	struct ktrace_emit e = {};
	struct name name;
	u8 *p;

	ktrace_guard();
	ktrace_return_missed();
	proc = ktrace_proc_find(current->signal);
	if (!proc || !(READ_ONCE(proc->points) & KTRFAC_SYSCTL))
		goto out;
	name_find(&name, file->f_path.dentry);
	if (!name.n)
		goto out;
	p = ktrace_emit_begin(&e, proc, KTR_SYSCTL, name.size);
	if (!p)
		goto out;
	name_write(&name, p);
	ktrace_emit_end(&e);
out:
	ktrace_unguard();
}

/* All there is to know is known when the call begins. */
static int sysctl_entry(struct kprobe *kp, struct pt_regs *regs)
{
	const struct kiocb *iocb = (const struct kiocb *)regs_get_kernel_argument(regs, 0);

	if (unlikely(ktrace_proc_maybe(current->signal)))
		access_traced(iocb->ki_filp);
	return 0;
}

struct ktrace_return ktrace_return_sysctl = {
	.rp.kp.symbol_name = "proc_sys_call_handler",
	.entry = sysctl_entry,
	.points = KTRFAC_SYSCTL,
	.most = 1,
};
