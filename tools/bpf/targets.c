// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "targets.h"

static bool read_file(int pid, const char *name, char *text, size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, size - 1);
	close(fd);
	text[n > 0 ? n : 0] = 0;
	return n > 0;
}

/* The number of the process that a thread belongs to. */
static int process_of(int pid)
{
	char text[1024];
	const char *at;

	if (!read_file(pid, "status", text, sizeof(text)))
		return 0;
	at = strstr(text, "\nTgid:");
	return at ? atoi(at + 6) : 0;
}

static bool is_compat(int pid)
{
	char head[EI_NIDENT + 1];

	return read_file(pid, "exe", head, sizeof(head)) && head[EI_CLASS] == ELFCLASS32;
}

static int look(int pid, struct target *t)
{
	unsigned int flags;
	char text[1024], state;
	int threads;
	char *name, *end;

	memset(t, 0, sizeof(*t));
	if (!read_file(pid, "stat", text, sizeof(text)))
		return ESRCH;
	name = strchr(text, '(');
	end = strrchr(text, ')'); /* a name may have any characters */
	if (!name || !end ||
	    sscanf(end + 1, " %c %d %d %*d %*d %*d %u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %d",
		   &state, &t->parent, &t->group, &flags, &threads) != 5)
		return ESRCH;
	*end = 0;
	snprintf(t->comm, sizeof(t->comm), "%s", name + 1);
	t->pid = pid;
	/* Its first thread may end before the others. */
	t->dead = (state == 'Z' || state == 'X') && threads <= 1;
	t->kthread = flags & PF_KTHREAD;
	return 0;
}

int target_look(int pid, struct target *t)
{
	pid = process_of(pid);
	if (!pid || look(pid, t))
		return ESRCH;
	t->compat = is_compat(pid);
	return 0;
}

static int find_all(struct target **list)
{
	struct target *all = NULL;
	struct dirent *d;
	int n = 0, room = 0;
	DIR *dir;

	dir = opendir("/proc");
	if (!dir)
		return -errno;
	while ((d = readdir(dir))) {
		int pid = atoi(d->d_name);

		if (n == room) {
			void *more = realloc(all, (room += 1024) * sizeof(*all));

			if (!more) {
				free(all);
				closedir(dir);
				return -ENOMEM;
			}
			all = more;
		}
		if (pid > 0 && !look(pid, &all[n]))
			n++;
	}
	closedir(dir);
	*list = all;
	return n;
}

/* Puts what is meant before position @have; children of what is there come next. */
static int choose(struct target *all, int n, int pid, bool descend)
{
	int have = 0, from = 0, i;

	for (i = 0; i < n; i++)
		if (pid < 0 ? all[i].group == -pid : all[i].pid == pid) {
			struct target t = all[i];

			all[i] = all[have];
			all[have++] = t;
		}
	for (; descend && from < have; from++)
		for (i = have; i < n; i++)
			if (all[i].parent == all[from].pid) {
				struct target t = all[i];

				all[i] = all[have];
				all[have++] = t;
			}
	return have;
}

int targets_find(int pid, bool descend, struct target **list)
{
	int n, i;

	if (pid > 0) {
		pid = process_of(pid);
		if (!pid)
			return -ESRCH;
	}
	n = find_all(list);
	if (n < 0)
		return n;
	n = choose(*list, n, pid, descend);
	for (i = 0; i < n; i++)
		(*list)[i].compat = is_compat((*list)[i].pid);
	if (n)
		return n;
	free(*list);
	return -ESRCH;
}
