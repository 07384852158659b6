/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A record, and what those before it tell about it: whose ABI holds, and
 * which call it belongs to.
 *
 * A PROCCTOR record tells the ABI, at the beginning and at exec.  A 64-bit
 * Linux process may also make 32-bit calls (int $0x80): such a call is enclosed
 * in two PROCCTOR records, which are about that thread only.  The ABI of a RET
 * is that of its CALL: a successful execve returns under the new one.
 *
 * What is remembered is bounded, whatever the file says.
 */
#ifndef _DECODE_EVENT_H_
#define _DECODE_EVENT_H_

#include "decode/abi.h"
#include "decode/args.h"
#include "reader/ktrace_reader.h"

struct event {
	const struct ktrace_record *record;
	struct abi abi;
	int64_t time; /* nanoseconds since 1970; what is beyond their range is at its end */
	/*
	 * The call that the thread is in: at the CALL, at its RET, and at all
	 * of the thread's records between.  NULL: in none that was seen.
	 * Valid until the next event_track().
	 */
	const struct call *call;
	bool hidden; /* a filter does not let it through; event_track() says false */
};

/* Since 1970. */
struct event_time {
	int64_t sec;
	int64_t nsec; /* 0 to 999999999 */
};

/*
 * event_time - the time of a record, all of its seconds; of a fraction that is none
 * (hostile files) what is over a second is left out
 */
struct event_time event_time(const struct ktrace_record *record);

/* event_reset - forget all records: the next one is the first of a file */
void event_reset(void);

/* event_track - take a record into account; @event is about it, and as long valid */
void event_track(const struct ktrace_record *record, struct event *event);

/*
 * event_time_between - the nanoseconds from one event's time to another's
 *
 * Returns false when there is no telling: one of them is beyond the range of
 * times, or so is the difference.
 */
bool event_time_between(int64_t from, int64_t to, int64_t *ns);

/*
 * event_duration - how long did the call take that this RET ends?
 *
 * Returns false when its CALL was not seen, there is no telling, or the record
 * is no RET.  The clock may have been set between them: then @ns is negative.
 */
bool event_duration(const struct event *event, int64_t *ns);

/* call_never_returns - does the thread or process end by it? */
bool call_never_returns(const struct call *call);

/* call_is_exec - does it execute a program? */
bool call_is_exec(const struct call *call);

#endif /* _DECODE_EVENT_H_ */
