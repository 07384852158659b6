/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The fuzzer's parts: main.c makes sequences of operations and runs each in a process of its own, coverage.c keeps those
 * that reached something new, device.c and calls.c have the operations, memory.c their pointers.
 *
 * An operation is a number of 64 bits: it begins a generator of random numbers, from which all that the operation does is
 * drawn. So a sequence is a list of such numbers, and the same list does the same.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define OPS_MOST 24

/**
 * struct sequence - what one process does
 * @nr: operations
 * @op: each one's number
 */
struct sequence {
	uint32_t nr;
	uint64_t op[OPS_MOST];
};

/* Of a process that runs a sequence. */
#define FDS	8
#define HELPERS 4

extern int fuzz_fds[FDS]; /* of the devices, trace files and others; -1: none */
extern pid_t fuzz_helpers[HELPERS]; /* children that sleep; 0: none */
extern bool fuzz_root; /* it may become another user */

/* Random numbers (memory.c). */
uint64_t rng_next(uint64_t *state);

static inline uint32_t below(uint64_t *state, uint32_t n)
{
	return (uint32_t)(rng_next(state) >> 33) % n;
}

static inline bool one_in(uint64_t *state, uint32_t n)
{
	return !below(state, n);
}

/* memory.c */
void memory_init(void);
void *memory_pointer(uint64_t *rng, size_t len);
void *memory_good(uint64_t *rng, size_t len);
const char *memory_path(uint64_t *rng);
void memory_put(void *to, const void *from, size_t len);
uint64_t memory_word(uint64_t *rng);

/* device.c: what is asked of the devices and settings. */
void device_op(uint64_t *rng);
void device_reset(void);

/* calls.c: what a traced process does. */
void calls_op(uint64_t *rng);
void calls_leaf(void);

/* coverage.c */
void coverage_init(void);
void coverage_begin(void);
size_t coverage_new(void);
size_t coverage_all(void);
bool coverage_there(void);

#endif /* FUZZ_H */
