"""A small exercise set: two questions of set 02 and one free text, with answers."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from coursekit.grading.probes import questions

from .classroom import SET

MORE = """
exercise.questions[2:] = []
exercise.text("문제 9", "생각해 보기", 4)
"""
RUBRIC = """# 루브릭

## 문제 9

- **2점** 캐시 키를 말합니다
- **2점** 정적 인자를 말합니다
"""


@pytest.fixture(scope="session")
def small_set(tmp_path_factory) -> Path:
    """Grading folder: ``small_set / "02-jit-and-xla"``."""
    folder = tmp_path_factory.mktemp("grading")
    ignored = shutil.ignore_patterns("__pycache__", "mutants.json", "wrong")
    shutil.copytree(SET, folder / SET.name, ignore=ignored)
    with (folder / SET.name / "probes.py").open("a", encoding="utf-8") as probes:
        probes.write(MORE)
    (folder / SET.name / "rubric.md").write_text(RUBRIC, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def small(small_set) -> questions.Exercise:
    return questions.load(small_set / SET.name)
