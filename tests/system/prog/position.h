/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef POSITION_H
#define POSITION_H

/* A position is one argument, or two, of which arm's first has an even number. */
#if defined(__LP64__)
#define PNARG  4
#define POS(n) (n), 0
#elif defined(__arm__)
#define PNARG  6
#define POS(n) 0, (n), 0
#else
#define PNARG  5
#define POS(n) (n), 0
#endif

/* Those of preadv and pwritev are always two. */
#define VPOS(n) (n), 0

#endif /* POSITION_H */
