/* SPDX-License-Identifier: GPL-2.0 */
/*
 * message: an event as text, where nothing may be allocated or trusted.
 *
 * Not the kernel's vsnprintf(): that follows pointers for some conversions, and
 * the format need not fit the parameters.
 */
#ifndef KTR_MESSAGE_H
#define KTR_MESSAGE_H

#include <linux/types.h>

#include "ktr_format.h"
#include "pool.h"

/* Room for a line with all that may be in it; longer ones are cut. */
#define KTR_MESSAGE_SIZE 768

/* What a line has besides CPU and message. */
#define KTR_WITH_TIME  0x1
#define KTR_WITH_PLACE 0x2

u32 ktr_message(const char *format, const struct ktr_slot *slot, char *to, u32 size);
u32 ktr_message_line(const struct ktr_pool *pool, const struct ktr_slot *slot, u32 with, char *to,
		     u32 size);

#endif /* KTR_MESSAGE_H */
