"""Run the groups of tests and close with one screen: a table, what failed, one countable line.

What the runners print goes to a log file as a whole; the terminal sees how far they are.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from rich.table import Table

from coursekit import parts
from coursekit.console import console
from coursekit.findings import CourseError
from coursekit.notebooks.lanes import records, runner
from coursekit.project import DEFAULT_LANE, Project

FAILURES = 5  # told in full; further ones by name
LINES = 20  # of one failure
NAMES = 20
_PERCENT = re.compile(r"\[ *(\d+)%\]$")


@dataclass
class Group:
    """Counts of one group; ``skipped`` counts the reasons, ``why`` holds (test, traceback)."""

    name: str
    passed: int = 0
    failed: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    why: list[tuple[str, str]] = field(default_factory=list)


class Log:
    """The file that gets everything, and a line of progress for every tenth of a group."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.file = path.open("w", encoding="utf-8")

    def follow(self, command: list[str], **popen: Any) -> int:
        """Run to the end, as `subprocess.run` would; the exit code."""
        shown = 0
        with subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            **popen,
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                self.write(line)
                done = _PERCENT.search(line.rstrip())
                if done and int(done[1]) >= shown + 10:
                    shown = int(done[1])
                    console.print(f"  {shown} %", markup=False)
        return process.returncode

    def write(self, text: str) -> None:
        self.file.write(text)
        self.file.flush()


def run(project: Project, chosen: list[str], record: bool = False) -> bool:
    """Run the lanes in ``chosen`` (the default lane brings all other tests); True if all passed.

    With ``record``, what each notebook did in each lane goes on record for the book to show.
    """
    missing = parts.prepare(chosen, lambda line: console.print(line, markup=False))
    groups = []
    log = Log(project.root / "_build" / "test.log")
    name = log.path.relative_to(project.root)
    console.print(f"테스트의 출력은 {name}에 모두 씁니다.", markup=False)
    with tempfile.TemporaryDirectory() as folder, log.file:
        for lane in chosen:
            if lane == DEFAULT_LANE:
                unit = partial(_unit, project, log=log, missing=missing)
                groups.append(_group("도구와 책", Path(folder), log, unit))
            notebooks = partial(_lane, lane, project, log=log, record=record)
            groups.append(_group(f"노트북 ({lane})", Path(folder), log, notebooks))
    return _summary(groups, str(name))


def _unit(project: Project, report: Path, log: Log, missing: list[parts.Part]) -> int:
    command = [
        sys.executable,
        "-u",
        "-m",
        "pytest",
        str(project.root / "tests"),
        "-q",
        "-rs",
        "--color=no",
    ]
    # a file stays in one process: its fixtures (zygotes, a built book) are made once
    command += ["-n", "2", "--dist", "loadfile", f"--junit-xml={report}"]
    decided = {parts.MISSING: " ".join(part.key for part in missing)}
    return log.follow(command, cwd=project.root, env=os.environ | decided)


def _lane(lane: str, project: Project, report: Path, log: Log, record: bool) -> int:
    try:
        before = records.digests(project) if record else {}
        missing = runner.missing_names(lane, project)
        for line in missing:
            log.write(f"{line}\n")
            console.print(line, style="red", markup=False)
        code = runner.run(lane, project, report, log.follow)
        if record:
            _record(lane, project, report, before)
        return code or bool(missing)
    except CourseError as error:
        log.write(f"{error}\n")
        console.print(str(error), style="red", markup=False)
        return 1


def _record(lane: str, project: Project, report: Path, before: dict[str, str]) -> None:
    left_out = records.write(lane, project, report, before)
    passed = len(before) - len(left_out)
    file = records.place(project).relative_to(project.root)
    console.print(f"{file}: {lane} 레인에서 통과한 노트북 {passed}개를 기록했습니다.", markup=False)
    for name in left_out:
        console.print(f"  통과하지 못함: {name}", markup=False)


def _group(name: str, folder: Path, log: Log, start: Callable[[Path], int]) -> Group:
    console.print(name, markup=False)
    log.write(f"\n===== {name}\n")
    report = folder / f"{name}.xml"
    began = time.monotonic()
    code = start(report)
    group = read_report(name, report)
    group.seconds = time.monotonic() - began
    if code and not group.failed:
        group.failed = 1  # the runner itself failed, or found nothing to run
    return group


def read_report(name: str, report: Path) -> Group:
    """Counts from a JUnit file; no file counts as one failure."""
    group = Group(name)
    if not report.is_file():
        group.failed = 1
        return group
    for case in ElementTree.parse(report).iter("testcase"):
        if (skip := case.find("skipped")) is not None:
            group.skipped[skip.get("message", "")] += 1
        elif (cause := _cause(case)) is not None:
            group.failed += 1
            test = f"{case.get('classname', '')}::{case.get('name', '')}"
            group.why.append((test, cause.text or cause.get("message") or ""))
        else:
            group.passed += 1
    return group


def _cause(case: ElementTree.Element) -> ElementTree.Element | None:
    failure = case.find("failure")
    return case.find("error") if failure is None else failure


def excerpt(traceback: str) -> str:
    """The lines that say what went wrong and where, at most `LINES` less the test's name."""
    lines = [line for line in traceback.splitlines() if line.strip()]
    told = [line for line in lines if line.startswith("E ") or re.match(r"\S+:\d+: \w", line)]
    room = LINES - 2
    kept = told if told else lines
    if len(kept) > room:
        kept = [*kept[: room // 2], "…", *kept[-(room - room // 2 - 1) :]]
    return "\n".join(f"  {line}" for line in kept)


def _failures(groups: list[Group]) -> None:
    """Each cause once, with the first test it hit and how many more; the rest by name."""
    causes: dict[str, list[str]] = {}
    for group in groups:
        for test, traceback in group.why:
            causes.setdefault(excerpt(traceback), []).append(test)
    for text, (first, *others) in list(causes.items())[:FAILURES]:
        more = f" (같은 까닭으로 {len(others)}개 더)" if others else ""
        console.print(f"실패  {first}{more}\n{text}", markup=False)
    rest = [test for tests in list(causes.values())[FAILURES:] for test in tests]
    for test in rest[:NAMES]:
        console.print(f"실패  {test}", markup=False)
    if len(rest) > NAMES:
        console.print(f"실패  그 밖에 {len(rest) - NAMES}개", markup=False)


def _summary(groups: list[Group], log: str = "") -> bool:
    table = Table("묶음", "통과", "실패", "건너뜀", "걸린 시간", title="테스트 결과")
    for group in groups:
        table.add_row(
            group.name,
            str(group.passed),
            str(group.failed),
            str(group.skipped.total()),
            f"{group.seconds:.0f} s",
        )
    console.print(table)
    for group in groups:
        for reason, count in sorted(group.skipped.items()):
            console.print(f"{group.name}: {count}개 건너뜀, {reason}", markup=False)
    _failures(groups)
    failed = sum(group.failed for group in groups)
    if failed and log:
        console.print(f"모든 출력: {log}", markup=False)
    skipped = sum(group.skipped.total() for group in groups)
    passed = sum(group.passed for group in groups)
    console.print(f"총계: {passed} passed, {failed} failed, {skipped} skipped", markup=False)
    return failed == 0
