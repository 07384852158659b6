# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# Loading and unloading the modules when they are installed: for scripts/install-module, and for the scripts of the
# Debian package (scripts/deb puts this into them), so it is for any POSIX shell.

say() {
	echo "ktrace: $*" >&2
}

# unload_modules WHAT-NOW...: both, as far as nobody uses them. Says which one stays, and WHAT-NOW; then it fails.
unload_modules() {
	in_use=
	for module in ktrace ktr; do
		[ -e "/sys/module/$module" ] || continue
		modprobe -r "$module" 2>/dev/null || in_use="$in_use $module"
	done
	[ -z "$in_use" ] || say "in use:$in_use; $*"
	[ -z "$in_use" ]
}

# load_modules: both. Fails, and says so, if the kernel does not take them.
load_modules() {
	udevadm control --reload 2>/dev/null || true
	if ! modprobe -a ktrace ktr; then
		certificate=/var/lib/shim-signed/mok/MOK.der # Ubuntu's
		[ -e $certificate ] || certificate=/var/lib/dkms/mok.pub
		say "the modules are built, but the kernel does not load them"
		say "with Secure Boot, their key must be enrolled: mokutil --import $certificate, then restart; or see dmesg"
		say "until then root can record with BPF: ktrace --bpf"
		return 1
	fi
	udevadm settle 2>/dev/null || true
}
