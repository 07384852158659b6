// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "help.h"

const char ktruss_usage[] =
	"usage: ktruss [-cDdfqT] [--bpf] [-e expr] [-o file] [-s size] [-t trstr] command [args]\n"
	"       ktruss [-cDdfqT] [--bpf] [-e expr] [-o file] [-s size] [-t trstr] -p pid ...\n";

const char ktruss_help[] =
	"\n"
	"Prints the system calls of a command or process as they are made. The program\n"
	"is not stopped. Ctrl-C ends the trace, and the process of -p goes on.\n"
	"\n"
	"  -p pid         this process; may be given several times\n"
	"  -f             children that are made from now on, too\n"
	"  -o file        print to this file (standard error)\n"
	"  -t trstr       what to trace, letters as in ktrace(1) (+a)\n"
	"  -e expr        only what it selects: openat,close  %file  errno=ENOENT\n"
	"                 slower=10ms  path=/etc  and others, as in kdump(1)\n"
	"  --failed       only calls that failed\n"
	"  --ok           only calls that did not\n"
	"  -s size        so many bytes of data at most (32); 0: all\n"
	"  -d             the time since the first line, in seconds\n"
	"  -D             the time since the line before\n"
	"  -T             the time of day\n"
	"  --duration     after each result, how long the call took\n"
	"  --fds          what is behind descriptors: 3</etc/passwd>\n"
	"  --color        in colours; --color=auto (the default: on a terminal), never\n"
	"  -q             nothing about processes that are attached to, or end\n"
	"  -c             count calls instead, and print a table at the end\n"
	"  --summary      the same; --summary=process: a row for each process\n"
	"  --sort key     ... by time, calls, errors, mean, max, p99 or name\n"
	"  --bpf          with BPF, without the module: root only\n"
	"  --help         show this\n"
	"  --version      show the version\n";
