/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compat: makes older kernels look like the newest mainline.
 *
 * The only place that knows kernel versions.  Each entry names the change
 * upstream and the first release that has it; it can go when no supported
 * kernel is older.
 */
#ifndef KTRACE_COMPAT_H
#define KTRACE_COMPAT_H

#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/mm_types.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>
#include <linux/sched/mm.h>
#include <linux/thread_info.h>
#include <linux/uio.h>
#include <linux/version.h>

/* 6.8 (fs: move file_start_write() into vfs_iter_write()): before, the caller's work. */
static inline ssize_t ktrace_iter_write(struct file *file, struct iov_iter *iter, loff_t *pos)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
	return vfs_iter_write(file, iter, pos, 0);
#else
	ssize_t n;

	file_start_write(file);
	n = vfs_iter_write(file, iter, pos, 0);
	file_end_write(file);
	return n;
#endif
}

/*
 * 7.3 (exec: task_exec_state): what exec decides of who may trace a task is with the
 * task; before, it is with its mm.  6.19 (mm: flags as a bitmap): __get_dumpable() takes
 * the mm.
 */
#if __has_include(<linux/sched/exec_state.h>)
#include <linux/sched/exec_state.h>

/* May the image of current be traced by who has its ids? */
static inline bool ktrace_exec_dumpable(void)
{
	bool dumpable;

	rcu_read_lock();
	dumpable = rcu_dereference(current->exec_state)->dumpable == TASK_DUMPABLE_OWNER;
	rcu_read_unlock();
	return dumpable;
}

/* The user namespace of the image of current, which stays while current does not exec. */
static inline struct user_namespace *ktrace_exec_user_ns(void)
{
	struct user_namespace *ns;

	rcu_read_lock();
	ns = rcu_dereference(current->exec_state)->user_ns;
	rcu_read_unlock();
	return ns;
}
#else
static inline bool ktrace_exec_dumpable(void)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 19, 0)
	return __get_dumpable(current->mm) == SUID_DUMP_USER;
#else
	return __get_dumpable(current->mm->flags) == SUID_DUMP_USER;
#endif
}

static inline struct user_namespace *ktrace_exec_user_ns(void)
{
	return current->mm->user_ns;
}
#endif

/* 5.12 (fs: make file_open_root() take a struct path). */
static inline struct file *ktrace_open_root(const struct path *root, const char *name, int flags,
					    umode_t mode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 12, 0)
	return file_open_root(root, name, flags, mode);
#else
	return file_open_root(root->dentry, root->mnt, name, flags, mode);
#endif
}

/* 6.3 (capability: just use a 'u64' instead of a 'u32[2]' array). */
static inline u64 ktrace_cap_mask(const kernel_cap_t *caps)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	return caps->val;
#else
	return (u64)caps->cap[1] << 32 | caps->cap[0];
#endif
}

/*
 * 5.12 (kernel: provide create_io_thread() helper) and 6.4 (fork: allow kernel code to call
 * copy_process): a user's thread that never was in user mode.
 */
#if defined(PF_USER_WORKER)
#define KTRACE_PF_WORKER (PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER)
#elif defined(PF_IO_WORKER)
#define KTRACE_PF_WORKER (PF_KTHREAD | PF_IO_WORKER)
#else
#define KTRACE_PF_WORKER PF_KTHREAD
#endif

/*
 * 5.14 (mm: charge active memcg when no mm is set): pages that a kernel's thread fills are a
 * cgroup's from here on.  Return: whose they were.
 */
static inline struct mem_cgroup *ktrace_pay_by(struct mem_cgroup *memcg)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 14, 0)
	return set_active_memcg(memcg);
#else
	return NULL;
#endif
}

/* 5.11 (entry: Move emulation to generic entry): does a debugger do the calls of @task? */
static inline bool ktrace_emulated(struct task_struct *task)
{
#ifdef SYSCALL_WORK_SYSCALL_EMU
	return test_task_syscall_work(task, SYSCALL_EMU);
#else
	return test_tsk_thread_flag(task, TIF_SYSCALL_EMU);
#endif
}

/* The same: do the system calls of @task go past the tracepoints? */
static inline bool ktrace_syscall_flag(struct task_struct *task)
{
#ifdef SYSCALL_WORK_SYSCALL_TRACEPOINT
	return test_task_syscall_work(task, SYSCALL_TRACEPOINT);
#else
	return test_tsk_thread_flag(task, TIF_SYSCALL_TRACEPOINT);
#endif
}

