// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "symbols.h"

struct symbol {
	unsigned long address;
	char *name;
};

static struct symbol *all;
static size_t count;
static const __u64 *stack;
static u32 frames;

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* "ADDRESS TYPE NAME [module]": functions, and the bounds of sections. */
static bool parse(char *line, struct symbol *s)
{
	char *end, *name;

	s->address = strtoul(line, &end, 16);
	if (!s->address || end[0] != ' ' || !end[1] || end[2] != ' ' || !strchr("tTwW", end[1]))
		return false;
	name = end + 3;
	name[strcspn(name, " \t\n")] = 0;
	s->name = strdup(name);
	return s->name;
}

int symbols_load(void)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	size_t room = 0, size = 0;
	char *line = NULL;
	struct symbol s;

	if (!f)
		return errno;
	while (getline(&line, &size, f) > 0) {
		if (!parse(line, &s))
			continue;
		if (count == room) {
			void *more = realloc(all, (room = room ? 2 * room : 65536) * sizeof(*all));

			if (!more)
				break;
			all = more;
		}
		all[count++] = s;
	}
	free(line);
	fclose(f);
	qsort(all, count, sizeof(*all), by_address);
	return count ? 0 : EPERM;
}

void symbols_stack(const __u64 *frame, u32 n)
{
	stack = frame;
	frames = n;
}

unsigned long replay_symbol(const char *name)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(all[i].name, name))
			return all[i].address;
	return 0;
}

int register_kprobe(struct kprobe *kp)
{
	kp->addr = (void *)replay_symbol(kp->symbol_name);
	return kp->addr ? 0 : -ENOENT;
}

/* Of those at the same address the last: the bounds of sections come before functions. */
void sprint_symbol_no_offset(char *buffer, unsigned long address)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (all[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low)
		snprintf(buffer, KSYM_SYMBOL_LEN, "%s", all[low - 1].name);
	else
		snprintf(buffer, KSYM_SYMBOL_LEN, "0x%lx", address);
}

unsigned int stack_trace_save(unsigned long *frame, unsigned int most, unsigned int skip)
{
	u32 i;

	(void)skip; /* that would be wchan.c's own */
	for (i = 0; i < min(most, frames); i++)
		frame[i] = stack[i];
	return i;
}
