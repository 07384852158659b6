/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The memory of a machine, by physical address: an ELF core that kexec, QEMU's
 * dump-guest-memory or makedumpfile -E left, or /proc/kcore.
 */
#ifndef _KTRDUMP_IMAGE_H_
#define _KTRDUMP_IMAGE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of memory that is in the file. */
struct image_part {
	uint64_t phys;
	uint64_t len;
	uint64_t offset; /* in the file */
};

struct image {
	const char *path;
	int fd;
	bool is_live; /* of this machine, which goes on */
	struct image_part *parts; /* by physical address; they do not overlap */
	size_t count;
	struct image_part *zeros; /* the same of memory that was left out as it is all zero */
	size_t zeros_count;
	uint64_t total; /* of the lengths of parts */
};

/* image_open - or print what the file is instead, and exit */
void image_open(struct image *image, const char *path);

void image_close(struct image *image);

/* image_read - @len bytes at @phys; false when some of them are not in the file */
bool image_read(const struct image *image, uint64_t phys, void *p, size_t len);

#endif /* _KTRDUMP_IMAGE_H_ */
