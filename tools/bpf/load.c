// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "load.h"
#include "log.h"
#include "merge.h"
#include "plan.h"
#include "points.h"
#include "recorder.skel.h"
#include "struct_calls.h"

static struct recorder_bpf *skel;
static struct ring_buffer *ring;

/* What it takes: a program for each hook, and when it is hooked. */
static const struct hook {
	const char *name;
	u32 points;
	const char *function; /* that it hooks; NULL: a tracepoint */
	const char *what; /* is not recorded without it; NULL: nothing is */
} hooks[] = {
	{ "enter", KTRACE_PAIRED, NULL, NULL },
	{ "leave", KTRACE_PAIRED, NULL, NULL },
	{ "born", ~0U, NULL, NULL },
	{ "executed", ~0U, NULL, NULL },
	{ "exits", ~0U, NULL, NULL },
	{ "lookup_begins", KTRFAC_NAMEI, "path_init", "names of files" },
	{ "lookup_begins_kprobe", KTRFAC_NAMEI, "path_init", "names of files" },
	{ "delivered", KTRFAC_PSIG | KTRACE_FAULTS, NULL, "signals" },
	{ "fault", KTRACE_FAULTS, NULL, "page faults" },
	{ "faulted", KTRACE_FAULTS, "handle_mm_fault", "ends of page faults" },
	{ "switched", KTRFAC_CSW, NULL, "context switches" },
	{ "asked", KTRFAC_CAPFAIL, "cap_capable", "capabilities" },
	{ "setting", KTRFAC_SYSCTL, "proc_sys_call_handler", "sysctls" },
};

#define HOOKS (sizeof(hooks) / sizeof(hooks[0]))

static struct bpf_link *links[HOOKS];
static u64 missed[HOOKS];

static int quiet(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	(void)level;
	(void)fmt;
	(void)ap;
	return 0;
}

static struct bpf_program *program(const struct hook *h)
{
	return bpf_object__find_program_by_name(skel->obj, h->name);
}

/* How many arguments a tracepoint's probe has, the first being its own. */
static u32 tracepoint_args(const struct btf *btf, const char *name)
{
	const struct btf_type *t;
	char type[64];
	int id;

	snprintf(type, sizeof(type), "btf_trace_%s", name);
	id = btf__find_by_name_kind(btf, type, BTF_KIND_TYPEDEF);
	if (id < 0)
		return 0;
	t = btf__type_by_id(btf, btf__type_by_id(btf, id)->type); /* pointer */
	t = btf__type_by_id(btf, t->type);
	return btf_vlen(t);
}

/* Another size of the buffer, in megabytes. */
static void resize(const char *megabytes)
{
	unsigned long n = strtoul(megabytes, NULL, 10);

	if (!n || n & (n - 1) || n > 1024) {
		log_line("KTRACE_BPF_BUFFER is '%s', and not a power of two up to 1024: left out",
			 megabytes);
		return;
	}
	bpf_map__set_max_entries(skel->maps.events, n << 20);
	skel->rodata->much = n << 15;
}

/* What differs between kernels and is in no structure. */
static void settle(const struct btf *btf)
{
	if (getenv("KTRACE_BPF_BUFFER"))
		resize(getenv("KTRACE_BPF_BUFFER"));
	skel->rodata->switch_has_state = tracepoint_args(btf, "sched_switch") > 4;
}

static bool has_function(const struct btf *btf, const char *name)
{
	return btf__find_by_name_kind(btf, name, BTF_KIND_FUNC) >= 0;
}

/* Programs for functions that this kernel does not have, or not by that name, are not loaded. */
static void choose(const struct btf *btf, bool trampolines)
{
	size_t i;

	for (i = 0; i < HOOKS; i++) {
		const struct hook *h = &hooks[i];
		bool kprobe = strstr(h->name, "_kprobe");

		if (h->function && !kprobe)
			bpf_program__set_autoload(program(h),
						  trampolines && has_function(btf, h->function));
		else if (kprobe)
			bpf_program__set_autoload(program(h),
						  !trampolines || !has_function(btf, h->function));
	}
}

static int load(const struct btf *btf, bool trampolines)
{
	int error;

	skel = recorder_bpf__open();
	if (!skel)
		return errno;
	settle(btf);
	choose(btf, trampolines);
	error = -recorder_bpf__load(skel);
	if (error) {
		recorder_bpf__destroy(skel);
		skel = NULL;
	}
	return error;
}

static int on_event(void *context, void *data, size_t size)
{
	(void)context;
	merge_raw(data, size);
	return 0;
}

static int fill_plans(void)
{
	struct ktrace_bpf_plan plan;
	u32 i;

	for (i = 0; i < KTRACE_BPF_PLANS; i++) {
		plan_of(i, &plan);
		if (bpf_map_update_elem(bpf_map__fd(skel->maps.plans), &i, &plan, BPF_ANY))
			return errno;
	}
	return 0;
}

static int explain(int error)
{
	switch (error) {
	case EPERM:
	case EACCES:
		log_line(
			"not permitted: BPF needs root, with CAP_BPF, CAP_PERFMON and CAP_SYS_PTRACE");
		break;
	case ENOENT:
	case ESRCH:
		log_line(
			"this kernel has no BTF (/sys/kernel/btf/vmlinux): BPF cannot record on it; use the module");
		break;
	default:
		log_line("the kernel does not take the BPF programs: %s", strerror(error));
	}
	return error;
}

