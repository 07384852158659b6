// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "chart/trace_events.h"

#include <stdbool.h>
#include <string.h>

#include "decode/json.h"
#include "decode/out.h"
#include "decode/utf8.h"
#include "ktrace_version.h"

#define NSEC_PER_USEC 1000

#define LONGEST_TEXT 2048

static bool second; /* not the first event */

void trace_string(const char *text, size_t len)
{
	out_char('"');
	json_escape(text, len);
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

	out_str(",\"");
	out_str(key);
	out_str(ns < 0 ? "\":-" : "\":");
	out_unsigned(magnitude / NSEC_PER_USEC);
	out_char('.');
	out_digits(magnitude % NSEC_PER_USEC, 3);
}

void trace_event(char phase, int32_t pid, int64_t tid)
{
	out_str(second ? ",\n" : "\n");
	second = true;
	out_str("{\"ph\":\"");
	out_char(phase);
	out_str("\",\"pid\":");
	out_unsigned((uint32_t)pid);
	out_str(",\"tid\":");
	out_unsigned((uint32_t)tid);
}

void trace_begin(void)
{
	second = false;
	out_str("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
}

void trace_end(int64_t origin, const char *note)
{
	out_str("\n],\"otherData\":{\"producer\":\"");
	out_str(out_program);
	out_str(" " KTRACE_VERSION "\",\"start_ns\":\"");
	out_dec(origin);
	out_char('"');
	if (*note) {
		out_str(",\"note\":");
		trace_string(note, strlen(note));
	}
	out_str("}}\n");
}
