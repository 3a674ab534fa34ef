"""A folder of submissions → one result file each, with every core busy.

Each result is written (whole, by rename) as soon as it is there, so a run that is killed goes on
where it stopped, and a second run over the same files changes nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import queue
import re
import threading
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coursekit.files import clear_halves, write_whole
from coursekit.grading.engine.grade import Grader, digest, new_seed, plain_name
from coursekit.grading.handed_in import notebook
from coursekit.grading.probes.questions import Exercise, ExerciseError
from coursekit.grading.records.result import Result
from coursekit.grading.sandbox.boxes import SandboxError

_SUFFIXES = (".py", ".zip")


@dataclass(frozen=True)
class Item:
    """``name`` is unique in the folder and in NFC, so macOS and Linux names agree."""

    name: str
    path: Path


def find(folder: Path) -> list[Item]:
    """Everything handed in below ``folder``: files, and notebooks in a student's own folder.

    Links to folders are not followed.  A folder without a notebook is one item, so that it gets
    a result that says so.
    """
    items: list[Item] = []
    for entry in sorted(folder.iterdir(), key=lambda p: unicodedata.normalize("NFC", p.name)):
        if _is_litter(entry.name):
            continue
        if entry.is_dir() and not entry.is_symlink():
            items += [Item(str(p.relative_to(folder)), p) for p in _notebooks(entry)] or [
                Item(entry.name, entry)
            ]
        else:
            items.append(Item(entry.name, entry))
    return list(_with_unique_names(items))


def _notebooks(folder: Path) -> list[Path]:
    found = []
    for base, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _is_litter(name))
        found += [Path(base, f) for f in sorted(files)
                  if _is_answer(f) and not _is_litter(f)]  # fmt: skip
    return found


def _is_answer(name: str) -> bool:
    # systems and people write behind the suffix: "05.ipynb의 사본", "05.ipynb.txt"
    name = name.casefold()
    return ".ipynb" in name or name.endswith(_SUFFIXES)


def _is_litter(name: str) -> bool:
    """What nobody handed in; a notebook whose name begins with a dot was handed in."""
    return notebook.is_litter(name) or name.startswith(".") and not _is_answer(name)


def _with_unique_names(items: list[Item]) -> Iterator[Item]:
    seen: set[str] = set()
    for item in items:
        # a name that is not UTF-8 on disk must still be printable
        plain = item.name.encode(errors="surrogateescape").decode(errors="replace")
        name = base = unicodedata.normalize("NFC", plain)
        number = 2
        while name in seen:  # the same name once in NFC and once in NFD: two files, two results
            name, number = f"{base} ({number})", number + 1
        seen.add(name)
        yield Item(name, item.path)


def result_path(folder: Path, name: str) -> Path:
    """File of a result: readable, of one folder level, and unique by a hash."""
    plain = re.sub(r"[^\w.()-]+", "_", name)[-60:]
    return folder / f"{plain}.{hashlib.sha256(name.encode()).hexdigest()[:8]}.json"


def write_result(folder: Path, result: Result) -> None:
    path = result_path(folder, result.submission)
    write_whole(path, result.to_json() + "\n")


def read_result(folder: Path, name: str) -> Result | None:
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        return Result.from_json(result_path(folder, name).read_text(encoding="utf-8"))
    return None


def run(
    exercise: Exercise,
    items: Sequence[Item],
    *,
    out: Path | None = None,
    workers: int = 0,
    seed: str = "",
    again: bool = False,
    on_done: Callable[[Result], None] = lambda result: None,
    known: Callable[[str], Result | None] = lambda name: None,
    keep: bool = True,
    **options: Any,
) -> list[Result]:
    """Grade ``items`` on ``workers`` cores (0: all); results in the order of ``items``.

    Results in ``out``, or that ``known`` gives for the name of an item, are taken over instead of
    graded anew if they still hold.  ``options`` are those of `Grader`.  ``on_done`` is called from
    the worker threads, one call at a time; without ``keep`` it is all that hears of a result.
    """
    seed = seed or new_seed()
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        clear_halves(out, "*.json")
    results: list[Result | None] = [None] * len(items)
    todo: queue.SimpleQueue = queue.SimpleQueue()
    for index, item in enumerate(items):
        if not again and (old := still_right(exercise, item, out, known)):
            results[index] = old if keep else None
            on_done(old)
        else:
            todo.put(index)
    count = min(workers or len(os.sched_getaffinity(0)), todo.qsize())
    failures: list[BaseException] = []
    lock = threading.Lock()
    with contextlib.ExitStack() as stack:
        graders = []
        for slot in range(count):
            grader = Grader(exercise, seed=seed, slot=slot, **options)
            graders.append(stack.enter_context(grader))

        def work(slot: int) -> None:
            grader = graders[slot]
            while not failures:
                try:
                    index = todo.get_nowait()
                except queue.Empty:
                    return
                try:
                    result = _one(grader, items[index])
                    if out is not None:
                        write_result(out, result)
                    results[index] = result if keep else None
                    with lock:
                        on_done(result)
                except BaseException as error:
                    failures.append(error)

        threads = [threading.Thread(target=work, args=(slot,)) for slot in range(count)]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        except KeyboardInterrupt as stop:
            failures.append(stop)
            for thread in threads:
                thread.join()
    if failures:
        raise failures[0]
    return [result for result in results if result is not None]


def still_right(
    exercise: Exercise, item: Item, out: Path | None, known: Callable[[str], Result | None]
) -> Result | None:
    """The result of an earlier run, if neither the file nor the probes have changed since."""
    found = (known(item.name), read_result(out, item.name) if out else None)
    now = digest(exercise, item.path) if any(found) else ""
    return next((old for old in found if old and now and old.digest == now), None)


def _one(grader: Grader, item: Item) -> Result:
    """Result of ``item``; raises only for the machine's and the author's faults."""
    try:
        return grader.grade(item.path, item.name)
    except SandboxError:
        # the machine may have been short of something for a moment; a second try decides
        grader.restart()
        return grader.grade(item.path, item.name)
    except ExerciseError:
        raise
    except Exception as error:
        # nothing that stands in one file may end the run of all; without a digest it is tried anew
        return Result(
            plain_name(item.name), grader.exercise.name, "unreadable", 0, grader.exercise.points,
            reason=f"채점기가 이 파일을 다루지 못했습니다. ({type(error).__name__}) 점수는 정해지지 "
            "않았습니다. 강사가 파일을 보고 정합니다.",
        )  # fmt: skip
