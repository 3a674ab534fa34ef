"""A ``.py`` download → the cells it was made of.

Colab writes one file without marks: texts become strings, and a cell with a magic is commented
out behind a line that says so.  Jupyter writes ``# In[3]:`` and turns a ``%%`` cell into a call;
VS Code and jupytext write ``# %%``.
"""

from __future__ import annotations

import re

from coursekit.grading.handed_in.cell import Cell

_MARK = re.compile(r"^# ?(?:%%(?![\w!])|In\[[\d ]*\])(.*)$", re.M)
_COLAB_COMMENT = "# Commented out IPython magic to ensure Python compatibility."
_TEXT = re.compile(r'^("""|\'\'\')(.*?)\1[ \t]*$', re.M | re.S)


def cells_of(text: str) -> list[Cell]:
    """Code and Markdown cells, in order."""
    text = _uncommented(text.replace("\r\n", "\n").replace("\r", "\n"))
    marks = list(_MARK.finditer(text))
    ends = [mark.start() for mark in marks] + [len(text)]
    parts = [("", text[: ends[0]])]
    parts += [(m[1], text[m.end() : e]) for m, e in zip(marks, ends[1:], strict=True)]
    cells: list[Cell] = []
    for title, body in parts:
        if "[markdown]" in title or "[md]" in title:
            cells.append(Cell(len(cells), "markdown", _without_hashes(body)))
            continue
        cells.append(Cell(len(cells), "code", body))
        # the texts between cells; the code keeps them too, where they do nothing
        written = _without_hashes(body) if not _code_lines(body) else ""
        for block in [written, _comment_tail(body), *(found[2] for found in _TEXT.finditer(body))]:
            if block.strip():
                cells.append(Cell(len(cells), "markdown", block))
    return cells


def _uncommented(text: str) -> str:
    """Cells with ``%%time`` and the like, which Colab has commented out, as they were."""
    if _COLAB_COMMENT not in text:
        return text
    lines, cell, follows = [], False, False
    for line in text.split("\n"):
        if line == _COLAB_COMMENT:
            follows = True
            lines.append("")
            continue
        if follows and line.startswith("# %%"):
            cell = True
            lines.append("")  # the magic; what it ran is below
        elif cell and line.startswith("#"):
            lines.append(line[1:].removeprefix(" "))
        else:
            cell = False
            lines.append(line)
        follows = False
    return "\n".join(lines)


def _code_lines(body: str) -> bool:
    return any(line.strip() and not line.startswith("#") for line in body.split("\n"))


def _comment_tail(body: str) -> str:
    """Comments at the end of a cell: where Jupyter puts the text cell that follows."""
    lines = body.rstrip().split("\n")
    start = len(lines)
    while start and (lines[start - 1].startswith("#") or not lines[start - 1].strip()):
        start -= 1
    return _without_hashes("\n".join(lines[start:])) if start else ""


def _without_hashes(body: str) -> str:
    return "\n".join(line[1:].removeprefix(" ") for line in body.split("\n") if line[:1] == "#")
