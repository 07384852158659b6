/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Which format has which number now. */
#ifndef _KTRDUMP_FORMATS_H_
#define _KTRDUMP_FORMATS_H_

#include <stddef.h>
#include <stdint.h>

struct formats_slot {
	uint32_t id; /* 0: free */
	uint32_t index;
};

/* All zero: empty. */
struct formats {
	struct formats_slot *slots;
	size_t size; /* a power of two */
	size_t used;
};

/* formats_set - the format @id (not 0) is @index now */
void formats_set(struct formats *formats, uint32_t id, uint32_t index);

/* formats_get - the index of @id, or NO_FORMAT (stream.h) */
uint32_t formats_get(const struct formats *formats, uint32_t id);

void formats_free(struct formats *formats);

#endif /* _KTRDUMP_FORMATS_H_ */
