/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Which processes of a trace live, of those that -p asks for?  A process is
 * seen by any of its records, and ends with KTR_PROCDTOR.
 */
#ifndef _KDUMP_LIVING_H_
#define _KDUMP_LIVING_H_

#include <stdbool.h>

#include "reader/ktrace_reader.h"

/* living_reset - forget all */
void living_reset(void);

/* living_track - take a record into account */
void living_track(const struct ktrace_record *record);

/* living_seen - has there been any process? */
bool living_seen(void);

/* living_left - is there one that has not ended? */
bool living_left(void);

/* living_take - one that has not ended, which is forgotten; false: there is none */
bool living_take(int32_t *pid);

#endif /* _KDUMP_LIVING_H_ */
