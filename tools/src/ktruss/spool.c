// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "decode/out.h"

#define MOST	  (UINT64_C(1) << 30) /* that may wait */
#define LEAST	  (UINT64_C(16) << 20) /* of room that is worth trying */
#define FREE_STEP (UINT64_C(4) << 20) /* what has been read is given back in such pieces */
#define BLOCK	  512 /* of st_blocks */

/* Can what has been read be given back? */
static bool can_punch(int fd)
{
	return fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, FREE_STEP) == 0;
}

/* Returns 0, or the errno that speaks against this folder. */
static int try_folder(struct spool *spool, const char *folder)
{
	struct statvfs fs;
	uint64_t room;

	if (statvfs(folder, &fs))
		return errno;
	room = (uint64_t)fs.f_bavail * fs.f_frsize;
	if (room < LEAST)
		return ENOSPC;
	if (snprintf(spool->path, sizeof(spool->path), "%s/ktruss.XXXXXX", folder) >=
	    (int)sizeof(spool->path))
		return ENAMETOOLONG;
	spool->fd = mkostemp(spool->path, O_CLOEXEC);
	if (spool->fd < 0)
		return errno;
	if (!can_punch(spool->fd)) {
		int error = errno;

		unlink(spool->path);
		close(spool->fd);
		return error;
	}
	spool->limit = room / 2 < MOST ? room / 2 : MOST;
	spool->freed = 0;
	return 0;
}

/* There are few of these for each user: without one we look often. */
static int watch(const char *path)
{
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

	if (fd >= 0 && inotify_add_watch(fd, path, IN_MODIFY) < 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

void spool_make(struct spool *spool)
{
	const char *const folders[] = { getenv("TMPDIR"), "/dev/shm", "/tmp", "/var/tmp" };
	int error = ENOENT;
	size_t i;

	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		if (!folders[i] || folders[i][0] != '/')
			continue;
		error = try_folder(spool, folders[i]);
		if (!error) {
			spool->notify = watch(spool->path);
			return;
		}
	}
	die("no folder has room for what the kernel records (%s): name one in TMPDIR",
	    strerror(error));
}

void spool_woken(const struct spool *spool)
{
	char events[4096];

	while (read(spool->notify, events, sizeof(events)) > 0)
		;
}

uint64_t spool_used(int fd)
{
	struct stat st;

	return fstat(fd, &st) ? 0 : (uint64_t)st.st_blocks * BLOCK;
}

uint64_t spool_behind(struct spool *spool)
{
	off_t at = lseek(spool->fd, 0, SEEK_CUR);
	uint64_t end;
	struct stat st;

	if (at < 0 || fstat(spool->fd, &st))
		return 0;
	end = (uint64_t)at / FREE_STEP * FREE_STEP;
	if (end > spool->freed && fallocate(spool->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
					    spool->freed, end - spool->freed) == 0)
		spool->freed = end;
	return st.st_size > at ? st.st_size - at : 0;
}
