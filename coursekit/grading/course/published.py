"""Answers that are the published solution, word for word.

The solutions of this repository are public, so an equal answer says nothing about who wrote
it.  It earns what it earns; the instructor is told, and judges.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

from coursekit.grading.handed_in import syntax
from coursekit.grading.handed_in.notebook import Unreadable, read_cells
from coursekit.grading.handed_in.submission import Submission

_SMALL = 40  # nodes of the syntax tree; answers below this are equal by chance


def solution(path: Path, functions: Sequence[str]) -> dict[str, str]:
    """Function name → syntax tree without docstring, from a solution notebook (or nothing)."""
    try:
        cells = read_cells(path)
    except Unreadable:
        return {}
    found = _functions(cell.source for cell in cells if cell.kind == "code")
    return {name: found[name] for name in functions if name in found}


def given(path: Path) -> frozenset[str]:
    """Names of all functions in a notebook: what everybody has from the exercise itself."""
    try:
        cells = read_cells(path)
    except Unreadable:
        return frozenset()
    trees = [syntax.parse(cell.source) for cell in cells if cell.kind == "code"]
    return frozenset(
        node.name for tree in trees if tree for node in tree.body
        if isinstance(node, ast.FunctionDef)
    )  # fmt: skip


def copied(handed_in: Submission, published: dict[str, str]) -> list[str]:
    """Names of the functions in ``handed_in`` whose last definition is the published one."""
    mine = _functions(cell.source for cell in handed_in.cells)
    return sorted(name for name, tree in mine.items() if published.get(name) == tree)


def _functions(sources) -> dict[str, str]:
    found: dict[str, str] = {}
    for source in sources:
        tree = syntax.parse(source)
        for node in tree.body if tree else ():
            if isinstance(node, ast.FunctionDef) and sum(1 for _ in ast.walk(node)) >= _SMALL:
                if ast.get_docstring(node) is not None:
                    node.body = node.body[1:]
                found[node.name] = ast.dump(node)
    return found
