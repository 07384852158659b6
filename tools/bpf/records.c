// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emit.h"
#include "log.h"
#include "records.h"
#include "settings.h"

#define BUFFER (1U << 20)
#define SECOND 1000000000LL

struct records_now records_now;
struct ktrace_settings ktrace_settings = { .genio_size = KTRACE_BPF_GENIO_MOST };

static struct ktrace_session *sessions;
static struct ktrace_ring ring;
static u32 ids;

u64 records_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

static s64 wall_clock_offset(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec * SECOND + t.tv_nsec - (s64)records_clock();
}

static bool is_of(const struct ktrace_session *s, const struct stat *st)
{
	return s->dev == st->st_dev && s->ino == st->st_ino && !s->error;
}

bool records_is_of(u32 id, int fd)
{
	const struct ktrace_session *s = records_by_id(id);
	struct stat st;

	return s && !fstat(fd, &st) && is_of(s, &st);
}

struct ktrace_session *records_by_id(u32 id)
{
	struct ktrace_session *s;

	for (s = sessions; s && s->id != id; s = s->next)
		;
	return s;
}

struct ktrace_session *records_session(int *fd, bool v1)
{
	struct ktrace_session *s;
	struct stat st;

	if (fstat(*fd, &st))
		return NULL;
	for (s = sessions; s; s = s->next)
		if (is_of(s, &st) && s->v1 == v1)
			return s;
	s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->buffer = malloc(BUFFER);
	if (!s->buffer) {
		free(s);
		return NULL;
	}
	s->fd = *fd;
	s->dev = st.st_dev;
	s->ino = st.st_ino;
	s->v1 = v1;
	s->half = KTRACE_REPLAY_HALF;
	s->offset = wall_clock_offset();
	s->id = ++ids;
	s->next = sessions;
	sessions = s;
	*fd = -1;
	return s;
}

void records_put(struct ktrace_session *s)
{
	s->processes--;
}

/* Whole records only: what a full disk leaves of the last one goes again. */
static void write_out(struct ktrace_session *s)
{
	u32 done = 0;
	struct stat st;

	if (!s->used || s->error)
		goto out;
	while (done < s->used) {
		ssize_t n = write(s->fd, s->buffer + done, s->used - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			s->error = n ? errno : ENOSPC;
			break;
		}
		done += n;
	}
	if (s->error) {
		u32 whole = 0, next = 0;

		while (next <= done) {
			whole = next;
			if (next == s->used)
				break;
			next += ktrace_record_header_size(s->v1) +
				ktrace_record_len(s->buffer + next);
		}
		if (!fstat(s->fd, &st) && whole < done &&
		    ftruncate(s->fd, st.st_size - (done - whole)))
			whole = done;
		log_line("writing a trace failed: %s: its processes are not traced any more",
			 strerror(s->error));
	}
out:
	s->used = 0;
}

void records_flush(void)
{
	struct ktrace_session *s;

	for (s = sessions; s; s = s->next)
		write_out(s);
}

void records_reap(void)
{
	struct ktrace_session **at = &sessions, *s;

	while ((s = *at)) {
		if (s->processes) {
			at = &s->next;
			continue;
		}
		write_out(s);
		*at = s->next;
		close(s->fd);
		free(s->buffer);
		free(s);
	}
}

/*
 * emit.h
 */

u8 *ktrace_emit_reserve(struct ktrace_emit *e, struct ktrace_proc *proc, struct ktrace_session *s,
			struct task_struct *task, u16 type, u32 len, enum ktrace_emit_how how)
{
	u32 header = ktrace_record_header_size(s->v1);

	if (s->error || (proc->dead && how != KTRACE_EMIT_LAST))
		return NULL;
	if (s->used + header + len > BUFFER)
		write_out(s);
	if (records_now.stamp < s->last)
		records_now.stamp = s->last;
	s->last = records_now.stamp;
	e->proc = proc;
	e->s = s;
	e->ring = &ring;
	e->record = s->buffer + s->used;
	e->len = len;
	ktrace_record_header(e->record, type, len, task->tgid, task->pid, task->comm,
			     records_now.stamp);
	if (proc->dropped) {
		ktrace_record_set_drop(e->record);
		proc->dropped = 0;
	}
	return e->record + header;
}

void ktrace_emit_end(const struct ktrace_emit *e)
{
	struct ktrace_session *s = e->s;
	u64 wall = ktrace_record_stamp(e->record) + s->offset;

	ktrace_record_finish(e->record, s->v1, records_now.cpu, wall / SECOND, wall % SECOND,
			     &s->names);
	s->used += ktrace_record_header_size(s->v1) + e->len;
}

void ktrace_emit_shorten(struct ktrace_emit *e, u32 len)
{
	ktrace_record_set_len(e->record, len);
	e->len = len;
}

void ktrace_emit_cancel(struct ktrace_emit *e)
{
	if (ktrace_record_dropped(e->record))
		e->proc->dropped = 1;
}

void ktrace_emit_forgot(struct ktrace_proc *proc)
{
	proc->dropped = 1;
}

void ktrace_emit_short(struct ktrace_proc *proc)
{
	(void)proc;
	ktrace_ring_count(&ring, KTRACE_SHORT_DATA, 1);
}

void ktrace_emit_procctor(struct ktrace_proc *proc, struct ktrace_session *s,
			  struct task_struct *task, u32 sv_flags)
{
	struct ktrace_emit e = {};
	u8 *p = ktrace_emit_reserve(&e, proc, s, task, KTR_PROCCTOR, sizeof(struct ktrace_procctor),
				    KTRACE_EMIT_PLAIN);

	if (!p)
		return;
	put_unaligned_le32(sv_flags, p);
	ktrace_emit_end(&e);
}

/* The longest chunk that has what is at @addr: it may have been captured several times. */
static const struct chunk *chunk_at(u64 addr)
{
	const struct chunk *c, *best = NULL;

	for (c = records_now.chunks; c; c = c->next)
		if (addr - c->address < c->len &&
		    (!best || c->address + c->len > best->address + best->len))
			best = c;
	return best;
}

u32 ktrace_emit_user(u8 *p, unsigned long addr, u32 n)
{
	u32 done = 0;

	while (done < n) {
		const struct chunk *c = chunk_at(addr + done);
		u64 at;

		if (!c)
			break;
		at = addr + done - c->address;
		memcpy(p + done, c->data + at, min_t(u64, n - done, c->len - at));
		done += min_t(u64, n - done, c->len - at);
	}
	return done;
}
