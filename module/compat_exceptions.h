/* SPDX-License-Identifier: GPL-2.0 */
/* compat_exceptions: the tracepoint page_fault_user, which arm64 does not have. */
#ifndef KTRACE_COMPAT_EXCEPTIONS_H
#define KTRACE_COMPAT_EXCEPTIONS_H

/* 6.16 (x86/tracing, x86/mm: Move page fault tracepoints to generic). */
#if __has_include(<trace/events/exceptions.h>)
#include <trace/events/exceptions.h>
#elif defined(CONFIG_X86)
#include <asm/trace/exceptions.h>
#endif

#endif /* KTRACE_COMPAT_EXCEPTIONS_H */
