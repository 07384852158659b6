// SPDX-License-Identifier: GPL-2.0
/*
 * ktrace-bpf: records what processes do as the module ktrace.ko would, with BPF
 * programs in its place.
 *
 * ktrace(1) and ktruss(1) start it, and tell it what to do (ktrace/protocol.h).  One of it
 * serves the machine, in the background, until nothing has been traced for a minute.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "ktrace/protocol.h"
#include "ktrace_version.h"
#include "load.h"
#include "log.h"
#include "merge.h"
#include "points.h"
#include "records.h"
#include "replay.h"
#include "rules.h"
#include "targets.h"

#define MILLISECOND 1000000ULL
/* An event finds room soon after it was stamped, unless its CPU is taken away meanwhile. */
#define WINDOW	(40 * MILLISECOND)
#define TICK_MS 20
/* Without anything to trace hooks stay for a second, and the recorder for a minute: to load it takes a while. */
#define HOOKS_IDLE  (1000 * MILLISECOND)
#define IDLE	    (60000 * MILLISECOND)
#define IDLE_MS	    500
#define CHECK	    (1000 * MILLISECOND)
#define CLIENTS	    64
#define ROUNDS	    16 /* over the descendants of a process that makes children */
#define LIFE_POINTS (KTRFAC_PROCCTOR | KTRFAC_PROCDTOR)

static struct pollfd polled[2 + CLIENTS];
static struct ktrace_session *set_by[CLIENTS]; /* who has set it may ask what became of it */
static u32 clients;

/*
 * Time
 */

/* Is a process that we hear of traced?  Then only its fork was lost. */
static bool is_traced(u32 tgid)
{
	struct ktrace_bpf_proc proc;

	return !load_get(tgid, &proc);
}

/* What was lost, and no process's count tells: all may have lost it. */
static void note_missed(void)
{
	if (load_missed())
		replay_lost();
}

/* Takes what has come, and writes what is old enough. */
static void pump(u64 until)
{
	load_consume();
	note_missed();
	merge_release(until, is_traced);
	records_flush();
	records_reap();
}

/* All that was stamped until now is in the files. */
static void drain(void)
{
	u64 until = records_clock();
	u64 now;

	while ((now = records_clock()) < until + WINDOW)
		usleep((until + WINDOW - now) / 1000 + 1);
	pump(until);
}

/*
 * Processes
 */

static struct ktrace_bpf_head own_event(enum replay_type type, u32 tgid)
{
	return (struct ktrace_bpf_head){
		.type = type,
		.stamp = records_clock(),
		.tgid = tgid,
		.pid = tgid,
	};
}

/* Nobody may have told that it died: its end was lost, or came before we knew of it. */
static void check_one(u32 tgid, const struct ktrace_bpf_proc *proc, void *data)
{
	struct ktrace_bpf_head h;
	struct target t;

	(void)data;
	if (!proc->dead && !target_look(tgid, &t) && !t.dead)
		return;
	if (load_delete(tgid))
		return; /* somebody has told by now */
	h = own_event(REPLAY_GONE, tgid);
	h.lost = proc->lost;
	h.session = proc->session;
	merge_own(&h);
}

static void check_dead(u32 tgid, const struct ktrace_bpf_proc *proc, void *data)
{
	if (proc->dead)
		check_one(tgid, proc, data);
}

static void set_one(const struct target *t, u32 points, u32 session)
{
	struct ktrace_bpf_head h = own_event(REPLAY_SET, t->pid);
	struct ktrace_bpf_proc proc = {};

	if (!load_get(t->pid, &proc) && proc.dead) {
		check_one(t->pid, &proc, NULL); /* another had this number before */
		proc.points = 0;
	}
	h.points = proc.points | points;
	h.session = session;
	h.facts = t->compat ? KTRACE_BPF_COMPAT_IMAGE : 0;
	memcpy(h.comm, t->comm, sizeof(h.comm));
	merge_own(&h); /* its PROCCTOR comes before anything else */
	load_put(t->pid, h.points, session);
	if (!load_get(t->pid, &proc))
		check_one(t->pid, &proc, NULL);
}

