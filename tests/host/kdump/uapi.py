# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""kdump's names of operations, socket options and ioctl requests against the headers of this machine. They are macros
and enumerators; the compiler is asked whether each has the value that the table says."""
import os
import re
import subprocess

import headers
import signatures

# Headers, as they are included -> table -> how many of its names those of Linux 6.1 have.
HEADERS = {
    "asm-generic/mman-common.h": {"linux_madvice": 25},
    "asm-generic/socket.h": {"linux_so_socket": 68},
    "asm/mman.h": {"linux_pkey_rights": 2},
    "asm/prctl.h": {"linux_arch_prctl_option": 14, "linux_arch_xcomp": 0, "linux_arch_shstk": 0},
    "linux/ax25.h": {"linux_so_ax25": 11},
    "linux/bpf.h": {"linux_bpf_cmd": 36},
    "linux/caif/caif_socket.h": {"linux_caif_proto": 6, "linux_so_caif": 3},
    "linux/can.h": {"linux_can_proto": 7},
    "linux/can/raw.h": {"linux_so_can_raw": 6},
    "linux/can/j1939.h": {"linux_so_can_j1939": 4},
    "linux/can/isotp.h": {"linux_so_can_isotp": 5},
    "linux/dccp.h": {"linux_so_dccp": 16},
    "linux/fanotify.h": {"linux_fanotify_init": 14, "linux_fanotify_mark": 12, "linux_fanotify_mask": 21},
    "linux/elf.h": {"linux_ptrace_regset": 6},
    "linux/fcntl.h linux/mount.h": {
        "linux_delete_module": 2, "linux_mount_setattr_flags": 4, "linux_mq_open": 7, "linux_open_tree_flags": 6},
    "linux/futex.h": {"linux_futex_op": 16, "linux_futex_bitset": 1, "linux_futex2_flags": 0},
    "linux/if_alg.h": {"linux_so_alg": 6},
    "linux/if_packet.h": {"linux_so_packet": 22},
    "linux/if_pppol2tp.h": {"linux_so_pppol2tp": 5},
    "linux/if_xdp.h": {"linux_so_xdp": 8},
    "linux/in.h": {"linux_ipproto": 27, "linux_so_ip": 46},
    "linux/in6.h": {"linux_so_ipv6": 55},
    "linux/inotify.h": {"linux_inotify_init": 2, "linux_inotify_mask": 23},
    "linux/io_uring.h": {"linux_io_uring_enter": 5, "linux_io_uring_register": 26},
    "linux/ioprio.h": {"linux_ioprio_which": 3},
    "linux/ipc.h": {"linux_ipc_call": 12, "linux_ipc_key": 1},
    "linux/kcm.h": {"linux_so_kcm": 1, "linux_kcm_proto": 1},
    "linux/kcmp.h": {"linux_kcmp_type": 8},
    "linux/kexec.h": {"linux_kexec_flags": 5, "linux_kexec_file_flags": 3},
    "linux/keyctl.h": {"linux_keyctl_cmd": 33, "linux_key_id": 8, "linux_key_reqkey": 9, "linux_keyctl_move": 1},
    "linux/landlock.h": {
        "linux_landlock_create": 1, "linux_landlock_rule": 1, "linux_landlock_add": 0, "linux_landlock_restrict": 0},
    "linux/llc.h": {"linux_so_llc": 9},
    "linux/mctp.h": {"linux_so_mctp": 1},
    "linux/membarrier.h": {"linux_membarrier_cmd": 10, "linux_membarrier_flags": 1},
    "linux/memfd.h": {"linux_memfd_create": 12},
    "linux/mempolicy.h": {"linux_get_mempolicy": 3, "linux_mbind_flags": 4, "linux_mempolicy_mode": 9},
    "linux/module.h": {"linux_finit_module": 3},
    "linux/mount.h": {
        "linux_fsconfig_cmd": 8, "linux_fsmount_flags": 1, "linux_fsopen_flags": 1, "linux_fspick_flags": 4,
        "linux_mount_attr": 9, "linux_mount_flags": 30, "linux_move_mount_flags": 7,
        "linux_statmount_flags": 0, "linux_listmount_flags": 0},
    "linux/mptcp.h": {"linux_so_mptcp": 3},
    "linux/net.h": {"linux_socketcall": 20},
    "linux/netlink.h": {"linux_netlink_proto": 22, "linux_so_netlink": 12},
    "linux/nfc.h": {"linux_nfc_proto": 2, "linux_so_nfc": 5},
    "linux/perf_event.h": {"linux_perf_flags": 4, "linux_perf_ioc_flags": 1},
    "linux/personality.h": {"linux_personality": 28},
    "linux/prctl.h": {
        "linux_prctl_option": 60, "linux_prctl_tsc": 2, "linux_prctl_mce_kill": 2, "linux_prctl_mce_kill_policy": 3,
        "linux_prctl_mm": 15, "linux_prctl_cap_ambient": 4, "linux_prctl_speculation": 3,
        "linux_prctl_speculation_control": 5, "linux_prctl_dispatch": 1, "linux_prctl_sched_core": 4,
        "linux_prctl_sched_core_scope": 3, "linux_prctl_ptracer": 1, "linux_prctl_vma": 1,
        "linux_prctl_mdwe": 0, "linux_prctl_thp_disable": 0, "linux_prctl_shadow_stack": 0, "linux_prctl_timer_ids": 0,
        "linux_prctl_futex_hash": 0, "linux_prctl_rseq_slice": 0, "linux_prctl_rseq_slice_flags": 0,
        "linux_prctl_cfi": 0, "linux_prctl_cfi_control": 0},
    "linux/ptrace.h": {"linux_ptrace_request": 42, "linux_ptrace_options": 10},
    "linux/quota.h": {"linux_quota_format": 4},
    "linux/random.h": {"linux_getrandom": 3},
    "linux/rds.h": {"linux_so_rds": 8},
    "linux/reboot.h": {"linux_reboot_cmd": 8, "linux_reboot_magic1": 1, "linux_reboot_magic2": 4},
    "linux/rseq.h": {"linux_rseq_flags": 1},
    "linux/rxrpc.h": {"linux_so_rxrpc": 6},
    "linux/sched.h": {"linux_sched_getattr": 0, "linux_sched_setscheduler": 6},
    "linux/seccomp.h": {"linux_seccomp_flags": 6, "linux_seccomp_mode": 3, "linux_seccomp_op": 4},
    "linux/securebits.h": {"linux_prctl_securebits": 8},
    "linux/shm.h": {"linux_shmat_flags": 4, "linux_shmget_flags": 16},
    "linux/smc.h": {"linux_so_smc": 1},
    "linux/tcp.h": {"linux_so_tcp": 35},
    "linux/timerfd.h": {"linux_timerfd_create": 2, "linux_timerfd_settime": 2},
    "linux/tipc.h": {"linux_so_tipc": 12},
    "linux/tls.h": {"linux_so_tls": 4},
    "linux/udp.h": {"linux_so_udp": 6},
    "linux/userfaultfd.h": {"linux_userfaultfd_flags": 1},
    "linux/vm_sockets.h": {"linux_so_vsock": 8},
    "linux/x25.h": {"linux_so_x25": 1},
    "sys/ipc.h sys/msg.h sys/sem.h sys/shm.h": {
        "linux_ipcget_flags": 2, "linux_msg_op_flags": 4, "linux_msgctl_cmd": 7, "linux_semctl_cmd": 14,
        "linux_shmctl_cmd": 9},
    "sys/mount.h": {"linux_umount_flags": 4},
    "sys/socket.h linux/phonet.h": {"linux_phonet_proto": 3, "linux_so_pnpipe": 4},
    "sys/socket.h linux/sctp.h": {"linux_so_sctp": 68},
    "sys/socket.h": {
        "linux_accept_flags": 2, "linux_msg_flags": 21, "linux_shutdown_how": 3, "linux_socket_domain": 46,
        "linux_socket_type": 9, "linux_sockopt_level": 29},
    "sys/swap.h": {"linux_swapon_flags": 2},
    "time.h": {"linux_clock": 11, "linux_timer_flags": 1},
    "termios.h": {"linux_tty_flow": 4, "linux_tty_queue": 3},
    # Requests of ioctl().
    "asm/termbits.h linux/serial.h asm/ioctls.h": {"linux_ioctls": 74},
    "linux/btrfs.h": {"linux_ioctls": 55},
    "linux/cdrom.h": {"linux_ioctls": 45},
    "linux/dm-ioctl.h": {"linux_ioctls": 18},
    "linux/fb.h": {"linux_ioctls": 18},
    "linux/fiemap.h linux/fs.h linux/fscrypt.h linux/fsverity.h": {"linux_ioctls": 50},
    "linux/hidraw.h linux/input.h linux/joystick.h linux/uinput.h": {"linux_ioctls": 40},
    "linux/if_tun.h linux/if.h linux/sockios.h": {"linux_ioctls": 80},
    "linux/kd.h linux/vt.h": {"linux_ioctls": 60, "linux_kb_mode": 5, "linux_kd_mode": 4},
    "linux/kvm.h": {"linux_ioctls": 100},
    "linux/loop.h linux/nbd.h": {"linux_ioctls": 20},
    "linux/nvme_ioctl.h linux/rtc.h linux/watchdog.h": {"linux_ioctls": 40},
    "linux/nsfs.h linux/seccomp.h linux/userfaultfd.h linux/vfio.h": {"linux_ioctls": 35},
    "linux/usbdevice_fs.h": {"linux_ioctls": 30},
    "linux/videodev2.h": {"linux_ioctls": 70},
    "mtd/mtd-abi.h scsi/sg.h": {"linux_ioctls": 40},
    "sound/asound.h": {"linux_ioctls": 80},
}

IDENTIFIER = re.compile(r"[A-Za-z_]\w*$")

# What some headers need, and do not include.
BEFORE = ("stddef.h", "stdint.h", "sys/types.h", "linux/types.h", "linux/ioctl.h")

# What a compiler says of a false assertion.
FALSE = re.compile(r"static.assert.*fail")


def compiler(source, path, *options):
    with open(path, "w", encoding="ascii") as f:
        f.write(source)
    # UAPI headers serve 64 and 32 bits, wherever they stand.
    return subprocess.run([headers.COMPILER, "-w", "-D_GNU_SOURCE", *options, "-idirafter",
                           "/usr/include/x86_64-linux-gnu", path],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "LC_ALL": "C"})


def includes(header):
    return "".join("#include <%s>\n" % name for name in (*BEFORE, *header.split()))


def known_words(header, path, *options):
    """The names of macros and enumerators, among other words."""
    return set(re.findall(r"\w+", compiler(includes(header), path, "-E", "-dD", *options).stdout))


def differences(header, rows, path, *options):
    """(value, mask or None, name) -> which names the headers know, what is wrong with others, and with the headers or
    None. Values are compared as far as 32 bits go."""
    source = includes(header)
    for i, (value, mask, name) in enumerate(rows):
        source += '#line %d "row"\n_Static_assert(((unsigned int)(%s) & %dU) == %dU, "");\n' % (
            i + 1, name, (mask or -1) % 2**32, value % 2**32)
    wrong, unknown, problem = {}, set(), None
    for line in compiler(source, path, "-fsyntax-only", "-fmax-errors=0", *options).stderr.splitlines():
        match = re.match(r"row:(\d+):.*error: (.*)", line)
        if match:
            value, _, name = rows[int(match.group(1)) - 1]
            if FALSE.search(match.group(2)):
                wrong[name] = "%s is not %#x" % (name, value)
            else:
                unknown.add(name)  # just a word, or a macro with parameters
        elif "error:" in line and not problem:
            problem = line
    return {name for _, _, name in rows} - unknown, wrong, problem


def check_header(header, least, tables, path, *options):
    """Yields (table, what is wrong or None)."""
    words = known_words(header, path, *options)
    rows = {table: {name: (value, mask, name) for value, mask, name in reversed(tables[table].entries)
                    if IDENTIFIER.match(name) and name in words} for table in least}
    all_rows = [row for found in rows.values() for row in found.values()]
    known, wrong, problem = differences(header, all_rows, path, *options)
    for table, count in least.items():
        found = [wrong[name] for name in rows[table] if name in wrong]
        if len(known & set(rows[table])) < count:
            found.append("only %d of %d constants are in <%s>" %
                         (len(known & set(rows[table])), len(tables[table].entries), header))
        yield table, problem or "; ".join(found) or None


def check(tree, folder):
    """Yields (name, what is wrong or None); nothing without a compiler."""
    if not headers.COMPILER:
        return
    tables = signatures.load_generator(tree).read_names()
    path = os.path.join(folder, "uapi.c")
    has_32 = not compiler(includes(""), path, "-m32", "-fsyntax-only").stderr
    for header, least in HEADERS.items():
        for table, problem in check_header(header, least, tables, path):
            yield "%s/%s" % (header.split()[-1], table), problem
        if has_32 and "linux_ioctls" in least:
            least = {"linux32_ioctls": least["linux_ioctls"]}
            for table, problem in check_header(header, least, tables, path, "-m32"):
                yield "%s/%s" % (header.split()[-1], table), problem
