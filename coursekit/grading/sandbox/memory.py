"""What a sandbox uses, seen from outside, and a cgroup that caps its memory where one may be made.

The cap in `sandbox.Limits.memory` is always enforced by polling (`usage`).  A cgroup makes it
exact; without one, what grows between two looks is bounded by the address space limit of each
process and by the number of processes.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections.abc import Iterable
from pathlib import Path

_TICKS, _PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
_numbers = itertools.count()


def usage(roots: Iterable[int]) -> tuple[float, int]:
    """CPU seconds and private bytes of ``roots`` and all their descendants.

    The ancestry is read from /proc/*/stat, which everyone may read: a process can hide from its
    own uid (prctl), and can't hide from this.
    """
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            # open and not Path: with hundreds of processes this is most of the grader's own time
            with (
                contextlib.suppress(OSError, ValueError, IndexError),
                open(f"/proc/{name}/stat", "rb", buffering=0) as file,
            ):
                stat = file.read()
                fields = stat[stat.rindex(b")") + 2 :].split()
                parents[int(name)] = int(fields[1])
                # own time and that of children it has waited for
                ticks[int(name)] = sum(map(int, fields[11:15]))
    family, size = set(roots), -1
    while len(family) != size:
        size = len(family)
        family |= {pid for pid, parent in parents.items() if parent in family}
    total = 0
    for pid in family & parents.keys():
        with contextlib.suppress(OSError, ValueError):
            _, resident, shared, *_ = Path(f"/proc/{pid}/statm").read_text().split()
            total += (int(resident) - int(shared)) * _PAGE
    return sum(ticks.get(pid, 0) for pid in family) / _TICKS, total


class Group:
    """A memory cgroup of its own, version 1 or 2."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def create(cls, limit: int) -> Group | None:
        """A group below the caller's own with ``limit`` bytes, or None where that is not allowed."""
        for parent, limit_file in _candidates():
            folder = parent / f"coursekit-{os.getpid()}-{next(_numbers)}"
            try:
                folder.mkdir()
            except OSError:
                continue
            try:
                (folder / limit_file).write_text(str(limit))
                return cls(folder)
            except OSError:
                folder.rmdir()
        return None

    def add(self, pids: Iterable[int]) -> None:
        for pid in pids:
            with contextlib.suppress(OSError):
                (self.folder / "cgroup.procs").write_text(str(pid))

    def killed(self) -> bool:
        """True if the kernel ended a process of the group for lack of memory."""
        for name in ("memory.events", "memory.oom_control"):
            with contextlib.suppress(OSError):
                for line in (self.folder / name).read_text().splitlines():
                    word, _, count = line.partition(" ")
                    if word == "oom_kill" and count.strip() != "0":
                        return True
        return False

    def remove(self) -> None:
        for _ in range(50):  # the kernel empties it a moment after the last process is gone
            try:
                self.folder.rmdir()
                return
            except OSError:
                time.sleep(0.01)


def _candidates() -> Iterable[tuple[Path, str]]:
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers == "memory":
            yield Path("/sys/fs/cgroup/memory" + path), "memory.limit_in_bytes"
        if not controllers:
            # version 2 forbids groups below one that holds processes, so try beside it as well
            for base in ("/sys/fs/cgroup", "/sys/fs/cgroup/unified"):
                own = Path(base + path)
                yield own, "memory.max"
                if path != "/":
                    yield own.parent, "memory.max"
