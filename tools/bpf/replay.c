// SPDX-License-Identifier: GPL-2.0
/*
 * Threads and processes as events tell of them, and the module's probes called as
 * the kernel would call them.
 */
#include <stdlib.h>

#include "arch.h"
#include "compat.h"
#include "emit.h"
#include "probe_return.h"
#include "probes.h"
#include "replay.h"
#include "rules.h"
#include "strings.h"
#include "symbols.h"
#include "thread.h"
#include "wchan.h"

#define HASH_BITS 12

struct thread {
	struct thread *next; /* of those with the same hash */
	struct thread *sibling; /* of the same process */
	u32 pid;
	u64 address; /* of its task_struct, once a call has told */
	bool stopped; /* in a context switch, and has not resumed */
	struct process *process;
	struct task_struct task;
};

struct process {
	struct process *next; /* of those with the same hash */
	u32 tgid;
	u32 lost;
	struct ktrace_proc proc;
	struct signal_struct signal;
	struct sighand_struct sighand;
	struct mm_struct mm;
	struct thread *threads;
};

static struct process *processes[1 << HASH_BITS];
static struct thread *threads[1 << HASH_BITS];
static u32 count;
static u32 generations;
static struct signal_struct idle_signal;
static struct task_struct idle = { .signal = &idle_signal };

struct hlist_head ktrace_proc_hash[1 << KTRACE_PROC_BITS];
struct task_struct *replay_current = &idle;
struct cred replay_cred;

void *replay_zalloc(size_t size)
{
	void *p = calloc(1, size);

	if (!p)
		abort();
	return p;
}

/*
 * What shim.h says of current
 */

bool replay_compat_call(void)
{
	return current->facts & KTRACE_BPF_COMPAT_CALL;
}

bool replay_compat_image(const struct task_struct *task)
{
	return task->facts & KTRACE_BPF_COMPAT_IMAGE;
}

bool replay_fatal(void)
{
	return current->facts & KTRACE_BPF_FATAL;
}

bool replay_emulated(void)
{
	return current->facts & KTRACE_BPF_EMULATED;
}

/* Asked for calls with MSG_TRUNC: the program has looked at the socket. */
struct socket *sockfd_lookup(int fd, int *err)
{
	static struct sock sk = { .sk_protocol = IPPROTO_TCP };
	static struct socket sock = { .type = SOCK_STREAM, .sk = &sk };

	(void)fd;
	*err = 0;
	return current->facts & KTRACE_BPF_DISCARDED ? &sock : NULL;
}

bool ktrace_return_wanted(struct ktrace_return *r)
{
	return current->signal->proc->points & r->points;
}

/* The recorder counts them another way: load.c. */
void ktrace_return_missed(void)
{
}

/*
 * Processes and threads
 */

static u32 slot(u32 id)
{
	return hash_32(id, HASH_BITS);
}

static struct process *find_process(u32 tgid)
{
	struct process *p;

	for (p = processes[slot(tgid)]; p && p->tgid != tgid; p = p->next)
		;
	return p;
}

static void hash_proc(struct ktrace_proc *proc)
{
	struct hlist_head *head = ktrace_proc_bucket(proc->sig);

	proc->node.next = head->first;
	head->first = &proc->node;
}

static void unhash_proc(struct ktrace_proc *proc)
{
	struct hlist_node **at = &ktrace_proc_bucket(proc->sig)->first;

	while (*at != &proc->node)
		at = &(*at)->next;
	*at = proc->node.next;
}

static struct process *new_process(u32 tgid, struct ktrace_session *s)
{
	struct process *p = replay_zalloc(sizeof(*p));

	p->tgid = tgid;
	p->signal.proc = &p->proc;
	p->proc.sig = &p->signal;
	p->proc.session = s;
	p->proc.generation = ++generations;
	p->proc.fault_generation = p->proc.generation;
	p->proc.stop_generation = p->proc.generation;
	s->processes++;
	p->next = processes[slot(tgid)];
	processes[slot(tgid)] = p;
	hash_proc(&p->proc);
	count++;
	return p;
}

