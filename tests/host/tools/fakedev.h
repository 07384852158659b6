/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef _FAKEDEV_H_
#define _FAKEDEV_H_

#include <stdbool.h>

/* How often the device was opened so far. */
int fakedev_opens(void);

/* What to call when the device is opened the next time, before it is. */
void fakedev_at_next_open(void (*call)(void));

/* Is @fd open on the device? */
bool fakedev_is(int fd);

#endif /* _FAKEDEV_H_ */