int load_open(void)
{
	struct btf *btf;
	int error;

	if (!getenv("KTRACE_BPF_DEBUG"))
		libbpf_set_print(quiet);
	btf = btf__load_vmlinux_btf();
	if (!btf)
		return explain(errno);
	error = load(btf, true);
	if (error) /* kernels may have no trampolines: fewer hooks work */
		error = load(btf, false);
	btf__free(btf);
	if (!error)
		error = fill_plans();
	if (error)
		return explain(error);
	ring = ring_buffer__new(bpf_map__fd(skel->maps.events), on_event, NULL, NULL);
	return ring ? 0 : explain(errno);
}

/*
 * Which flag of path_init() says that it is the first try: the one that a lookup
 * which asks for nothing has; a retry of what was stale has the one below it.
 */
static int learn_lookup(void)
{
	struct stat st;
	u32 flags;

	skel->bss->learner = getpid();
	lstat("/", &st);
	skel->bss->learner = 0;
	flags = skel->bss->learned;
	if (!flags || flags & (flags - 1))
		return EOPNOTSUPP;
	skel->bss->lookup_mask = flags | flags >> 1;
	skel->bss->lookup_first = flags;
	return 0;
}

static int attach(size_t i)
{
	const struct hook *h = &hooks[i];
	struct bpf_link *link;

	link = bpf_program__attach(program(h));
	if (!link)
		return errno;
	links[i] = link;
	return 0;
}

/* Is it hooked in another way? */
static bool is_hooked(const struct hook *h)
{
	size_t i;

	for (i = 0; i < HOOKS; i++)
		if (h->function && hooks[i].function && links[i] &&
		    !strcmp(hooks[i].function, h->function))
			return true;
	return false;
}

int load_hook(u32 points)
{
	static u32 complained;
	size_t i;
	int error;

	for (i = 0; i < HOOKS; i++) {
		const struct hook *h = &hooks[i];

		if (links[i] || !(h->points & points) || is_hooked(h))
			continue;
		error = bpf_program__autoload(program(h)) ? attach(i) : ENOENT;
		if (!error && h->points == KTRFAC_NAMEI)
			error = learn_lookup();
		if (!error)
			continue;
		if (!h->what) {
			log_line("cannot hook system calls and processes: %s", strerror(error));
			return error;
		}
		if (i + 1 < HOOKS && hooks[i + 1].what == h->what)
			continue; /* there is another way */
		if (!(complained & 1U << i))
			log_line("this kernel does not let BPF see %s: they are not recorded (%s)",
				 h->what, strerror(error));
		complained |= 1U << i;
	}
	return 0;
}

void load_unhook(void)
{
	size_t i;

	for (i = 0; i < HOOKS; i++) {
		bpf_link__destroy(links[i]);
		links[i] = NULL;
	}
}

int load_fd(void)
{
	return ring_buffer__epoll_fd(ring);
}

void load_consume(void)
{
	ring_buffer__consume(ring);
}

static int procs(void)
{
	return bpf_map__fd(skel->maps.procs);
}

int load_get(u32 tgid, struct ktrace_bpf_proc *proc)
{
	return bpf_map_lookup_elem(procs(), &tgid, proc) ? errno : 0;
}

int load_put(u32 tgid, u32 points, u32 session)
{
	struct ktrace_bpf_proc proc = {};

	load_get(tgid, &proc);
	proc.points = points;
	proc.session = session;
	return bpf_map_update_elem(procs(), &tgid, &proc, BPF_ANY) ? errno : 0;
}

int load_delete(u32 tgid)
{
	return bpf_map_delete_elem(procs(), &tgid) ? errno : 0;
}

void load_each(void (*each)(u32 tgid, const struct ktrace_bpf_proc *proc, void *data), void *data)
{
	struct ktrace_bpf_proc proc;
	u32 *keys = NULL, n = 0, room = 0, key;
	void *before = NULL;

	/* First all, then each: what goes meanwhile would begin the walk anew. */
	while (!bpf_map_get_next_key(procs(), before, &key)) {
		if (n == room) {
			void *more = realloc(keys, (room = room ? 2 * room : 256) * sizeof(*keys));

			if (!more)
				break;
			keys = more;
		}
		keys[n++] = key;
		before = &keys[n - 1];
		if (n > 4 * 16384)
			break; /* it changes faster than one can read it */
	}
	while (n-- > 0)
		if (!load_get(keys[n], &proc))
			each(keys[n], &proc, data);
	free(keys);
}

u64 load_missed(void)
{
	u64 n = 0;
	size_t i;

	for (i = 0; i < HOOKS; i++) {
		struct bpf_prog_info info = {};
		u32 size = sizeof(info);

		if (!links[i] ||
		    bpf_obj_get_info_by_fd(bpf_program__fd(program(&hooks[i])), &info, &size))
			continue;
		n += info.recursion_misses - missed[i];
		missed[i] = info.recursion_misses;
	}
	return n;
}
