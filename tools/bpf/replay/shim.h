/* SPDX-License-Identifier: GPL-2.0 */
/*
 * shim: as much of the kernel as the module's probes see of it, when the recorder
 * runs them on what its BPF programs tell.
 *
 * Every <linux/...> header that they include stands for this one (tools/bpf.mk).
 * There is one thread here, and what the kernel guards against others costs nothing.
 * A task_struct is what was told of a thread (replay.c).
 */
#ifndef KTRACE_REPLAY_SHIM_H
#define KTRACE_REPLAY_SHIM_H

#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <time.h>

#include <linux/types.h>

typedef __s8 s8;
typedef __s16 s16;
typedef __s32 s32;
typedef __s64 s64;
typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;

/*
 * The compiler
 */

#undef __always_inline
#define __always_inline inline __attribute__((always_inline))
#define noinline	__attribute__((noinline))
#define __noclone
#define __user
#define __rcu
#define __percpu
#define __force
#define fallthrough	     __attribute__((fallthrough))
#define likely(x)	     __builtin_expect(!!(x), 1)
#define unlikely(x)	     __builtin_expect(!!(x), 0)
#define READ_ONCE(x)	     (x)
#define WRITE_ONCE(x, value) ((x) = (value))
/* One thread: there is no race. */
#define data_race(x) (x)
#define ____cacheline_aligned
#define lockdep_assert_held(lock) ((void)(lock))
#define pr_notice(...)		  ((void)0)

#define U32_MAX			      UINT32_MAX
#define U64_MAX			      UINT64_MAX
#define S16_MAX			      INT16_MAX
#define SZ_1M			      (1UL << 20)
#define PAGE_SIZE		      4096UL
#define PAGE_MASK		      (~(PAGE_SIZE - 1))
#define offset_in_page(address)	      ((address) & ~PAGE_MASK)
#define BIT_ULL(n)		      (1ULL << (n))
#define ARRAY_SIZE(a)		      (sizeof(a) / sizeof((a)[0]))
#define sizeof_field(type, member)    sizeof(((type *)0)->member)
#define container_of(p, type, member) ((type *)((char *)(p)-offsetof(type, member)))

#define min_t(type, a, b)          \
	({                         \
		type a_ = (a);     \
		type b_ = (b);     \
		a_ < b_ ? a_ : b_; \
	})
#define min(a, b)     min_t(typeof(0 ? (a) : (b)), a, b)
#define min3(a, b, c) min(min(a, b), c)
#define max(a, b)                               \
	({                                      \
		typeof(0 ? (a) : (b)) a_ = (a); \
		typeof(a_) b_ = (b);            \
		a_ > b_ ? a_ : b_;              \
	})
#define clamp(value, low, high) min(max(value, low), high)

/* Both sides are little endian: the recorder is built for nothing else. */
#define REPLAY_UNALIGNED(bits)                                                     \
	static __always_inline u##bits get_unaligned_le##bits(const void *p)       \
	{                                                                          \
		u##bits value;                                                     \
		memcpy(&value, p, sizeof(value));                                  \
		return value;                                                      \
	}                                                                          \
	static __always_inline void put_unaligned_le##bits(u##bits value, void *p) \
	{                                                                          \
		memcpy(p, &value, sizeof(value));                                  \
	}

REPLAY_UNALIGNED(16)
REPLAY_UNALIGNED(32)
REPLAY_UNALIGNED(64)

/*
 * Who else runs?  Nobody.
 */

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	int none;
} spinlock_t;

typedef struct {
	int count;
} refcount_t;

typedef u32 gfp_t;

struct rcu_head {
	void *none;
};

#define ATOMIC_INIT(value) \
	{                  \
		value      \
	}
#define atomic_read(a)	       ((a)->counter)
#define atomic_set(a, value)   ((void)((a)->counter = (value)))
#define atomic_inc(a)	       ((void)(a)->counter++)
#define atomic_dec(a)	       ((void)(a)->counter--)
#define atomic_or(bits, a)     ((void)((a)->counter |= (bits)))
#define atomic_andnot(bits, a) ((void)((a)->counter &= ~(bits)))

static inline int atomic_fetch_or(int bits, atomic_t *a)
{
	int before = a->counter;

	a->counter |= bits;
	return before;
}

static inline int atomic_fetch_andnot(int bits, atomic_t *a)
{
	int before = a->counter;

	a->counter &= ~bits;
	return before;
}

#define cmpxchg(p, old, new)              \
	({                                \
		typeof(*(p)) was_ = *(p); \
		if (was_ == (old))        \
			*(p) = (new);     \
		was_;                     \
	})
#define xchg(p, new)                      \
	({                                \
		typeof(*(p)) was_ = *(p); \
		*(p) = (new);             \
		was_;                     \
	})
