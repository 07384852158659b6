// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "files.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "decode/out.h"
#include "memory.h"

#define CHUNK	   32 /* descriptors; a word has a bit for each */
#define MAX_CHUNKS 2048 /* of a table: 65536 descriptors */
#define STANDARD   3 /* descriptors that every process is taken to have */
#define MAX_BELOW  1024 /* looked at by files_opened_below() */

/* Descriptors from @first on, of which at least one is open; bit i is that of @file[i]. */
struct chunk {
	int first;
	uint32_t open;
	uint32_t cloexec; /* of those that are open */
	struct file *file[CHUNK];
};

struct files {
	unsigned int refs;
	unsigned int count; /* of chunks, ascending */
	unsigned int room;
	int taken; /* all below it are open */
	struct chunk **chunk;
};

/* A descriptor that is open, with anything behind it; never freed. */
static struct file unknown = { .refs = 1 };

struct file *file_new(const char *name, size_t len)
{
	struct file *file = name ? memory_get(sizeof(*file)) : NULL;

	if (!file)
		return file_get(&unknown);
	file->refs = 1;
	file->name = memory_copy(name, len);
	return file;
}

struct file *file_get(struct file *file)
{
	if (file)
		file->refs++;
	return file;
}

void file_put(struct file *file)
{
	if (!file || --file->refs)
		return;
	memory_put(file->name);
	memory_put(file->local);
	memory_put(file->peer);
	memory_put(file);
}

void file_set_address(struct file *file, bool peer, const char *text)
{
	char **address = peer ? &file->peer : &file->local;

	if (!file->name)
		return;
	memory_put(*address);
	*address = text ? memory_copy(text, strlen(text)) : NULL;
}

void file_out(const struct file *file)
{
	out_text(file->name, strlen(file->name));
	if (file->local || file->peer)
		out_char(' ');
	if (file->local)
		out_text(file->local, strlen(file->local));
	if (file->peer) {
		out_str("->");
		out_text(file->peer, strlen(file->peer));
	}
	if (file->assumed)
		out_char('?');
}

