// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Snapshots, one after the other.  An event of the next one is new if the one
 * before did not have it: times alone do not tell, as an event that was begun
 * earlier may be written later.
 */
#include "live.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decode/out.h"
#include "input.h"
#include "stream.h"
#include "text.h"

#define INTERVAL_US 50000

struct snapshot {
	struct input input;
	struct stream stream;
};

static void take(struct snapshot *snapshot)
{
	const char *problem;

	input_device(&snapshot->input);
	problem = stream_parse(&snapshot->stream, snapshot->input.data, snapshot->input.len);
	if (problem)
		die("/dev/ktr: %s", problem);
}

static void drop(struct snapshot *snapshot)
{
	stream_free(&snapshot->stream);
	input_free(&snapshot->input);
}

static void read_fixed(const struct stream *stream, const struct event_ref *ref,
		       struct ktr_chunk_event *fixed)
{
	memcpy(fixed, stream->data + ref->offset, sizeof(*fixed));
}

/* Was it there before? @at: how many of @before are older; of one time there are few. */
static bool was_there(const struct stream *before, size_t *at, uint64_t time,
		      const struct ktr_chunk_event *event)
{
	struct ktr_chunk_event other;
	size_t i;

	while (*at < before->events_count && before->events[*at].time < time)
		(*at)++;
	for (i = *at; i < before->events_count && before->events[i].time == time; i++) {
		read_fixed(before, &before->events[i], &other);
		if (memcmp(&other, event, sizeof(other)) == 0)
			return true;
	}
	return false;
}

/* How many events of a CPU a snapshot has, and how many of them the one before had. */
struct tally {
	size_t count;
	size_t known;
	bool was_used;
};

/* A ring all of whose events are new has gone round: some in between were not seen. */
static void warn_of_overruns(struct tally *tallies, uint32_t cpus, uint32_t entries)
{
	uint32_t cpu;

	for (cpu = 0; cpu < cpus; cpu++) {
		struct tally *tally = &tallies[cpu];

		if (tally->was_used && !tally->known && tally->count >= entries)
			warn("CPU %u was too fast: enlarge debug.ktr.entries, some events were not seen",
			     cpu);
		*tally = (struct tally){ .was_used = tally->count != 0 };
	}
}

struct live {
	struct snapshot before;
	struct tally *tallies; /* by CPU */
	uint32_t cpus;
	uint64_t index; /* of the next line */
	uint64_t lost;
};

/* @first: those before are too old. */
static void show_new(struct live *live, const struct stream *stream, size_t first)
{
	size_t at = 0, i;

	for (i = 0; i < stream->events_count; i++) {
		struct event event;
		bool known;

		stream_event(stream, &stream->events[i], &event);
		known = was_there(&live->before.stream, &at, stream->events[i].time, &event.fixed);
		if (event.fixed.cpu >= 0 && (uint32_t)event.fixed.cpu < live->cpus) {
			live->tallies[event.fixed.cpu].count++;
			live->tallies[event.fixed.cpu].known += known;
		}
		if (!known && i >= first)
			text_event(live->index++, &event);
	}
	out_flush();
}

static struct snapshot now;

void live_begin(void)
{
	take(&now);
}

void live_run(void)
{
	struct live live = { .tallies = NULL };

	for (;;) {
		const struct ktr_stream_header *header = &now.stream.header;
		bool is_first = !live.before.stream.data;
		size_t first = 0;

		if (is_first) {
			live.cpus = header->cpus;
			live.tallies = calloc(live.cpus, sizeof(*live.tallies));
			if (!live.tallies)
				die("out of memory");
			if (now.stream.events_count > header->entries)
				first = now.stream.events_count - header->entries;
		}
		show_new(&live, &now.stream, first);
		warn_of_overruns(live.tallies, live.cpus, header->entries);
		if (now.stream.lost > live.lost)
			warn("events were lost: %llu",
			     (unsigned long long)(now.stream.lost - live.lost));
		live.lost = now.stream.lost;
		drop(&live.before);
		live.before = now;
		usleep(INTERVAL_US);
		take(&now);
	}
}
