"""Answers that are the published solution, word for word.

The solutions of this repository are public, so an equal answer says nothing about who wrote
it.  It earns what it earns; the instructor is told, and judges.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Sequence
from pathlib import Path

from coursekit.grading.handed_in import syntax
from coursekit.grading.handed_in.notebook import Unreadable, read_cells
from coursekit.grading.handed_in.submission import Submission, read
from coursekit.project import ROOT


def solution(path: Path, functions: Sequence[str]) -> dict[str, str]:
    """Function name → form of its definition in a solution notebook (or nothing)."""
    try:
        forms = read(path, functions).forms
    except Unreadable:
        return {}
    return {name: forms[name] for name in functions if name in forms}


def given(path: Path) -> frozenset[str]:
    """Names of all functions in a notebook: what everybody has from the exercise itself."""
    try:
        cells = read_cells(path)
    except Unreadable:
        return frozenset()
    trees = [syntax.parse(cell.source) for cell in cells if cell.kind == "code"]
    return frozenset(name for tree in trees if tree for name in _names(tree))


def by_question(exercise: dict, root: Path = ROOT) -> dict[str, list[str]]:
    """Question → cells that everyone can read and that define its function: solution and stub."""
    sources: list[str] = []
    for folder in ("solutions", "exercises"):
        with contextlib.suppress(Unreadable):
            cells = read_cells(root / folder / f"{exercise['name']}.ipynb")
            sources += [cell.source for cell in cells if cell.kind == "code"]
    trees = [(source, syntax.parse(source)) for source in sources]
    return {
        question["name"]: [source for source, tree in trees
                           if tree and question["function"] in _names(tree)]
        for question in exercise["questions"]
    }  # fmt: skip


def copied(handed_in: Submission, published: dict[str, str]) -> list[str]:
    """Names of the functions in ``handed_in`` whose last definition is the published one."""
    return sorted(name for name, form in handed_in.forms.items() if published.get(name) == form)


def _names(tree: ast.Module) -> list[str]:
    return [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
