// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "timeline_text.h"

#include <stdlib.h>
#include <string.h>

#include "decode/out.h"
#include "decode/utf8.h"
#include "fds.h"
#include "line.h"
#include "options.h"
#include "records.h"

#define DATA_SHOWN   80 /* bytes of what was read or written */
#define LONGEST_NAME 64 /* of an argument */

void timeline_text_free(struct timeline_text *text)
{
	free(text->p);
	*text = (struct timeline_text){ .p = NULL };
}

/* @len bytes more, for the caller to fill; @len fits into TIMELINE_TEXT. */
static char *extend(struct timeline_text *text, size_t len)
{
	char *p = realloc(text->p, text->len + len);

	if (!p)
		die("out of memory");
	text->p = p;
	text->len += len;
	return p + text->len - len;
}

void timeline_add_line(struct timeline_text *text, const char *line, size_t len)
{
	size_t room = TIMELINE_TEXT - text->len;

	if (room < 2)
		return;
	if (text->len)
		*extend(text, 1) = '\n';
	len = utf8_cut(line, len, room - 1);
	memcpy(extend(text, len), line, len);
}

/* What was captured, a name and a value, with a NUL; false: there is no more room. */
static bool add_captured(struct timeline_text *text)
{
	size_t len, room = TIMELINE_TEXT - text->len;
	const char *captured = out_captured(&len);
	char *p;

	if (room < LONGEST_NAME + 2)
		return false;
	len = utf8_cut(captured, len, room - 1);
	p = extend(text, len + 1);
	memcpy(p, captured, len);
	p[len] = '\0';
	return true;
}

static bool add_known(struct timeline_text *text, const struct args *args, const struct arg *arg)
{
	out_capture_some(TIMELINE_TEXT);
	out_str(arg->name);
	out_char('\0');
	arg_print(args, arg, options.decimal);
	if (options.fds)
		fds_out_arg(arg);
	return add_captured(text);
}

/* One that is not described. */
static bool add_word(struct timeline_text *text, const struct call *call, unsigned int i)
{
	out_capture_some(TIMELINE_TEXT);
	out_dec(i);
	out_char('\0');
	arg_out_word(call->word[i], call->ilp32, options.decimal);
	return add_captured(text);
}

void timeline_add_args(struct timeline_text *text, const struct call *call)
{
	struct args args = { .slots = 0 };
	unsigned int i;

	if (!options.plain)
		args_decode(call, &args);
	for (i = 0; i < args.count; i++)
		if (args.arg[i].kind != ARG_HIDDEN && !add_known(text, &args, &args.arg[i]))
			return;
	for (i = args.slots; i < call->narg && i < ARGS_KNOWN; i++)
		if (!add_word(text, call, i))
			return;
}

bool timeline_next_arg(const struct timeline_text *text, size_t *at, const char **name,
		       const char **value)
{
	if (*at >= text->len)
		return false;
	*name = text->p + *at;
	*value = *name + strlen(*name) + 1;
	*at = *value + strlen(*value) + 1 - text->p;
	return true;
}

const char *timeline_capture_record(const struct event *event, bool label, size_t *len)
{
	const char *text;

	out_capture_some(TIMELINE_TEXT);
	if (label) {
		out_str(line_label(event->record->type));
		out_char(' ');
	}
	record_print(event);
	text = out_captured(len);
	while (*len && text[*len - 1] == '\n')
		--*len;
	*len = utf8_cut(text, *len, TIMELINE_TEXT);
	return text;
}

const char *timeline_capture_data(const struct event *event, size_t *len)
{
	struct ktrace_record_genio io;
	size_t most = DATA_SHOWN;

	if (options.max_data && most > (size_t)options.max_data)
		most = options.max_data;
	ktrace_record_get_genio(event->record, &io);
	out_capture_some(TIMELINE_TEXT);
	out_printf("fd %d %s %zu byte%s", io.fd, io.rw == 0 ? "read" : "wrote", io.len,
		   io.len == 1 ? "" : "s");
	if (io.len && !options.no_data) {
		out_str(": \"");
		out_text(io.data, io.len < most ? io.len : most);
		out_str(io.len > most ? "\"..." : "\"");
	}
	return out_captured(len);
}

const char *timeline_capture_command(const struct ktrace_record *record, size_t *len)
{
	const char *string, *text;
	size_t at = 0, string_len, total = 0;

	out_capture_some(TIMELINE_TEXT);
	while (total < TIMELINE_TEXT &&
	       (string = ktrace_record_next_string(record, &at, &string_len)) != NULL) {
		if (total)
			out_char(' ');
		out_text(string, string_len < TIMELINE_TEXT ? string_len : TIMELINE_TEXT);
		total += string_len + 1;
	}
	text = out_captured(len);
	*len = utf8_cut(text, *len, TIMELINE_TEXT);
	return text;
}