static bool is_set(const struct target *t, u32 points, u32 session)
{
	struct ktrace_bpf_proc proc;

	return !load_get(t->pid, &proc) && proc.session == session &&
	       (proc.points & points) == points;
}

/* Returns how many were set, or minus an errno. */
static int set_round(const struct ktrace_request *req, int pid, u32 points, u32 session, bool again)
{
	struct target *list;
	int n = targets_find(pid, req->descend, &list), i, done = 0;

	if (n < 0)
		return n;
	for (i = 0; i < n; i++) {
		if (list[i].kthread || list[i].dead || list[i].pid == getpid())
			continue;
		if (again && is_set(&list[i], points, session))
			continue;
		set_one(&list[i], points, session);
		done++;
	}
	if (!done && !again)
		done = list[0].kthread || list[0].pid == getpid() ? -EPERM : -ESRCH;
	free(list);
	return done;
}

/* *@held: NULL; gets the session, which the caller puts. */
static int set(const struct ktrace_request *req, int pid, int *file, struct ktrace_session **held)
{
	u32 points = req->points | LIFE_POINTS | (req->inherit ? KTRFAC_INHERIT : 0);
	struct ktrace_session *s;
	int round, n, error;

	error = load_hook(points);
	if (!error && points & KTRFAC_CSW)
		error = replay_prepare_switches();
	if (error)
		return error;
	s = records_session(file, req->v1);
	if (!s)
		return errno;
	s->processes++; /* the caller's */
	*held = s;
	n = set_round(req, pid, points, s->id, false);
	/* Children that were born meanwhile, of parents not yet set. */
	error = n < 0 ? -n : 0;
	for (round = 0; n > 0 && req->descend && round < ROUNDS; round++)
		n = set_round(req, pid, points, s->id, true);
	drain();
	return error;
}

/**
 * struct clear - which processes to clear, and of what
 * @req: of what; NULL: of everything
 * @file: those that trace to it; -1: all that is in the list
 * @list: them, @n: how many; NULL: all that are traced
 */
struct clear {
	const struct ktrace_request *req;
	int file;
	const struct target *list;
	int n;
};

static bool is_meant(const struct clear *c, u32 tgid, const struct ktrace_bpf_proc *proc)
{
	int i;

	if (c->file >= 0)
		return records_is_of(proc->session, c->file);
	for (i = 0; c->list && i < c->n; i++)
		if ((u32)c->list[i].pid == tgid)
			return true;
	return !c->list;
}

static void clear_one(u32 tgid, const struct ktrace_bpf_proc *proc, void *data)
{
	const struct clear *c = data;
	struct ktrace_bpf_head h;
	u32 left;

	if (!is_meant(c, tgid, proc))
		return;
	left = c->req ? ktrace_rules_cleared(proc->points, c->req) : 0;
	if (left) {
		load_put(tgid, left, proc->session);
	} else if (!load_delete(tgid)) {
		h = own_event(REPLAY_CLEAR, tgid);
		merge_own(&h);
	}
}

static bool is_any_alive(const struct clear *c)
{
	int i;

	for (i = 0; i < c->n; i++)
		if (!c->list[i].dead)
			return true;
	return false;
}

static int clear(const struct ktrace_request *req, int pid)
{
	struct clear c = { .req = req, .file = -1 };
	struct target *list = NULL;

	/* Everything descends from init. */
	if (!(pid == 1 && req->descend)) {
		c.n = targets_find(pid, req->descend, &list);
		if (c.n < 0)
			return -c.n;
		c.list = list;
		if (!is_any_alive(&c)) {
			free(list);
			return ESRCH;
		}
	}
	load_each(clear_one, &c);
	free(list);
	drain();
	return 0;
}

