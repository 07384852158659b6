// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Linked with --wrap for what begins with __wrap_ here.
 */
#include "allocations.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "tool_run.h"

#define SLOTS (1 << 15)

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_realloc(void *p, size_t size);
void __real_free(void *p);
void __wrap_free(void *p);
char *__real_strndup(const char *text, size_t len);
char *__wrap_strndup(const char *text, size_t len);

/* A hash by address, probed one after the other; what has gone is not NULL, but gone. */
static void *slots[SLOTS];
static char gone;
static unsigned int used; /* also by what has gone */

static void **find(const void *p)
{
	size_t i = ((uintptr_t)p >> 4) * 0x9e3779b97f4a7c15ULL >> 49;

	while (slots[i] && slots[i] != p)
		i = (i + 1) % SLOTS;
	return &slots[i];
}

static void *add(void *p)
{
	if (!p || !tool_runs)
		return p;
	/* What is beyond that is not much, and lost. */
	if (used < SLOTS / 2) {
		*find(p) = p;
		used++;
	}
	return p;
}

static bool take_out(const void *p)
{
	void **slot = find(p);

	if (!p || !*slot)
		return false;
	*slot = &gone;
	return true;
}

void *__wrap_malloc(size_t size)
{
	return add(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
	return add(__real_calloc(count, size));
}

/* Memory of before a run stays. */
void *__wrap_realloc(void *p, size_t size)
{
	bool was_ours = !p || take_out(p);
	void *now = __real_realloc(p, size);

	return was_ours ? add(now) : now;
}

void __wrap_free(void *p)
{
	take_out(p);
	__real_free(p);
}

char *__wrap_strndup(const char *text, size_t len)
{
	return add(__real_strndup(text, len));
}

void allocations_free(void)
{
	size_t i;

	for (i = 0; used && i < SLOTS; i++) {
		if (!slots[i])
			continue;
		if (slots[i] != &gone)
			__real_free(slots[i]);
		slots[i] = NULL;
	}
	used = 0;
}
