"""The course beside the gradebook: where its chapters are, and its public answers."""

from __future__ import annotations

import ast
from pathlib import Path

from coursekit.grading.bwrap import ROOT
from coursekit.grading.notebook import Unreadable, read_cells
from coursekit.project import Project


def address(name: str, book_url: str = "", root: Path = ROOT) -> str:
    """Of the chapter that an exercise set belongs to; "" if there is none of that name."""
    if not (root / "chapters" / f"{name}.ipynb").exists():
        return ""
    if book_url:
        return f"{book_url.rstrip('/')}/chapters/{name}.html"
    return Project(root).colab_url(f"chapters/{name}.ipynb")


def published(exercise: dict, root: Path = ROOT) -> dict[str, list[str]]:
    """Question → code that everyone can read: the solution notebook and the stub."""
    sources = []
    for folder in ("solutions", "exercises"):
        try:
            cells = read_cells(root / folder / f"{exercise['name']}.ipynb")
        except Unreadable:
            continue
        sources += [cell.source for cell in cells if cell.kind == "code"]
    found: dict[str, list[str]] = {}
    for question in exercise["questions"]:
        found[question["name"]] = [s for s in sources if _defines(s, question["function"])]
    return found


def _defines(source: str, name: str) -> bool:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    return any(isinstance(n, ast.FunctionDef) and n.name == name for n in tree.body)
