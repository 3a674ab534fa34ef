"""What may leave the teacher's desk: the class in numbers, by section, without anybody's name."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from coursekit.grading.report import summary
from coursekit.grading.report.standing import Standing

# means and ranges of fewer people than this would tell a person's points
FEWEST = 5
NO_SECTION = "분반 없음"


@dataclass(frozen=True)
class Section:
    """``handed_in``, ``late`` and ``settled`` count people; points are None below `FEWEST`."""

    name: str
    people: int
    handed_in: int
    late: int
    settled: int
    mean: float | None
    median: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Department:
    """``bins`` and ``questions`` as in `summary.Summary`; both empty below `FEWEST`."""

    whole: Section
    sections: list[Section]
    bins: list[tuple[str, int]]
    questions: list[summary.QuestionSummary]


def of(standings: list[Standing], exercise: dict) -> Department:
    """Of the students in the roster; a submission of nobody in it belongs to no section."""
    enrolled = [one for one in standings if one.student]
    names = sorted({one.student.section for one in enrolled})
    sections = []
    if names != [""]:
        for name in names:
            mine = [one for one in enrolled if one.student.section == name]
            sections.append(_section(name or NO_SECTION, mine))
    totals = [float(one.points) for one in enrolled if one.points is not None]
    enough = len(totals) >= FEWEST
    found = summary.of(enrolled, exercise)
    return Department(
        _section("모두", enrolled),
        sections,
        found.bins if enough else [],
        found.questions if enough else [],
    )


def _section(name: str, people: list[Standing]) -> Section:
    points = [float(one.points) for one in people if one.points is not None]
    told = points if len(points) >= FEWEST else []
    return Section(
        name,
        len(people),
        sum(one.status != "missing" for one in people),
        sum(one.late is True for one in people),
        len(points),
        statistics.mean(told) if told else None,
        statistics.median(told) if told else None,
        min(told, default=None),
        max(told, default=None),
    )
