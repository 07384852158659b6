# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# Pictures of a trace: the page with a timeline, and trace events.

CHART_PAGE := build/generated/chart/html_page.h
chart_objects = $(call objects,chart)

$(CHART_PAGE): scripts/gen-page $(wildcard tools/src/chart/html/*)
	$(call quiet,GEN) scripts/gen-page tools/src/chart/html $@

build/tools/chart/html_stream.o build/warnings/chart/html_stream generated: $(CHART_PAGE)
