/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What an input of ktrdump's fuzzer looks like: a control byte, then a stream
 * or an image of memory.
 *
 * chunks.c has LLVMFuzzerCustomMutator(), which changes streams chunk by chunk,
 * so that most of them are still streams.
 */
#ifndef _FUZZ_CHUNKS_H_
#define _FUZZ_CHUNKS_H_

#define CHUNKS_CONTROL 1 /* bytes */

/* Bits of the control byte; below them those of options. */
#define CHUNKS_CORE_BIT 6 /* it is memory */
#define CHUNKS_LIVE_BIT 7 /* ... of this machine */

#endif /* _FUZZ_CHUNKS_H_ */