static struct thread *find_thread(u32 pid)
{
	struct thread *t;

	for (t = threads[slot(pid)]; t && t->pid != pid; t = t->next)
		;
	return t;
}

static void hash_thread(struct thread *t, u32 pid)
{
	t->pid = pid;
	t->next = threads[slot(pid)];
	threads[slot(pid)] = t;
}

static void unhash_thread(struct thread *t)
{
	struct thread **at = &threads[slot(t->pid)];

	while (*at != t)
		at = &(*at)->next;
	*at = t->next;
}

static void free_thread(struct thread *t)
{
	struct thread **at = &t->process->threads;

	ktrace_thread_clear(&t->task, ~0U);
	unhash_thread(t);
	while (*at != t)
		at = &(*at)->sibling;
	*at = t->sibling;
	if (current == &t->task)
		replay_current = &idle;
	free(t);
}

static void free_process(struct process *p)
{
	struct process **at = &processes[slot(p->tgid)];

	while (p->threads)
		free_thread(p->threads);
	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	unhash_proc(&p->proc);
	records_put(p->proc.session);
	count--;
	free(p);
}

static struct thread *thread_of(struct process *p, u32 pid)
{
	struct thread *t = find_thread(pid);

	if (t && t->process == p)
		return t;
	if (t)
		free_thread(t); /* its end was lost */
	t = replay_zalloc(sizeof(*t));
	t->process = p;
	t->sibling = p->threads;
	p->threads = t;
	t->task.tgid = p->tgid;
	t->task.signal = &p->signal;
	t->task.sighand = &p->sighand;
	t->task.mm = &p->mm;
	hash_thread(t, pid);
	return t;
}

u32 replay_processes(void)
{
	return count;
}

void replay_lost(void)
{
	struct process *p;
	u32 i;

	for (i = 0; i < 1 << HASH_BITS; i++)
		for (p = processes[i]; p; p = p->next)
			p->proc.dropped = 1;
}

/*
 * Events
 */

/* An event's own part begins with its head. */
#define EVENT(type, head) ((const struct type *)(const void *)(head))

/* Events of the process found no room. */
static void see_lost(struct process *p, u32 lost)
{
	if (lost == p->lost)
		return;
	p->proc.session->lost += lost - p->lost;
	p->proc.dropped = 1;
	p->lost = lost;
}

static void see_task(struct task_struct *task, const struct ktrace_bpf_head *h)
{
	task->pid = h->pid;
	memcpy(task->comm, h->comm, sizeof(task->comm));
	task->flags = (h->facts & KTRACE_BPF_EXITING ? PF_EXITING : 0) |
		      (h->facts & KTRACE_BPF_WORKER ? PF_KTHREAD : 0);
	task->facts = h->facts;
	task->seccomp.mode = h->seccomp;
	task->pending.signal.sig[0] = h->facts & KTRACE_BPF_SIGSYS ? 1UL << (SIGSYS - 1) : 0;
}

static void procctor(struct ktrace_proc *proc)
{
	ktrace_emit_procctor(proc, proc->session, current, proc->sv_flags);
}

static void call(const struct ktrace_bpf_call *e)
{
	struct pt_regs *regs = &current->regs;

	memcpy(&regs->di, e->args, sizeof(e->args));
	regs->orig_ax = e->nr;
	container_of(current, struct thread, task)->address = e->task;
	if (e->head.type == KTRACE_BPF_ENTER)
		ktrace_probe_sys_enter(NULL, regs, e->nr);
	else
		ktrace_probe_sys_exit(NULL, regs, e->ret);
}

static void name(struct ktrace_proc *proc, const struct ktrace_bpf_name *e)
{
	struct ktrace_emit emit = {};
	u8 *p = ktrace_emit_begin(&emit, proc, KTR_NAMEI, e->len);

	if (!p)
		return;
	memcpy(p, e->name, e->len);
	ktrace_emit_end(&emit);
}

/* list_make - @head with @entry alone in it; with itself: empty */
static void list_make(struct list_head *head, struct list_head *entry)
{
	head->next = entry;
	head->prev = entry;
	entry->next = head;
	entry->prev = head;
}

