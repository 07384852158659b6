# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause

TOOLS += tools/kdump

tools/kdump: $(call objects,kdump filter track) $(decode_objects) tools/libktrace.a
	$(link)

KDUMP_PAGE := build/generated/kdump/html_page.h

$(KDUMP_PAGE): scripts/gen-page $(wildcard tools/src/kdump/html/*)
	$(call quiet,GEN) scripts/gen-page tools/src/kdump/html $@

build/tools/kdump/html.o build/warnings/kdump/html generated: $(KDUMP_PAGE)
