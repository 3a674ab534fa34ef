"""Terms that mean the same: a search for one form finds sections that use another."""

from __future__ import annotations

from pathlib import Path

import yaml

from coursekit.findings import CourseError

FIELDS = {"ko", "en", "also"}


def load(path: Path) -> list[list[str]]:
    """Groups of equal terms from ``glossary.yml``; raises CourseError on a malformed entry."""
    if not path.is_file():
        return []
    lists = yaml.safe_load(path.read_text(encoding="utf-8"))
    if not isinstance(lists, dict) or set(lists) != {"terms", "words"}:
        raise CourseError("terms와 words 두 목록이 있어야 합니다.", path.name)
    groups = []
    for number, entry in enumerate(lists["terms"] + lists["words"], 1):
        if not isinstance(entry, dict) or not {"ko", "en"} <= set(entry) <= FIELDS:
            raise CourseError(
                f"{number}번째 항목에는 ko, en과 있으면 also만 적습니다: {entry}", path.name
            )
        forms = [entry["ko"], entry["en"], *entry.get("also", [])]
        if not all(isinstance(form, str) and form.strip() for form in forms):
            raise CourseError(f"{number}번째 항목에 빈 말이 있습니다: {entry}", path.name)
        groups.append(list(dict.fromkeys(form.strip() for form in forms)))
    return groups
