// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "line.h"

#include <stddef.h>
#include <string.h>
#include <sys/ktrace.h>

#include "decode/out.h"
#include "decode/style.h"
#include "options.h"

#define COMM_WIDTH    8
#define NSEC_PER_SEC  1000000000L
#define NSEC_PER_USEC 1000

struct time {
	int64_t sec;
	int64_t nsec;
};

static bool have_times;
static struct time first, previous; /* of what was printed */

static void number(int64_t value, unsigned int width)
{
	char digits[24];
	unsigned int len = 0;
	uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;

	do {
		digits[len++] = '0' + magnitude % 10;
		magnitude /= 10;
	} while (magnitude);
	if (value < 0)
		digits[len++] = '-';
	for (; width > len; width--)
		out_char(' ');
	while (len)
		out_char(digits[--len]);
}

static void process(const struct ktrace_record *record)
{
	style_begin(STYLE_PROCESS);
	number(record->pid, 6);
	out_char(' ');
	if (options.tid) {
		number(record->tid > 0 ? record->tid : 0, 6);
		out_char(' ');
	}
	out_text_padded(record->comm, strlen(record->comm), COMM_WIDTH);
	style_end();
	out_char(' ');
}

/* sec.frac, in the header's own precision */
static void out_time(const struct ktrace_record *record, struct time t)
{
	out_dec(t.sec);
	if (record->version)
		out_printf(".%09ld ", (long)t.nsec);
	else
		out_printf(".%06ld ", (long)(t.nsec / NSEC_PER_USEC));
}

/* Not the file's own numbers: they may be anything. */
static struct time difference(struct time a, struct time b)
{
	struct time t = {
		.sec = (int64_t)((uint64_t)a.sec - (uint64_t)b.sec),
		.nsec = a.nsec - b.nsec,
	};

	if (t.nsec < 0) {
		t.sec = (int64_t)((uint64_t)t.sec - 1);
		t.nsec += NSEC_PER_SEC;
	}
	return t;
}

static bool is_before(struct time a, struct time b)
{
	return a.sec < b.sec || (a.sec == b.sec && a.nsec < b.nsec);
}

static struct time time_of(const struct ktrace_record *record)
{
	struct time t = { .sec = record->sec };

	if (record->version)
		t.nsec = record->frac % NSEC_PER_SEC;
	else
		t.nsec = record->frac % (NSEC_PER_SEC / NSEC_PER_USEC) * NSEC_PER_USEC;
	return t;
}

static void times(const struct ktrace_record *record)
{
	struct time now = time_of(record);

	if (!have_times) {
		have_times = true;
		first = now;
		previous = now;
	}
	if (options.absolute)
		out_time(record, now);
	if (options.elapsed)
		out_time(record, difference(now, first));
	if (options.relative) {
		if (is_before(now, previous)) {
			out_char('-');
			out_time(record, difference(previous, now));
		} else {
			out_time(record, difference(now, previous));
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

	process(record);
	if (options.absolute || options.elapsed || options.relative)
		times(record);
	if (options.cpu && record->version) {
		number(record->cpu, 3);
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
	have_times = false;
}
