# shellcheck shell=bash disable=SC2034
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# The guests that scripts/vm knows. One function call sets, for a kernel NAME of `scripts/vm -k NAME`:
#
#   guest_suite     Debian suites that its root file system and kernel come from, the first one its base
#   guest_kernel    packages that depend on the kernel and on its headers; NAME/SUITE where more than one suite has them
#   guest_arch      Debian architecture
#   guest_native    whether what runs in it can be built on this machine: else it is built in the guest's root file system
#   guest_cross     before the names of this machine's compilers for another architecture: aarch64-linux-gnu-
#
#   guest_slow      how many times longer than usual things may take, if they do
#
# and, for a kernel that kernel-build makes of Debian's source:
#
#   guest_base      NAME of the guest that the root file system comes from
#   guest_append    parameters of the kernel

guest_names="5.10 6.1 6.12 newest arm64 debug kcsan"

guest_select() {
	guest_arch=amd64
	guest_cross=
	case $1 in
	5.10)
		guest_suite="bullseye bullseye-updates bullseye-security"
		guest_kernel="linux-image-amd64 linux-headers-amd64"
		;;
	6.1)
		guest_suite="bookworm bookworm-updates bookworm-security"
		guest_kernel="linux-image-amd64 linux-headers-amd64"
		;;
	6.12)
		guest_suite="bookworm bookworm-updates bookworm-security"
		guest_kernel="linux-image-6.12-amd64 linux-headers-6.12-amd64"
		;;
	newest)
		guest_suite="trixie trixie-updates trixie-security trixie-backports"
		guest_kernel="linux-image-amd64/trixie-backports linux-headers-amd64/trixie-backports"
		;;
	arm64)
		guest_suite="bookworm bookworm-updates bookworm-security"
		guest_kernel="linux-image-arm64 linux-headers-arm64"
		guest_arch=arm64
		guest_cross=aarch64-linux-gnu-
		guest_slow=2
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
	6.18)
		echo "Debian has no packages of kernel 6.18 any more (available: $guest_names)" >&2
		return 1
		;;
	*)
		echo "unknown kernel $1 (available: $guest_names)" >&2
		return 1
		;;
	esac
	guest_native=
	if [ -n "${guest_base-}$guest_cross" ] || grep -q -s -x "VERSION_CODENAME=${guest_suite%% *}" /etc/os-release; then
		guest_native=yes
	fi
	# 32-bit programs; those of arm64's guest are static.
	[ "$guest_arch" != amd64 ] || guest_packages+=(libc6-i386)
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
)

# ... and on those that scripts/vm --with asks for.
read -r -a more <<<"${KTRACE_VM_PACKAGES-}"
guest_packages+=("${more[@]}")
