#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# The part of a guest of scripts/vm that runs before and after the command, started by vm-init. What it leaves
# in /run/vm/say goes to the host, line by line:
#
#   broken TEXT       the guest cannot be used
#   bad TEXT          something leaked or broke
#   out N KIND FROM   number N of -o is a "file", "folder" or "missing"; its tar archive is on the output disk
#
# /run/vm holds the job: argv, outputs (both NUL-terminated), modules, disks.

set -u

say() {
	echo "$*" >>/run/vm/say
}

# Which disk carries files in (or out)? Prints nothing if none does.
disk() {
	sed -n "s/^$1 //p" /run/vm/disks
}

setup() {
	local in module

	hostname -F /etc/hostname
	ip link set lo up

	in=$(disk in)
	if [ -n "$in" ]; then
		if ! tar -x -i -p -b 2048 --keep-directory-symlink -C / -f "$in"; then
			say "broken copying files into the guest failed"
			return 1
		fi
	fi
	# The kernel that finds data races begins to look for them.
	if [ -e /sys/kernel/debug/kcsan ]; then
		echo on >/sys/kernel/debug/kcsan
	fi
	/lib/systemd/systemd-udevd --daemon
	while read -r module; do
		if ! modprobe "$module"; then
			say "broken modprobe $module failed"
			return 1
		fi
	done </run/vm/modules
	udevadm settle -t 10
	return 0
}

# Writes what -o named to the output disk, each as a tar archive that starts on a block of its own.
copy_out() {
	local to path kind at=0 n=0

	to=$(disk out)
	[ -n "$to" ] || return 0
	while IFS= read -r -d '' path; do
		path=$(realpath -m -- "$path")
		if [ -d "$path" ]; then
			kind='folder'
			set -- -C "$path" .
		elif [ -f "$path" ] && [ -s "$path" ]; then
			kind='file'
			set -- -C "${path%/*}/" --add-file="${path##*/}"
		elif [ -f "$path" ]; then
			# empty, or in procfs and the like, where the size is not known in advance
			kind='file'
			cat -- "$path" >/run/vm/file
			set -- -C /run/vm file
		else
			say "out $n missing 0"
			n=$((n + 1))
			continue
		fi
		tar -c -S -b 128 --warning=no-file-ignored --warning=no-file-changed "$@" |
			LC_ALL=C dd of="$to" bs=1M iflag=fullblock oflag=seek_bytes seek="$at" conv=notrunc 2>/run/vm/dd
		say "out $n $kind $at"
		at=$((at + $(sed -n 's/ bytes.*//p' /run/vm/dd)))
		n=$((n + 1))
	done </run/vm/outputs
	sync "$to"
}

# Unloads what is still loaded. Traced processes are dead by now, but their traces may still be draining.
unload() {
	local module

	tac /run/vm/modules | while read -r module; do
		for _ in {1..50}; do
			[ -d "/sys/module/$module" ] || break
			modprobe -r "$module" 2>/run/vm/rmmod && break
			sleep 0.2
		done
		[ ! -d "/sys/module/$module" ] || say "bad $module cannot be unloaded: $(cat /run/vm/rmmod)"
	done
}

# Unsigned modules from out of the tree are all that may have tainted the kernel.
check_taint() {
	local taint allowed=$((1 << 12 | 1 << 13))

	taint=$(cat /proc/sys/kernel/tainted)
	[ $((taint & ~allowed)) = 0 ] || say "bad the kernel is tainted: $taint"
}

# The kernel that looks for leaks tells of memory that nothing points to when it is some seconds old. It is told once
# to look, and then to say what it has found: the first time it may take for lost what was on the move.
check_leaks() {
	local leaks=/sys/kernel/debug/kmemleak

	[ -e "$leaks" ] || return 0
	sleep 6
	echo scan >"$leaks"
	echo scan >"$leaks"
	cat "$leaks"
	[ -z "$(cat "$leaks")" ] || say "bad memory leaked"
}

finish() {
	kill -9 -1
	copy_out
	unload
	check_taint
	check_leaks
	return 0
}

exec >/dev/console 2>&1
"$1"