#define smp_store_release(p, value) ((void)(*(p) = (value)))
#define rcu_dereference_raw(p)	    (p)
#define preempt_disable_notrace()   ((void)0)
#define preempt_enable_notrace()    ((void)0)
#define in_task()		    true

/*
 * Lists and hashes
 */

struct list_head {
	struct list_head *next, *prev;
};

#define list_for_each_entry(pos, head, member)                                               \
	for (pos = container_of((head)->next, typeof(*pos), member); &pos->member != (head); \
	     pos = container_of(pos->member.next, typeof(*pos), member))

struct hlist_node {
	struct hlist_node *next, **pprev;
};

struct hlist_head {
	struct hlist_node *first;
};

#define hlist_entry_or_null(node, type, member) ((node) ? container_of(node, type, member) : NULL)
#define hlist_for_each_entry_rcu_notrace(pos, head, member)                       \
	for (pos = hlist_entry_or_null((head)->first, typeof(*pos), member); pos; \
	     pos = hlist_entry_or_null(pos->member.next, typeof(*pos), member))

static inline u32 hash_32(u32 value, unsigned int bits)
{
	return (value * 0x61C88647U) >> (32 - bits);
}

static inline unsigned long hash_long(unsigned long value, unsigned int bits)
{
	return (value * 0x61C8864680B583EBUL) >> (64 - bits);
}

#define hash_ptr(p, bits) hash_long((unsigned long)(p), bits)

/*
 * Tasks
 */

typedef struct {
	unsigned long sig[1];
} replay_sigset_t;
#define sigset_t		replay_sigset_t
#define sigismember(set, signo) ((int)((set)->sig[0] >> ((signo)-1) & 1))

struct sigpending {
	struct list_head list;
	sigset_t signal;
};

struct kernel_siginfo {
	int si_signo;
	int si_code;
};

#define SEND_SIG_NOINFO ((struct kernel_siginfo *)0)
#define SEND_SIG_PRIV	((struct kernel_siginfo *)1)

/* The C library has macros for members that are a pointer away in its siginfo_t. */
#undef si_code

struct sigqueue {
	struct list_head list;
	struct kernel_siginfo info;
};

struct k_sigaction {
	struct sigaction sa;
};

struct sighand_struct {
	struct k_sigaction action[64];
};

struct ktrace_proc;

struct signal_struct {
	int group_exit_code;
	unsigned int flags;
	struct sigpending shared_pending;
	struct ktrace_proc *proc;
};

#define SIGNAL_GROUP_EXIT	  0x4
#define SIGNAL_UNKILLABLE	  0x40
#define REPLAY_SIGNALS(sig, mask) ((sig) < 32 && (mask) >> (sig)&1)
#define sig_kernel_only(sig)	  REPLAY_SIGNALS(sig, 1UL << SIGKILL | 1UL << SIGSTOP)
#define sig_kernel_coredump(sig)                                                               \
	REPLAY_SIGNALS(sig, 1UL << SIGQUIT | 1UL << SIGILL | 1UL << SIGTRAP | 1UL << SIGABRT | \
				    1UL << SIGFPE | 1UL << SIGSEGV | 1UL << SIGBUS |           \
				    1UL << SIGSYS | 1UL << SIGXCPU | 1UL << SIGXFSZ)
#define sig_kernel_ignore(sig) \
	REPLAY_SIGNALS(sig, 1UL << SIGCONT | 1UL << SIGCHLD | 1UL << SIGWINCH | 1UL << SIGURG)

struct mm_struct {
	unsigned long arg_start, arg_end, env_start, env_end;
};

struct seccomp {
	int mode;
};

#define seccomp_mode(s) ((s)->mode)

/**
 * struct pt_regs - a call's registers, or those of a function that a kprobe is at
 * @di: the call's arguments, of a 32-bit call, too, and so on
 * @orig_ax: its number
 * @argument: of the function
 * @value: what it returned
 */
struct pt_regs {
	unsigned long di, si, dx, r10, r8, r9;
	long orig_ax;
	unsigned long argument[4];
	unsigned long value;
};

#define regs_get_kernel_argument(regs, n) ((regs)->argument[n])
#define regs_return_value(regs)		  ((regs)->value)

#define PF_EXITING 0x4
#define PF_KTHREAD 0x200000

#define TASK_RUNNING 0
#define TIF_ADDR32   29

struct task_struct {
	struct pt_regs regs;
	int pid, tgid;
	char comm[16];
	unsigned int flags;
	u32 facts; /* KTRACE_BPF_* */
	struct signal_struct *signal;
	struct sighand_struct *sighand;
	struct mm_struct *mm;
	sigset_t blocked, saved_sigmask;
	bool restore;
	struct sigpending pending;
	struct seccomp seccomp;
	unsigned long nvcsw, nivcsw;
};

extern struct task_struct *replay_current;
#define current replay_current

bool replay_compat_call(void);
bool replay_compat_image(const struct task_struct *task);
bool replay_fatal(void);

