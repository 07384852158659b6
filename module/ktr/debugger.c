// SPDX-License-Identifier: GPL-2.0
#include <linux/errno.h>
#include <linux/kdb.h>
#include <linux/log2.h>

#include "debugger.h"
#include "formats.h"
#include "message.h"
#include "record.h"
#include "walk.h"

/* kdb prints no more at a time, its newline included. */
#define LINE_SIZE 250
#define USAGE	  "[/v|/V] [/a]"

/* All here belongs to who runs the command: then nothing else runs on the machine. */
static struct ktr_slot slot;
static char line[LINE_SIZE];

/**
 * struct keys - what stands before kdb's sources of keys while the command runs
 * @first: the first source, in whose place ours is
 * @second: the second one or NULL, in whose place is the end of the list
 * @all: nobody is to be asked: kdb's pager gets a blank, and any key ends it
 * @ended: by a key
 * @asked: times that kdb asked for a key since the last line
 *
 * kdb's pager ends with q, and does not tell the command, which would go on
 * without one.  So any key that ends is q for kdb, and we remember it.
 */
static struct keys {
	get_char_func first;
	get_char_func second;
	bool all;
	bool ended;
	unsigned int asked;
} keys;

/* A key, or -1. */
static int read_key(void)
{
	get_char_func *source;
	int key = keys.first();

	if (key == -1 && keys.second) {
		key = keys.second();
		for (source = kdb_poll_funcs + 2; key == -1 && *source; source++)
			key = (*source)();
	}
	return key;
}

/* For kdb: a key, or -1. */
static int answer(void)
{
	int key = read_key();

	keys.asked++;
	/* Not each time: kdb reads until there is none before it asks. */
	if (key == -1)
		return keys.all && is_power_of_2(keys.asked) ? ' ' : -1;
	if (!keys.all && (key == ' ' || key == '\r' || key == '\n'))
		return key;
	keys.ended = true;
	return 'q';
}

static void keys_take(bool all)
{
	keys.first = kdb_poll_funcs[0];
	keys.second = kdb_poll_funcs[1];
	keys.all = all;
	keys.ended = false;
	kdb_poll_funcs[0] = answer;
	kdb_poll_funcs[1] = NULL;
}

static void keys_give_back(void)
{
	kdb_poll_funcs[0] = keys.first;
	kdb_poll_funcs[1] = keys.second;
}

/* What was typed before the pager asks is no answer, but ends what does not ask. */
static void keys_skip(void)
{
	keys.asked = 0;
	while (read_key() != -1)
		keys.ended |= keys.all;
}

static void show(u32 with)
{
	while (!keys.ended && ktr_walk_back(&slot)) {
		ktr_message_line(&ktr_pool, &slot, with, line, sizeof(line));
		keys_skip();
		if (!keys.ended)
			kdb_printf("%s\n", line);
	}
	if (!keys.ended)
		kdb_printf("--- End of trace buffer ---\n");
}

/* Letters behind a slash, as ddb has them; false: there are others. */
static bool parse(const char *arg, u32 *with, bool *all)
{
	if (*arg++ != '/')
		return false;
	for (; *arg; arg++) {
		if (*arg == 'v')
			*with = KTR_WITH_TIME | KTR_WITH_PLACE;
		else if (*arg == 'V')
			*with = KTR_WITH_TIME;
		else if (*arg == 'a')
			*all = true;
		else
			return false;
	}
	return true;
}

static int command(int argc, const char **argv)
{
	bool all = false;
	u32 with = 0;
	int i;

	for (i = 1; i <= argc; i++) {
		if (!parse(argv[i], &with, &all))
			goto usage;
	}
	if (!ktr_walk_begin(false)) {
		kdb_printf("ktr: the debugger was entered while events were being printed\n");
		return 0;
	}
	keys_take(all);
	show(with);
	keys_give_back();
	ktr_walk_end();
	return 0;

usage:
	kdb_printf("usage: ktr " USAGE "\n");
	return KDB_ARGCOUNT;
}

static kdbtab_t ktr_command = {
	.name = "ktr",
	.func = command,
	.usage = USAGE,
	.help = "Show ktr's events, newest first",
	.flags = KDB_ENABLE_MEM_READ, /* Messages have addresses: not in lockdown. */
};

/** ktr_debugger_init - Context: module init.  Return: 0 or -errno. */
int ktr_debugger_init(void)
{
	return kdb_register(&ktr_command) ? -EEXIST : 0;
}

/** ktr_debugger_exit - undo ktr_debugger_init() */
void ktr_debugger_exit(void)
{
	kdb_unregister(&ktr_command);
}
