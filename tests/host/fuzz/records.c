// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Mutations that know records.
 */
#include "records.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ktrace.h>

#define HEADER	    56
#define HEADER_V1   64
#define MAX_RECORDS 256
#define MAX_PAYLOAD 4096
#define COUNT(a)    (sizeof(a) / sizeof((a)[0]))

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2,
				 size_t size2, uint8_t *out, size_t max_out_size,
				 unsigned int seed);

static const int64_t numbers[] = {
	0,	  1,	      2,	3,	   7,	      8,       -1,
	127,	  255,	      4096,	0x7fff,	   0xffff,    -100,    0x7fffffff,
	1L << 31, 0xffffffff, 1L << 32, INT64_MIN, INT64_MAX, 0x80000, 0x7ffd00001000,
};

static const uint32_t sv_flags[] = {
	0x203, 0x4103, 0x103, 0x40000203, 0x209, 0x4109, 0, 0xffffffff
};

/* Structures by name, and how long they are. */
static const struct {
	const char *name;
	unsigned int size;
} structs[] = {
	{ "sockaddr", 16 },	{ "sockaddr", 28 },	{ "sockaddr", 110 },
	{ "sockaddr", 12 },	{ "stat", 224 },	{ "stat", 120 },
	{ "stat", 96 },		{ "itimerval", 32 },	{ "timespec", 16 },
	{ "l_sigset_t", 8 },	{ "l_rlimit", 16 },	{ "l_sigaction", 32 },
	{ "l_timex", 208 },	{ "l_utsname", 390 },	{ "l_sched_param", 4 },
	{ "l_sched_attr", 56 }, { "l_cap_data", 24 },	{ "l_clone_args", 88 },
	{ "l_open_how", 24 },	{ "cap_rights_t", 16 },
};

static const struct {
	const char *name;
	unsigned int size;
} arrays[] = {
	{ "pollfd", 8 },
	{ "l_epoll_event", 12 },
	{ "l_iovec", 16 },
	{ "kevent", 64 },
	{ "kevent_freebsd11", 32 },
	{ "kevent32", 56 },
	{ "kevent32_freebsd11", 20 },
};

/* Texts that readers have to take care of. */
static const char *const texts[] = {
	"/etc/passwd",	 "\033[2J",	 "\302\233m",	     "\377\376", "a\"b\\c\n",  "</script>",
	"\342\200\256x", "\355\240\200", "\360\237\230\200", "%s%n",	 "socket:[1]", "",
	"kern.ostype",
};

static uint64_t state;

static unsigned int below(unsigned int n)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return n ? (state >> 33) % n : 0;
}

size_t control_chunk(const uint8_t *control)
{
	static const size_t chunks[] = { SIZE_MAX, 4096, 57, 7, 1 };

	return chunks[control[CONTROL_CHUNK] % COUNT(chunks)];
}

/* Little-endian numbers at any address. */
static uint32_t get(const uint8_t *p, size_t size)
{
	uint32_t value = 0;

	memcpy(&value, p, size);
	return value;
}

static void put(uint8_t *p, uint64_t value, size_t size)
{
	memcpy(p, &value, size);
}

/* The size of the record at @p with its header; 0 if it is none. */
static size_t record_size(const uint8_t *p, size_t len)
{
	size_t size;

	if (len < HEADER)
		return 0;
	size = get(p + 4, 2) & KTR_VERSIONED ? HEADER_V1 : HEADER;
	size += get(p, 4) & 0xffffff;
	return size > len || get(p, 4) > 0xffffff ? 0 : size;
}

struct file {
	size_t start[MAX_RECORDS + 1]; /* of each record; the last one: where they end */
	unsigned int count;
};

static void parse(struct file *file, const uint8_t *data, size_t size)
{
	size_t at = CONTROL_SIZE, len;

	file->count = 0;
	file->start[0] = at;
	while (file->count < MAX_RECORDS && (len = record_size(data + at, size - at)) > 0) {
		at += len;
		file->start[++file->count] = at;
	}
}

static size_t add_text(uint8_t *p)
{
	const char *text = texts[below(COUNT(texts))];

	memcpy(p, text, strlen(text));
	return strlen(text);
}

