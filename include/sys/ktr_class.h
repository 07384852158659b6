/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Classes of kernel events, as in FreeBSD 13 to 15's <sys/ktr_class.h>: bits
 * of debug.ktr.mask.
 *
 * KTR_DEV and KTR_SUBSYS are for a driver or subsystem to name its own events
 * after, or to define as 0.
 */
#ifndef _SYS_KTR_CLASS_H_
#define _SYS_KTR_CLASS_H_

#define KTR_GEN	    0x00000001 /* general */
#define KTR_NET	    0x00000002 /* network devices */
#define KTR_DEV	    0x00000004 /* device drivers */
#define KTR_LOCK    0x00000008 /* locks */
#define KTR_SMP	    0x00000010 /* several CPUs */
#define KTR_SUBSYS  0x00000020 /* a subsystem */
#define KTR_PMAP    0x00000040 /* page tables */
#define KTR_MALLOC  0x00000080 /* kmalloc */
#define KTR_TRAP    0x00000100 /* page faults and exceptions */
#define KTR_INTR    0x00000200 /* interrupts */
#define KTR_SIG	    0x00000400 /* signals */
#define KTR_SPARE2  0x00000800
#define KTR_PROC    0x00001000 /* processes */
#define KTR_SYSC    0x00002000 /* system calls */
#define KTR_INIT    0x00004000 /* modules */
#define KTR_SPARE3  0x00008000
#define KTR_SPARE4  0x00010000
#define KTR_EVH	    0x00020000 /* event handlers */
#define KTR_VFS	    0x00040000 /* file systems */
#define KTR_VOP	    0x00080000 /* operations of file systems */
#define KTR_VM	    0x00100000 /* memory */
#define KTR_INET    0x00200000 /* IPv4 */
#define KTR_RUNQ    0x00400000 /* run queues */
#define KTR_SPARE5  0x00800000
#define KTR_UMA	    0x01000000 /* caches of the slab allocator */
#define KTR_CALLOUT 0x02000000 /* timers */
#define KTR_GEOM    0x04000000 /* block requests */
#define KTR_BUSDMA  0x08000000 /* DMA */
#define KTR_INET6   0x10000000 /* IPv6 */
#define KTR_SCHED   0x20000000 /* the scheduler, for schedgraph */
#define KTR_BUF	    0x40000000 /* buffers and the page cache */
#define KTR_PTRACE  0x80000000 /* ptrace */
#define KTR_ALL	    0xffffffff

/*
 * Classes that a file's macros are compiled for.  FreeBSD's kernel option KTR
 * turns them all on; here they are on unless a file (or its Kbuild) defines
 * KTR_COMPILE before it includes <sys/ktr.h>.
 */
#ifndef KTR_COMPILE
#define KTR_COMPILE KTR_ALL
#endif

#endif /* _SYS_KTR_CLASS_H_ */
