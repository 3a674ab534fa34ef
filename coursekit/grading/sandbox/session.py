"""Talking to one sandboxed child: a request goes in, a reply comes back in time or `Lost` is raised.

The child may be dead, silent, endless, or sending garbage; all of that becomes `Lost` with a
Korean reason, and the sandbox is closed.
"""

from __future__ import annotations

import contextlib
import math
import secrets
import select
import time
from collections.abc import Callable, Iterator

from coursekit.grading.sandbox.boxes import Limits, Sandbox, Zygote
from coursekit.grading.wire import frames

_LOOK = 0.2  # seconds between two looks at what the sandbox uses
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
    """Wall time left to a whole submission, over all its children."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds
        self.cpu: float | None = None

    def left(self) -> float:
        return self.end - time.monotonic()

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

    def cell_limits(self, limits: Limits) -> tuple[float, float]:
        """CPU and wall seconds of one request; more of the one needs more of the other."""
        cpu = limits.cell_cpu if self.cpu is None else self.cpu
        return cpu, limits.cell_wall * max(1.0, cpu / limits.cell_cpu)


class Child:
    """A sandbox that answers.  Use from one thread; ``close`` is safe to call twice."""

    def __init__(
        self,
        zygote: Zygote,
        limits: Limits,
        clock: Clock,
        *,
        warm: bool = False,
        beside: Child | None = None,
    ) -> None:
        self.limits, self.clock = limits, clock
        other = beside.sandbox if beside else None
        self.sandbox = Sandbox(zygote, limits, warm=warm, beside=other)
        self.cpu = 0.0
        self.reader = frames.FrameReader()

    def ask(self, message: dict, blobs: list[bytes] = ()) -> tuple[dict, list[bytes]]:
        """Reply of the child, with sizes checked but otherwise not believed."""
        nonce = secrets.token_hex(8)
        watch = _Watch(self.sandbox, self.limits, self.clock)
        try:
            self._send(frames.pack({**message, "nonce": nonce}, blobs), watch)
            reply, blobs = self._receive(watch)
            if reply.get("nonce") != nonce:
                raise Lost("crashed", "채점기와 주고받는 통신에 끼어들었습니다.")
        except Lost:
            self.close()
            raise
        except frames.BadFrame:
            self.close()
            raise Lost("crashed", "채점기와 주고받는 통신을 망가뜨렸습니다.") from None
        return reply, blobs

    def _send(self, data: bytes, watch: Callable[[], None]) -> None:
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

    def _receive(self, watch: Callable[[], None]) -> tuple[dict, list[bytes]]:
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
            self.cpu = max(self.cpu, self.sandbox.cpu_and_memory()[0])
        self.sandbox.close()


class _Watch:
    """Raises `Lost` when a request has used up its time or the sandbox its memory."""

    def __init__(self, sandbox: Sandbox, limits: Limits, clock: Clock) -> None:
        self.sandbox, self.limits, self.clock = sandbox, limits, clock
        self.cpu, self.wall = clock.cell_limits(limits)
        self.start = self.looked = time.monotonic()
        self.cpu_before: float | None = None

    def __call__(self) -> None:
        now = time.monotonic()
        if now - self.start > min(self.wall, max(self.clock.end - self.start, 0.1)):
            raise Lost("timeout", f"{self.wall:g}초 안에 끝나지 않았습니다.")
        if now - self.looked < _LOOK:
            return
        self.looked = now
        cpu, used = self.sandbox.cpu_and_memory()
        if self.cpu_before is None:  # the first look comes early enough to be the start
            self.cpu_before = cpu
        if cpu - self.cpu_before > self.cpu:
            raise Lost("timeout", f"CPU 시간 {self.cpu:g}초 안에 끝나지 않았습니다.")
        if used > self.limits.memory:
            raise Lost(
                "crashed",
                f"메모리를 {self.limits.memory >> 20} MB 넘게 썼습니다. 만든 프로세스의 메모리도 더합니다.",
            )