static void add_numbers(uint8_t *p, size_t count)
{
	for (; count; count--, p += 8)
		put(p, numbers[below(COUNT(numbers))], 8);
}

/* Zeros, with a few numbers in them: most decoders take that for something. */
static void add_sparse(uint8_t *p, size_t size)
{
	unsigned int i;

	memset(p, 0, size);
	for (i = below(5); i && size >= 8; i--)
		put(p + below(size - 7), numbers[below(COUNT(numbers))], 8);
}

static size_t make_struct(uint8_t *p)
{
	unsigned int i = below(COUNT(structs));
	size_t len = strlen(structs[i].name) + 1;

	memcpy(p, structs[i].name, len);
	add_sparse(p + len, structs[i].size);
	if (strcmp(structs[i].name, "sockaddr") == 0) {
		static const uint8_t families[] = { 1, 2, 28, 38, 145, 168, 0 };

		p[len] = structs[i].size;
		p[len + 1] = families[below(COUNT(families))];
	}
	return len + structs[i].size;
}

static size_t make_array(uint8_t *p)
{
	unsigned int i = below(COUNT(arrays));
	size_t len = strlen(arrays[i].name) + 1, size = arrays[i].size * below(4);

	put(p, below(10) ? arrays[i].size : (uint64_t)numbers[below(COUNT(numbers))], 8);
	memcpy(p + 8, arrays[i].name, len);
	add_sparse(p + 8 + len, size);
	return 8 + len + size;
}

static size_t make_call(uint8_t *p)
{
	unsigned int narg = below(8);

	put(p, below(20) ? below(460) : below(0x10000), 2);
	put(p + 2, narg, 2);
	put(p + 4, 0, 4);
	add_numbers(p + 8, narg);
	return 8 + 8 * narg;
}

static size_t make_return(uint8_t *p)
{
	put(p, below(460), 4);
	put(p + 4, below(2) ? 0 : below(110) - 3, 4);
	add_numbers(p + 8, 1);
	return 16;
}

static size_t make_strings(uint8_t *p)
{
	size_t len = 0;
	unsigned int i;

	for (i = below(4); i; i--) {
		len += add_text(p + len);
		p[len++] = '\0';
	}
	return len;
}

/* @p has room for MAX_PAYLOAD bytes. */
static size_t make_payload(uint8_t *p, unsigned int type)
{
	static const struct {
		unsigned char type, size;
	} sizes[] = {
		{ KTR_PSIG, 40 },    { KTR_CSW, 16 },  { KTR_CAPFAIL, 40 }, { KTR_FAULT, 16 },
		{ KTR_FAULTEND, 4 }, { KTR_USER, 24 }, { KTR_EXTERR, 200 },
	};
	unsigned int i;

	switch (type) {
	case KTR_SYSCALL:
		return make_call(p);
	case KTR_SYSRET:
		return make_return(p);
	case KTR_NAMEI:
	case KTR_SYSCTL:
		return add_text(p);
	case KTR_GENIO:
		put(p, below(5), 4);
		put(p + 4, below(2), 4);
		return 8 + add_text(p + 8);
	case KTR_STRUCT:
		return make_struct(p);
	case KTR_STRUCT_ARRAY:
		return make_array(p);
	case KTR_PROCCTOR:
		put(p, sv_flags[below(COUNT(sv_flags))], 4);
		return 4;
	case KTR_ARGS:
	case KTR_ENVS:
		return make_strings(p);
	}
	for (i = 0; i < COUNT(sizes); i++) {
		if (sizes[i].type == type) {
			add_sparse(p, sizes[i].size);
			return sizes[i].size;
		}
	}
	return 0;
}

static void change_process(uint8_t *header)
{
	unsigned int pid = 700 + below(4);

	put(header + 8, pid, 4);
	put(header + 48, pid + (below(3) ? 0 : 100), 8);
}

