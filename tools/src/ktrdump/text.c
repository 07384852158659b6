// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "text.h"

#include <inttypes.h>
#include <string.h>

#include "decode/out.h"
#include "message.h"
#include "options.h"

#define PLACE_WIDTH 40

/* For -r */
static bool second; /* not the first event */
static uint64_t last;

static void heading(void)
{
	const struct {
		bool shown;
		const char *name;
		int width;
	} columns[] = {
		{ true, "index", 6 },
		{ options.cpu, "cpu", 3 },
		{ options.time, "timestamp", 16 },
		{ options.place, "file and line", PLACE_WIDTH },
		{ options.thread, "tid", 18 },
	};
	const size_t count = sizeof(columns) / sizeof(columns[0]);
	static const char line[] = "----------------------------------------";
	size_t i;

	for (i = 0; i < count; i++)
		if (columns[i].shown)
			out_printf("%-*s ", columns[i].width, columns[i].name);
	out_str("trace\n");
	for (i = 0; i < count; i++)
		if (columns[i].shown)
			out_printf("%.*s ", columns[i].width, line);
	/* The blank is FreeBSD's. */
	out_str("-----");
	out_char(' ');
	out_char('\n');
}

void text_begin(void)
{
	second = false;
	if (!options.quiet)
		heading();
}

/* Whichever order they come in. */
static uint64_t since_last(uint64_t time)
{
	uint64_t before = second ? last : time;

	second = true;
	last = time;
	return time < before ? before - time : time - before;
}

static void out_place(const struct format *format)
{
	const char *text;
	size_t len;

	out_capture();
	if (format)
		out_text(format->file.p, format->file.len);
	else
		out_str("(null)");
	if (format && format->file_cut)
		out_str("...");
	out_printf(":%u", format ? format->line : 0);
	text = out_captured(&len);
	out_mem(text, len);
	for (; len < PLACE_WIDTH; len++)
		out_char(' ');
	out_char(' ');
}

void text_event(uint64_t index, const struct event *event)
{
	uint64_t time = event->fixed.timestamp;

	out_printf("%6" PRIu64 " ", index);
	if (options.cpu)
		out_printf("%3d ", event->fixed.cpu);
	if (options.time)
		out_printf("%16" PRIu64 " ", options.relative ? since_last(time) : time);
	if (options.place)
		out_place(event->format);
	if (options.thread) {
		out_pointer(event->fixed.thread);
		out_char(' ');
	}
	message_out(event);
	out_char('\n');
}
