/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A page with a timeline, for a browser, on standard output (out.h).  Its data
 * are operations one after the other, in base64, in elements of the page that the browser does not look into.  No text of the
 * trace can be anything but data there.
 *
 * An operation is a byte and its operands: numbers of 7 bits a byte, lowest
 * first, the highest bit set in all but the last byte; signed ones times two,
 * and minus one if negative; text is its length and its bytes in UTF-8.
 * Strings, calls and threads are counted as they appear: strings from 1 (0 is
 * the empty one), the others from 0.  Times are differences from the time in
 * the stream before.  html/model.js reads all this.
 */
#ifndef _CHART_HTML_STREAM_H_
#define _CHART_HTML_STREAM_H_

#include <stddef.h>
#include <stdint.h>

enum html_op {
	HTML_END, /* records, seconds (signed) and nanoseconds of time 0 */
	HTML_STRING, /* text */
	HTML_CALL_NAME, /* classes, bits; text */
	HTML_THREAD, /* process, thread, name (a string), time */
	HTML_RENAME, /* thread, name */
	HTML_CALL, /* thread, time, duration, flags, name, arguments, result, errno, records */
	HTML_SLEEP, /* thread, time, duration, flags, what for */
	HTML_MARK, /* thread, time, enum timeline_mark, text */
	HTML_FORK, /* thread, thread of the child */
	HTML_COMMAND, /* thread, text (a string) */
	HTML_EXIT, /* thread, time */
	HTML_KIND, /* enum html_kind: the first one of all */
	HTML_POINT, /* thread, time, name (of a call), text */
	HTML_COUNTER, /* thread, time, duration, value (signed) */
	HTML_NOTE, /* what is left out of the trace, text */
};

/* What the lanes show; the page has words for each. */
enum html_kind {
	HTML_OF_CALLS, /* threads of processes, and the calls they make */
	HTML_OF_STATES, /* things of some groups, and the states they are in */
};

#define HTML_UNFINISHED 1 /* a flag */

/* html_stream_begin - the page, up to its data: nothing is left of another one */
void html_stream_begin(enum html_kind kind);

/* html_stream_end - the rest of the page; @origin: time 0, in nanoseconds since 1970 */
void html_stream_end(uint64_t records, int64_t origin);

/* html_op - an operation begins; its operands follow */
void html_op(enum html_op op);
void html_number(uint64_t value);
void html_signed(int64_t value);
void html_time(int64_t time);
void html_text(const char *text, size_t len);

/*
 * html_string - the number of a string; call it before the operation that it
 * is for begins, as it may be one itself
 * @text: valid UTF-8
 */
uint64_t html_string(const char *text, size_t len);

#endif /* _CHART_HTML_STREAM_H_ */
