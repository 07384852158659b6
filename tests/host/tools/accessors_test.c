// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reads a trace file through the library: a line per record, with all that the accessor functions say of it. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ktrace.h>

#include <ktrace_reader.h>

static void show_time(const char *name, struct ktrace_timespec t)
{
	printf(" %s %lld.%lld", name, (long long)t.sec, (long long)t.nsec);
}

static void show_stat(const struct ktrace_stat *st)
{
	printf(" dev %llu ino %llu nlink %llu mode %o uid %u gid %u rdev %llu",
	       (unsigned long long)st->dev, (unsigned long long)st->ino,
	       (unsigned long long)st->nlink, st->mode, st->uid, st->gid,
	       (unsigned long long)st->rdev);
	show_time("atim", st->atim);
	show_time("mtim", st->mtim);
	show_time("ctim", st->ctim);
	show_time("birthtim", st->birthtim);
	printf(" size %lld blocks %lld blksize %u flags %u gen %llu", (long long)st->size,
	       (long long)st->blocks, st->blksize, st->flags, (unsigned long long)st->gen);
}

static void show_struct(const struct ktrace_record *record)
{
	struct ktrace_record_struct s;
	struct ktrace_itimerval it;
	struct ktrace_timespec ts;
	struct ktrace_stat st;

	ktrace_record_get_struct(record, &s);
	if (!s.name) {
		printf(" no name");
		return;
	}
	printf(" %s %zu", s.name, s.len);
	if (record->type == KTR_STRUCT_ARRAY) {
		printf(" size %llu elements %zu", (unsigned long long)s.size,
		       ktrace_record_elements(&s));
	} else if (strcmp(s.name, "stat") == 0) {
		if (ktrace_record_get_stat(&s, &st))
			show_stat(&st);
		else
			printf(" invalid");
	} else if (strcmp(s.name, "itimerval") == 0) {
		if (ktrace_record_get_itimerval(&s, &it))
			printf(" %lld %lld %lld %lld", (long long)it.interval_sec,
			       (long long)it.interval_usec, (long long)it.value_sec,
			       (long long)it.value_usec);
		else
			printf(" invalid");
	} else if (strcmp(s.name, "timespec") == 0) {
		if (ktrace_record_get_timespec(&s, &ts))
			show_time("time", ts);
		else
			printf(" invalid");
	}
}

static void show_strings(const struct ktrace_record *record)
{
	const char *string;
	size_t at = 0, len;

	while ((string = ktrace_record_next_string(record, &at, &len)) != NULL)
		printf(" <%.*s>", (int)len, string);
	/* It stays at the end. */
	if (ktrace_record_next_string(record, &at, &len))
		printf(" and more");
}

static void show(const struct ktrace_record *record)
{
	struct ktrace_record_capfail cap;
	struct ktrace_record_fault fault;
	struct ktrace_record_csw csw;

	switch (record->type) {
	case KTR_NAMEI:
	case KTR_SYSCTL:
		printf(" <%.*s>", (int)ktrace_record_text_len(record), (const char *)record->data);
		break;
	case KTR_CSW:
		ktrace_record_get_csw(record, &csw);
		printf(" out %d user %d wmesg %d <%s>", csw.out, csw.user, csw.has_wmesg,
		       csw.wmesg);
		break;
	case KTR_STRUCT:
	case KTR_STRUCT_ARRAY:
		show_struct(record);
		break;
	case KTR_CAPFAIL:
		ktrace_record_get_capfail(record, &cap);
		printf(" type %d code %d svflags %x needed %llx %llx held %llx %llx size %zu",
		       cap.type, cap.code, cap.svflags, (unsigned long long)cap.needed[0],
		       (unsigned long long)cap.needed[1], (unsigned long long)cap.held[0],
		       (unsigned long long)cap.held[1], cap.size);
		break;
	case KTR_FAULT:
		ktrace_record_get_fault(record, &fault);
		printf(" vaddr %llx type %d", (unsigned long long)fault.vaddr, fault.type);
		break;
	case KTR_FAULTEND:
		printf(" result %d", ktrace_record_faultend(record));
		break;
	case KTR_ARGS:
	case KTR_ENVS:
		show_strings(record);
		break;
	}
}

int main(int argc, char **argv)
{
	struct ktrace_reader *reader;
	struct ktrace_record record;
	int fd, ret;

	fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
	reader = ktrace_reader_new(fd, NULL, NULL);
	if (fd < 0 || !reader)
		return 2;
	while ((ret = ktrace_reader_next(reader, &record)) > 0) {
		printf("%u", record.type);
		show(&record);
		printf("\n");
	}
	if (ret < 0)
		printf("%s\n", ktrace_reader_error(reader));
	ktrace_reader_free(reader);
	return ret < 0;
}
