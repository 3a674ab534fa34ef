"""How one process locks itself in: enter namespaces, then give up rights and system calls.

Only a child that the zygote forked calls this.  bwrap has built the file system and /proc
(``sandbox.boxes``); here the child steps in (`enter`) and bars the door for good (`lock`).
Everything raises `OSError` on failure, and the caller must then end without running any
student code.

Source: setns(2), user_namespaces(7), capabilities(7), seccomp(2).
"""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import struct
from collections.abc import Sequence

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x00020000, 0x04000000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000

_PR_SET_DUMPABLE, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 4, 24, 38
_PR_SET_SECCOMP, _PR_CAP_AMBIENT = 22, 47
_MS_REMOUNT, _MS_NOSUID, _MS_NODEV = 32, 2, 4

_libc = ctypes.CDLL(None, use_errno=True)


def _call(name: str, *arguments) -> int:
    result = getattr(_libc, name)(*arguments)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


def _prctl(option: int, *values: int) -> int:
    padded = [ctypes.c_ulong(v) for v in (*values, 0, 0, 0, 0)[:4]]
    return _call("prctl", ctypes.c_int(option), *padded)


def enter(pidfd: int, *, as_root: bool) -> None:
    """Join all namespaces of the process behind ``pidfd`` in one step (Linux 5.8 or newer).

    The pid namespace takes effect at the next fork.  A plain user gets the right to join the
    others only through the user namespace, so all are named in one call, which the kernel
    checks as a whole.
    """
    flags = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS
    if not as_root:
        flags |= CLONE_NEWUSER
    _call("setns", ctypes.c_int(pidfd), ctypes.c_int(flags))


def limit_files(paths: Sequence[str], size: int, inodes: int) -> None:
    """Cap size (bytes) and number of files of each empty tmpfs; bwrap can only cap the size."""
    options = f"size={size},nr_inodes={inodes}".encode()
    for path in paths:
        _call(
            "mount",
            b"none",
            path.encode(),
            b"tmpfs",
            ctypes.c_ulong(_MS_REMOUNT | _MS_NOSUID | _MS_NODEV),
            options,
        )


def lock(limits: dict, *, uid: int | None) -> None:
    """Give up rights, resources and system calls; nothing of this can be undone.

    ``uid``: when root grades, the unprivileged number to change to.  Each worker has its own,
    because the kernel counts processes per uid.  The user namespace is then made here.
    """
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
        # after setresuid /proc/self belongs to root, and uid_map could not be written
        _prctl(_PR_SET_DUMPABLE, 1)
        _call("unshare", ctypes.c_int(CLONE_NEWUSER))
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{uid} {uid} 1"),
            ("gid_map", f"{uid} {uid} 1"),
        ):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    set_limits(limits)
    _drop_capabilities()
    _filter_system_calls()


def set_limits(limits: dict) -> None:
    pairs = {
        resource.RLIMIT_AS: limits["address_space"],
        resource.RLIMIT_CPU: limits["cpu_total"],
        resource.RLIMIT_NPROC: limits["processes"],
        resource.RLIMIT_NOFILE: limits["open_files"],
        resource.RLIMIT_FSIZE: limits["file_size"],
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_MEMLOCK: 1 << 16,
    }
    for which, value in pairs.items():
        resource.setrlimit(which, (value, value))
    resource.setrlimit(resource.RLIMIT_STACK, (8 << 20, 8 << 20))


def _drop_capabilities() -> None:
    _prctl(_PR_CAP_AMBIENT, 4)
    for capability in range(64):
        try:
            _prctl(_PR_CAPBSET_DROP, capability)
        except OSError:  # a number this kernel does not know
            break
    header = struct.pack("Ii", 0x20080522, 0)
    _call("capset", header, struct.pack("6I", 0, 0, 0, 0, 0, 0))
    with open("/proc/self/status") as file:
        status = file.read()
    for line in status.splitlines():
        kept = line.startswith(("CapEff", "CapPrm", "CapInh", "CapAmb"))
        if kept and int(line.split()[1], 16):
            raise OSError(0, f"capabilities left: {line}")


# name: (x86_64, aarch64).  No computation needs these, and each opens much of the kernel.
_REFUSED = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "syslog": (103, 116),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "fanotify_init": (300, 262),
    "lookup_dcookie": (212, 18),
    "vmsplice": (278, 75),
    "memfd_secret": (447, 447),
    # memory that is no process's own: whoever fills it can end and leave it full
    "memfd_create": (319, 279),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
}
_SOCKET, _MMAP = (41, 198), (9, 222)
_FAMILIES = (1, 2, 10)  # unix, inet, inet6: what a loopback needs
_SHARED_ANONYMOUS = 0x21
_CLONE = (56, 220)
_CLONE3 = 435
_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_EPERM, _ENOSYS, _EAFNOSUPPORT = 0x00050001, 0x00050026, 0x00050061
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # places in the kernel's struct seccomp_data


def _program() -> bytes:
    """The seccomp filter as BPF instructions; empty on a CPU this table does not cover."""
    if platform.machine() not in _ARCHITECTURES:
        return b""
    column, audit = _ARCHITECTURES[platform.machine()]
    load, equal, bigger, masked, give, conjoin = 0x20, 0x15, 0x35, 0x45, 0x06, 0x54
    steps: list[tuple[int, int, int, int]] = [
        (load, 0, 0, _ARCHITECTURE),
        (equal, 1, 0, audit),
        (give, 0, 0, _KILL),
        (load, 0, 0, _NUMBER),
    ]
    if column == 0:  # x32: the same kernel functions under other numbers
        steps += [(bigger, 0, 1, 0x40000000), (give, 0, 0, _KILL)]
    for numbers in _REFUSED.values():
        steps += [(equal, 0, 1, numbers[column]), (give, 0, 0, _EPERM)]
    # arguments of clone3 lie in memory, out of reach here; after ENOSYS glibc uses clone
    steps += [(equal, 0, 1, _CLONE3), (give, 0, 0, _ENOSYS)]
    spaces = (
        CLONE_NEWUSER
        | CLONE_NEWNS
        | CLONE_NEWPID
        | CLONE_NEWNET
        | CLONE_NEWIPC
        | CLONE_NEWUTS
        | 0x02000000
    )
    steps += [
        (equal, 0, 4, _CLONE[column]),
        (load, 0, 0, _ARGUMENTS),
        (masked, 0, 1, spaces),
        (give, 0, 0, _EPERM),
        (give, 0, 0, _ALLOW),
    ]
    families = [(equal, len(_FAMILIES) - i, 0, family) for i, family in enumerate(_FAMILIES)]
    steps += [
        (equal, 0, len(_FAMILIES) + 3, _SOCKET[column]),
        (load, 0, 0, _ARGUMENTS),
        *families,
        (give, 0, 0, _EAFNOSUPPORT),
        (give, 0, 0, _ALLOW),
    ]
    steps += [
        (equal, 0, 4, _MMAP[column]),
        (load, 0, 0, _ARGUMENTS + 3 * 8),
        (conjoin, 0, 0, _SHARED_ANONYMOUS),
        (equal, 0, 1, _SHARED_ANONYMOUS),
        (give, 0, 0, _EPERM),
        (give, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("HBBI", *step) for step in steps)


def _filter_system_calls() -> None:
    program = _program()
    if not program:
        return
    buffer = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))
    holder = ctypes.create_string_buffer(header, len(header))
    _prctl(_PR_SET_SECCOMP, 2, ctypes.addressof(holder))
