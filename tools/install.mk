# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# install and uninstall. Both work from the same lists.

DESTDIR ?=
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR ?= $(PREFIX)/share/man
BASHCOMPLETIONDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHCOMPLETIONDIR ?= $(PREFIX)/share/zsh/site-functions
FISHCOMPLETIONDIR ?= $(PREFIX)/share/fish/vendor_completions.d
# Not below PREFIX: udev and systemd read these.
UDEVDIR ?= /usr/lib/udev/rules.d
MODULESLOADDIR ?= /usr/lib/modules-load.d
SRCDIR ?= /usr/src

INSTALL ?= install

commands := $(filter-out %.a %.so.0,$(TOOLS))
headers := include/sys/ktrace.h include/sys/ktr.h include/sys/ktr_class.h include/ktrace_ioctl.h include/ktrace_format.h \
	include/ktr_format.h tools/src/reader/ktrace_reader.h
manuals := $(wildcard docs/*.[1-9])
libs := libktrace.a libktrace.so.0 libktrace.so pkgconfig/libktrace.pc

manual_dir = $(MANDIR)/man$(patsubst .%,%,$(suffix $(1)))

# Where one of build/completion goes.
completion_file = $(patsubst build/completion/bash/%,$(BASHCOMPLETIONDIR)/%,$(patsubst \
	build/completion/zsh/%,$(ZSHCOMPLETIONDIR)/%,$(patsubst build/completion/fish/%,$(FISHCOMPLETIONDIR)/%,$(1))))

# All that install-tools makes.
installed_tools = $(patsubst tools/%,$(BINDIR)/%,$(commands)) $(BINDIR)/ktrace-compat \
	$(patsubst include/%,$(INCLUDEDIR)/%,$(patsubst tools/src/reader/%,include/%,$(headers))) \
	$(addprefix $(LIBDIR)/,$(libs)) \
	$(foreach m,$(manuals),$(call manual_dir,$(m))/$(notdir $(m))) $(MANDIR)/man1/ktrace-compat.1 \
	$(foreach c,$(COMPLETIONS),$(call completion_file,$(c))) $(UDEVDIR)/60-ktrace.rules

install-tools: tools completions
	$(INSTALL) -d $(sort $(addprefix $(DESTDIR),$(dir $(installed_tools))))
	$(INSTALL) $(commands) $(DESTDIR)$(BINDIR)/
	ln -s -f ktrace $(DESTDIR)$(BINDIR)/ktrace-compat
	$(INSTALL) -m 644 $(filter include/sys/%,$(headers)) $(DESTDIR)$(INCLUDEDIR)/sys/
	$(INSTALL) -m 644 $(filter-out include/sys/%,$(headers)) $(DESTDIR)$(INCLUDEDIR)/
	$(INSTALL) -m 644 tools/libktrace.a tools/libktrace.so.0 $(DESTDIR)$(LIBDIR)/
	ln -s -f libktrace.so.0 $(DESTDIR)$(LIBDIR)/libktrace.so
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' \
		-e 's|@VERSION@|$(VERSION)|' tools/libktrace.pc.in >$(DESTDIR)$(LIBDIR)/pkgconfig/libktrace.pc
	chmod 644 $(DESTDIR)$(LIBDIR)/pkgconfig/libktrace.pc
	$(foreach m,$(manuals),$(INSTALL) -m 644 $(m) $(DESTDIR)$(call manual_dir,$(m))/ &&) true
	ln -s -f ktrace.1 $(DESTDIR)$(MANDIR)/man1/ktrace-compat.1
	$(foreach c,$(COMPLETIONS),$(INSTALL) -m 644 $(c) $(DESTDIR)$(call completion_file,$(c)) &&) true
	$(INSTALL) -m 644 module/60-ktrace.rules $(DESTDIR)$(UDEVDIR)/
	$(if $(DESTDIR),,ldconfig)

# Before anything is installed: can the module be?
install-check:
	$(if $(DESTDIR),,@scripts/install-module check)

install: install-check
	$(MAKE) install-tools
	$(INSTALL) -d $(DESTDIR)$(MODULESLOADDIR)
	printf 'ktrace\nktr\n' >$(DESTDIR)$(MODULESLOADDIR)/ktrace.conf
	@scripts/install-module install "$(VERSION)" "$(DESTDIR)$(SRCDIR)" $(if $(DESTDIR),files)

uninstall:
	@scripts/install-module uninstall "$(DESTDIR)$(SRCDIR)" $(if $(DESTDIR),files)
	rm -f $(addprefix $(DESTDIR),$(installed_tools)) $(DESTDIR)$(MODULESLOADDIR)/ktrace.conf
	@for d in $(addprefix $(DESTDIR),$(sort $(foreach m,$(manuals),$(call manual_dir,$(m))) $(INCLUDEDIR)/sys $(LIBDIR)/pkgconfig \
			$(BASHCOMPLETIONDIR) $(ZSHCOMPLETIONDIR) $(FISHCOMPLETIONDIR))) \
			$(addprefix $(DESTDIR),$(patsubst %/,%,$(dir $(BASHCOMPLETIONDIR) $(ZSHCOMPLETIONDIR) $(FISHCOMPLETIONDIR)))); do \
		[ ! -d "$$d" ] || rmdir --ignore-fail-on-non-empty "$$d"; \
	done
	$(if $(DESTDIR),if [ -d $(DESTDIR) ]; then find $(DESTDIR) -mindepth 1 -depth -type d -empty -delete; fi,ldconfig)

.PHONY: install install-check install-tools uninstall