static int clear_file(int file)
{
	struct clear c = { .file = file };

	load_each(clear_one, &c);
	drain();
	return 0;
}

/* A file that cannot be written any more has no use for its processes. */
static void clear_failed(u32 tgid, const struct ktrace_bpf_proc *proc, void *data)
{
	struct ktrace_session *s = records_by_id(proc->session);
	struct clear all = { .file = -1 };

	(void)data;
	if (s && s->error)
		clear_one(tgid, proc, &all);
}

/*
 * Requests
 */

static bool is_trace_file(int file)
{
	int flags = fcntl(file, F_GETFL);
	struct stat st;

	return flags >= 0 && flags & O_APPEND && (flags & O_ACCMODE) != O_RDONLY &&
	       !fstat(file, &st) && S_ISREG(st.st_mode);
}

static void let_go(struct ktrace_session **s)
{
	if (*s)
		records_put(*s);
	*s = NULL;
}

static int carry_out(const struct recorder_request *r, int *file, struct ktrace_session **s)
{
	struct ktrace_request req;
	int error;

	if (r->version != RECORDER_VERSION)
		return EPROTO;
	if (r->ops == RECORDER_STATE)
		return 0;
	if (r->ops == RECORDER_FLUSH) {
		load_each(check_dead, NULL);
		drain();
		return 0;
	}
	error = -ktrace_rules_request(r->ops, r->points, &req);
	if (!error)
		error = -ktrace_rules_points(&req, r->points);
	if (error)
		return error;
	if (req.op == KTROP_CLEAR)
		return clear(&req, r->pid);
	if (!is_trace_file(*file))
		return EBADF;
	if (req.op == KTROP_CLEARFILE)
		return clear_file(*file);
	let_go(s);
	return set(&req, r->pid, file, s);
}

/* Returns the size of what came, and the descriptor with it, or -1. */
static ssize_t receive(int fd, struct recorder_request *r, int *file)
{
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec iov = { r, sizeof(*r) };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *c;
	ssize_t n;

	*file = -1;
	n = recvmsg(fd, &msg, MSG_CMSG_CLOEXEC);
	c = n > 0 ? CMSG_FIRSTHDR(&msg) : NULL;
	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
	    c->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(file, CMSG_DATA(c), sizeof(int));
	return n;
}

/* How many processes trace to it; of them are not those who asked for it, and hold it. */
static u32 processes_of(const struct ktrace_session *s)
{
	u32 n = s->processes, i;

	for (i = 0; i < clients; i++)
		n -= set_by[i] == s;
	return n;
}

/* Serves one request; false: the client has gone. */
static bool serve(int fd, struct ktrace_session **s)
{
	struct recorder_request r;
	struct recorder_answer answer = {};
	ssize_t n;
	int file;

	n = receive(fd, &r, &file);
	if (n <= 0)
		return false;
	answer.error = n == sizeof(r) ? carry_out(&r, &file, s) : EPROTO;
	if (*s) {
		answer.processes = processes_of(*s);
		answer.lost = (*s)->lost;
	}
	if (file >= 0)
		close(file);
	return send(fd, &answer, sizeof(answer), MSG_NOSIGNAL) == sizeof(answer);
}

static void take_client(int listener)
{
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (fd < 0)
		return;
	if (clients == CLIENTS || getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) ||
	    peer.uid) {
		close(fd);
		return;
	}
	polled[2 + clients++] = (struct pollfd){ .fd = fd, .events = POLLIN };
}

static void serve_clients(void)
{
	u32 i;

	for (i = clients; i-- > 0;) {
		struct pollfd *p = &polled[2 + i];

		if (!p->revents || serve(p->fd, &set_by[i]))
			continue;
		close(p->fd);
		let_go(&set_by[i]);
		*p = polled[2 + --clients];
		set_by[i] = set_by[clients];
		set_by[clients] = NULL;
	}
}

