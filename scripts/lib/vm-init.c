// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * vm-init: process 1 of a guest of scripts/vm, the only program of its initramfs.
 *
 *  1. loads the modules that the root file system needs and mounts it;
 *  2. runs "guest.sh setup" (its output goes to the console);
 *  3. runs the command of the job, its stdout and stderr each through a pipe of its own to a
 *     virtio-serial port, byte for byte;
 *  4. runs "guest.sh finish", which copies files out and looks for damage;
 *  5. says "done" and waits to be switched off.
 *
 * It speaks to the host in lines on the control port: "start", "exit N OUT ERR" (the status of the command as a
 * shell would have it, and how many bytes of output it wrote), whatever guest.sh left in /run/vm/say, "done". Anything that comes from the host means: time is up.
 *
 * The command is never process 1; orphans are reaped here at any time.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SCRIPT	   "/run/vm/guest.sh"
#define SAY	   "/run/vm/say"
#define RELAY_SIZE 65536

/* One output of the command on its way to the host. */
struct relay {
	int from; /* read end of the pipe, -1 after its end */
	int to; /* the port */
	size_t have; /* bytes in buf ... */
	size_t sent; /* ... and how many of them the port has taken */
	int left; /* bytes to read before we stop, -1: no end known */
	unsigned long long total; /* bytes that the port has taken */
	char buf[RELAY_SIZE];
};

static struct relay relays[2];
static int control = -1;
static int child_signals = -1;

static void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fprintf(stderr, "vm-init: ");
	vfprintf(stderr, fmt, ap);
	fprintf(stderr, ": %s\n", strerror(errno));
	va_end(ap);
	fflush(stderr);
	reboot(RB_AUTOBOOT); /* QEMU runs with -no-reboot: it ends */
	_exit(1);
}

static void write_all(int fd, const char *p, size_t n)
{
	struct pollfd pfd = { .fd = fd, .events = POLLOUT };
	ssize_t done;

	while (n) {
		done = write(fd, p, n);
		if (done < 0 && errno == EAGAIN)
			poll(&pfd, 1, -1);
		else if (done < 0)
			return;
		else
			p += done, n -= done;
	}
}

static void tell(const char *fmt, ...)
{
	char line[128];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	write_all(control, line, strlen(line));
}

/* Returns the whole of a file with a NUL added, which the caller keeps. */
static char *slurp(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	size_t got = 0;
	ssize_t n;
	char *buf;

	if (fd < 0 || fstat(fd, &st))
		die("%s", path);
	buf = malloc(st.st_size + 1);
	while (buf && got < (size_t)st.st_size && (n = read(fd, buf + got, st.st_size - got)) > 0)
		got += n;
	if (!buf)
		die("%s", path);
	close(fd);
	buf[got] = 0;
	if (size)
		*size = got;
	return buf;
}

static void load_modules(void)
{
	char path[256], *names = slurp("/modules/order", NULL);
	int fd;

	for (char *name = strtok(names, "\n"); name; name = strtok(NULL, "\n")) {
		snprintf(path, sizeof(path), "/modules/%s", name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0 || (syscall(SYS_finit_module, fd, "", 0) && errno != EEXIST))
			die("cannot load %s", name);
		close(fd);
	}
	free(names);
}

static void mount_at(const char *what, const char *where, const char *type, unsigned long flags,
		     const char *data)
{
	mkdir(where, 0755);
	if (mount(what, where, type, flags, data))
		die("cannot mount %s on %s", what, where);
}

static void mount_device(const char *dev, const char *where, const char *type)
{
	for (int i = 0; access(dev, F_OK) && i < 1000; i++)
		usleep(10000);
	mount_at(dev, where, type, 0, NULL);
}

