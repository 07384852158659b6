# shellcheck shell=bash disable=SC2034
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# The guests that scripts/vm knows. One function call sets, for a kernel NAME of `scripts/vm -k NAME`:
#
#   guest_suite     Debian suites that its root file system and kernel come from, the first one its base
#   guest_image     package that depends on the kernel's image
#   guest_headers   package that depends on the kernel's headers
#   guest_arch      Debian architecture
#
# or, for a kernel that kernel-build makes of Debian's source:
#
#   guest_base      NAME of the guest that the root file system comes from
#   guest_slow      how many times longer than usual things may take
#   guest_append    parameters of the kernel
#
# Modules for a guest are built on this machine with the headers of the guest.

guest_names="6.1 debug kcsan"

guest_select() {
	case $1 in
	6.1)
		guest_suite="bookworm bookworm-updates bookworm-security"
		guest_image=linux-image-amd64
		guest_headers=linux-headers-amd64
		guest_arch=amd64
		;;
	debug)
		guest_base=6.1
		guest_slow=8
		;;
	kcsan)
		guest_base=6.1
		guest_slow=8
		# What it finds of the kernel itself must not end it.
		guest_append="panic_on_warn=0"
		;;
	5.10 | 6.12 | 6.18 | newest | arm64)
		echo "kernel $1 is not built yet (available: $guest_names)" >&2
		return 1
		;;
	*)
		echo "unknown kernel $1 (available: $guest_names)" >&2
		return 1
		;;
	esac
}

# Packages of the root file system, the same on every guest.
guest_packages=(
	# a shell and what scripts expect
	bash coreutils procps util-linux mount passwd hostname
	# modules and devices
	kmod udev
	# network
	iproute2 socat
	# file systems
	e2fsprogs attr
	# rights
	libcap2-bin
	# things to trace, and to compare with
	python3 strace
	# building in the guest; DKMS for the test that installs the project's package
	gcc libc6-dev make dkms
	# 32-bit programs
	libc6-i386
)

# ... and on those that scripts/vm --with asks for.
read -r -a more <<<"${KTRACE_VM_PACKAGES-}"
guest_packages+=("${more[@]}")