static void signalled(const struct ktrace_bpf_signal *e)
{
	struct signal_struct *sig = current->signal;
	struct sigqueue fatal = { .info = { e->group_exit_code & 0x7f, e->fatal_code } };
	struct kernel_siginfo info = { e->signo, e->code };
	struct k_sigaction ka = {};
	struct list_head *queue = &sig->shared_pending.list;

	list_make(queue, queue);
	if (e->fatal_known)
		list_make(queue, &fatal.list);
	list_make(&current->pending.list, &current->pending.list);
	sig->group_exit_code = e->group_exit_code;
	sig->flags = e->group_flags;
	if (fatal.info.si_signo >= 1 && fatal.info.si_signo <= 64)
		current->sighand->action[fatal.info.si_signo - 1].sa.sa_handler =
			(void *)e->fatal_action;
	ka.sa.sa_handler = (void *)e->action;
	current->blocked.sig[0] = e->blocked;
	current->saved_sigmask.sig[0] = e->saved;
	current->restore = e->restore;
	ktrace_probe_signal(NULL, e->signo, e->info > 1 ? &info : (void *)e->info, &ka);
}

static void forked(struct process *parent, const struct ktrace_bpf_fork *e)
{
	struct process *child;
	struct thread *t;

	child = find_process(e->tgid);
	if (child)
		free_process(child); /* its end was lost */
	child = new_process(e->tgid, parent->proc.session);
	child->proc.sv_flags = parent->proc.sv_flags;
	child->proc.root = true;
	child->proc.points = e->head.points;
	t = thread_of(child, e->pid);
	t->task.pid = e->pid;
	memcpy(t->task.comm, e->comm, sizeof(t->task.comm));
	ktrace_emit_procctor(&child->proc, child->proc.session, &t->task, child->proc.sv_flags);
}

/* An exec by another thread than the first: that one is gone, and its number the other's now. */
static void take_number(struct process *p, u32 old, u32 pid)
{
	struct thread *t = find_thread(old), *first = find_thread(pid);

	if (old == pid || !t || t->process != p)
		return;
	if (first)
		free_thread(first);
	unhash_thread(t);
	hash_thread(t, pid);
}

/* An exec that failed late has made its thread the first, and no event of an exec tells. */
static void find_by_task(struct process *p, const struct ktrace_bpf_call *e)
{
	struct thread *t = find_thread(e->head.pid);

	if (t && t->address == e->task)
		return;
	for (t = p->threads; t; t = t->sibling)
		if (t->address == e->task) {
			take_number(p, t->pid, e->head.pid);
			return;
		}
}

static void executed(struct ktrace_proc *proc, const struct ktrace_bpf_exec *e)
{
	struct mm_struct *mm = current->mm;

	proc->sv_flags = ktrace_arch_sv_flags(ktrace_arch_compat_task(current));
	procctor(proc);
	ktrace_thread_unmark(current, proc->generation, KTRACE_THREAD_ABI);
	mm->arg_start = e->arg_start;
	mm->arg_end = e->arg_end;
	mm->env_start = e->env_start;
	mm->env_end = e->env_end;
	ktrace_strings(proc);
}

static void procdtor(struct ktrace_proc *proc)
{
	struct ktrace_emit e = {};

	proc->dead = true;
	if (ktrace_emit_reserve(&e, proc, proc->session, current, KTR_PROCDTOR, 0,
				KTRACE_EMIT_LAST))
		ktrace_emit_end(&e);
}

static void exited(struct thread *t, const struct ktrace_bpf_call *e)
{
	struct ktrace_proc *proc = &t->process->proc;

	memcpy(&current->regs.di, e->args, sizeof(e->args));
	current->regs.orig_ax = e->nr;
	ktrace_probe_killed();
	if (e->head.facts & KTRACE_BPF_LAST) {
		procdtor(proc);
		free_process(t->process);
		return;
	}
	/* exit() was a call of another ABI.  The process, and its numbers, live on. */
	if (ktrace_thread_unmark(current, proc->generation, KTRACE_THREAD_ABI))
		procctor(proc);
	free_thread(t);
}

