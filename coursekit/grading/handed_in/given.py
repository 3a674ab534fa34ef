"""What the course itself gives out: its blank notebooks, and which notebooks are its own.

Trusted files of this checkout, read once.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import json
import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

from coursekit.grading.handed_in import syntax
from coursekit.grading.handed_in.cell import Cell
from coursekit.project import ROOT

KINDS = {"exercises": "연습", "solutions": "풀이", "chapters": "본문"}


@dataclass(frozen=True, eq=False)
class Given:
    """One notebook of the course.  ``names``: all that its cells bind; ``forms``: function → `form`
    of its last definition; ``asked``: functions that are stubs there; ``sections``: function → heading above it.
    """

    kind: str
    name: str
    title: str = ""
    names: frozenset[str] = frozenset()
    forms: dict[str, str] = field(default_factory=dict)
    asked: frozenset[str] = frozenset()
    sections: dict[str, str] = field(default_factory=dict)
    headings: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()  # cells and fenced pieces, folded


@functools.cache
def blank(name: str, root: Path = ROOT) -> Given:
    """The blank notebook of the exercise ``name``; an empty one if there is none."""
    return _read("exercises", root / "exercises" / f"{name}.ipynb")


@functools.cache
def notebooks(root: Path = ROOT) -> tuple[Given, ...]:
    """Every notebook of the course."""
    return tuple(_read(kind, path) for kind in KINDS for path in sorted((root / kind).glob("*.ipynb")))  # fmt: skip


def form(node: ast.AST) -> str:
    """A digest of a definition as code, without docstring, comments and layout; "" if it is too
    deep to tell.
    """
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(node):
        node.body = node.body[1:]
    try:
        return hashlib.sha256(ast.dump(node).encode()).hexdigest()[:24]
    except RecursionError:
        return ""


def fold(text: str) -> str:
    """``text`` without what renders the same or is lost in a copy: blanks, normal form, case."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFC", text)).casefold()


def heading(line: str) -> tuple[int, str] | None:
    """Level and title of a Markdown heading."""
    text = line.lstrip(" ")
    level = len(text) - len(text.lstrip("#"))
    rest = text[level:]
    if len(line) - len(text) > 3 or not 1 <= level <= 6 or rest[:1] not in (" ", "\t", ""):
        return None
    return level, rest.strip().rstrip("#").rstrip()


def title_of(cells: list[Cell]) -> str:
    """First heading of the highest level in the text cells; "" if none."""
    found = [head for cell in cells if cell.kind == "markdown"
             for line in cell.source.split("\n")[:40] if (head := heading(line)) and head[1]]  # fmt: skip
    return min(found, key=lambda head: head[0])[1][:120] if found else ""


def fenced(text: str) -> list[str]:
    """Pieces of code between fences in Markdown."""
    pieces, piece = [], None
    for line in text.split("\n"):
        if line.lstrip().startswith(("```", "~~~")):
            if piece is not None:
                pieces.append("\n".join(piece))
            piece = [] if piece is None else None
        elif piece is not None:
            piece.append(line)
    return [*pieces, "\n".join(piece)] if piece else pieces


def _read(kind: str, path: Path) -> Given:
    name = path.name.removesuffix(".ipynb")
    if not path.is_file():
        return Given(kind, name)
    cells = [
        Cell(index, cell["cell_type"], "".join(cell["source"]))
        for index, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"])
    ]
    forms: dict[str, str] = {}
    sections: dict[str, str] = {}
    names, asked, headings, texts = set(), set(), set(), set()
    section = ""
    for cell in cells:
        texts.add(fold(cell.source))
        if cell.kind != "code":
            texts |= {fold(piece) for piece in fenced(cell.source)}
            for line in cell.source.split("\n"):
                if head := heading(line):
                    headings.add(fold(head[1]))
                    section = fold(head[1]) if head[0] == 2 else section
            continue
        tree = syntax.parse(cell.source)
        names |= syntax.last_bindings(tree).keys() if tree else set()
        for node in tree.body if tree else ():
            if isinstance(node, ast.FunctionDef):
                if any(_is_stop(part) for part in node.body):
                    asked.add(node.name)
                    sections[node.name] = section
                forms[node.name] = form(node)
    return Given(kind, name, title_of(cells), frozenset(names), forms, frozenset(asked), sections,
                 frozenset(headings), frozenset(texts))  # fmt: skip


def _is_stop(node: ast.stmt) -> bool:
    return isinstance(node, ast.Raise) and "NotImplementedError" in ast.dump(node)
