"""Pitfall units, read from the tags of a document.

A unit is: text that says what a PyTorch user expects, the wrong cell, what happened, a
paragraph that begins with ``**왜``, the right cell with its assert.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from coursekit.notebooks.source import Cell, Document

_WHY = re.compile(r"^\*\*왜", re.M)
_DETAILS = re.compile(r"<details>.*?</details>", re.S)


@dataclass(frozen=True)
class Pitfall:
    """One unit; texts are "" and cells None where the document lacks them."""

    name: str
    line: int
    expectation: str
    wrong: Cell | None
    what_happened: str
    cause: str
    right: Cell | None
    wrongs: int  # cells tagged wrong: one, in a sound unit


def pitfalls(document: Document) -> list[Pitfall]:
    """All units of ``document`` in order of first appearance."""
    names: dict[str, None] = {}
    for cell in document.cells:
        if name := cell.tag_value("pitfall"):
            names.setdefault(name)
    return [_unit(document, name) for name in names]


def _unit(document: Document, name: str) -> Pitfall:
    cells = document.cells
    mine = [i for i, cell in enumerate(cells) if cell.tag_value("pitfall") == name]
    wrong = next((i for i in mine if "wrong" in cells[i].tags), None)
    right = next((i for i in mine if "right" in cells[i].tags and i > (wrong or -1)), None)
    start = mine[0] if wrong is None else wrong
    end = right if right is not None else len(cells)
    between = "\n\n".join(c.source for c in cells[start + 1 : end] if c.kind == "markdown")
    why = _WHY.search(between)
    happened = between[: why.start()] if why else between
    return Pitfall(
        name=name,
        line=cells[mine[0]].line,
        expectation=_text_before(cells, start),
        wrong=None if wrong is None else cells[wrong],
        what_happened=_DETAILS.sub("", happened).strip(),
        cause=between[why.end() :].strip() if why else "",
        right=None if right is None else cells[right],
        wrongs=sum("wrong" in cells[i].tags for i in mine),
    )


def _text_before(cells: tuple[Cell, ...], index: int) -> str:
    """The markdown that leads to ``cells[index]``, back to the heading it stands under."""
    parts: list[str] = []
    for cell in reversed(cells[:index]):
        if cell.kind == "markdown":
            parts.insert(0, cell.source)
            if re.search(r"^#{1,4} ", cell.source, re.M):
                break
    return "\n\n".join(parts)