/* The first chunk that does not end before @fd, or the number of chunks. */
static unsigned int position(const struct files *files, int fd)
{
	unsigned int low = 0, high = files->count;

	while (low < high) {
		unsigned int middle = (low + high) / 2;

		if (files->chunk[middle]->first + (CHUNK - 1) < fd)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct chunk *find_chunk(const struct files *files, int fd)
{
	unsigned int i;

	if (!files || fd < 0)
		return NULL;
	i = position(files, fd);
	return i < files->count && files->chunk[i]->first <= fd ? files->chunk[i] : NULL;
}

static bool grow(struct files *files)
{
	unsigned int room = files->room ? files->room * 2 : 1;
	struct chunk **chunk;

	if (files->count == MAX_CHUNKS)
		return false;
	chunk = memory_get(room * sizeof(struct chunk *));
	if (!chunk)
		return false;
	if (files->count)
		memcpy(chunk, files->chunk, files->count * sizeof(struct chunk *));
	memory_put(files->chunk);
	files->chunk = chunk;
	files->room = room;
	return true;
}

static struct chunk *get_chunk(struct files *files, int fd)
{
	struct chunk *chunk = find_chunk(files, fd);
	unsigned int at;

	if (chunk)
		return chunk;
	if (files->count == files->room && !grow(files))
		return NULL;
	chunk = memory_get(sizeof(*chunk));
	if (!chunk)
		return NULL;
	chunk->first = fd - fd % CHUNK;
	at = position(files, fd);
	memmove(files->chunk + at + 1, files->chunk + at,
		(files->count - at) * sizeof(struct chunk *));
	files->chunk[at] = chunk;
	files->count++;
	return chunk;
}

static struct files *new_table(void)
{
	struct files *files = memory_get(sizeof(*files));

	if (files)
		files->refs = 1;
	return files;
}

struct files *files_new(void)
{
	struct files *files = new_table();
	int fd;

	for (fd = 0; fd < STANDARD; fd++)
		files_set(files, fd, &unknown, false);
	return files;
}

struct files *files_get(struct files *files)
{
	if (files)
		files->refs++;
	return files;
}

static void free_chunk(struct chunk *chunk)
{
	int i;

	for (i = 0; i < CHUNK; i++)
		file_put(chunk->file[i]);
	memory_put(chunk);
}

void files_put(struct files *files)
{
	unsigned int i;

	if (!files || --files->refs)
		return;
	for (i = 0; i < files->count; i++)
		free_chunk(files->chunk[i]);
	memory_put(files->chunk);
	memory_put(files);
}

struct files *files_copy(const struct files *files)
{
	struct files *copy = files ? new_table() : NULL;

	if (copy)
		files_add_missing(copy, files);
	return copy;
}

bool files_shared(const struct files *files)
{
	return files && files->refs > 1;
}

struct file *files_find(const struct files *files, int fd)
{
	struct chunk *chunk = find_chunk(files, fd);

	return chunk ? chunk->file[fd - chunk->first] : NULL;
}

static void set(struct chunk *chunk, int i, struct file *file, bool cloexec)
{
	struct file *old = chunk->file[i];

	chunk->file[i] = file_get(file);
	file_put(old);
	chunk->open &= ~(1U << i);
	chunk->cloexec &= ~(1U << i);
	chunk->open |= (file ? 1U : 0U) << i;
	chunk->cloexec |= (uint32_t)(file && cloexec) << i;
}

static void set_free(struct files *files, struct chunk *chunk, int i)
{
	set(chunk, i, NULL, false);
	if (files->taken > chunk->first + i)
		files->taken = chunk->first + i;
}

void files_set(struct files *files, int fd, struct file *file, bool cloexec)
{
	struct chunk *chunk;

	if (!files || fd < 0)
		return;
	chunk = file ? get_chunk(files, fd) : find_chunk(files, fd);
	if (chunk && file)
		set(chunk, fd - chunk->first, file, cloexec);
	else if (chunk)
		set_free(files, chunk, fd - chunk->first);
}

/* The bits of those from @first to @last; some are. */
static uint32_t range(const struct chunk *chunk, int first, int last)
{
	uint32_t bits = UINT32_MAX;

	if (first > chunk->first)
		bits <<= first - chunk->first;
	if (last - chunk->first < CHUNK - 1)
		bits &= UINT32_MAX >> (CHUNK - 1 - (last - chunk->first));
	return bits;
}

void files_set_cloexec(struct files *files, int first, int last, bool cloexec)
{
	unsigned int at;

	if (!files || first < 0)
		return;
	for (at = position(files, first); at < files->count; at++) {
		struct chunk *chunk = files->chunk[at];
		uint32_t bits;

		if (chunk->first > last)
			return;
		bits = chunk->open & range(chunk, first, last);
		chunk->cloexec = cloexec ? chunk->cloexec | bits : chunk->cloexec & ~bits;
	}
}

/* Returns whether none is open any more. */
static bool close_in_chunk(struct files *files, struct chunk *chunk, int first, int last,
			   bool cloexec_only)
{
	uint32_t bits = range(chunk, first, last);

	for (bits &= cloexec_only ? chunk->cloexec : chunk->open; bits; bits &= bits - 1)
		set_free(files, chunk, __builtin_ctz(bits));
	return !chunk->open;
}

void files_close(struct files *files, int first, int last, bool cloexec_only)
{
	unsigned int at, kept;

	if (!files || last < 0)
		return;
	if (first < 0)
		first = 0;
	kept = position(files, first);
	for (at = kept; at < files->count; at++) {
		struct chunk *chunk = files->chunk[at];

		if (chunk->first > last && kept == at)
			return;
		if (chunk->first <= last && close_in_chunk(files, chunk, first, last, cloexec_only))
			free_chunk(chunk);
		else
			files->chunk[kept++] = chunk;
	}
	files->count = kept;
}

void files_add_missing(struct files *files, const struct files *other)
{
	unsigned int at;

	if (!files || !other)
		return;
	for (at = 0; at < other->count; at++) {
		const struct chunk *from = other->chunk[at];
		struct chunk *to = get_chunk(files, from->first);
		int i;

		for (i = 0; to && i < CHUNK; i++)
			if (from->file[i] && (!to->file[i] || !to->file[i]->name))
				set(to, i, from->file[i], from->cloexec & (1U << i));
	}
}

static int lowest_from(const struct files *files, int fd)
{
	unsigned int at;

	for (at = position(files, fd); at < files->count; at++) {
		const struct chunk *chunk = files->chunk[at];
		uint32_t closed;

		if (chunk->first > fd)
			return fd;
		closed = ~chunk->open & range(chunk, fd, INT_MAX);
		if (closed)
			return chunk->first + __builtin_ctz(closed);
		if (chunk->first > INT_MAX - CHUNK)
			return INT_MAX;
		fd = chunk->first + CHUNK;
	}
	return fd;
}

int files_lowest(struct files *files, int from)
{
	if (!files)
		return from;
	if (from > files->taken)
		return lowest_from(files, from);
	files->taken = lowest_from(files, files->taken);
	return files->taken;
}

void files_opened_below(struct files *files, int fd)
{
	int i;

	if (fd > MAX_BELOW)
		return;
	for (i = files_lowest(files, 0); i < fd; i = files_lowest(files, i + 1))
		files_set(files, i, &unknown, false);
}
