// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "line.h"

#include <stddef.h>
#include <string.h>
#include <sys/ktrace.h>

#include "decode/out.h"
#include "decode/style.h"
#include "options.h"

#define COMM_WIDTH    8
#define PROCESS_MAX   128 /* two numbers and a name, each byte of it as \\ooo */
#define NSEC_PER_SEC  1000000000L
#define NSEC_PER_USEC 1000

static bool have_times;
static struct event_time first, previous; /* of what was printed */

/* Number and name are mostly those of the line before: its text is kept. */
static struct {
	bool valid;
	int32_t pid;
	int64_t tid;
	char comm[KTRACE_COMM_LEN];
	size_t len;
	char text[PROCESS_MAX];
} shown;

static void format_process(const struct ktrace_record *record)
{
	style_begin(STYLE_PROCESS);
	out_dec_padded(record->pid, 6);
	out_char(' ');
	if (options.tid) {
		out_dec_padded(record->tid > 0 ? record->tid : 0, 6);
		out_char(' ');
	}
	out_text_padded(record->comm, strlen(record->comm), COMM_WIDTH);
	style_end();
	out_char(' ');
}

static void process(const struct ktrace_record *record)
{
	const char *text;

	if (shown.valid && shown.pid == record->pid && shown.tid == record->tid &&
	    memcmp(shown.comm, record->comm, sizeof(shown.comm)) == 0) {
		out_mem(shown.text, shown.len);
		return;
	}
	text = out_reserve(PROCESS_MAX); /* so that it stays in one piece */
	format_process(record);
	shown.valid = true;
	shown.pid = record->pid;
	shown.tid = record->tid;
	memcpy(shown.comm, record->comm, sizeof(shown.comm));
	shown.len = out_room.at - text;
	memcpy(shown.text, text, shown.len);
}

/* sec.frac, in the header's own precision */
static void out_time(bool nanoseconds, struct event_time t)
{
	out_dec(t.sec);
	out_char('.');
	if (nanoseconds)
		out_digits(t.nsec, 9);
	else
		out_digits(t.nsec / NSEC_PER_USEC, 6);
	out_char(' ');
}

/* Not the file's own numbers: they may be anything. */
static struct event_time difference(struct event_time a, struct event_time b)
{
	struct event_time t = {
		.sec = (int64_t)((uint64_t)a.sec - (uint64_t)b.sec),
		.nsec = a.nsec - b.nsec,
	};

	if (t.nsec < 0) {
		t.sec = (int64_t)((uint64_t)t.sec - 1);
		t.nsec += NSEC_PER_SEC;
	}
	return t;
}

static bool is_before(struct event_time a, struct event_time b)
{
	return a.sec < b.sec || (a.sec == b.sec && a.nsec < b.nsec);
}

void line_time_of(const struct ktrace_record *record, struct line_time *time)
{
	time->time = event_time(record);
	time->nanoseconds = record->version;
}

void line_out_times(const struct line_time *time)
{
	struct event_time now = time->time;

	if (!options.absolute && !options.elapsed && !options.relative)
		return;
	if (!have_times) {
		have_times = true;
		first = now;
		previous = now;
	}
	if (options.absolute)
		out_time(time->nanoseconds, now);
	if (options.elapsed)
		out_time(time->nanoseconds, difference(now, first));
	if (options.relative) {
		if (is_before(now, previous)) {
			out_char('-');
			out_time(time->nanoseconds, difference(previous, now));
		} else {
			out_time(time->nanoseconds, difference(now, previous));
		}
	}
	previous = now;
}

const char *line_label(unsigned int type)
{
	switch (type) {
	case KTR_SYSCALL:
		return "CALL";
	case KTR_SYSRET:
		return "RET ";
	case KTR_NAMEI:
		return "NAMI";
	case KTR_GENIO:
		return "GIO ";
	case KTR_PSIG:
		return "PSIG";
	case KTR_CSW:
		return "CSW ";
	case KTR_USER:
		return "USER";
	case KTR_STRUCT:
	case KTR_STRUCT_ARRAY:
		return "STRU";
	case KTR_SYSCTL:
		return "SCTL";
	case KTR_CAPFAIL:
		return "CAP ";
	case KTR_FAULT:
		return "PFLT";
	case KTR_FAULTEND:
		return "PRET";
	case KTR_ARGS:
		return "ARGS";
	case KTR_ENVS:
		return "ENVS";
	case KTR_EXTERR:
		return "EERR";
	}
	return NULL;
}

void line_begin(const struct event *event)
{
	const struct ktrace_record *record = event->record;
	const char *name = line_label(record->type);
	struct line_time time;

	process(record);
	line_time_of(record, &time);
	line_out_times(&time);
	if (options.cpu && record->version) {
		out_dec_padded(record->cpu, 3);
		out_char(' ');
	}
	if (name)
		out_str(name);
	else
		out_printf("UNKNOWN(%u)", record->type);
	out_str("  ");
	if (options.abi) {
		out_str(abi_letters(event->abi.flags));
		out_str("  ");
	}
}

void line_dropped(const struct ktrace_record *record)
{
	process(record);
	style_begin(STYLE_ERROR);
	out_str("Events dropped.");
	style_end();
	out_char('\n');
}

void line_reset(void)
{
	shown.valid = false;
	have_times = false;
}
