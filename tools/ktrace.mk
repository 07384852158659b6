# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause

TOOLS += tools/ktrace

tools/ktrace: $(call objects,ktrace) tools/libktrace.a
	$(link)
