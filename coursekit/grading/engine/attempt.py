"""One submission in its sandboxes: run its cells, then answer requests about its functions.

If a cell or a request kills the child, a new one is forked and the cells run again without the
deadly one, so that a crash costs only what it belongs to.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from typing import Any

from coursekit.grading.handed_in.magics import DEFINITIONS
from coursekit.grading.handed_in.submission import CodeCell, Submission
from coursekit.grading.probes.questions import (
    Call,
    Compile,
    Compiled,
    Helper,
    Processes,
    Program,
    Ran,
    Traces,
)
from coursekit.grading.probes.verdict import Raised
from coursekit.grading.sandbox.boxes import Limits, Zygote
from coursekit.grading.sandbox.session import Child, Clock, Lost
from coursekit.grading.wire import trees

_MAX_DEADLY = 8  # cells that may kill a child before the rest is given up
_MAX_KNOWN = 16 << 20  # bytes of helpers' answers that are kept


class Run:
    """``cell_errors`` and ``deadly`` tell, by cell index, what went wrong in which cell.

    Of a cell that ended a child only the definitions run from then on; if these do so again, the
    cell is left out (``given_up``).
    """

    def __init__(
        self, zygote: Zygote, submission: Submission, limits: Limits, *, warm: bool = False
    ) -> None:
        self.zygote, self.submission, self.limits, self.warm = zygote, submission, limits, warm
        self.clock = Clock(limits.submission_wall)
        self.cell_errors: dict[int, Raised] = {}
        self.deadly: dict[int, Lost] = {}
        self.given_up: set[int] = set()
        self._student: Child | None = None
        self._judge: Child | None = None
        self._ended_cpu = 0.0
        self._programs: dict[tuple, tuple[Any, bytes]] = {}

    @property
    def cpu_seconds(self) -> float:
        return self._ended_cpu

    def student(self) -> Child:
        """A child in which all cells that can be run have run."""
        while self._student is None:
            self.clock.check(self.limits)
            if len(self.deadly) > _MAX_DEADLY:
                raise Lost("crashed", "프로세스를 죽이는 셀이 너무 많습니다.")
            # only the author's own answers may see and fill the cache
            self._run_cells(
                Child(self.zygote, self.limits, self.clock, cached=self.warm, warm=self.warm)
            )
        return self._student

    def _run_cells(self, child: Child) -> None:
        for cell in self.submission.cells:
            if cell.index in self.given_up:
                continue
            level = DEFINITIONS if cell.index in self.deadly else cell.level
            try:
                reply = _run_cell(child, cell, level)
            except Lost as lost:
                if cell.index in self.deadly:
                    self.given_up.add(cell.index)
                self.deadly.setdefault(cell.index, lost)
                self._ended_cpu += child.cpu
                return
            if error := _raised(reply):
                self.cell_errors[cell.index] = error
        self._student = child

    def exists(self, name: str) -> bool:
        """Whether the cells left a function by this name (the child's word; a lie gains nothing).

        One that was deleted or written over (``loss = loss(x)``) is defined once more.
        """
        child = self.student()
        question = {"op": "exists", "name": name}
        try:
            if child.ask(question)[0].get("exists"):
                return True
            for cell in self.submission.defining(name):
                if name not in cell.blanks and cell.index not in self.given_up:
                    _run_cell(child, cell, DEFINITIONS)
            return bool(child.ask(question)[0].get("exists"))
        except Lost:
            self._ended_cpu += child.cpu
            self._student = None
            raise

    def ask(self, name: str, request: Any, cpu: float | None = None) -> Any:
        """Answer to a `Call`, `Program` or `Traces` about function ``name``.

        ``cpu``: see `Clock.allowing`.  Raises `Raised` if the function did, `Lost` if the child is
        gone.
        """
        child = self.student()
        try:
            with self.clock.allowing(cpu):
                return self._ask(child, name, request)
        except Lost:
            self._ended_cpu += child.cpu
            self._student = None
            raise

    def _ask(self, child: Child, name: str, request: Any) -> Any:
        blobs: list[bytes] = []
        message = {"name": name, "wrap": request.wrap}
        match request:
            case Call():
                arguments = trees.encode(request.arguments, blobs)
                message |= {"op": "call", "arguments": arguments, "key_check": request.key_check}
                reply, back = _checked(child.ask(message, blobs))
                return _value(reply.get("value"), back)
            case Traces():
                calls = [trees.encode(arguments, blobs) for arguments in request.calls]
                message |= {"op": "traces", "calls": calls, "feed_back": request.feed_back}
                reply, _ = _checked(child.ask(message, blobs))
                return reply["traces"] if type(reply.get("traces")) is int else -1
            case Program():
                out, exported = self._exported(child, message, request.calls[0])
                return self._run_program(request, out, exported)
            case Compile():
                _, exported = self._exported(child, message, request.arguments)
                reply, back = self._ask_judge({"op": "compile"}, [exported])
                sizes = (reply["temporary"], reply["arguments"], reply["results"])
                return Compiled(back[0].decode(errors="replace"), *sizes)
            case Processes():
                return self._run_processes(request, message)
        raise TypeError(request)

    def _exported(self, child: Child, message: dict, arguments: tuple) -> tuple[Any, bytes]:
        """Places of the results, and the serialized program; exported once per shape of inputs.

        The child is told no values, so it can't put the answer to one of them into the program.
        """
        encoded = trees.encode(arguments, [], trees.spec)
        shapes = (message["name"], message["wrap"], json.dumps(encoded))
        if shapes not in self._programs:
            request = message | {"op": "export", "arguments": encoded}
            reply, back = _checked(child.ask(request))
            if len(back) != 1:
                raise Raised("BadProgram")
            self._programs[shapes] = (reply.get("out"), back[0])
        return self._programs[shapes]

    def _ask_judge(self, message: dict, blobs: list[bytes]) -> tuple[dict, list[bytes]]:
        """Ask the child in which no code of the student is."""
        if self._judge is None:
            self._judge = Child(self.zygote, self.limits, self.clock, cached=True, warm=self.warm)
        try:
            return _checked(self._judge.ask(message, blobs))
        except Lost as lost:
            self._ended_cpu += self._judge.cpu
            self._judge = None
            # the student's own child is fine, so this is the program's failure and no more
            raise Raised("프로그램", lost.reason) from None

    def _run_processes(self, request: Processes, message: dict) -> list:
        children: list[Child] = []
        # one waits while the other works
        limits = replace(self.limits, cell_idle=math.inf, wary_idle=math.inf)
        try:
            for _ in request.calls:
                beside = children[0] if children else None
                child = Child(self.zygote, limits, self.clock, beside=beside)
                children.append(child)
            with ThreadPoolExecutor(len(children)) as pool:
                answers = [
                    pool.submit(self._ask_fresh, message, child, arguments)
                    for child, arguments in zip(children, request.calls, strict=True)
                ]
                for answer in as_completed(answers):
                    if answer.exception():  # the others may wait for this one to no end
                        for child in children:
                            child.sandbox.kill()
                        raise answer.exception()
                return [answer.result() for answer in answers]
        except Lost as lost:
            raise Raised("프로세스", lost.reason) from None
        finally:
            for child in children:
                child.close()
                self._ended_cpu += child.cpu

    def _ask_fresh(self, message: dict, child: Child, arguments: tuple) -> Any:
        for cell in self.submission.cells:
            _run_cell(child, cell, DEFINITIONS)
        blobs: list[bytes] = []
        encoded = trees.encode(arguments, blobs)
        request = message | {"op": "call", "arguments": encoded, "fresh": True}
        reply, back = _checked(child.ask(request, blobs))
        return _value(reply.get("value"), back)

    def _run_program(self, request: Program, out: Any, exported: bytes) -> Ran:
        blobs: list[bytes] = []
        calls = [trees.encode(arguments, blobs) for arguments in request.calls]
        message = {"op": "program", "calls": calls if request.run else []}
        reply, back = self._ask_judge(message, [*blobs, exported])
        values = reply.get("values")
        if not isinstance(values, list) or len(values) != len(message["calls"]):
            raise Raised("BadProgram")
        results = [_place(out, _value(value, back)) for value in values]
        return Ran(results, int(reply["operations"]))

    def close(self) -> None:
        for child in (self._student, self._judge):
            if child is not None:
                child.close()
                self._ended_cpu += child.cpu
        self._student = self._judge = None

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class HelperRun:
    """The author's ``helpers.py`` in a process of its own; the latest answers are kept."""

    def __init__(self, zygote: Zygote, source: str, limits: Limits, *, warm: bool = False) -> None:
        self.zygote, self.source, self.warm = zygote, source, warm
        # it serves a whole run: what one submission used must not be missing for the next
        self.limits = replace(limits, cpu_total=-1)
        self._child: Child | None = None
        self._known: OrderedDict[bytes, Any] = OrderedDict()
        self._sizes: dict[bytes, int] = {}

    def ask(self, request: Helper) -> Any:
        """The helper's answer.  Raises `Raised` if it raised, or did not come back: what it was
        given may be the student's.
        """
        blobs: list[bytes] = []
        arguments = trees.encode(request.arguments, blobs)
        head = json.dumps([request.name, arguments]).encode()
        asked = hashlib.sha256(b"\0".join([head, *blobs])).digest()
        if asked in self._known:
            self._known.move_to_end(asked)
            return self._known[asked]
        message = {"op": "call", "name": request.name, "wrap": "", "arguments": arguments}
        try:
            reply, back = _checked(self._running().ask(message, blobs))
        except Lost as lost:
            self._child = None
            raise Raised("도움 함수", lost.reason) from None
        answer = _value(reply.get("value"), back)
        self._keep(asked, answer, sum(map(len, back)))
        return answer

    def _running(self) -> Child:
        if self._child is None:
            clock = Clock(math.inf)
            self._child = Child(self.zygote, self.limits, clock, cached=True, warm=self.warm)
            _checked(self._child.ask({"op": "cell", "cell": 0, "source": self.source}))
        self._child.clock.lost = 0.0
        return self._child

    def _keep(self, asked: bytes, answer: Any, size: int) -> None:
        self._known[asked], self._sizes[asked] = answer, size
        while sum(self._sizes.values()) > _MAX_KNOWN or len(self._known) > 1000:
            oldest, _ = self._known.popitem(last=False)
            del self._sizes[oldest]

    def close(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None


def _run_cell(child: Child, cell: CodeCell, level: str) -> dict:
    message = {"op": "cell", "cell": cell.index + 1, "source": cell.source, "level": level}
    return child.ask({**message, "file": cell.file})[0]


def _raised(reply: dict) -> Raised | None:
    error = reply.get("error")
    if error is None:
        return None
    if not isinstance(error, dict):
        return Raised("오류")
    line = error.get("line")
    return Raised(
        trees.printable(str(error.get("type"))[:80]),
        trees.printable(str(error.get("text", ""))[:300]),
        line if type(line) is int else None,
    )


def _checked(answer: tuple[dict, list[bytes]]) -> tuple[dict, list[bytes]]:
    if error := _raised(answer[0]):
        raise error
    return answer


def _value(node: Any, blobs: list[bytes]) -> Any:
    try:
        return trees.decode(node, blobs)
    except (trees.BadTree, RecursionError):
        raise Raised("값", "읽을 수 없는 값을 돌려주었습니다.") from None


def _place(out: Any, results: Any) -> Any:
    """Results of a program in the places that the student's function gave them."""

    def make(leaf: Any) -> Any:
        if not isinstance(leaf, trees.Slot):
            return leaf
        if not isinstance(results, list) or not 0 <= leaf.index < len(results):
            raise trees.BadTree("slot")
        value = results[leaf.index]
        return trees.Key(value, leaf.implementation) if leaf.implementation else value

    try:
        return trees.decode(out, [], make)
    except (trees.BadTree, RecursionError):
        raise Raised("값", "읽을 수 없는 값을 돌려주었습니다.") from None
