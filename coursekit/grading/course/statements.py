"""What an exercise says of each question: its text, hints and the sections to read again.

Read from the blank notebook, where every question stands under a heading of its own.
"""

from __future__ import annotations

import re
from pathlib import Path

from coursekit.folding import fold
from coursekit.grading.handed_in.notebook import Unreadable, read_cells

_HEADING = re.compile(r"##\s+(.*)")


def of(notebook: Path) -> dict[str, str]:
    """Title → the Markdown and code below it, up to the next ``##``; {} if there is no notebook."""
    return _under_headings(notebook, ("markdown", "code"))


def under(name: str, sections: dict[str, str]) -> str:
    """The text whose title begins with ``name``: of 문제 1, not of 문제 10; "" if none."""
    wanted = re.compile(re.escape(fold(name)) + r"(?!\d)")
    return next((text for title, text in sections.items() if wanted.match(fold(title))), "")


def statement(notebook: Path, question: str) -> str:
    """The Markdown that asks ``question``, up to its first code cell and without its hints."""
    text = under(question, _under_headings(notebook, ("markdown",)))
    text = re.sub(r"<details>.*?</details>", "", text, flags=re.S)
    return re.sub(r"^다시 볼 곳:.*$", "", text, flags=re.M).strip()


def hints(statement: str) -> list[str]:
    """Markdown of the folded hints, in order."""
    pattern = r"<details>\s*<summary>\s*힌트[^<]*</summary>(.*?)</details>"
    return [hint.strip() for hint in re.findall(pattern, statement, re.S)]


def look_again(statement: str) -> list[str]:
    """Titles of the chapter's sections that the author names in a line ``다시 볼 곳: …``."""
    lines = re.findall(r"^다시 볼 곳:.*$", statement, re.M)
    return [title for line in lines for title in re.findall(r"‘(.+?)’", line)]


def rubrics(path: Path | None) -> dict[str, str]:
    """Title → Markdown below it, from ``rubric.md``; {} if there is none."""
    if path is None or not path.is_file():
        return {}
    parts = re.split(r"^##\s+(.*)$", path.read_text(encoding="utf-8"), flags=re.M)
    return {head: body.strip() for head, body in zip(parts[1::2], parts[2::2], strict=True)}


def _under_headings(notebook: Path, kinds: tuple[str, ...]) -> dict[str, str]:
    """``kinds`` of cells count; the first cell of another kind ends a section."""
    try:
        cells = read_cells(notebook)
    except Unreadable:
        return {}
    found: dict[str, str] = {}
    title = ""
    for cell in cells:
        if cell.kind not in kinds:
            title = ""
            continue
        for line in cell.source.splitlines():
            head = _HEADING.match(line) if cell.kind == "markdown" else None
            if head:
                title = head[1].strip()
                found.setdefault(title, "")
            elif title:
                found[title] += line + "\n"
        if title:
            found[title] += "\n"
    return found
