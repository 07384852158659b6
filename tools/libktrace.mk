# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause

libktrace_objects := $(call objects,libktrace reader)
libktrace_soname := libktrace.so.0

TOOLS += tools/libktrace.a tools/libktrace.so.0

$(libktrace_objects): EXTRA_CFLAGS := -fPIC -fvisibility=hidden

tools/libktrace.a: $(libktrace_objects)
	$(call quiet,AR) rm -f $@ && $(AR) -c -r -s -D $@ $(filter %.o,$^)

tools/libktrace.so.0: $(libktrace_objects) tools/libktrace.map
	$(call quiet,LINK) $(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(libktrace_soname) \
		-Wl,--version-script=tools/libktrace.map -Wl,-z,defs -o $@ $(filter %.o,$^)
