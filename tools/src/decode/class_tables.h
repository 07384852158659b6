/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What scripts/gen-decode makes of scripts/data/classes.tbl. */
#ifndef _DECODE_CLASS_TABLES_H_
#define _DECODE_CLASS_TABLES_H_

#include <stdint.h>

#include "decode/abi.h"

/* Masks of classes, by number; what is beyond is in none. */
struct class_table {
	const uint8_t *masks;
	int count;
};

extern const struct class_table class_tables[ABI_TABLES];

/* The bit of a class; several names may stand for one. */
struct class_name {
	const char *name;
	uint8_t bit;
};

/* The last one's name is NULL. */
extern const struct class_name class_names[];

#endif /* _DECODE_CLASS_TABLES_H_ */
