"""Problems that real people asked in public are answered on a page, with code that ran."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from coursekit.notebooks import source

PROBLEMS = yaml.safe_load((Path(__file__).parents[1] / "data/problems.yml").read_text("utf-8"))
FIELDS = {"id", "thread", "query_ko", "query_en", "situation", "page", "section"}


def section(document: source.Document, heading: str) -> list[source.Cell] | None:
    """The cells from the one that holds ``heading`` to the next heading of its level."""
    cells, level = [], 0
    for cell in document.cells:
        if cell.kind == "markdown":
            for marks, title in re.findall(r"^(#{1,6}) (.+)$", cell.source, re.M):
                if level and len(marks) <= level:
                    return cells
                if title.strip() == heading:
                    level = len(marks)
        if level:
            cells.append(cell)
    return cells if level else None


@pytest.mark.parametrize("problem", PROBLEMS, ids=[p["id"] for p in PROBLEMS])
def test_problem_is_answered_by_a_section_with_executed_code(checkout, problem):
    assert set(problem) == FIELDS and all(problem.values())
    assert re.fullmatch(r"[\w.-]+/[\w.-]+#\d+|https?://\S+", problem["thread"])
    path = checkout.source / f"{problem['page']}.md"
    cells = section(source.read(path, checkout), problem["section"])
    assert cells is not None, f"{path.name}에 '{problem['section']}' 절이 없습니다."
    assert any(cell.kind == "code" for cell in cells), "그 절에 실행한 코드가 없습니다."


def test_ids_are_unique():
    ids = [problem["id"] for problem in PROBLEMS]
    assert len(ids) == len(set(ids))
