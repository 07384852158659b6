// SPDX-License-Identifier: GPL-2.0
/*
 * observe PID: counts the system calls of the process and of all that it forks from now on. Says "ready"; at the end of
 * its input it prints "BITS NUMBER COUNT" for each call that was made, and exits.
 */
#include <linux/types.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "count.h"
#include "count.skel.h"

static int fail(const char *what)
{
	perror(what);
	return 1;
}

int main(int argc, char **argv)
{
	struct call call, *before = NULL;
	struct count_bpf *skel;
	__u32 pid, yes = 1;
	__u64 n;
	char c;

	if (argc != 2)
		return 2;
	pid = atoi(argv[1]);
	skel = count_bpf__open_and_load();
	if (!skel)
		return fail("observe: load");
	if (bpf_map_update_elem(bpf_map__fd(skel->maps.observed), &pid, &yes, BPF_ANY))
		return fail("observe: map");
	if (count_bpf__attach(skel))
		return fail("observe: attach");
	puts("ready");
	fflush(stdout);
	while (read(STDIN_FILENO, &c, 1) > 0)
		;
	count_bpf__detach(skel);
	while (!bpf_map_get_next_key(bpf_map__fd(skel->maps.counts), before, &call)) {
		if (bpf_map_lookup_elem(bpf_map__fd(skel->maps.counts), &call, &n))
			return fail("observe: count");
		printf("%d %d %llu\n", call.compat ? 32 : 64, call.number, n);
		before = &call;
	}
	if (skel->bss->failures) {
		fprintf(stderr, "observe: %llu failures\n", skel->bss->failures);
		return 1;
	}
	return 0;
}
