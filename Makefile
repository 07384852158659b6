# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# "make help" lists the targets. The kernel module is built by Kbuild and module/Kbuild; this file wraps them, builds
# the tools, and installs.

VERSION := $(shell sed -n 's/^\#define KTRACE_VERSION[[:space:]]*"\(.*\)"/\1/p' include/ktrace_version.h)

# The kernel to build for, and where to leave ktrace.ko and ktr.ko.
KDIR ?= /lib/modules/$(shell uname -r)/build
MO ?= $(CURDIR)/build/module

all: module tools

include tools/tools.mk
include tools/libktrace.mk
include tools/ktrace.mk
-include tools/kdump.mk
include tools/ktrdump.mk
include tools/bpf.mk
include tools/ktruss.mk
include tools/completion.mk
include tools/install.mk

tools: $(TOOLS)

module:
	+@scripts/build-module "$(KDIR)" "$(MO)"

kunit:
	+@scripts/kunit

check:
	@scripts/setup
	@scripts/check

check-all:
	@scripts/setup --all
	@scripts/check --all

bench: tools
	@scripts/bench $(BENCH)

demo:
	@scripts/setup
	@scripts/demo

deb:
	@scripts/deb

clean:
	rm -r -f build $(TOOLS)

help:
	@sed -n 's/^#: \?//p' Makefile

#: make                    the module for the running kernel, and the tools
#: make module             build/module/ktrace.ko and ktr.ko; KDIR=<kernel's build folder> MO=<folder for them>; options of
#:                         ktr(4), as KTR_ENTRIES=8192
#: make tools              tools/ktrace, tools/kdump, tools/ktruss, tools/ktrdump, tools/libktrace.so.0, tools/libktrace.a; and
#:                         tools/ktrace-bpf, where clang, bpftool and libbpf are installed
#: make demo               installs what is missing, and traces a shell pipeline in a virtual machine
#: make check              installs what is missing, and runs every test
#: make check-all          the same, and the long ones: more seeds for the random tests, fuzzing for a minute each, the
#:                         other kernels, arm64, kernels that look for bugs
#: make bench              how fast things are, as tables: what tracing costs beside strace and perf, in a guest that counts
#:                         instructions, and how fast kdump is; BENCH=quick all grow ktr decode: scripts/bench --help
#: make kunit              KUnit suites only
#: make install            the module through DKMS, the tools, the library, headers, manual pages, completion
#: make install-tools      all of that but the module; PREFIX=/usr/local DESTDIR=
#: make deb                Debian packages in build/deb: ktrace-dkms, ktrace-tools, libktrace0, libktrace-dev; DEBFULLNAME= and
#:                         DEBEMAIL= say who answers for them
#: make uninstall          undoes either
#: make clean              removes all that was built

.PHONY: all tools module kunit check check-all bench demo deb clean help
.DELETE_ON_ERROR:
