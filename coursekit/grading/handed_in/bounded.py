"""Work on what strangers wrote, in a process of its own with limits of time and memory.

Parsing runs nothing, but a file can be made so that parsing it takes minutes or gigabytes.  Here
it takes the reader's (`reader`), which then is replaced, and never the grader's.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import select
import subprocess
import sys
import time
from typing import Any

from coursekit.project import ROOT

CPU_SECONDS, WALL_SECONDS = 8, 20
_MAX_REPLY = 64 << 20


class TooMuch(Exception):
    """The work took more time or memory than it may, or ended the reader."""


def ask(operation: str, *, cpu: int = CPU_SECONDS, **arguments: Any) -> Any:
    """Answer of `reader`'s function ``operation``, JSON both ways; raises `TooMuch`.

    ``cpu``: seconds.  Safe to call from many threads: each has a reader for as long as it waits.
    """
    reader = _idle.pop() if _idle else _Reader()
    try:
        reply = reader.ask({"operation": operation, "cpu": cpu, "arguments": arguments})
    except BaseException:
        reader.close()
        raise
    if reply.pop("last"):
        reader.close()
    else:
        _idle.append(reader)
    if "answer" not in reply:
        raise TooMuch(reply["failed"])
    return reply["answer"]


_idle: list[_Reader] = []


class _Reader:
    def __init__(self) -> None:
        start = f"import sys; sys.path.insert(0, {str(ROOT)!r}); "
        start += "from coursekit.grading.handed_in.reader import main; main()"
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-X", "utf8", "-c", start], cwd="/",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def ask(self, request: dict) -> dict:
        end = time.monotonic() + WALL_SECONDS
        line = bytearray()
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
            while not line.endswith(b"\n"):
                if not select.select([self.process.stdout], [], [], end - time.monotonic())[0]:
                    raise TooMuch("time")
                if not (data := self.process.stdout.read1(1 << 20)):
                    raise TooMuch("ended")
                line += data
                if len(line) > _MAX_REPLY:
                    raise TooMuch("reply")
        except (OSError, ValueError) as error:  # it is gone, or no time is left
            raise TooMuch(type(error).__name__) from None
        return json.loads(line)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                stream.close()


@atexit.register
def close_all() -> None:
    """End the readers that wait for work; the next request starts one anew."""
    while _idle:
        _idle.pop().close()
