"""The course beside the gradebook: its chapters, its questions and its public answers."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from coursekit.grading.handed_in.notebook import Unreadable, read_cells
from coursekit.project import ROOT, Project


def address(name: str, book_url: str = "", root: Path = ROOT) -> str:
    """Of the chapter that an exercise set belongs to; "" if there is none that a reader can open.

    A checkout that is not on GitHub yet names an owner that can't exist (``_your-account``): its
    addresses would be dead.
    """
    if not number(name, root):
        return ""
    if book_url:
        return f"{book_url.rstrip('/')}/chapters/{name}.html"
    project = Project(root)
    return "" if project.repository.startswith("_") else project.colab_url(f"chapters/{name}.ipynb")


def number(name: str, root: Path = ROOT) -> int | None:
    """Of the chapter that an exercise set belongs to."""
    there = (root / "chapters" / f"{name}.ipynb").exists()
    return int(name[:2]) if there and name[:2].isdigit() else None


def statement(name: str, question: str, root: Path = ROOT) -> str:
    """Markdown that asks the question, as in the blank notebook, without its hints; "" if none."""
    try:
        cells = read_cells(root / "exercises" / f"{name}.ipynb")
    except Unreadable:
        return ""
    found: list[str] = []
    for cell in cells:
        heads = re.match(r"##\s+(.*)", cell.source) if cell.kind == "markdown" else None
        if not found:
            # 문제 1, not 문제 10
            if heads and re.match(re.escape(_fold(question)) + r"(?!\d)", _fold(heads[1])):
                found.append(cell.source)
        elif heads or cell.kind != "markdown":
            break
        else:
            found.append(cell.source)
    text = "\n\n".join(found).partition("\n")[2]
    text = re.sub(r"<details>.*?</details>", "", text, flags=re.S)
    return re.sub(r"^다시 볼 곳:.*$", "", text, flags=re.M).strip()


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


def _fold(text: str) -> str:
    return re.sub(r"\s+", "", text)
