"""Talking to one sandboxed child: a request goes in, a reply comes back in time or `Lost` is raised.

The child may be dead, silent, endless, or sending garbage; all of that becomes `Lost` with a
Korean reason, and the sandbox is closed.
"""

from __future__ import annotations

import contextlib
import math
import re
import secrets
import select
import time
from collections.abc import Iterator

from coursekit.grading.sandbox.boxes import Limits, Sandbox, Zygote
from coursekit.grading.wire import frames

_LOOK = 0.2  # seconds between two looks at what the sandbox uses
_MAX_PROGRAMS = 10_000  # that a child may ask for in one request
_SIGNALS = {
    4: "잘못된 명령",
    6: "중단(abort)",
    7: "버스 오류",
    9: "강제 종료",
    11: "메모리 접근 오류",
}


class Lost(Exception):
    """The child is gone.  ``status`` is ``timeout`` or ``crashed``."""

    def __init__(self, status: str, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


class Clock:
    """Wall time left to a whole submission over all its children, and ``lost``: the CPU and idle
    seconds that requests took which ended in `Lost`.
    """

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds
        self.cpu: float | None = None
        self.lost = 0.0

    def check(self, limits: Limits) -> None:
        """Raise `Lost` if the submission has had all its time."""
        if time.monotonic() >= self.end:
            raise Lost("timeout", f"노트북 전체가 {limits.submission_wall:g}초를 넘겼습니다.")
        if self.lost >= limits.submission_lost:
            seconds = f"{limits.submission_lost:g}초"
            raise Lost(
                "timeout",
                f"멈추거나 끝나지 않은 코드에 {seconds}를 모두 써서 나머지를 실행하지 않았습니다.",
            )

    @contextlib.contextmanager
    def allowing(self, cpu: float | None) -> Iterator[None]:
        """Each request inside may take ``cpu`` CPU seconds, whatever the limits say, and none of
        its time is taken from the submission.  None changes nothing.
        """
        if cpu is None:
            yield
            return
        start, end = time.monotonic(), self.end
        self.cpu, self.end = cpu, math.inf
        try:
            yield
        finally:
            self.cpu, self.end = None, end + time.monotonic() - start

    def cell_limits(self, limits: Limits) -> tuple[float, float, float]:
        """CPU, idle and wall seconds of one request; more CPU needs more of the wall."""
        cpu, idle = limits.cell_cpu, limits.cell_idle
        if self.lost:
            cpu, idle = min(cpu, limits.wary_cpu), min(idle, limits.wary_idle)
        if self.cpu is not None:
            cpu = self.cpu
        return cpu, idle, limits.cell_wall * max(1.0, cpu / limits.cell_cpu)


class Child:
    """A sandbox that answers.  Use from one thread; ``close`` is safe to call twice."""

    def __init__(
        self,
        zygote: Zygote,
        limits: Limits,
        clock: Clock,
        *,
        cached: bool = False,
        warm: bool = False,
        beside: Child | None = None,
    ) -> None:
        self.limits, self.clock = limits, clock
        other = beside.sandbox if beside else None
        self.sandbox = Sandbox(zygote, limits, cached=cached, warm=warm, beside=other)
        self.cpu = 0.0
        self.reader = frames.FrameReader()

    def ask(self, message: dict, blobs: list[bytes] = ()) -> tuple[dict, list[bytes]]:
        """Reply of the child, with sizes checked but otherwise not believed."""
        nonce = secrets.token_hex(8)
        watch = _Watch(self.sandbox, self.limits, self.clock)
        try:
            self._send(frames.pack({**message, "nonce": nonce}, blobs), watch)
            for _ in range(_MAX_PROGRAMS):
                reply, blobs = self._receive(watch)
                if reply.get("nonce") != nonce:
                    raise Lost("crashed", "채점기와 주고받는 통신에 끼어들었습니다.")
                if "cache" not in reply:
                    break
                self._send(frames.pack({}, self._program(reply["cache"])), watch)
            else:
                raise Lost("crashed", f"프로그램을 {_MAX_PROGRAMS}번 넘게 컴파일했습니다.")
        except Lost:
            self._give_up(watch)
            raise
        except frames.BadFrame:
            self._give_up(watch)
            raise Lost("crashed", "채점기와 주고받는 통신을 망가뜨렸습니다.") from None
        return reply, blobs

    def _program(self, key: object) -> list[bytes]:
        """The compiled program that the zygote's cache has under ``key``, as one blob, or none."""
        if not isinstance(key, str) or not re.fullmatch(r"[\w.-]{1,200}", key, re.ASCII):
            return []
        try:
            return [(self.sandbox.zygote.cache / f"{key}-cache").read_bytes()]
        except OSError:
            return []

    def _give_up(self, watch: _Watch) -> None:
        self.clock.lost += watch.spent()
        self.close()

    def _send(self, data: bytes, watch: _Watch) -> None:
        view = memoryview(data)
        while view:
            if select.select([], [self.sandbox.channel], [], _LOOK)[1]:
                try:
                    view = view[self.sandbox.channel.send(view) :]
                except BlockingIOError:
                    continue
                except OSError:
                    raise self._death() from None
            watch()

    def _receive(self, watch: _Watch) -> tuple[dict, list[bytes]]:
        while True:
            if select.select([self.sandbox.channel], [], [], _LOOK)[0]:
                try:
                    data = self.sandbox.channel.recv(1 << 20)
                except BlockingIOError:
                    continue
                except OSError:
                    data = b""
                if not data:
                    raise self._death()
                if frame := self.reader.feed(data):
                    return frame
                watch()
            else:
                watch(silent=not select.select([self.sandbox.channel], [], [], 0)[0])

    def _death(self) -> Lost:
        fate = self.sandbox.how_it_ended()
        kind, _, number = fate.partition(" ")
        if kind == "exit":
            return Lost("crashed", f"프로세스를 스스로 끝냈습니다. (종료 코드 {number})")
        if kind == "signal":
            name = _SIGNALS.get(int(number), f"신호 {number}")
            if self.sandbox.over_memory():
                name = "메모리 한도를 넘음"
            elif number == "24":
                return Lost("timeout", "정해진 CPU 시간을 모두 썼습니다.")
            return Lost("crashed", f"프로세스가 죽었습니다. ({name})")
        return Lost("crashed", "프로세스와 연결이 끊겼습니다.")

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self.cpu = max(self.cpu, self.sandbox.usage().cpu)
        self.sandbox.close()


class _Watch:
    """Raises `Lost` when a request has used up its time or the sandbox its memory."""

    def __init__(self, sandbox: Sandbox, limits: Limits, clock: Clock) -> None:
        self.sandbox, self.limits, self.clock = sandbox, limits, clock
        self.most_cpu, self.most_idle, self.most_wall = clock.cell_limits(limits)
        self.start = self.looked = time.monotonic()
        self.cpu_before: float | None = None
        self.cpu = self.idle = 0.0

    def __call__(self, silent: bool = False) -> None:
        """``silent``: the child has sent nothing since the last look, and nothing is on its way.
        Otherwise it may be waiting for this process, which is no idleness of its own.
        """
        now = time.monotonic()
        if now - self.start > min(self.most_wall, max(self.clock.end - self.start, 0.1)):
            raise Lost("timeout", f"{self.most_wall:g}초 안에 끝나지 않았습니다.")
        passed = now - self.looked
        if passed < _LOOK:
            return
        self.looked = now
        used = self.sandbox.usage()
        if self.cpu_before is None:  # the first look comes early enough to be the start
            self.cpu_before = used.cpu
        self.cpu = used.cpu - self.cpu_before
        if silent and not used.busy:
            self.idle += min(passed, 2 * _LOOK)  # if more passed, this process was not let run
        if self.cpu > self.most_cpu:
            raise Lost("timeout", f"CPU 시간 {self.most_cpu:g}초 안에 끝나지 않았습니다.")
        if self.idle > self.most_idle:
            raise Lost("timeout", f"아무 계산도 하지 않고 {self.most_idle:g}초를 기다렸습니다.")
        if used.memory > self.limits.memory:
            raise Lost(
                "crashed",
                f"메모리를 {self.limits.memory >> 20} MB 넘게 썼습니다. 만든 프로세스의 메모리도 더합니다.",
            )

    def spent(self) -> float:
        """CPU or idle seconds, as far as was seen; a tenth of a second at least, to start again."""
        return max(self.cpu, self.idle, _LOOK / 2)
