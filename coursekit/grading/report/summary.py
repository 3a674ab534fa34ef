"""What the class as a whole shows: distribution, hardest questions, mistakes that recur."""

from __future__ import annotations

import re
import statistics
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from coursekit.grading.report.standing import Standing


@dataclass(frozen=True)
class QuestionSummary:
    name: str
    title: str
    possible: int
    mean: float | None
    full: int
    counted: int
    statuses: dict[str, int]

    @property
    def rate(self) -> float | None:
        return None if self.mean is None or not self.possible else self.mean / self.possible

    @property
    def sort_key(self) -> float:
        """Hardest first; what nobody's points are known of comes last."""
        return 2.0 if self.rate is None else self.rate


@dataclass(frozen=True)
class Mistake:
    """A probe that failed for a like reason; ``reasons`` are the most frequent wordings."""

    question: str
    probe: str
    count: int
    reasons: list[tuple[str, int]]
    who: list[str]


@dataclass
class Summary:
    people: int
    statuses: dict[str, int]
    late: int
    mean: float | None
    median: float | None
    bins: list[tuple[str, int]]
    questions: list[QuestionSummary] = field(default_factory=list)
    mistakes: list[Mistake] = field(default_factory=list)
    to_check: list[Standing] = field(default_factory=list)


def of(standings: list[Standing], exercise: dict) -> Summary:
    totals = [float(s.points) for s in standings if s.points is not None]
    return Summary(
        len(standings),
        dict(Counter(s.label for s in standings).most_common()),
        sum(s.late is True for s in standings),
        statistics.mean(totals) if totals else None,
        statistics.median(totals) if totals else None,
        bins(totals, exercise["possible"]),
        [_question(standings, about) for about in exercise["questions"]],
        mistakes(standings),
        [s for s in standings if s.to_check],
    )


def bins(totals: list[float], possible: int, count: int = 10) -> list[tuple[str, int]]:
    """(label, number) for equal steps from 0 to ``possible``; the last holds full marks too."""
    counts = [0] * count
    for total in totals:
        place = int(total / possible * count) if possible else 0
        counts[min(max(place, 0), count - 1)] += 1
    edges = [possible * i / count for i in range(count + 1)]
    return [(f"{edges[i]:g}–{edges[i + 1]:g}", counts[i]) for i in range(count)]


def _question(standings: list[Standing], about: dict) -> QuestionSummary:
    mine = [
        q for s in standings if s.status == "graded" for q in s.questions if q.name == about["name"]
    ]
    points = [float(q.points) for q in mine if q.points is not None]
    return QuestionSummary(
        about["name"], about["title"], about["points"],
        statistics.mean(points) if points else None, sum(q.full for q in mine), len(points),
        dict(Counter(q.label for q in mine if q.label)),
    )  # fmt: skip


def mistakes(standings: list[Standing], least: int = 2) -> list[Mistake]:
    """Failed probes that ``least`` or more share, the most frequent first.

    For the instructor: the reasons may tell hidden inputs.
    """
    who: dict[tuple[str, str], list[str]] = defaultdict(list)
    words: dict[tuple[str, str], Counter] = defaultdict(Counter)
    for standing in standings:
        for question in standing.questions:
            for probe in question.probes:
                if probe.verdict not in ("pass", "skipped"):
                    key = (question.name, probe.title)
                    who[key].append(standing.who)
                    words[key][_same(probe.detail or probe.reason)] += 1
    found = [
        Mistake(question, probe, len(people), words[question, probe].most_common(3), people)
        for (question, probe), people in who.items()
        if len(people) >= least
    ]
    return sorted(found, key=lambda m: (-m.count, m.question, m.probe))


def _same(reason: str) -> str:
    """Reasons that differ only in numbers are one."""
    reason = re.sub(r"\s*\(입력:.*\)$", "", reason, flags=re.S)
    return re.sub(r"-?\d[\d.]*(e[+-]?\d+)?", "…", reason)[:160]
