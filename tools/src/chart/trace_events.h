/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Trace events in JSON on standard output (out.h), which ui.perfetto.dev,
 * trace_processor and others read.  Times there are microseconds.
 *
 * An event is trace_event(), what else it has, and its "}".
 */
#ifndef _CHART_TRACE_EVENTS_H_
#define _CHART_TRACE_EVENTS_H_

#include <stddef.h>
#include <stdint.h>

/* trace_begin - the file, before all events */
void trace_begin(void);

/*
 * trace_end - the file, after all of them
 * @origin: time 0, in nanoseconds since 1970
 * @note: what is left out of the trace, or ""
 */
void trace_end(int64_t origin, const char *note);

/* trace_event - its phase, process and thread: the reader has 32 bits for a thread */
void trace_event(char phase, int32_t pid, int64_t tid);

/* trace_time - a member in microseconds, to the nanosecond */
void trace_time(const char *key, int64_t ns);

/* Values that are strings; long texts are cut off. */

/* trace_string - text that is valid UTF-8 */
void trace_string(const char *text, size_t len);

/* trace_captured - what was captured since out_capture() */
void trace_captured(void);

/* trace_raw - bytes of the trace that are not made printable yet, to the first NUL at most */
void trace_raw(const char *text, size_t max);

#endif /* _CHART_TRACE_EVENTS_H_ */
