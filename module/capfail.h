/* SPDX-License-Identifier: GPL-2.0 */
/* capfail: capabilities that are lacking, and system calls that are refused. */
#ifndef KTRACE_CAPFAIL_H
#define KTRACE_CAPFAIL_H

struct ktrace_proc;
struct ktrace_refusal;

void ktrace_capfail(struct ktrace_proc *proc, const struct ktrace_refusal *refusal);

#endif /* KTRACE_CAPFAIL_H */
