"""Is this notebook one of the exercise at all?  Told by its title and the names in it.

A name alone says little: ``train`` is asked for in three exercises of this course, and stands in
half of the notebooks of others.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from coursekit.grading.handed_in import given
from coursekit.project import ROOT


@dataclass(frozen=True)
class Origin:
    """``title``: the notebook's own.  ``other``: name of the notebook of this course that it is
    instead, in words (``연습 03-grad``); then it holds no answer to this exercise.  ``few``: nothing
    but one or two names speaks for this exercise.
    """

    title: str = ""
    other: str = ""
    few: bool = False

    @property
    def stranger(self) -> bool:
        """Whether it may well be of another course: a title of its own, and few names."""
        return self.few and bool(self.title)


def recognise(
    exercise: str,
    functions: Collection[str],
    *,
    title: str,
    defined: Collection[str],
    texts: Collection[str] = (),
    root: Path = ROOT,
) -> Origin:
    """``defined``: names bound at the top level of the notebook's cells; ``texts``: its cells,
    folded (`given.fold`).
    """
    mine = set(functions) & set(defined)
    own = given.blank(exercise, root).title
    if own and (given.fold(title) in _titles(exercise, root) or _kin(exercise, texts, root)):
        return Origin(title)
    # what another notebook itself defines is no answer to this exercise
    others = [known for known in given.notebooks(root)
              if (known.name != exercise or known.kind == "chapters") and mine <= known.names]  # fmt: skip
    for known in others:
        if known.title and given.fold(title) == given.fold(known.title):
            return Origin(title, f"{given.KINDS[known.kind]} {known.name}")
    asked = {
        known: len(known.asked & set(defined)) for known in others if known.kind == "exercises"
    }
    nearest = max(asked, key=lambda known: asked[known], default=None)
    if nearest and asked[nearest] >= 2 and asked[nearest] > len(mine):
        return Origin(title, f"{given.KINDS[nearest.kind]} {nearest.name}")
    few = len(mine) <= max(1, len(set(functions)) // 3)
    return Origin(title, "", bool(own) and few and len(set(functions)) > 1)


def _kin(exercise: str, texts: Collection[str], root: Path) -> bool:
    """Whether a cell is one of the exercise's, word for word, and of no other notebook's."""
    others = [known.texts for known in given.notebooks(root)
              if known.name != exercise or known.kind == "chapters"]  # fmt: skip
    shared = {text for text in given.blank(exercise, root).texts & set(texts) if len(text) > 40}
    return any(not any(text in other for other in others) for text in shared)


def _titles(exercise: str, root: Path) -> set[str]:
    return {given.fold(known.title) for known in given.notebooks(root)
            if known.name == exercise and known.kind != "chapters"}  # fmt: skip