static void faulted(const struct ktrace_bpf_fault *e)
{
	struct kretprobe_instance ri = {};
	struct pt_regs regs = { .argument = { 0, e->address, FAULT_FLAG_USER } };

	if (ktrace_return_fault.rp.entry_handler(&ri, &regs))
		return;
	regs.value = e->code;
	ktrace_return_fault.rp.handler(&ri, &regs);
}

/*
 * Who does something has resumed.  Where no event told of that, one is missing: there are kernels
 * that run no BPF program for a process that they protect, and nobody sees whom it leaves the CPU to.
 */
static void see_running(struct thread *t, const struct ktrace_bpf_head *h)
{
	if (t->stopped && h->type != KTRACE_BPF_RESUME)
		t->process->proc.dropped = 1;
	t->stopped = h->type == KTRACE_BPF_STOP;
}

static void stopped(const struct ktrace_bpf_switch *e)
{
	symbols_stack(e->frame, e->frames);
	ktrace_probe_switch(NULL, e->preempt, current, &idle, e->state);
}

static void resumed(void)
{
	current->nvcsw = 1; /* it has run: the program asked */
	ktrace_probe_switch(NULL, false, &idle, current, 0);
}

static void lacked(const struct ktrace_bpf_capable *e)
{
	struct kretprobe_instance ri = {};
	struct pt_regs regs = { .argument = { (unsigned long)&replay_cred, 0, e->cap, 0 } };

	replay_cred.cap_effective.val = e->held;
	if (ktrace_return_capable.rp.entry_handler(&ri, &regs))
		return;
	regs.value = -EPERM;
	ktrace_return_capable.rp.handler(&ri, &regs);
}

/* The entries of procfs from the file up to its root, by way of "sys". */
static void set_sysctl(const struct ktrace_bpf_sysctl *e)
{
	struct dentry d[KTRACE_BPF_PARTS + 2];
	struct file file = { .f_path = { &d[0] } };
	struct kiocb iocb = { &file };
	struct pt_regs regs = { .argument = { (unsigned long)&iocb } };
	u32 n = min_t(u32, e->n, KTRACE_BPF_PARTS), i;

	for (i = 0; i < n + 2; i++) {
		d[i].d_parent = &d[i < n + 1 ? i + 1 : i];
		d[i].d_name.name = i < n ? (const unsigned char *)e->part[i] : NULL;
		d[i].d_name.len = i < n ? strlen(e->part[i]) : 0;
	}
	ktrace_return_sysctl.entry(NULL, &regs);
}

static void renew(struct process *p, u32 points)
{
	struct ktrace_proc *proc = &p->proc;
	u32 fresh = ++generations;
	struct thread *t;

	if (points & KTRACE_PAIRED)
		proc->generation = fresh;
	if (points & KTRACE_FAULTS)
		proc->fault_generation = fresh;
	if (!(points & KTRFAC_CSW))
		return;
	proc->stop_generation = fresh;
	for (t = p->threads; t; t = t->sibling)
		t->stopped = false; /* nobody was told meanwhile */
}

/* A process is set, again or for the first time. */
static void set(struct process *p, const struct ktrace_bpf_head *h)
{
	struct ktrace_session *s = records_by_id(h->session);
	struct ktrace_proc *proc;

	if (!s)
		return;
	if (!p)
		p = new_process(h->tgid, s);
	proc = &p->proc;
	if (proc->session != s) {
		records_put(proc->session);
		s->processes++;
		proc->session = s;
	}
	replay_current = &thread_of(p, h->pid)->task;
	see_task(current, h);
	proc->sv_flags = ktrace_arch_sv_flags(ktrace_arch_compat_task(current));
	proc->root = true;
	procctor(proc);
	renew(p, ktrace_rules_renewed(proc->points, h->points));
	proc->points = h->points;
}

