"""Every question sends its reader back to sections that the chapter really has."""

import re
from pathlib import Path

import pytest

from coursekit.grading.course import statements

SOURCE = Path(__file__).resolve().parents[2] / "source"


@pytest.mark.parametrize("path", sorted((SOURCE / "exercises").glob("*.md")), ids=lambda p: p.stem)
def test_each_question_names_sections_of_its_chapter(path):
    halves = sorted((SOURCE / "chapters").glob(f"{path.stem}*.md"))  # and its deeper page
    chapter = "\n".join(half.read_text(encoding="utf-8") for half in halves)
    headings = set(re.findall(r"^#{2,3} (.+)$", chapter, re.M))
    questions = re.split(r"^## (?=문제)", path.read_text(encoding="utf-8"), flags=re.M)[1:]
    assert questions
    for question in questions:
        named = statements.look_again(question)
        assert named and set(named) <= headings, question.splitlines()[0]
