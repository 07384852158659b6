# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause

TOOLS += tools/ktrdump

ktrdump_decode := $(patsubst %,build/tools/decode/%.o,json out out_text random utf8)

tools/ktrdump: $(call objects,ktrdump chart options) $(ktrdump_decode)
	$(link)