static inline void ktrace_set_syscall_flag(struct task_struct *task, bool flag)
{
#ifdef SYSCALL_WORK_SYSCALL_TRACEPOINT
	if (flag)
		set_task_syscall_work(task, SYSCALL_TRACEPOINT);
	else
		clear_task_syscall_work(task, SYSCALL_TRACEPOINT);
#else
	if (flag)
		set_tsk_thread_flag(task, TIF_SYSCALL_TRACEPOINT);
	else
		clear_tsk_thread_flag(task, TIF_SYSCALL_TRACEPOINT);
#endif
}

/* Up to 6.10 a sysctl table ends with an empty entry. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
#define KTRACE_SYSCTL_END \
	{                 \
	}
#else
#define KTRACE_SYSCTL_END
#endif

/* 6.14 (treewide: const qualify ctl_tables where applicable), handlers since 6.11. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
typedef struct ctl_table ktrace_ctl_table;
#else
typedef const struct ctl_table ktrace_ctl_table;
#endif

/*
 * 5.18 (sched/tracing: don't re-read p->state when emitting sched_switch event):
 * before, who is told reads the state of the task, which 5.14 (sched: change
 * task_struct::state) renamed.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 18, 0)
#define KTRACE_SWITCH_PROBE(name)                                                               \
	void name(void *data, bool preempt, struct task_struct *prev, struct task_struct *next, \
		  unsigned int prev_state)
#define KTRACE_SWITCH_STATE prev_state
#else
#define KTRACE_SWITCH_PROBE(name) \
	void name(void *data, bool preempt, struct task_struct *prev, struct task_struct *next)
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 14, 0)
#define KTRACE_SWITCH_STATE READ_ONCE(prev->__state)
#else
#define KTRACE_SWITCH_STATE READ_ONCE(prev->state)
#endif
#endif

/* 6.16 (exit: add a group_dead flag to trace_sched_process_exit). */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
#define KTRACE_EXIT_PROBE(name) void name(void *data, struct task_struct *task, bool group_dead)
#else
#define KTRACE_EXIT_PROBE(name) void name(void *data, struct task_struct *task)
#endif

/* 6.17 (sched: Make SMP unconditional): before, only SMP kernels have task_struct::on_cpu. */
static inline bool ktrace_task_on_cpu(const struct task_struct *task)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0) || defined(CONFIG_SMP)
	return READ_ONCE(task->on_cpu);
#else
	return task == current;
#endif
}

/* 5.14 (kernel.h: split out panic and oops helpers). */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 14, 0)
#include <linux/panic_notifier.h>
#else
#include <linux/kernel.h>
#endif

/*
 * 6.13 (tracing/ftrace: disable preemption in syscall probe): before, whoever calls
 * the probes of system calls has disabled preemption.
 */
static __always_inline void ktrace_syscall_guard(void)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	preempt_disable_notrace();
#endif
}

static __always_inline void ktrace_syscall_unguard(void)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	preempt_enable_notrace();
#endif
}

/*
 * 5.17 (block: remove the ->rq_disk field in struct request): the disk of a
 * request, or NULL, for who has included <linux/blk-mq.h>.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 17, 0)
#define ktrace_request_disk(rq) ((rq)->q->disk)
#else
#define ktrace_request_disk(rq) ((rq)->rq_disk)
#endif

/* 5.16 (mm: Introduce struct folio): what the page cache's tracepoints tell of. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 16, 0)
typedef struct folio ktrace_folio;
#define ktrace_folio_nr_pages(folio) folio_nr_pages(folio)
#else
typedef struct page ktrace_folio;
#define ktrace_folio_nr_pages(page) compound_nr(page)
#endif

/* 5.19 (swiotlb: remove swiotlb_force): what the tracepoint swiotlb_bounced has behind the size. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 19, 0)
#define KTRACE_SWIOTLB_FORCE , enum swiotlb_force force
#else
#define KTRACE_SWIOTLB_FORCE
#endif

/* 5.17 (net: skb: introduce kfree_skb_reason()). */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 17, 0)
enum skb_drop_reason { KTRACE_NO_DROP_REASON };
#endif

/* 6.10 (net: introduce rstreason to detect why the RST is sent). */
#if !__has_include(<net/rstreason.h>)
enum sk_rst_reason { KTRACE_NO_RST_REASON };
#endif

/* 6.3 (filelock: move file locking definitions to separate header file). */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
#include <linux/filelock.h>
#endif

/* 6.9 (filelock: split common fields into struct file_lock_core). */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)
#define ktrace_lock_type(lock) ((lock)->c.flc_type)
#else
#define ktrace_lock_type(lock) ((lock)->fl_type)
#endif

#endif /* KTRACE_COMPAT_H */
