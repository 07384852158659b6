# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# How tools are built. A fragment tools/NAME.mk adds its files to TOOLS, and gives a rule for each:
#
#	TOOLS += tools/NAME
#	tools/NAME: $(call objects,NAME reader) tools/libktrace.a
#		$(link)
#
# where $(call objects,FOLDER...) is the objects of all sources in tools/src/FOLDER.

CFLAGS ?= -O2 -g
TOOLS_CPPFLAGS := -Iinclude -Itools/src -Ibuild/generated -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64
TOOLS_CFLAGS := -std=gnu11 -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes -Wshadow -Wvla -Wwrite-strings

objects = $(patsubst tools/src/%.c,build/tools/%.o,$(sort $(foreach d,$(1),$(wildcard tools/src/$(d)/*.c))))

quiet = $(if $(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS)))),@,@echo '  $(1)	$@' &&)
link = $(call quiet,LINK) $(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o %.a,$^) $(LDLIBS)

compile = $(CC) $(TOOLS_CPPFLAGS) $(CPPFLAGS) $(TOOLS_CFLAGS) $(CFLAGS) $(EXTRA_CFLAGS) -MMD -MP -c

include tools/decode.mk
include tools/chart.mk

build/tools/%.o: tools/src/%.c | $(GENERATED)
	@mkdir -p $(@D)
	$(call quiet,CC) $(compile) -o $@ $<

-include $(wildcard build/tools/*/*.d build/generated/*/*.d)

generated: $(GENERATED)

# Compiles every source of the tools with the compiler's warnings as errors, and keeps nothing.
tools-warnings: $(patsubst tools/src/%.c,build/warnings/%,$(wildcard tools/src/*/*.c))

build/warnings/%: tools/src/%.c $(GENERATED)
	@$(CC) $(TOOLS_CPPFLAGS) $(TOOLS_CFLAGS) -O2 -Werror -c -o /dev/null $<

.PHONY: generated tools-warnings
