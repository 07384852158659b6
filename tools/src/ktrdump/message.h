/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * An event's text: its format, with its parameters put in as FreeBSD's kernel
 * does it.  The format comes from a file, so this is not the C library's printf.
 */
#ifndef _KTRDUMP_MESSAGE_H_
#define _KTRDUMP_MESSAGE_H_

#include "stream.h"

/*
 * message_out - the text, one line without its newline (out.h)
 *
 * d i u x X o c p s b %, with flags, width, precision, "*" and sizes.  %s is
 * the string that was recorded with the event; one that was longer ends with
 * "...".  As in FreeBSD's kernel, what is no conversion is shown as it stands,
 * and so is the rest of the format: parameters would not fit any more.  A format
 * that was cut ends with "...", too.
 */
void message_out(const struct event *event);

#endif /* _KTRDUMP_MESSAGE_H_ */
