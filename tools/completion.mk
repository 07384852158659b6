# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# Completion of options, for shells.

COMPLETED := $(patsubst tools/completion/%.tbl,%,$(wildcard tools/completion/*.tbl))
COMPLETIONS := $(foreach t,$(COMPLETED),$(addprefix build/completion/,bash/$(t) zsh/_$(t) fish/$(t).fish))

$(COMPLETIONS) &: scripts/gen-completion $(wildcard tools/completion/* scripts/data/*.tbl)
	$(call quiet,GEN) scripts/gen-completion build/completion

completions: $(COMPLETIONS)

.PHONY: completions