#define in_ia32_syscall()		 replay_compat_call()
#define test_tsk_thread_flag(task, flag) replay_compat_image(task)
#define fatal_signal_pending(task)	 replay_fatal()
#define test_restore_sigmask()		 (current->restore)
#define task_pt_regs(task)		 (&(task)->regs)
#define syscall_get_nr(task, regs)	 ((regs)->orig_ax)
#define task_pid_vnr(task)		 ((task)->pid)
#define for_each_thread(leader, thread)	 for (thread = (leader); thread; thread = NULL)

static inline void syscall_get_arguments(struct task_struct *task, const struct pt_regs *regs,
					 unsigned long args[6])
{
	(void)task;
	memcpy(args, &regs->di, 6 * sizeof(args[0]));
}

typedef struct {
	u32 value;
} kuid_t;

#define current_uid()	((kuid_t){ 0 })
#define __kuid_val(uid) ((uid).value)

/*
 * What calls are about
 */

#define IS_ERR_VALUE(value)   ((unsigned long)(value) >= (unsigned long)-4095)
#define ERESTART_RESTARTBLOCK 516
#define UIO_MAXIOV	      1024
#define X86_PF_WRITE	      0x2
#define X86_PF_INSTR	      0x10
#define VSYSCALL_ADDR	      (-10UL << 20)
#define FAULT_FLAG_USER	      0x40
#define CAP_OPT_NOAUDIT	      0x2

typedef u32 vm_fault_t;
#define VM_FAULT_OOM   0x1
#define VM_FAULT_RETRY 0x400
#define VM_FAULT_ERROR 0x873 /* OOM SIGBUS HWPOISON HWPOISON_LARGE SIGSEGV FALLBACK */

struct sock {
	u16 sk_protocol;
};

struct socket {
	short type;
	struct sock *sk;
};

struct socket *sockfd_lookup(int fd, int *err);
#define sockfd_put(sock) ((void)(sock))

typedef struct {
	u64 val;
} kernel_cap_t;

struct cred {
	kernel_cap_t cap_effective;
};

extern struct cred replay_cred;
#define current_cred()	    (&replay_cred)
#define current_real_cred() (&replay_cred)

struct qstr {
	u32 len;
	const unsigned char *name;
};

struct dentry {
	struct dentry *d_parent;
	struct qstr d_name;
};

#define IS_ROOT(d) ((d) == (d)->d_parent)

struct path {
	struct dentry *dentry;
};

struct file {
	struct path f_path;
};

struct kiocb {
	struct file *ki_filp;
};

/*
 * Hooks
 */

struct kprobe;
typedef int (*kprobe_pre_handler_t)(struct kprobe *kp, struct pt_regs *regs);

struct kprobe {
	const char *symbol_name;
	kprobe_pre_handler_t pre_handler;
	void *addr;
	u32 flags;
	unsigned long nmissed;
};

#define KPROBE_FLAG_DISABLED 2

struct kretprobe_instance {
	char data[32];
};

struct kretprobe {
	struct kprobe kp;
	int (*handler)(struct kretprobe_instance *ri, struct pt_regs *regs);
	int (*entry_handler)(struct kretprobe_instance *ri, struct pt_regs *regs);
	int maxactive;
	int nmissed;
	size_t data_size;
};

#define check_trace_callback_type_sys_enter(probe)	 ((void)(probe))
#define check_trace_callback_type_sys_exit(probe)	 ((void)(probe))
#define check_trace_callback_type_signal_deliver(probe)	 ((void)(probe))
#define check_trace_callback_type_sched_switch(probe)	 ((void)(probe))
#define check_trace_callback_type_page_fault_user(probe) ((void)(probe))

/*
 * The kernel's symbols and stacks, for wchan.c
 */

#define KSYM_SYMBOL_LEN 256
#define KSYM_NAME_LEN	128

struct notifier_block {
	int (*notifier_call)(struct notifier_block *block, unsigned long state, void *data);
};

#define MODULE_STATE_COMING		  1
#define NOTIFY_DONE			  0
#define register_module_notifier(block)	  ((void)(block), 0)
#define unregister_module_notifier(block) ((void)(block))
#define alloc_percpu(type)		  ((type *)replay_zalloc(sizeof(type)))
#define free_percpu(p)			  ((void)(p))
#define this_cpu_ptr(p)			  (p)
#define schedule			  replay_symbol("schedule")
#define unregister_kprobe(kp)		  ((void)(kp))

void *replay_zalloc(size_t size);
unsigned long replay_symbol(const char *name);
int register_kprobe(struct kprobe *kp);
void sprint_symbol_no_offset(char *buffer, unsigned long address);
unsigned int stack_trace_save(unsigned long *frame, unsigned int most, unsigned int skip);

#endif /* KTRACE_REPLAY_SHIM_H */
