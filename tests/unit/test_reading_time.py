"""Minutes that a page tells, by hand-counted texts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from coursekit.notebooks import checks, publish, reading_time
from coursekit.notebooks.checks import links
from coursekit.notebooks.source import Cell, Document
from coursekit.project import DEEPER


def document(*cells: tuple) -> Document:
    made = tuple(Cell(kind, text, (), tuple(tags)) for kind, text, *tags in cells)
    return Document(Path("source/chapters/01-x.md"), made, {})


@pytest.mark.parametrize(
    ("cells", "minutes"),
    [
        ([("markdown", "가" * 1250)], 5),
        ([("markdown", "가" * 1250 + "abc, 123 `x = 1`")], 5),
        ([("markdown", "가" * 1254)], 10),
        ([("code", "x = 1")] * 15, 5),
        ([("code", "x = 1")] * 16, 10),
        ([("code", "x = 1\nx")] * 6, 5),
        ([("code", "x = 1\nx")] * 7, 10),
        ([("code", "for x in y:\n    print(x)")] * 7, 10),
        ([("code", "with expect_error(E):\n    x = f()")] * 7, 10),
        ([("code", "x", "hide-input")] * 7, 5),
        ([("markdown", "**예측해 보기** · a?")] * 4, 5),
        ([("markdown", "**예측해 보기** · a?")] * 5, 10),
        ([("markdown", "![a](../diagrams/a.svg)")] * 8, 10),
        ([("markdown", "[![a](https://x/badge.svg)](https://x)")] * 8, 0),
    ],
)
def test_minutes_follow_the_rates_and_are_rounded_up_to_five(cells, minutes):
    assert reading_time.minutes(document(*cells)) == minutes


def test_the_mark_becomes_the_minutes_in_text_and_nowhere_else():
    filled = reading_time.fill(
        document(("markdown", "가" * 1000 + "<!-- minutes -->분"), ("code", "'<!-- minutes -->'"))
    )
    assert filled.cells[0].source.endswith("가5분")
    assert filled.cells[1].source == "'<!-- minutes -->'"


CHAPTER = "source/chapters/01-sample.md"


def test_a_chapter_with_a_deeper_page_keeps_to_its_hour(sample):
    path = sample.root / CHAPTER
    path.write_text(path.read_text(encoding="utf-8") + "\n" + "긴 글입니다.\n" * 5000)
    assert not [f for f in checks.run(sample) if "읽는 데" in str(f)]
    (path.with_name("01-sample-deeper.md")).write_text(
        "---\nkernelspec: {display_name: Python 3, language: python, name: python3}\n---\n\n# 더\n"
    )
    (found,) = [str(f) for f in checks.run(sample) if "읽는 데" in str(f)]
    assert "70분 안에" in found and "01-sample-deeper" in found


def test_a_deeper_page_stands_after_its_chapter_and_shares_its_pitfalls(sample):
    path = sample.root / CHAPTER
    path.with_name("01-sample-deeper.md").write_text(
        "---\nkernelspec: {display_name: Python 3, language: python, name: python3}\n---\n\n"
        "# 더\n\nP01-01은 앞 장의 함정입니다.\n"
    )
    names = [p.stem for p in sample.sources() if p.parent.name == "chapters"]
    assert names.index("01-sample-deeper") == names.index("01-sample") + 1
    assert not [f for f in checks.run(sample) if "없는 함정" in str(f)]
    assert [str(p) for p in publish.names(path.with_name("01-sample-deeper.md"))] == [
        "chapters/01-sample-deeper.ipynb"
    ]


def test_the_front_page_tells_the_computed_minutes(checkout):
    text = (checkout.root / "intro.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"\(chapters/([\w-]+)\.ipynb\) \| (\d+)분 \|", text))
    computed = {
        document.path.stem: str(reading_time.minutes(document))
        for document in publish.documents(checkout)
        if document.path.parent.name == "chapters" and not document.path.stem.endswith(DEEPER)
    }
    assert told == computed


def test_the_short_way_through_a_chapter_takes_the_minutes_it_says(checkout):
    told = 0
    for document in publish.documents(checkout):
        text = "\n".join(cell.source for cell in document.cells)
        if not (way := re.search(r"^\*\*(\d+)분 길\*\* · (.+)$", text, re.M)):
            continue
        minutes = {links.anchors([f"# {title}"]).pop(): spent
                   for title, spent in reading_time.sections(document).items() if title}  # fmt: skip
        spent = sum(minutes[anchor] for anchor in re.findall(r"\(#([^)]+)\)", way[2]))
        assert 0.5 * int(way[1]) < spent < 1.2 * int(way[1]), (document.path.name, spent)
        told += 1
    assert told == 8
