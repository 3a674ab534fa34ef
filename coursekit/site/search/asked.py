"""The words of people who do not know the book's words, kept by section: a back-of-the-book index."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from coursekit.findings import CourseError


def load(path: Path) -> dict[tuple[str, str], str]:
    """(page, heading) → phrases, from ``asked.yml``.  Raises `CourseError` for another form."""
    if not path.is_file():
        return {}
    pages = yaml.safe_load(path.read_text(encoding="utf-8"))
    found: dict[tuple[str, str], str] = {}
    for page, sections in (pages or {}).items():
        if not isinstance(sections, dict):
            raise CourseError(f"{page} 아래에 '절 제목': '찾는 말'을 적습니다.", path.name)
        for heading, phrases in sections.items():
            if not isinstance(phrases, str) or not phrases.strip():
                raise CourseError(f"{page}의 '{heading}'에 찾는 말이 없습니다.", path.name)
            found[page, plain(heading)] = phrases
    return found


def plain(heading: str) -> str:
    """A heading as it is shown: without Markdown's marks."""
    return re.sub(r"\s+", " ", re.sub(r"[`*$]", "", str(heading))).strip()
