"""Every file that was ever collected into a folder: its names, its time and where its copy lies.

Collecting adds to these; nothing is dropped unless the instructor starts anew.
"""

from __future__ import annotations

import hashlib
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from coursekit.findings import CourseError
from coursekit.grading.exchange.incoming import Incoming
from coursekit.grading.handed_in.notebook import Unreadable

FOLDER = "받은 파일"
MAX_COPIED = 8 << 30


@dataclass(frozen=True)
class Received:
    """``label`` is ``name``, made unique: what a person is asked about.  ``batch`` counts the
    sources from 1.  ``time`` is ISO, None if unknown.  Without ``copy`` (below the folder) it is
    no notebook, or one that could not be taken, and then ``problem`` says why.  ``late`` is the
    LMS's own word, None if it has none; ``untimed`` says why a download tells no time.
    """

    label: str
    name: str
    time: str | None
    batch: int
    digest: str = ""
    copy: str = ""
    problem: str = ""
    late: bool | None = None
    untimed: str = ""

    @property
    def modified(self) -> datetime | None:
        return datetime.fromisoformat(self.time) if self.time else None

    @property
    def is_notebook(self) -> bool:
        return bool(self.copy or self.problem)

    @property
    def is_script(self) -> bool:
        return self.name.casefold().endswith(".py")


def keep(earlier: Iterable[Received], was: Path, folder: Path) -> list[Received]:
    """Carry ``earlier`` and its copies from the folder ``was`` to ``folder``."""
    kept = []
    for file in earlier:
        if file.copy:
            source = was / file.copy
            if not source.is_file():
                raise CourseError(
                    f"앞서 걷은 파일의 사본이 없습니다: {file.copy}. 받은 zip을 모두 다시 걷으려면 "
                    "--fresh를 붙입니다.", was,
                )  # fmt: skip
            digest = file.digest or hashlib.sha256(source.read_bytes()).hexdigest()
            place = _place(digest, file.is_script)
            (folder / FOLDER).mkdir(exist_ok=True)
            if not (folder / place).exists():
                shutil.copyfile(source, folder / place)
            file = replace(file, digest=digest, copy=place)
        kept.append(file)
    return kept


def take(
    found: list[Incoming],
    kept: list[Received],
    labelled: Iterable[Received],
    folder: Path,
    on_file: Callable[[int, str], None],
) -> list[Received]:
    """Those of ``found`` that are not among ``kept``, copied into ``folder``.

    ``labelled`` are all whose labels a person may have seen: another file of the same name gets
    another label, so that what was decided about one is never said of the other.
    """
    batch = max((file.batch for file in kept), default=0) + 1
    known = {_key(file) for file in kept}
    labels = _Labels(labelled)
    new: list[Received] = []
    copied = 0
    for number, item in enumerate(found):
        on_file(number, item.name)
        time = item.modified.astimezone(UTC).isoformat() if item.modified else None
        file = Received("", item.name, time, batch, problem=item.problem, late=item.late,
                        untimed=item.untimed)  # fmt: skip
        data = b""
        if item.is_notebook and not item.problem:
            try:
                data = item.read()
                digest = hashlib.sha256(data).hexdigest()
                file = replace(file, digest=digest, copy=_place(digest, file.is_script))
            except Unreadable as error:
                file = replace(file, problem=str(error))
        if _key(file) in known:
            continue
        known.add(_key(file))
        if file.copy:
            copied += len(data)
            if copied > MAX_COPIED:
                raise CourseError(f"노트북이 모두 {MAX_COPIED >> 30} GB가 넘습니다.", item.name)
            (folder / FOLDER).mkdir(exist_ok=True)
            (folder / file.copy).write_bytes(data)
        new.append(replace(file, label=labels.of(file)))
    return new


class _Labels:
    def __init__(self, files: Iterable[Received]) -> None:
        self.taken: set[str] = set()
        self.of_content: dict[str, dict[str, str]] = defaultdict(dict)
        for file in files:
            self._add(file, file.label)

    def _add(self, file: Received, label: str) -> str:
        self.taken.add(label)
        self.of_content[file.name][file.digest or file.problem] = label
        return label

    def of(self, file: Received) -> str:
        same_name = self.of_content.get(file.name, {})
        if label := same_name.get(file.digest or file.problem):
            return label  # the same file once more, downloaded at another time
        label, number = file.name, 1
        while label in self.taken:
            number += 1
            label = f"{file.name} [{number}]"
        return self._add(file, label)


def _key(file: Received) -> tuple:
    return file.name, file.digest or file.problem, file.time


def _place(digest: str, is_script: bool) -> str:
    return f"{FOLDER}/{digest[:24]}{'.py' if is_script else '.ipynb'}"