static void run(int listener)
{
	u64 busy = records_clock(), checked = busy, now;
	bool idle = false;

	polled[0] = (struct pollfd){ .fd = listener, .events = POLLIN };
	polled[1] = (struct pollfd){ .fd = load_fd(), .events = POLLIN };
	for (;;) {
		poll(polled, 2 + clients, idle ? IDLE_MS : TICK_MS);
		now = records_clock();
		pump(now - WINDOW);
		if (polled[0].revents)
			take_client(listener);
		serve_clients();
		if (now - checked > CHECK) {
			load_each(check_one, NULL);
			load_each(clear_failed, NULL);
			checked = now;
		}
		if (clients || replay_processes() || merge_held())
			busy = now;
		idle = now - busy > HOOKS_IDLE;
		if (idle)
			load_unhook();
		if (now - busy > IDLE)
			return;
	}
}

/*
 * Start
 */

/*
 * There is one recorder at a time: who has locked the folder, until it ends.  Returns 0, or -1 and
 * errno: EADDRINUSE when one is there.
 */
static int lock_folder(void)
{
	struct stat st;
	int fd;

	if (mkdir(RECORDER_FOLDER, 0700) && errno != EEXIST)
		return -1;
	fd = open(RECORDER_FOLDER, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		return -1;
	if (st.st_uid || st.st_mode & 077) {
		errno = EPERM; /* not the one that we make */
		return -1;
	}
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return 0;
	if (errno == EWOULDBLOCK)
		errno = EADDRINUSE;
	return -1;
}

static int listen_there(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = RECORDER_ADDRESS };
	int fd;

	if (lock_folder())
		return -1;
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	unlink(RECORDER_ADDRESS); /* of one that was killed */
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) || listen(fd, CLIENTS)) {
		int error = errno;

		close(fd);
		errno = error;
		return -1;
	}
	return fd;
}

/* The limit of who happened to be the first is nobody else's.  Some roots may not raise the hard one. */
static void forget_file_size_limit(void)
{
	struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };

	if (!setrlimit(RLIMIT_FSIZE, &limit) || getrlimit(RLIMIT_FSIZE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_FSIZE, &limit);
}

/* The parent ends, and so tells that there is somebody to talk to. */
static void go_to_background(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	pid_t pid = fork();

	if (pid < 0) {
		log_line("fork: %s", strerror(errno));
		exit(1);
	}
	if (pid)
		_exit(0);
	setsid();
	if (chdir("/"))
		log_line("/: %s", strerror(errno));
	log_to_kernel();
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	signal(SIGHUP, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* write() says it as well */
	forget_file_size_limit();
}

static void usage(FILE *to)
{
	fputs("usage: ktrace-bpf\n", to);
}

int main(int argc, char **argv)
{
	int listener;

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		usage(stdout);
		fputs("\n"
		      "The recorder of 'ktrace --bpf' and 'ktruss --bpf': it records with BPF what the module\n"
		      "ktrace.ko would, goes to the background, and ends when nothing has been traced\n"
		      "for a minute.  See ktrace(1).\n",
		      stdout);
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "--version")) {
		puts("ktrace-bpf " KTRACE_VERSION);
		return 0;
	}
	if (argc > 1) {
		usage(stderr);
		return 1;
	}
	if (geteuid()) {
		log_line(
			"BPF needs root; without it one's own processes are traced by the module (modprobe ktrace)");
		return 1;
	}
	listener = listen_there();
	if (listener < 0 && errno == EADDRINUSE)
		return 0; /* there is one already */
	if (listener < 0) {
		log_line("cannot listen at " RECORDER_ADDRESS ": %s", strerror(errno));
		return 1;
	}
	if (load_open())
		return 1;
	go_to_background();
	run(listener);
	unlink(RECORDER_ADDRESS);
	return 0;
}
