# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause

TOOLS += tools/ktruss

# What it shares with the tools that do the same in two steps.
ktruss_kdump := $(patsubst %,build/tools/kdump/%.o,arrays calls capfail choice device dump exterr fds fields \
	freebsd_structs genio histogram line linux_structs living owners records seconds sockaddr structs summary \
	summary_table timeline_text truss truss_call user view words)
ktruss_ktrace := $(patsubst %,build/tools/ktrace/%.o,attach command points recorder)

tools/ktruss: $(call objects,ktruss filter options track) $(ktruss_kdump) $(ktruss_ktrace) $(decode_objects) tools/libktrace.a
	$(link)
