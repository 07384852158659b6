# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# The recorder with BPF, tools/ktrace-bpf. It needs clang, bpftool, and libbpf, libelf and zlib to link statically, so that
# it runs wherever it is copied to; BPF_LINK=shared is for a distribution's packages, which are to use its libraries.
#
# Its BPF programs tell what happens, and it runs the module's own probes on that: sources of the module are compiled
# with tools/bpf/replay in the place of the kernel. Their copies in build/bpf/module find the headers that are not
# copied there, and each <linux/...> that has no meaning in user space is tools/bpf/replay/shim.h.

BPFTOOL ?= $(shell PATH="$$PATH:/usr/sbin" command -v bpftool)
BPF_CLANG ?= $(shell command -v clang)
BPF_LINK ?= static
bpf_libraries_static := -Wl,-Bstatic -lbpf -lelf -lz -Wl,-Bdynamic
bpf_libraries_shared := -lbpf -lelf -lz
bpf_libraries := $(or $(bpf_libraries_$(BPF_LINK)),$(error BPF_LINK=$(BPF_LINK): neither static nor shared))
HAVE_BPF := $(and $(BPFTOOL),$(BPF_CLANG),$(filter x86_64,$(shell uname -m)),$(shell \
	echo 'int main(void) { return 0; }' | $(CC) -x c -o /dev/null - -include bpf/libbpf.h -include libelf.h \
	-x none $(bpf_libraries) 2>/dev/null && echo yes))

bpf_modules := arch.h arch_x86.h capfail.h genio.c genio.h layout.h points.h probe_return.h probes.h proc.h record.h rules.h settings.h \
	strings.h struct_calls.h structs.h thread.h wchan.h wmesg.h
# What is compiled by itself: genio.c is a part of plan.c.
bpf_sources := capfail.c layout.c probe_capable.c probe_fault.c probe_signal.c probe_switch.c probe_syscall.c \
	probe_sysctl.c record.c rules.c strings.c struct_calls.c structs.c thread.c wchan.c wmesg.c word.c
bpf_stubs := compat_exceptions compat_pure $(addprefix asm/,syscall trap_pf vsyscall) \
	$(addprefix linux/,array_size atomic build_bug cache compat compiler cred dcache eventpoll fs hash kallsyms kprobes list \
	minmax mm mm_types module notifier percpu preempt ptrace rculist refcount sched sched/signal security signal sizes \
	socket spinlock stacktrace stddef string thread_info uaccess uidgid uio) \
	net/sock $(addprefix trace/events/,sched signal syscalls)

bpf_copies := $(addprefix build/bpf/module/,$(bpf_modules) $(bpf_sources))
bpf_headers := $(bpf_stubs:%=build/bpf/include/%.h) build/bpf/include/ia32.h build/bpf/recorder.skel.h
bpf_objects := $(patsubst %.c,build/bpf/%.o,$(notdir $(wildcard tools/bpf/*.c))) \
	$(bpf_sources:%.c=build/bpf/module/%.o)
bpf_objects := $(filter-out build/bpf/recorder.bpf.o,$(bpf_objects))

BPF_CPPFLAGS := -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -DCONFIG_X86_64 -DCONFIG_IA32_EMULATION -Ibuild/bpf/module \
	-Itools/bpf/replay -Itools/bpf -Ibuild/bpf/include -Ibuild/bpf -Iinclude -Itools/src -include ia32.h
BPF_CFLAGS := $(TOOLS_CFLAGS) -Wno-shadow -Wno-unused-parameter -Wno-missing-prototypes -Wno-missing-field-initializers -Wno-sign-compare

build/bpf/module/%: module/%
	@mkdir -p $(@D)
	@cp $< $@

$(bpf_stubs:%=build/bpf/include/%.h):
	@mkdir -p $(@D)
	@echo '#include "shim.h"' >$@

build/bpf/include/ia32.h: scripts/data/syscalls-i386.tbl
	@mkdir -p $(@D)
	@awk '$$1 ~ /^[0-9]+$$/ { print "#define __NR_ia32_" $$2 " " $$1 }' $< >$@

build/bpf/recorder.bpf.o: tools/bpf/recorder.bpf.c $(wildcard tools/bpf/programs/*.h) tools/bpf/kernel.h tools/bpf/event.h module/points.h include/sys/ktrace.h
	@mkdir -p $(@D)
	@# -g is for the types. It has names of files, too, which shall not depend on where the tree is.
	$(call quiet,CC) $(BPF_CLANG) -g -ffile-prefix-map=$(CURDIR)=. -O2 -Wall -Wextra -Wno-unused-parameter -target bpf -D__TARGET_ARCH_x86 -D__KERNEL__ \
		-Itools/bpf -Imodule -Iinclude -c -o $@ $<

build/bpf/recorder.skel.h: build/bpf/recorder.bpf.o
	$(call quiet,GEN) $(BPFTOOL) gen skeleton $< name recorder_bpf >$@ || { rm -f $@; false; }

build/bpf/module/%.o: build/bpf/module/%.c $(bpf_copies) $(bpf_headers)
	$(call quiet,CC) $(CC) $(BPF_CPPFLAGS) $(CPPFLAGS) $(BPF_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

build/bpf/%.o: tools/bpf/%.c $(bpf_copies) $(bpf_headers)
	$(call quiet,CC) $(CC) $(BPF_CPPFLAGS) $(CPPFLAGS) $(BPF_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

-include $(wildcard build/bpf/*.d build/bpf/module/*.d)

tools/ktrace-bpf: $(bpf_objects)
	$(link) $(bpf_libraries)

build/warnings/bpf/%: tools/bpf/%.c $(bpf_copies) $(bpf_headers)
	@$(CC) $(BPF_CPPFLAGS) $(BPF_CFLAGS) -O2 -Werror -c -o /dev/null $<

ifeq ($(HAVE_BPF),)
tools: no-bpf
no-bpf:
	@echo "  without tools/ktrace-bpf (ktrace --bpf): it takes clang, bpftool, and libbpf, libelf and zlib to link with ($(BPF_LINK))"
.PHONY: no-bpf
else
TOOLS += tools/ktrace-bpf
tools-warnings: $(patsubst build/bpf/%.o,build/warnings/bpf/%,$(filter-out build/bpf/module/%,$(bpf_objects)))
endif
