# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# Names of constants and arguments of system calls, as C.

DECODE_TABLES := $(addprefix build/generated/decode/,name_tables.h name_tables.c arg_tables.c class_tables.c syscall_names.c)
decode_objects = $(call objects,decode) $(patsubst %.c,%.o,$(filter %.c,$(DECODE_TABLES)))

$(DECODE_TABLES) &: scripts/gen-decode $(wildcard scripts/data/*.tbl scripts/data/*/*.tbl)
	$(call quiet,GEN) scripts/gen-decode $(@D)

build/generated/%.o: build/generated/%.c
	$(call quiet,CC) $(compile) -o $@ $<

GENERATED += $(DECODE_TABLES)
