"""What a sandbox uses, seen from outside, and a cgroup that caps its memory where one may be made.

The cap in `boxes.Limits.memory` is always enforced by polling (`usage`).  A cgroup makes it
exact; without one, what grows between two looks is bounded by the address space limit of each
process and by the number of processes.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_numbers = itertools.count()


@dataclass(frozen=True)
class Usage:
    """``cpu`` in seconds; ``memory`` in bytes; ``busy``: a thread runs, or would if it were let."""

    cpu: float
    memory: int
    busy: bool


def usage(roots: Iterable[int]) -> Usage:
    """What ``roots`` and all their descendants use.

    Memory is what no file holds, shared or not.  The ancestry is read from /proc/*/stat, which everyone may read: a process can hide from its
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
    alive = family & parents.keys()
    cpu = sum(ticks[pid] for pid in alive) / _TICKS
    return Usage(cpu, sum(map(_memory, alive)), any(map(_busy, alive)))


def _memory(pid: int) -> int:
    total = 0
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in Path(f"/proc/{pid}/status").read_bytes().splitlines():
            if line.startswith((b"RssAnon:", b"RssShmem:")):
                total += int(line.split()[1]) << 10
    return total


def _busy(pid: int) -> bool:
    return any(state in (b"R", b"D") for state in _thread_states(pid))


def _thread_states(pid: int) -> Iterator[bytes]:
    with contextlib.suppress(OSError):
        for name in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError, ValueError):
                stat = Path(f"/proc/{pid}/task/{name}/stat").read_bytes()
                start = stat.rindex(b")") + 2
                yield stat[start : start + 1]


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
