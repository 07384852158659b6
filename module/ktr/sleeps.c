// SPDX-License-Identifier: GPL-2.0
/* What a thread sleeps for: ktr.ko needs the same as ktrace.ko, and not ktrace.ko itself. */
#include "../wmesg.c"
#include "../wchan.c"