/* Copies the plain files of a folder of the initramfs. */
static void copy_folder(const char *from, const char *to)
{
	char src[512], dst[512], *data;
	struct dirent *d;
	size_t size;
	DIR *dir;
	int fd;

	mkdir(to, 0755);
	dir = opendir(from);
	if (!dir)
		die("%s", from);
	while ((d = readdir(dir))) {
		if (d->d_name[0] == '.')
			continue;
		snprintf(src, sizeof(src), "%s/%s", from, d->d_name);
		snprintf(dst, sizeof(dst), "%s/%s", to, d->d_name);
		data = slurp(src, &size);
		fd = open(dst, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
		if (fd < 0)
			die("%s", dst);
		write_all(fd, data, size);
		close(fd);
		free(data);
		unlink(src);
	}
	closedir(dir);
}

static void switch_root(void)
{
	const unsigned long safe = MS_NOSUID | MS_NODEV | MS_NOEXEC;

	mount_at("devtmpfs", "/dev", "devtmpfs", MS_NOSUID, "mode=0755");
	load_modules();
	mount_device("/dev/vda", "/root", "ext4");
	mount_device("/dev/vdb", "/root/var/tmp", "ext4");
	chmod("/root/var/tmp", 01777);
	mount_at("tmpfs", "/root/run", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755");
	copy_folder("/job", "/root/run/vm");
	if (mount("/dev", "/root/dev", NULL, MS_MOVE, NULL))
		die("cannot move /dev");
	if (chdir("/root") || mount(".", "/", NULL, MS_MOVE, NULL) || chroot(".") || chdir("/"))
		die("cannot change to the root file system");

	mount_at("proc", "/proc", "proc", safe, NULL);
	mount_at("sysfs", "/sys", "sysfs", safe, NULL);
	mount_at("debugfs", "/sys/kernel/debug", "debugfs", safe, NULL);
	mount_at("tracefs", "/sys/kernel/tracing", "tracefs", safe, NULL);
	mount_at("cgroup2", "/sys/fs/cgroup", "cgroup2", safe, NULL);
	mount_at("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC,
		 "gid=5,mode=620,ptmxmode=666");
	mount_at("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777");
	mount_at("mqueue", "/dev/mqueue", "mqueue", safe, NULL);
	mount_at("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777,size=75%,nr_inodes=0");
	mkdir("/run/lock", 01777);
	(void)!symlink("/proc/self/fd", "/dev/fd");
	(void)!symlink("/proc/self/fd/0", "/dev/stdin");
	(void)!symlink("/proc/self/fd/1", "/dev/stdout");
	(void)!symlink("/proc/self/fd/2", "/dev/stderr");
}

static int port_open(int nr)
{
	char path[32];
	int fd = -1;

	snprintf(path, sizeof(path), "/dev/vport0p%d", nr);
	for (int i = 0; i < 1000; i++) {
		fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
		if (fd >= 0 || errno != ENOENT)
			break;
		usleep(10000);
	}
	if (fd < 0)
		die("%s", path);
	return fd;
}

/* Status of a process as a shell has it. */
static int shell_status(int wstatus)
{
	return WIFSIGNALED(wstatus) ? 128 + WTERMSIG(wstatus) : WEXITSTATUS(wstatus);
}

/*
 * Starts argv in a session of its own. out and err become its outputs, -1: it has the console.
 */
static pid_t start(char **argv, int out, int err)
{
	sigset_t none;
	pid_t pid;
	int fd;

	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid)
		return pid;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	fd = open("/dev/null", O_RDONLY);
	dup2(fd, 0);
	close(fd);
	if (out >= 0) {
		dup2(out, 1);
		dup2(err, 2);
		if (chdir("/tmp"))
			_exit(126);
	}
	execvp(argv[0], argv);
	dprintf(2, "%s: %s\n", argv[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

/* Runs guest.sh with one argument. Returns its status. */
static int run_script(const char *what)
{
	char *argv[] = { "bash", SCRIPT, (char *)what, NULL };
	pid_t pid = start(argv, -1, -1), got;
	size_t size;
	int wstatus;
	char *said;

	do {
		got = waitpid(-1, &wstatus, 0);
	} while (got != pid && (got >= 0 || errno == EINTR));
	if (!access(SAY, F_OK)) {
		said = slurp(SAY, &size);
		write_all(control, said, size);
		free(said);
		unlink(SAY);
	}
	return shell_status(wstatus);
}

/* Moves on whatever can be moved now, in one step. */
static void relay_step(struct relay *r)
{
	ssize_t n;

	if (r->sent == r->have && r->from >= 0) {
		n = read(r->from, r->buf,
			 r->left >= 0 && r->left < RELAY_SIZE ? r->left : RELAY_SIZE);
		if (n > 0) {
			r->have = n;
			r->sent = 0;
			if (r->left >= 0)
				r->left -= n;
		}
		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR) || r->left == 0) {
			close(r->from);
			r->from = -1;
		}
	}
	if (r->sent < r->have) {
		n = write(r->to, r->buf + r->sent, r->have - r->sent);
		if (n > 0) {
			r->sent += n;
			r->total += n;
		}
	}
}

static bool relay_busy(const struct relay *r)
{
	return r->from >= 0 || r->sent < r->have;
}

static void relay_init(struct relay *r, int port, int *write_end)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		die("pipe");
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	fchmod(ends[1], 0666); /* /dev/stdout of whoever the command becomes */
	*r = (struct relay){ .from = ends[0], .to = port, .left = -1 };
	*write_end = ends[1];
}

/* The command has ended: what is in its pipe now is all that we still pass on, others may have it open for long. */
static void relay_last(struct relay *r)
{
	if (r->from < 0)
		return;
	if (ioctl(r->from, FIONREAD, &r->left) || r->left == 0) {
		close(r->from);
		r->from = -1;
	}
}

static void time_is_up(void)
{
	int fd = open("/proc/sysrq-trigger", O_WRONLY | O_CLOEXEC);

	if (fd >= 0) {
		(void)!write(fd, "w", 1); /* who is blocked, and where */
		close(fd);
	}
	kill(-1, SIGKILL);
}

/* Runs the command of the job. Returns its status. */
static int run_command(int out_port, int err_port)
{
	size_t size, argc = 0;
	int out, err, wstatus, status = -1;
	char *args = slurp("/run/vm/argv", &size), **argv, buf[64];
	bool ended = false;
	pid_t command, pid;

	argv = calloc(size + 1, sizeof(*argv));
	for (char *p = args; p < args + size; p += strlen(p) + 1)
		argv[argc++] = p;
	relay_init(&relays[0], out_port, &out);
	relay_init(&relays[1], err_port, &err);
	tell("start\n");
	command = start(argv, out, err);
	close(out);
	close(err);

	while (!ended || relay_busy(&relays[0]) || relay_busy(&relays[1])) {
		struct pollfd fds[4] = {
			{ .fd = child_signals, .events = POLLIN },
			{ .fd = control, .events = POLLIN },
		};

		for (int i = 0; i < 2; i++) {
			bool full = relays[i].sent < relays[i].have;

			fds[2 + i].fd = full ? relays[i].to : relays[i].from;
			fds[2 + i].events = full ? POLLOUT : POLLIN;
		}
		if (poll(fds, 4, -1) < 0)
			continue;
		if (fds[0].revents)
			(void)!read(child_signals, &(struct signalfd_siginfo){ 0 },
				    sizeof(struct signalfd_siginfo));
		if (fds[1].revents & POLLIN && read(control, buf, sizeof(buf)) > 0)
			time_is_up();
		for (int i = 0; i < 2; i++)
			relay_step(&relays[i]);
		while ((pid = waitpid(-1, &wstatus, WNOHANG)) > 0) {
			if (pid != command)
				continue;
			ended = true;
			status = shell_status(wstatus);
			relay_last(&relays[0]);
			relay_last(&relays[1]);
		}
	}
	return status;
}

int main(void)
{
	int out_port, err_port, status;
	sigset_t sigs;

	umask(0);
	switch_root();
	umask(022);
	sigemptyset(&sigs);
	sigaddset(&sigs, SIGCHLD);
	sigprocmask(SIG_BLOCK, &sigs, NULL);
	child_signals = signalfd(-1, &sigs, SFD_NONBLOCK | SFD_CLOEXEC);

	/* as systemd has it */
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 1024, 1048576 });
	clearenv();
	setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
	setenv("HOME", "/root", 1);
	setenv("USER", "root", 1);
	setenv("LOGNAME", "root", 1);
	setenv("SHELL", "/bin/bash", 1);
	setenv("LANG", "C.UTF-8", 1);
	setenv("TERM", "dumb", 1);

	control = port_open(1);
	out_port = port_open(2);
	err_port = port_open(3);
	status = run_script("setup");
	if (status)
		tell("broken setup of the guest failed with status %d\n", status);
	else {
		status = run_command(out_port, err_port);
		tell("exit %d %llu %llu\n", status, relays[0].total, relays[1].total);
		status = run_script("finish");
		if (status)
			tell("broken end of the guest failed with status %d\n", status);
		else
			tell("done\n");
	}
	for (;;)
		pause();
}
