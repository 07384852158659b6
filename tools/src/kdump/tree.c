// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * --tree: which process began which, when, and how each ended.
 */
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "decode/abi.h"
#include "decode/names.h"
#include "decode/out.h"
#include "options.h"
#include "seconds.h"
#include "track/track.h"
#include "view.h"

/* Levels that lines are drawn for: deeper ones are as far to the right. */
#define MAX_LEVELS 64

struct node {
	const struct process *process;
	struct node *parent, *children, **last_child, *next;
	unsigned int level;
};

static struct node *nodes;
static size_t nodes_count;
static bool have_begin, nanoseconds;
static int64_t begin; /* of the trace */

/* What lines are made of, by the locale. */
static struct {
	const char *child, *last_child, *line, *space;
} drawing;

static void tree_begin(void)
{
	have_begin = false;
	nanoseconds = false;
	setlocale(LC_CTYPE, "");
	if (strcmp(nl_langinfo(CODESET), "UTF-8") == 0) {
		drawing.child = "\u251c\u2500 ";
		drawing.last_child = "\u2514\u2500 ";
		drawing.line = "\u2502  ";
	} else {
		drawing.child = "|- ";
		drawing.last_child = "`- ";
		drawing.line = "|  ";
	}
	drawing.space = "   ";
}

static void tree_event(const struct event *event)
{
	if (!have_begin)
		begin = event->time;
	have_begin = true;
	nanoseconds |= event->record->version > 0;
}

/* They are in the order of their numbers. */
static struct node *find(uint64_t id)
{
	size_t low = 0, high = nodes_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (nodes[middle].process->id == id)
			return &nodes[middle];
		if (nodes[middle].process->id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static void make_nodes(void)
{
	const struct process *process;
	size_t i;

	nodes_count = 0;
	for (process = processes_first(); process; process = process->next)
		nodes_count++;
	nodes = calloc(nodes_count + 1, sizeof(*nodes));
	if (!nodes)
		die("out of memory");
	for (process = processes_first(), i = 0; process; process = process->next, i++) {
		nodes[i].process = process;
		nodes[i].last_child = &nodes[i].children;
	}
}

/* Parents stand before their children. */
static void link_nodes(void)
{
	size_t i;

	for (i = 0; i < nodes_count; i++) {
		struct node *node = &nodes[i], *parent = find(node->process->parent);

		if (!parent || parent >= node)
			continue;
		node->parent = parent;
		node->level = parent->level + 1;
		*parent->last_child = node;
		parent->last_child = &node->next;
	}
}

static void out_seconds(int64_t from, int64_t to)
{
	char text[SECONDS_SIZE] = "-";
	int64_t ns;

	if (event_time_between(from, to, &ns))
		seconds_text(text, ns, nanoseconds);
	out_printf(nanoseconds ? "%14s " : "%11s ", text);
}

static void out_end(const struct process *process)
{
	const char *text;
	size_t len;

	out_capture();
	if (!process->seen)
		out_str("not traced");
	else if (process->state == PROCESS_EXITED)
		out_printf("exit %d", process->status);
	else if (process->state == PROCESS_KILLED)
		names_out_signal(process->status, abi_is_linux(process->flags));
	else
		out_str(process->state == PROCESS_GONE ? "ended" : "running");
	text = out_captured(&len);
	out_printf("%-10.*s ", (int)len, text);
}

/* In quotes, which a quote ends: it comes by itself, and others begin. */
static void out_quoted(const char *word, size_t len)
{
	const char *quote;

	out_char('\'');
	while ((quote = memchr(word, '\'', len)) != NULL) {
		out_text(word, quote - word);
		out_str("'\\''");
		len -= quote + 1 - word;
		word = quote + 1;
	}
	out_text(word, len);
	out_char('\'');
}

/* As a shell takes it, but for what cannot be shown. */
static void out_word(const char *word, size_t len)
{
	bool plain = len > 0;
	size_t i;

	for (i = 0; i < len && plain; i++)
		plain = !strchr(" \t\n\"'\\$`&|;<>()*?[]{}#~!", word[i]);
	if (plain)
		out_text(word, len);
	else
		out_quoted(word, len);
}

static void out_args(const struct process *process)
{
	size_t at, len;

	for (at = 0; at < process->args_len; at += len + 1) {
		len = strnlen(process->args + at, process->args_len - at);
		if (at)
			out_char(' ');
		out_word(process->args + at, len);
	}
	if (process->args_cut)
		out_str("...");
}

static void out_command(const struct process *process)
{
	if (process->args_len) {
		out_args(process);
	} else if (process->path) {
		out_word(process->path, strlen(process->path));
	} else {
		out_char('(');
		out_text_str(process->comm, sizeof(process->comm));
		out_char(')');
	}
	if (process->threads > 1)
		out_printf(" [%u threads]", process->threads);
}

/* The lines from @node's ancestors down to it; @top is not drawn. */
static void out_lines(const struct node *node, const struct node *top)
{
	const struct node *path[MAX_LEVELS], *at;
	unsigned int count = 0, i;

	for (at = node; at != top && count < MAX_LEVELS; at = at->parent)
		path[count++] = at;
	for (i = count; i-- > 1;)
		out_str(path[i]->next ? drawing.line : drawing.space);
	if (count)
		out_str(node->next ? drawing.child : drawing.last_child);
}

static void out_node(const struct node *node, const struct node *top)
{
	const struct process *process = node->process;

	out_seconds(begin, process->begin);
	out_seconds(process->begin, process->end);
	out_end(process);
	out_lines(node, top);
	out_dec(process->pid);
	out_char(' ');
	out_command(process);
	out_char('\n');
}

/* Without recursion: a file may have a process for each level. */
static void out_tree(const struct node *top)
{
	const struct node *node = top;

	for (;;) {
		out_node(node, top);
		if (node->children) {
			node = node->children;
			continue;
		}
		while (node != top && !node->next)
			node = node->parent;
		if (node == top)
			return;
		node = node->next;
	}
}

static bool is_top(const struct node *node)
{
	return options.pid ? node->process->pid == options.pid : !node->parent;
}

static void tree_end(void)
{
	size_t i;

	make_nodes();
	link_nodes();
	out_printf(nanoseconds ? "%14s %14s %-10s %s\n" : "%11s %11s %-10s %s\n", "begin", "time",
		   "end", "process");
	for (i = 0; i < nodes_count; i++)
		if (is_top(&nodes[i]))
			out_tree(&nodes[i]);
	if (processes_skipped())
		out_printf("%llu more processes are not shown\n",
			   (unsigned long long)processes_skipped());
	free(nodes);
	nodes = NULL;
}

const struct view tree_view = {
	.option = "--tree",
	.uses = VIEW_PROCESS | VIEW_FOLLOWS,
	.tracks = true,
	.needs_files = true,
	.keeps = true,
	.begin = tree_begin,
	.event = tree_event,
	.end = tree_end,
};
