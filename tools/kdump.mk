# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause

TOOLS += tools/kdump

tools/kdump: $(call objects,kdump filter options track) $(chart_objects) $(decode_objects) tools/libktrace.a
	$(link)