/* Nobody told of the fork that made it, or of what its session is. */
static struct process *adopt_process(const struct ktrace_bpf_head *h)
{
	struct ktrace_session *s = records_by_id(h->session);
	struct process *p;

	if (!s)
		return NULL;
	p = new_process(h->tgid, s);
	replay_current = &thread_of(p, h->pid)->task;
	see_task(current, h);
	p->proc.dropped = 1;
	p->proc.root = true;
	p->proc.points = h->points;
	p->proc.sv_flags = ktrace_arch_sv_flags(ktrace_arch_compat_task(current));
	procctor(&p->proc);
	return p;
}

static void of_thread(struct thread *t, const struct ktrace_bpf_head *h)
{
	struct ktrace_proc *proc = &t->process->proc;

	switch (h->type) {
	case KTRACE_BPF_ENTER:
	case KTRACE_BPF_LEAVE:
		call(EVENT(ktrace_bpf_call, h));
		break;
	case KTRACE_BPF_NAME:
		name(proc, EVENT(ktrace_bpf_name, h));
		break;
	case KTRACE_BPF_SIGNAL:
		signalled(EVENT(ktrace_bpf_signal, h));
		break;
	case KTRACE_BPF_FORK:
		forked(t->process, EVENT(ktrace_bpf_fork, h));
		break;
	case KTRACE_BPF_EXEC:
		executed(proc, EVENT(ktrace_bpf_exec, h));
		break;
	case KTRACE_BPF_EXIT:
		exited(t, EVENT(ktrace_bpf_call, h));
		break;
	case KTRACE_BPF_FAULT:
		ktrace_probe_fault(NULL, EVENT(ktrace_bpf_fault, h)->address, NULL,
				   EVENT(ktrace_bpf_fault, h)->code);
		break;
	case KTRACE_BPF_FAULTED:
		faulted(EVENT(ktrace_bpf_fault, h));
		break;
	case KTRACE_BPF_STOP:
		stopped(EVENT(ktrace_bpf_switch, h));
		break;
	case KTRACE_BPF_RESUME:
		resumed();
		break;
	case KTRACE_BPF_CAPABLE:
		lacked(EVENT(ktrace_bpf_capable, h));
		break;
	case KTRACE_BPF_SYSCTL:
		set_sysctl(EVENT(ktrace_bpf_sysctl, h));
		break;
	}
}

void replay_event(const struct ktrace_bpf_head *h, const struct chunk *chunks,
		  bool (*adopt)(u32 tgid))
{
	struct process *p = find_process(h->tgid);
	struct thread *t;

	records_now.stamp = h->stamp;
	records_now.cpu = h->cpu;
	records_now.chunks = chunks;
	switch (h->type) {
	case REPLAY_SET:
		set(p, h);
		return;
	case REPLAY_CLEAR:
		if (p)
			free_process(p);
		return;
	case REPLAY_GONE:
		if (!p && h->lost)
			p = adopt_process(h); /* all that it did was lost */
		if (p) {
			see_lost(p, h->lost);
			p->proc.dropped = 1;
			replay_current = &thread_of(p, h->tgid)->task;
			current->pid = h->tgid;
			procdtor(&p->proc);
			free_process(p);
		}
		return;
	}
	if (!p && adopt(h->tgid))
		p = adopt_process(h);
	if (!p || p->proc.session->id != h->session)
		return;
	if (h->type == KTRACE_BPF_EXEC)
		take_number(p, EVENT(ktrace_bpf_exec, h)->old_pid, h->pid);
	else if (h->type == KTRACE_BPF_LEAVE && h->pid == h->tgid)
		find_by_task(p, EVENT(ktrace_bpf_call, h));
	t = thread_of(p, h->pid);
	replay_current = &t->task;
	see_task(current, h);
	p->proc.points = h->points;
	see_lost(p, h->lost);
	see_running(t, h);
	of_thread(t, h);
}

int replay_prepare_switches(void)
{
	static bool done;
	int error;

	if (done)
		return 0;
	error = symbols_load();
	if (!error)
		error = -ktrace_wchan_init();
	done = !error;
	return error;
}