/* A whole record; returns its size. */
static size_t make_record(uint8_t *p)
{
	unsigned int type = 1 + below(KTR_EXTERR), v1 = below(2) ? KTR_VERSIONED : 0;
	size_t header = v1 ? HEADER_V1 : HEADER, len;

	memset(p, 0, header);
	put(p + 4, type | v1 | (below(10) ? 0 : KTR_DROP), 2);
	put(p + 6, v1 ? KTR_VERSION1 : 0, 2);
	change_process(p);
	memcpy(p + 12, "prog", 4);
	put(p + 32, 1700000000, 8);
	put(p + 40, below(1000000), 8);
	len = make_payload(p + header, type);
	put(p, len, 4);
	return header + len;
}

/* Put @with in the place of data[at..at + old); returns the new size, the old one if there is no room. */
static size_t replace(uint8_t *data, size_t size, size_t max_size, size_t at, size_t old,
		      const uint8_t *with, size_t len)
{
	if (size - old + len > max_size)
		return size;
	memmove(data + at + len, data + at + old, size - at - old);
	memcpy(data + at, with, len);
	return size - old + len;
}

/* Let the fuzzer change a payload, and mend the length in its header. */
static size_t change_payload(uint8_t *data, size_t size, size_t max_size, size_t at, size_t len)
{
	static uint8_t copy[MAX_PAYLOAD];
	size_t header = get(data + at + 4, 2) & KTR_VERSIONED ? HEADER_V1 : HEADER;
	size_t old = len - header, new_len, new_size;

	if (old > sizeof(copy))
		return size;
	memcpy(copy, data + at + header, old);
	new_len = LLVMFuzzerMutate(copy, old, sizeof(copy));
	new_size = replace(data, size, max_size, at + header, old, copy, new_len);
	if (new_size == size - old + new_len)
		put(data + at, new_len, 4);
	return new_size;
}

/* A number of a CALL, or the code of a RET. */
static void change_number(uint8_t *data, size_t at, size_t len)
{
	unsigned int type = get(data + at + 4, 2);
	size_t header = type & KTR_VERSIONED ? HEADER_V1 : HEADER;
	uint8_t *p = data + at + header;

	type &= ~KTR_TYPE;
	len -= header;
	if (len < 8)
		return;
	if (type == KTR_SYSCALL && len >= 16 && below(3))
		add_numbers(p + 8 * (1 + below(len / 8 - 1)), 1);
	else if (type == KTR_SYSCALL || type == KTR_SYSRET)
		put(p, below(460), 2);
	else
		put(p + 4 * below(len / 4 - 1), numbers[below(COUNT(numbers))], 8);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	static uint8_t record[HEADER_V1 + MAX_PAYLOAD];
	struct file file;
	size_t at, len;

	state = seed;
	if (size < CONTROL_SIZE || max_size <= CONTROL_SIZE || below(20) == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	if (below(10) == 0) {
		data[below(CONTROL_SIZE)] = below(256);
		return size;
	}
	parse(&file, data, size);
	if (file.count == 0 || below(4) == 0) {
		at = file.start[below(file.count + 1)];
		len = make_record(record);
		return replace(data, size, max_size, at, 0, record, len);
	}
	at = file.start[below(file.count)];
	len = record_size(data + at, size - at);
	switch (below(6)) {
	case 0:
		if (len > sizeof(record))
			break;
		memcpy(record, data + at, len);
		return replace(data, size, max_size, file.start[below(file.count + 1)], 0, record,
			       len);
	case 1:
		return replace(data, size, max_size, at, len, record, 0);
	case 2:
		change_process(data + at);
		return size;
	case 3:
		change_number(data, at, len);
		return size;
	case 4:
		LLVMFuzzerMutate(data + at, HEADER, HEADER);
		return size;
	}
	return change_payload(data, size, max_size, at, len);
}

/* The first records of one, the last ones of the other. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2,
				 size_t size2, uint8_t *out, size_t max_out_size, unsigned int seed)
{
	struct file one, two;
	size_t first, second;

	state = seed;
	if (size1 < CONTROL_SIZE || size2 < CONTROL_SIZE)
		return 0;
	parse(&one, data1, size1);
	parse(&two, data2, size2);
	first = one.start[below(one.count + 1)];
	second = two.start[below(two.count + 1)];
	if (first > max_out_size)
		return 0;
	memcpy(out, data1, first);
	if (size2 - second > max_out_size - first)
		return first;
	memcpy(out + first, data2 + second, size2 - second);
	return first + size2 - second;
}
