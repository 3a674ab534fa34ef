"""What the audit of each notebook found: committed, so that `check` can tell a stale one.

``tests/data/audit/NN-slug.json`` holds one entry a cell; ``NN-slug.txt`` beside it says, one
``mutant | reason`` a line, why a mutant that nobody notices is right all the same. A survivor
without a reason is open.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path

from coursekit.files import write_whole
from coursekit.findings import CourseError, Finding
from coursekit.notebooks import publish
from coursekit.notebooks.audit import mutants, slices
from coursekit.notebooks.publish import Target
from coursekit.notebooks.source import Cell
from coursekit.project import Project


@dataclass(frozen=True)
class Unit:
    """A cell that asserts: ``index`` among the code cells, the other cell of its pitfall."""

    index: int
    cell: Cell
    stored: list = field(hash=False, compare=False, default_factory=list)
    twin: str = ""
    twin_is: str = ""


@dataclass
class Entry:
    """One audited cell. ``by_assert`` of its ``mutants`` raised, ``by_output`` only looked other.

    ``width`` says which earlier cells were run; "" where the cell could not be repeated at all.
    ``swap`` is True where the body of the pitfall's other cell was noticed, None without one.
    """

    cell: str
    digest: str
    width: str
    mutants: int = 0
    by_assert: int = 0
    by_output: int = 0
    swap: bool | None = None
    alive: list[str] = field(default_factory=list)


@dataclass
class Figures:
    """Sums over entries."""

    cells: int = 0
    mutants: int = 0
    by_assert: int = 0
    by_output: int = 0
    explained: int = 0
    open: int = 0
    swaps: int = 0
    swaps_noticed: int = 0
    not_repeated: int = 0


def audited(project: Project) -> list[Target]:
    """The notebooks that are audited: the chapters."""
    return [t for t in publish.plan(project)[0] if t.path.parts[0] == "chapters"]


def sources(target: Target) -> list[str]:
    """The code cells of a notebook."""
    return [cell.source for cell in target.document.cells if cell.kind == "code"]


def units(target: Target, project: Project) -> list[Unit]:
    """The cells of a notebook that assert, with their stored outputs and twins."""
    notebook = publish.load(project.root / target.path)
    outputs = [c.outputs for c in notebook.cells if c.cell_type == "code"] if notebook else []
    code = [cell for cell in target.document.cells if cell.kind == "code"]
    twins = {}
    for cell in code:
        for tag in ("wrong", "right"):
            if tag in cell.tags and (name := cell.tag_value("pitfall")):
                twins.setdefault((name, tag), cell.source)
    found = []
    for index, cell in enumerate(code):
        if mutants.asserts(cell.source):
            other = {"right": "wrong", "wrong": "right"}
            twin_is = next((other[tag] for tag in cell.tags if tag in other), "")
            twin = twins.get((cell.tag_value("pitfall"), twin_is), "")
            stored = outputs[index] if index < len(outputs) else []
            found.append(Unit(index, cell, stored, twin, twin_is))
    return found


def digest(unit: Unit, code: list[str], width: str) -> str:
    """Changes when the cell would have to be audited again."""
    before = [code[i] for i in slices.needed(code, unit.index, width or "all")]
    seen = [mutants.VERSION, before, unit.cell.source, unit.twin]
    return hashlib.sha256(json.dumps(seen).encode()).hexdigest()[:16]


def fresh(unit: Unit, code: list[str], entries: dict[str, Entry]) -> Entry | None:
    """The entry of a former run that still holds for ``unit``."""
    for width in (*slices.WIDTHS, ""):
        entry = entries.get(digest(unit, code, width))
        if entry and entry.width == width:
            return entry
    return None


def place(target: Target, project: Project) -> Path:
    return project.root / "tests" / "data" / "audit" / f"{target.path.stem}.json"


def load(target: Target, project: Project) -> dict[str, Entry]:
    """Entries by digest; none where nothing was audited yet."""
    path = place(target, project)
    if not path.is_file():
        return {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return {
            raw["digest"]: Entry(**raw | {"alive": list(raw["alive"])}) for raw in data["cells"]
        }
    except (ValueError, KeyError, TypeError) as error:
        raise CourseError(
            f"감사 기록을 읽지 못했습니다({error}). 파일을 지우고 "
            f"`python3 book.py audit {target.path.name[:2]}`로 다시 만듭니다.",
            path,
        ) from error


def save(target: Target, project: Project, entries: list[Entry]) -> None:
    """Write the entries with today's date and their sums."""
    known = reasons(target, project)
    cells = [
        asdict(entry) | {"alive": {name: known.get(name, "open") for name in entry.alive}}
        for entry in entries
    ]
    figured = asdict(figures(entries, known))
    data = {"date": date.today().isoformat(), "figures": figured, "cells": cells}
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    write_whole(place(target, project), text)


def reasons(target: Target, project: Project) -> dict[str, str]:
    """Mutant → why it is right all the same."""
    path = place(target, project).with_suffix(".txt")
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    pairs = [line.rpartition(" | ") for line in lines if line.strip() and line[0] != "#"]
    return {name.strip(): reason.strip() for name, _, reason in pairs if reason.strip()}


def figures(entries: list[Entry], known: dict[str, str]) -> Figures:
    """The sums; a survivor with a reason is explained."""
    sums = Figures(cells=len(entries))
    for entry in entries:
        sums.mutants += entry.mutants
        sums.by_assert += entry.by_assert
        sums.by_output += entry.by_output
        sums.explained += sum(name in known for name in entry.alive)
        sums.open += sum(name not in known for name in entry.alive)
        sums.swaps += entry.swap is not None
        sums.swaps_noticed += entry.swap is True
        sums.not_repeated += not entry.width
    return sums


def check(project: Project) -> list[Finding]:
    """Findings for stale ledgers and for reasons that explain nothing; nothing is run."""
    findings = []
    for target in audited(project):
        path = place(target, project)
        name = str(path.relative_to(project.root))
        if not path.is_file():
            continue
        entries = load(target, project)
        code = sources(target)
        command = f"`python3 book.py audit {target.path.name[:2]}`"
        stale = [u for u in units(target, project) if fresh(u, code, entries) is None]
        if stale:
            file, line = stale[0].cell.place(1)
            message = f"감사 기록이 없는 셀이 {len(stale)}개입니다({name}). 실행할 명령: {command}"
            findings.append(Finding(str(file.relative_to(project.root)), line, message))
        alive = {mutant for entry in entries.values() for mutant in entry.alive}
        text = str(path.with_suffix(".txt").relative_to(project.root))
        for mutant in sorted(set(reasons(target, project)) - alive):
            findings.append(Finding(text, 0, f"살아남지 않은 변이에 까닭이 있습니다: {mutant}"))
    return findings
