/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kernel: what the BPF programs look at in the kernel's structures.
 *
 * Only the members that they use, by name: libbpf finds out from the running
 * kernel's BTF where each of them is.
 */
#ifndef KTRACE_BPF_KERNEL_H
#define KTRACE_BPF_KERNEL_H

#include <stdbool.h>

typedef signed char __s8;
typedef unsigned char __u8;
typedef short __s16;
typedef unsigned short __u16;
typedef int __s32;
typedef unsigned int __u32;
typedef long long __s64;
typedef unsigned long long __u64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;

enum bpf_map_type {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_RINGBUF = 27,
};

enum { BPF_RB_NO_WAKEUP = 1, BPF_RB_FORCE_WAKEUP = 2, BPF_RB_AVAIL_DATA = 0 };

enum syscall_work_bit { SYSCALL_WORK_BIT_SYSCALL_EMU = 3 }; /* 5.11 */

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct thread_info {
	unsigned long flags;
	unsigned long syscall_work; /* 5.11 */
	__u32 status;
};

struct list_head {
	struct list_head *next, *prev;
};

typedef struct {
	unsigned long sig[1];
} sigset_t;

struct sigpending {
	struct list_head list;
	sigset_t signal;
};

struct kernel_siginfo {
	int si_signo;
	int si_errno;
	int si_code;
};

struct sigqueue {
	struct list_head list;
	struct kernel_siginfo info;
};

struct sigaction {
	void *sa_handler;
};

struct k_sigaction {
	struct sigaction sa;
};

struct sighand_struct {
	struct k_sigaction action[64];
};

typedef struct {
	int counter;
} atomic_t;

struct signal_struct {
	atomic_t live;
	struct list_head thread_head;
	struct sigpending shared_pending;
	int group_exit_code;
	unsigned int flags;
};

struct seccomp {
	int mode;
};

struct mm_struct {
	unsigned long task_size;
	unsigned long arg_start, arg_end, env_start, env_end;
};

struct pt_regs {
	unsigned long bp, bx, r10, r9, r8, cx, dx, si, di, orig_ax;
};

struct cred;
struct files_struct;

struct task_struct {
	struct thread_info thread_info;
	void *stack;
	unsigned int flags;
	int pid;
	int tgid;
	struct mm_struct *mm;
	unsigned restore_sigmask : 1;
	const struct cred *real_cred;
	const struct cred *cred;
	char comm[16];
	unsigned long nvcsw, nivcsw;
	struct files_struct *files;
	struct signal_struct *signal;
	struct sighand_struct *sighand;
	sigset_t blocked;
	sigset_t saved_sigmask;
	struct sigpending pending;
	struct seccomp seccomp;
	unsigned int __state; /* 5.14 */
};

struct task_struct___old {
	volatile long state;
};

struct linux_binprm;
struct vm_area_struct;

struct filename {
	const char *name;
};

struct nameidata {
	struct filename *name;
};

struct qstr {
	__u32 len;
	const unsigned char *name;
};

struct dentry {
	struct dentry *d_parent;
	struct qstr d_name;
};

struct path {
	struct dentry *dentry;
};

struct sock {
	__u16 sk_protocol;
};

struct socket {
	short type;
	struct sock *sk;
};

struct file {
	struct path f_path;
	void *private_data;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

struct kiocb {
	struct file *ki_filp;
};

struct iov_iter;
struct user_namespace;

typedef struct {
	__u64 val;
} kernel_cap_t;

struct cred {
	kernel_cap_t cap_effective; /* up to 6.2 two words of 32 bits: the same bytes */
};

#pragma clang attribute pop

#endif /* KTRACE_BPF_KERNEL_H */
