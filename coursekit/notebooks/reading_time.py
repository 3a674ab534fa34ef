"""How long a notebook takes to read, computed from its text and never felt.

The rates are those of the course: 250 Hangul syllables a minute, 45 seconds for a code cell that
shows something and 20 for another, 60 for a prediction (thinking, not reading) and 40 for a
picture.  Folded cells count as cells that show nothing.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from coursekit.notebooks.source import Cell, Document

SYLLABLES = 250  # a minute
SHOWING, SILENT, PREDICTION, PICTURE = 45, 20, 60, 40  # seconds each
MARK = "<!-- minutes -->"
PREDICT = "**예측해 보기**"
_STEP = 5  # minutes: nobody reads to the minute
_SYLLABLE = re.compile(r"[가-힣]")
_HEADINGS = re.compile(r"^(?=#+ )", re.M)
_IMAGE = re.compile(r"!\[[^\]]*\]\((?!https?:)")
_SHOWS = {"print", "display", "show", "expect_error", "expect_warning"}


def minutes(document: Document) -> int:
    """Minutes for ``document`` as it is written, rounded up to five."""
    seconds = sum(_seconds(cell) for cell in document.cells)
    return -(-round(seconds) // (60 * _STEP)) * _STEP


def sections(document: Document) -> dict[str, float]:
    """Minutes for each section without its subsections, by title as it is written."""
    found, title = {}, ""
    for cell in document.cells:
        parts = [cell.source] if cell.kind == "code" else _HEADINGS.split(cell.source)
        for part in parts:
            if cell.kind == "markdown" and (heading := re.match(r"#+ +(.+)", part)):
                title = heading[1].strip()
            seconds = _seconds(replace(cell, source=part))
            found[title] = found.get(title, 0.0) + seconds / 60
    return found


def code_cells(document: Document) -> int:
    """Code cells that a reader sees unfolded."""
    return sum(cell.kind == "code" and "hide-input" not in cell.tags for cell in document.cells)


def fill(document: Document) -> Document:
    """Write the minutes at each `MARK`."""
    if not any(MARK in cell.source for cell in document.cells):
        return document
    told = str(minutes(document))
    cells = (replace(cell, source=cell.source.replace(MARK, told)) if cell.kind == "markdown"
             else cell for cell in document.cells)  # fmt: skip
    return replace(document, cells=tuple(cells))


def _seconds(cell: Cell) -> float:
    if cell.kind == "code":
        folded = "hide-input" in cell.tags
        return SHOWING if not folded and _shows(cell.source) else SILENT
    return (
        len(_SYLLABLE.findall(cell.source)) * 60 / SYLLABLES
        + cell.source.count(PREDICT) * PREDICTION
        + len(_IMAGE.findall(cell.source)) * PICTURE
    )


def _shows(source: str) -> bool:
    """Whether a cell prints, plots, or ends in a value."""
    try:
        body = ast.parse(source).body
    except SyntaxError:  # a line of IPython's own
        return True
    called = {getattr(n.func, "id", getattr(n.func, "attr", "")) for statement in body
              for n in ast.walk(statement) if isinstance(n, ast.Call)}  # fmt: skip
    return bool(called & _SHOWS) or bool(body) and isinstance(body[-1], ast.Expr)
