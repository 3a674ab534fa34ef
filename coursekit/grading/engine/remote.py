"""The pure ``grade`` mapped over Dask workers: for a class too large for one machine.

A worker needs this package and a sandbox of its own (``grade doctor`` there); the probes, the
answers that warm the cache and the file to grade travel with the task.  A worker that is lost
costs a retry elsewhere, not a grade.
"""

from __future__ import annotations

import atexit
import hashlib
import queue
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from coursekit.findings import CourseError
from coursekit.grading.engine import batch
from coursekit.grading.engine.grade import Grader, new_seed
from coursekit.grading.handed_in import notebook
from coursekit.grading.probes import questions
from coursekit.grading.probes.questions import Exercise
from coursekit.grading.records.result import Result
from coursekit.grading.sandbox.boxes import SandboxError

_RETRIES = 3
_here = threading.local()


def run(
    exercise: Exercise,
    items: Sequence[batch.Item],
    *,
    scheduler: str,
    out: Path | None = None,
    seed: str = "",
    again: bool = False,
    on_done: Callable[[Result], None] = lambda result: None,
    known: Callable[[str], Result | None] = lambda name: None,
    keep: bool = True,
    **options: Any,
) -> list[Result]:
    """As `batch.run`, on the workers of the Dask scheduler at the address ``scheduler``."""
    try:
        from distributed import Client
    except ImportError:
        raise CourseError(
            "--scheduler에는 Dask가 필요합니다. `pip install -r requirements/scheduler.txt`로 "
            "설치합니다."
        ) from None
    seed = seed or new_seed()
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    results: dict[str, Result] = {}

    def finish(result: Result) -> None:
        if out is not None:
            batch.write_result(out, result)
        if keep:
            results[result.submission] = result
        on_done(result)

    todo = []
    for item in items:
        if not again and (old := batch.still_right(exercise, item, out, known)):
            results.update({item.name: old} if keep else {})
            on_done(old)
        else:
            todo.append(item)
    if todo:
        timeout = options.pop("timeout", 20)
        try:
            client = Client(scheduler, timeout=timeout, set_as_default=False)
        except (OSError, ValueError) as error:
            raise CourseError(
                f"Dask 스케줄러 {scheduler}에 연결하지 못했습니다. ({error})"
            ) from None
        with client:
            try:
                client.wait_for_workers(1, timeout=timeout)
            except TimeoutError:
                raise CourseError(
                    f"Dask 스케줄러 {scheduler}에 작업자가 없습니다. 채점할 컴퓨터에서 "
                    "`dask worker`를 띄웁니다."
                ) from None
            _work(client, exercise, todo, seed, options, finish)
    return [results[item.name] for item in items if item.name in results]


def _work(client, exercise: Exercise, items, seed: str, options: dict, finish) -> None:
    """Keep the workers busy with a few submissions each, not the whole class in their memory."""
    package = _pack(exercise)  # with every task: what only one worker held would be lost with it
    passed_on = {k: v for k, v in options.items() if k in ("unsafe", "limits")}
    done: queue.SimpleQueue = queue.SimpleQueue()
    names: dict[Any, str] = {}
    rest = iter(items)

    def send() -> None:
        for item in rest:
            try:
                data = notebook.read_bytes(item.path)
            except notebook.Unreadable as error:  # needs no worker
                finish(
                    Result(item.name, exercise.name, "unreadable", 0, exercise.points, str(error))
                )
                continue
            future = client.submit(_grade, package, data, item.path.suffix, item.name, seed,
                                   passed_on, retries=_RETRIES, pure=False)  # fmt: skip
            names[future] = item.name
            future.add_done_callback(done.put)
            return

    for _ in range(2 * max(1, sum(client.nthreads().values()))):
        send()
    while names:
        future = done.get()
        name = names.pop(future)
        try:
            result = Result.from_json(future.result())
        except Exception as error:
            raise SandboxError(f"{name}: 작업자가 채점하지 못했습니다. ({error})") from error
        finish(result)
        future.release()
        send()


def _pack(exercise: Exercise) -> dict[str, Any]:
    """The files of an exercise set that grading reads, and which of its questions are asked."""
    folder = exercise.folder
    names = [folder / "probes.py", folder / "helpers.py", *exercise.right_answers]
    return {
        "files": {str(p.relative_to(folder)): p.read_bytes() for p in names if p.exists()},
        "name": exercise.name,
        "questions": [question.name for question in exercise.questions],
        "texts": [text.name for text in exercise.texts],
    }


def _grade(package: dict, data: bytes, suffix: str, name: str, seed: str, options: dict) -> str:
    """On a worker: JSON of the result.  The zygote stays warm in this thread."""
    key = (hashlib.sha256(repr(package).encode()).hexdigest(), seed)
    if getattr(_here, "key", None) != key:
        _close()
        _here.folder = tempfile.TemporaryDirectory(prefix="coursekit-")
        _here.grader = Grader(_unpack(package, Path(_here.folder.name)), seed=seed, **options)
        _here.key = key
        atexit.register(_here.grader.close)
    path = Path(_here.folder.name, "submission" + suffix)
    path.write_bytes(data)
    try:
        result = _here.grader.grade(path, name)
    except SandboxError:
        _here.grader.restart()
        result = _here.grader.grade(path, name)
    return result.to_json()


def _close() -> None:
    if getattr(_here, "key", None):
        _here.key = None
        _here.grader.close()
        _here.folder.cleanup()


def _unpack(package: dict, folder: Path) -> Exercise:
    folder = folder / package["name"]
    for name, data in package["files"].items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    exercise = questions.load(folder)
    exercise.questions = [q for q in exercise.questions if q.name in package["questions"]]
    exercise.texts = [text for text in exercise.texts if text.name in package["texts"]]
    return exercise
