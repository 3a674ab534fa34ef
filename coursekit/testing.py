"""Run the groups of tests and close with one summary."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from rich.table import Table

from coursekit.console import console
from coursekit.findings import CourseError
from coursekit.notebooks.lanes import records, runner
from coursekit.project import DEFAULT_LANE, Project


@dataclass
class Group:
    """Counts of one group; ``skipped`` counts the reasons."""

    name: str
    passed: int = 0
    failed: int = 0
    skipped: Counter = field(default_factory=Counter)
    seconds: float = 0.0


def run(project: Project, chosen: list[str], record: bool = False) -> bool:
    """Run the lanes in ``chosen`` (the default lane brings all other tests); True if all passed.

    With ``record``, what each notebook did in each lane goes on record for the book to show.
    """
    groups = []
    with tempfile.TemporaryDirectory() as folder:
        for lane in chosen:
            if lane == DEFAULT_LANE:
                groups.append(_group("도구와 책", Path(folder), lambda xml: _unit(project, xml)))
            groups.append(
                _group(
                    f"노트북 ({lane})",
                    Path(folder),
                    lambda xml, lane=lane: _lane(lane, project, xml, record),
                )
            )
    return _summary(groups)


def _unit(project: Project, report: Path) -> int:
    command = [
        sys.executable,
        "-m",
        "pytest",
        str(project.root / "tests"),
        "-q",
        "-rs",
        "--color=no",
    ]
    # a file stays in one process: its fixtures (zygotes, a built book) are made once
    command += ["-n", "2", "--dist", "loadfile", f"--junit-xml={report}"]
    return subprocess.run(command, cwd=project.root, env=os.environ).returncode


def _lane(lane: str, project: Project, report: Path, record: bool) -> int:
    try:
        before = records.digests(project) if record else {}
        missing = runner.missing_names(lane, project)
        for line in missing:
            console.print(line, style="red", markup=False)
        code = runner.run(lane, project, report)
        if record:
            _record(lane, project, report, before)
        return code or bool(missing)
    except CourseError as error:
        console.print(str(error), style="red", markup=False)
        return 1


def _record(lane: str, project: Project, report: Path, before: dict[str, str]) -> None:
    left_out = records.write(lane, project, report, before)
    passed = len(before) - len(left_out)
    file = records.place(project).relative_to(project.root)
    console.print(f"{file}: {lane} 레인에서 통과한 노트북 {passed}개를 기록했습니다.", markup=False)
    for name in left_out:
        console.print(f"  통과하지 못함: {name}", markup=False)


def _group(name: str, folder: Path, start) -> Group:
    console.rule(name)
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
        elif case.find("failure") is not None or case.find("error") is not None:
            group.failed += 1
        else:
            group.passed += 1
    return group


def _summary(groups: list[Group]) -> bool:
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
    failed = sum(group.failed for group in groups)
    skipped = sum(group.skipped.total() for group in groups)
    passed = sum(group.passed for group in groups)
    console.print(f"총계: {passed} passed, {failed} failed, {skipped} skipped", markup=False)
    return failed == 0
