/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What an input of the fuzzers looks like: CONTROL_SIZE bytes that say how it
 * is read and printed, then a trace file.
 *
 * records.c has LLVMFuzzerCustomMutator() and LLVMFuzzerCustomCrossOver(),
 * which change trace files record by record, so that most of them are still
 * trace files.
 */
#ifndef _FUZZ_RECORDS_H_
#define _FUZZ_RECORDS_H_

#include <stddef.h>
#include <stdint.h>

#define CONTROL_SIZE 8

/* Bytes of the control part. */
enum control {
	CONTROL_FLAGS, /* two bytes: single-letter options */
	CONTROL_MAX_DATA = 2, /* -m */
	CONTROL_POINTS, /* -t */
	CONTROL_PID, /* -p */
	CONTROL_CHUNK, /* bytes that a read(2) returns */
	CONTROL_WIDTH, /* of the terminal */
	CONTROL_FILTER, /* -e */
};

/* The most bytes that a read(2) shall return. */
size_t control_chunk(const uint8_t *control);

#endif /* _FUZZ_RECORDS_H_ */
