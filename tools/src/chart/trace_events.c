// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "chart/trace_events.h"

#include <stdbool.h>

#include "decode/out.h"
#include "decode/utf8.h"
#include "ktrace_version.h"

#define NSEC_PER_USEC 1000

#define LONGEST_TEXT 2048

static bool second; /* not the first event */

static void out_escaped(const char *text, size_t len)
{
	size_t i, done = 0;

	for (i = 0; i < len; i++) {
		unsigned char c = text[i];

		if (c >= ' ' && c != '"' && c != '\\')
			continue;
		out_mem(text + done, i - done);
		if (c == '\n')
			out_str("\\n");
		else if (c < ' ')
			out_printf("\\u%04x", c);
		else
			out_printf("\\%c", c);
		done = i + 1;
	}
	out_mem(text + done, len - done);
}

void trace_string(const char *text, size_t len)
{
	out_char('"');
	out_escaped(text, len);
	out_char('"');
}

void trace_captured(void)
{
	size_t len;
	const char *text = out_captured(&len);

	trace_string(text, utf8_cut(text, len, LONGEST_TEXT));
}

void trace_raw(const char *text, size_t max)
{
	out_capture();
	out_text_str(text, max);
	trace_captured();
}

void trace_time(const char *key, int64_t ns)
{
	uint64_t magnitude = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

	out_printf(",\"%s\":%s%llu.%03u", key, ns < 0 ? "-" : "",
		   (unsigned long long)(magnitude / NSEC_PER_USEC),
		   (unsigned int)(magnitude % NSEC_PER_USEC));
}

void trace_event(char phase, int32_t pid, int64_t tid)
{
	out_str(second ? ",\n" : "\n");
	second = true;
	out_printf("{\"ph\":\"%c\",\"pid\":%u,\"tid\":%u", phase, (uint32_t)pid, (uint32_t)tid);
}

void trace_begin(void)
{
	second = false;
	out_str("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
}

void trace_end(int64_t origin)
{
	out_str("\n],\"otherData\":{\"producer\":\"");
	out_str(out_program);
	out_str(" " KTRACE_VERSION "\",\"start_ns\":\"");
	out_dec(origin);
	out_str("\"}}\n");
}
