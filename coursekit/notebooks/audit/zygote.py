"""Runs cells in a forked child of a process that has imported, and not yet used, the packages.

JAX starts threads with its first computation, and a process with threads cannot be forked, so
the parent of all children only imports. A child runs the cells it is given from the beginning
and ends; nothing that a mutant does to a list, a compilation cache, an environment variable or
a file is seen by the next one.

Run as ``python -m coursekit.notebooks.audit.zygote MODULE…``: one JSON request a line on stdin,
one JSON answer a line on stdout. A request holds ``cells`` (sources; what the last one shows is
the answer), ``cpu`` (seconds), ``memory`` (bytes), ``idle`` (seconds without any use of the CPU
after which it counts as hung), ``cache`` (may compiled programs be reused?).
An answer holds ``ending`` (``ok``, ``raised``, ``broken`` where a cell before the last raised,
``died``, ``hung``), ``error``, ``shown``, ``cpu``.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import warnings

_STARTS_THREADS = {"onnxruntime", "jax2onnx", "grain"}  # at import; a child imports them itself


def main(modules: list[str]) -> None:
    """Serve requests until stdin ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nothing but answers goes to the caller
    warnings.filterwarnings("ignore", message=r".*os\.fork\(\)")
    shell = _shell()
    for name in modules:
        if name.partition(".")[0] not in _STARTS_THREADS:
            with contextlib.suppress(Exception):  # the cell that needs it will say so
                importlib.import_module(name)
    if (threads := len(os.listdir("/proc/self/task"))) > 1:
        sys.exit(f"threads before the first fork: {threads}")
    _adopt_orphans()
    print(json.dumps({"ready": True}), file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(_serve(shell, json.loads(line))), file=answers, flush=True)


def _shell():
    """IPython as a kernel sets it up, without history and without a terminal."""
    from ipykernel.compiler import XCachingCompiler
    from IPython.core.displayhook import DisplayHook
    from IPython.core.displaypub import CapturingDisplayPublisher
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    class Hook(DisplayHook):
        """Keeps what it should display."""

        outputs: list = []

        def write_output_prompt(self) -> None: ...

        def write_format_data(self, data, metadata=None) -> None:
            self.outputs.append({"data": data})

        def finish_displayhook(self) -> None: ...

    class Shell(InteractiveShell):
        displayhook_class = Hook
        compiler_class = XCachingCompiler
        display_pub_class = CapturingDisplayPublisher

        def _showtraceback(self, *_) -> None:
            """Errors are told by the answer."""

        def ask_exit(self) -> None:
            raise SystemExit

    return Shell(config=Config(HistoryManager={"enabled": False}), colors="NoColor")


def _serve(shell, request: dict) -> dict:
    folder = tempfile.mkdtemp(prefix="audit-")
    pid = os.fork()
    if not pid:
        try:
            _child(shell, request, folder)
        finally:
            os._exit(1)
    try:
        hung, usage = _wait(pid, request["idle"])
        try:
            with open(os.path.join(folder, "answer.json"), encoding="utf-8") as file:
                answer = json.load(file)
        except (OSError, ValueError):
            answer = {"ending": "hung" if hung else "died", "error": "", "shown": None}
    finally:
        _kill_children()
        shutil.rmtree(folder, ignore_errors=True)
    return answer | {"cpu": usage}


def _child(shell, request: dict, folder: str) -> None:
    os.setsid()
    resource.setrlimit(resource.RLIMIT_DATA, (request["memory"],) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    cpu = int(request["cpu"]) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 5))
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(0, 2)
    os.environ["TMPDIR"] = tempfile.tempdir = os.path.join(folder, "tmp")
    os.mkdir(tempfile.tempdir)
    work = os.path.join(folder, "work")
    os.mkdir(work)
    os.chdir(work)
    if not request["cache"] and "jax" in sys.modules:
        sys.modules["jax"].config.update("jax_enable_compilation_cache", False)
    *before, last = request["cells"]
    answer = {"ending": "ok", "error": "", "shown": None}
    for source in before:
        if error := _run(shell, source)[0]:
            answer |= {"ending": "broken", "error": error}
            break
    else:
        error, shown = _run(shell, last)
        answer |= {"ending": "raised" if error else "ok", "error": error, "shown": shown}
    beside = os.path.join(folder, "answer.part")
    with open(beside, "w", encoding="utf-8") as file:
        json.dump(answer, file)
    os.rename(beside, os.path.join(folder, "answer.json"))
    os._exit(0)


def _run(shell, source: str) -> tuple[str, list]:
    """(error or "", what the cell shows: stdout, then the text of each display and the result)."""
    shell.displayhook.outputs.clear()
    shell.display_pub.outputs.clear()
    with contextlib.redirect_stdout(io.StringIO()) as out:
        result = shell.run_cell(source, store_history=True)
    error = result.error_before_exec or result.error_in_exec
    shown = [_text(output["data"]) for output in shell.display_pub.outputs]
    shown += [_text(output["data"]) for output in shell.displayhook.outputs]
    told = f"{type(error).__name__}: {str(error)[:300]}" if error is not None else ""
    return told, [out.getvalue(), *(text for text in shown if text is not None)]


def _text(data: dict) -> str | None:
    """The text of one display; None for pictures, which nbval does not compare either."""
    return None if any(kind.startswith("image/") for kind in data) else data.get("text/plain")


def _wait(pid: int, idle: float) -> tuple[bool, float]:
    """(did it hang?, CPU seconds) once the child has ended by itself or by us."""
    last, since, hung = -1.0, time.monotonic(), False
    while True:
        done, _, usage = os.wait4(pid, os.WNOHANG)
        if done:
            return hung, usage.ru_utime + usage.ru_stime
        time.sleep(0.01)
        now = time.monotonic()
        if not hung and now - since > min(1.0, idle / 2):
            used = _cpu_of_session(pid)
            if used - last > 0.05:
                last, since = used, now
            elif now - since > idle:
                hung = True
                os.killpg(pid, signal.SIGKILL)


def _cpu_of_session(session: int) -> float:
    """CPU seconds of all processes of a session, so that waiting for a child is no idleness."""
    ticks = 0
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as file:
                    fields = file.read().rpartition(")")[2].split()
                if int(fields[3]) == session:
                    ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _adopt_orphans() -> None:
    """Processes that a child leaves behind become ours, so that we can end them."""
    import ctypes

    subreaper = 36  # PR_SET_CHILD_SUBREAPER, prctl(2)
    ctypes.CDLL(None).prctl(subreaper, 1, 0, 0, 0)


def _kill_children() -> None:
    while True:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
            children = [int(pid) for pid in file.read().split()]
        if not children:
            return
        for pid in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


if __name__ == "__main__":
    main(sys.argv[1:])
