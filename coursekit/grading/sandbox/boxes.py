"""Sandboxes, from outside: what bwrap is told, how a child is started and how all of it ends.

`Zygote` is one per worker; `Sandbox` is one per try at a submission.  A sandbox is a fresh set
of user, pid, mount, network, ipc and uts namespaces made by bwrap, whose first process only
waits; the zygote's child steps into them (`confine.py`).  Killing that first process makes the
kernel kill everything in its pid namespace, so nothing survives `Sandbox.close`.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from coursekit.findings import CourseError
from coursekit.grading.sandbox import memory
from coursekit.grading.sandbox.bwrap import (
    BWRAP_INSTALL,
    CACHE,
    HOME,
    SCRATCH,
    bwrap_command,
    environment,
    find_bwrap,
)
from coursekit.project import ROOT

_FIRST_UID, _UIDS = 61_184, 4_000  # within the range that systemd keeps for users made on the fly
_MAX_WORKERS = 8  # uids that the workers of one run may take before another run's begin
_START_SECONDS = 60


class SandboxError(CourseError):
    """A sandbox could not be made; the text is Korean and says what to do."""


@dataclass(frozen=True)
class Limits:
    """Per sandbox, in bytes and seconds; ``cell_*`` hold for one cell or one probe request.

    CPU time decides, since it does not depend on what else the machine is doing.  ``idle`` seconds
    are those in which nothing in the sandbox ran or wanted to.  Wall time catches the rest.
    """

    cell_cpu: float = 10.0
    cell_idle: float = 5.0
    cell_wall: float = 60.0
    # once a request of the submission was lost, the others get no more than this
    wary_cpu: float = 2.0
    wary_idle: float = 2.0
    # what all lost requests of a submission may take, in CPU or idle seconds
    submission_lost: float = 16.0
    submission_wall: float = 300.0
    address_space: int = 4 << 30  # of each process
    memory: int = 2 << 30  # of all processes together
    cpu_total: int = 200  # of each process; -1: no limit
    processes: int = 256  # and threads
    open_files: int = 256  # of each process
    file_size: int = 64 << 20
    scratch_bytes: int = 64 << 20  # in each of `bwrap.SCRATCH`
    scratch_files: int = 20_000


class Zygote:
    """One imported jax.  Start it from the main thread, use it from one thread at a time."""

    def __init__(
        self,
        cache: Path,
        *,
        hidden: Sequence[Path] = (),
        preload: Sequence[str] = (),
        devices: int = 1,
        unsafe: bool = False,
        slot: int = 0,
    ) -> None:
        self.cache, self.hidden, self.unsafe = cache, hidden, unsafe
        self.bwrap = find_bwrap()
        if not unsafe and self.bwrap is None:
            raise SandboxError(f"bubblewrap(bwrap)을 찾지 못했습니다. {BWRAP_INSTALL}")
        # the kernel counts processes per uid, so two workers must not share one
        number = (os.getpid() * _MAX_WORKERS + slot) % _UIDS
        self.uid = _FIRST_UID + number if os.geteuid() == 0 else None
        self.control, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        start = f"import sys; sys.path.insert(0, {str(ROOT)!r}); "
        start += "from coursekit.grading.child.zygote import main; main()"
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115  (closed in close)
        with far:
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-X", "utf8", "-c", start, str(far.fileno())],
                env=environment(), cwd="/", pass_fds=(far.fileno(),),
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.errors,
                start_new_session=True,
            )  # fmt: skip
        settings = {
            "preload": list(preload),
            "devices": devices,
            "root": str(ROOT),
        }
        self.control.send(json.dumps(settings).encode())
        self.ready = False

    def wait(self) -> None:
        """Block until jax is imported."""
        if not self.ready:
            self.control.settimeout(_START_SECONDS * 4)
            try:
                self.ready = self.control.recv(16) == b"ready"
            except OSError:
                self.ready = False
        if not self.ready:
            self.errors.seek(0)
            lines = self.errors.read().decode(errors="replace").strip().splitlines()
            detail = lines[-1][:200] if lines else ""
            raise SandboxError(f"채점용 파이썬이 jax를 불러오지 못했습니다. {detail}")

    def close(self) -> None:
        self.control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(5)
        self.process.kill()
        self.process.wait()
        self.errors.close()


class Sandbox:
    """One child in its own namespaces.  ``channel`` talks to it; ``close`` ends everything.

    With ``beside`` the child joins the namespaces of another sandbox, which must be closed first.
    ``cached`` shows it the zygote's XLA cache, made by right answers: never where student code
    runs, which must ask for each program (`session.Child`).  ``warm`` lets it write there.
    """

    def __init__(
        self,
        zygote: Zygote,
        limits: Limits,
        *,
        cached: bool = False,
        warm: bool = False,
        beside: Sandbox | None = None,
    ) -> None:
        zygote.wait()
        self.zygote, self.limits = zygote, limits
        self.box: subprocess.Popen | None = None
        self.pids: list[int] = []
        # kept open, since a pid can be given to another process and a pidfd can't
        self.first = -1
        self.session: int | None = None
        self.folder: str | None = None
        self.group: memory.Group | None = None
        self.channel, far = socket.socketpair()
        self.fate, fate_far = os.pipe()
        try:
            with far, open(fate_far, "wb", buffering=0):
                self._start(far.fileno(), fate_far, cached, warm, beside)
        except BaseException:
            self.close()
            raise
        self.channel.setblocking(False)

    def _start(
        self, channel: int, fate: int, cached: bool, warm: bool, beside: Sandbox | None
    ) -> None:
        home = HOME
        if self.zygote.unsafe:
            home = self.folder = tempfile.mkdtemp(prefix="coursekit-unsafe-")
            self.first = os.open("/dev/null", os.O_RDONLY)
        elif beside is not None:
            self.first = os.dup(beside.first)
        else:
            self._start_box(cached, warm)
        cache = str(self.zygote.cache) if self.zygote.unsafe else CACHE
        request = {
            "sandboxed": not self.zygote.unsafe, "home": home, "uid": self.zygote.uid,
            "limits": asdict(self.limits), "scratch": SCRATCH, "cache": cache if cached else "",
        }  # fmt: skip
        try:
            message = [json.dumps(request).encode()]
            socket.send_fds(self.zygote.control, message, [self.first, channel, fate])
        except OSError as error:
            raise SandboxError(f"채점용 파이썬이 사라졌습니다. ({error.strerror})") from None
        line = _read_line(self.fate, _START_SECONDS)
        if not line.startswith("pid "):
            raise SandboxError("샌드박스에 들어가지 못했습니다. `grade doctor`로 확인하세요.")
        self.pids.append(int(line[4:]))
        if self.zygote.unsafe:
            with contextlib.suppress(ProcessLookupError):
                self.session = os.getsid(self.pids[0])
        self.group = memory.Group.create(self.limits.memory)
        if self.group:
            self.group.add(self.pids)

    def _start_box(self, cached: bool, warm: bool) -> None:
        """Start bwrap and wait until its mounts are done."""
        read, write = os.pipe()
        command = bwrap_command(
            self.zygote.bwrap,
            write,
            self.zygote.hidden,
            scratch_bytes=self.limits.scratch_bytes,
            cache=self.zygote.cache if cached else None,
            warm=warm,
        )
        with open(read, encoding="utf-8") as info:
            with open(write, "wb", buffering=0):
                self.box = subprocess.Popen(
                    command, pass_fds=(write,), env={}, cwd="/",
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                )  # fmt: skip
            text = info.read()
        try:
            pid = json.loads(text)["child-pid"]
            self.first = os.pidfd_open(pid)
            self.pids.append(pid)
            # cat answers only once bwrap has set everything up and started it
            self.box.stdin.write(b"!\n")
            self.box.stdin.flush()
            if _read_line(self.box.stdout.fileno(), _START_SECONDS) != "!":
                raise OSError
        except (ValueError, KeyError, OSError):
            self.box.kill()
            _, errors = self.box.communicate()
            detail = errors.decode(errors="replace").strip()[:300]
            raise SandboxError(f"bwrap이 샌드박스를 만들지 못했습니다. {detail}") from None

    def usage(self) -> memory.Usage:
        """What everything alive in the sandbox uses."""
        return memory.usage(self.pids)

    def over_memory(self) -> bool:
        """True if the cgroup, where there is one, has killed for memory."""
        return bool(self.group and self.group.killed())

    def how_it_ended(self) -> str:
        """``exit 0``, ``signal 9`` …; empty while the child lives."""
        return _read_line(self.fate, 1.0)

    def kill(self) -> None:
        """Kill all that is inside, those beside it too; ``close`` must follow."""
        if self.session is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.session, signal.SIGKILL)
            self.session = None
        if self.box is not None and self.first >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.first, signal.SIGKILL)

    def close(self) -> None:
        """Kill all that is inside and wait until it is gone."""
        self.kill()
        if self.box is not None:
            self.box.kill()
            self.box.communicate()
            self.box = None
        if self.fate >= 0:
            # the far end closes when the last process that held it is gone
            while self.pids and _read_line(self.fate, _START_SECONDS):
                pass
            os.close(self.fate)
            self.fate = -1
        if self.first >= 0:
            os.close(self.first)
            self.first = -1
        self.channel.close()
        if self.group:
            self.group.remove()
            self.group = None
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _read_line(descriptor: int, seconds: float) -> str:
    """One line, byte by byte so that nothing of the next is taken; "" at the end or in time."""
    line = b""
    while len(line) < 100 and select.select([descriptor], [], [], seconds)[0]:
        byte = os.read(descriptor, 1)
        if byte in (b"", b"\n"):
            break
        line += byte
    return line.decode(errors="replace")
