/* SPDX-License-Identifier: GPL-2.0 */
/* compat_pure: headers that older kernels have elsewhere, for the pure parts, too. */
#ifndef KTRACE_COMPAT_PURE_H
#define KTRACE_COMPAT_PURE_H

/* 6.12 (move asm/unaligned.h to linux/unaligned.h). */
#if __has_include(<linux/unaligned.h>)
#include <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif

/* 5.11 (linux/kernel.h: split out ALIGN() and the like), 6.7 (... ARRAY_SIZE()), backported. */
#if __has_include(<linux/align.h>)
#include <linux/align.h>
#else
#include <linux/kernel.h>
#endif
#if __has_include(<linux/array_size.h>)
#include <linux/array_size.h>
#else
#include <linux/kernel.h>
#endif

#endif /* KTRACE_COMPAT_PURE_H */
