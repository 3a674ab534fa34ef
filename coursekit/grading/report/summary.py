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
    """One cause that the same people share; ``probes`` are (question, probe) it shows in.

    ``reason`` is its most frequent wording, for the instructor only: it may tell hidden inputs.
    """

    probes: list[tuple[str, str]]
    count: int
    reason: str
    who: list[str]

    @property
    def title(self) -> str:
        """``문제 3: probe, probe; 문제 5: probe``"""
        by_question: dict[str, list[str]] = defaultdict(list)
        for question, probe in self.probes:
            by_question[question].append(probe)
        return "; ".join(f"{name}: {', '.join(titles)}" for name, titles in by_question.items())


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
    missing: list[str] = field(default_factory=list)


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
        [s.who for s in standings if s.status == "missing"],
    )


def bins(totals: list[float], possible: int, most: int = 10) -> list[tuple[str, int]]:
    """(label, number) for whole steps from 0 to ``possible``; the last holds full marks too.

    A label names whole points, ``0–4``: 4.5 is below 5 and counts there.
    """
    step = max(1, -(-possible // most))
    count = max(1, -(-possible // step))
    counts = [0] * count
    for total in totals:
        counts[min(max(int(total // step), 0), count - 1)] += 1
    labels = []
    for i in range(count):
        low, high = i * step, possible if i == count - 1 else (i + 1) * step - 1
        labels.append(f"{low}–{high}" if low < high else f"{low}")
    return list(zip(labels, counts, strict=True))


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


def mistakes(standings: list[Standing], least: int = 3, most: int = 10) -> list[Mistake]:
    """Causes that ``least`` people or more share, the most frequent ``most`` of them.

    A cause is one probe that failed for one kind of reason.  Causes of the same kind and the same
    people, such as an import that is missing everywhere, are told once.
    """
    who: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    words: dict[str, Counter] = defaultdict(Counter)
    for standing in standings:
        for question in standing.questions:
            for probe in question.probes:
                if probe.verdict not in ("pass", "skipped"):
                    reason = _plain(probe.detail or probe.reason)
                    kind = _kind(reason)
                    who[question.name, probe.title, kind].append(standing.who)
                    words[kind][reason] += 1
    shared: dict[tuple[str, tuple[str, ...]], list[tuple[str, str]]] = defaultdict(list)
    for (question, probe, kind), people in who.items():
        if len(people) >= least:
            shared[kind, tuple(people)].append((question, probe))
    found = [
        Mistake(sorted(probes), len(people), words[kind].most_common(1)[0][0], list(people))
        for (kind, people), probes in shared.items()
    ]
    return sorted(found, key=lambda m: (-m.count, m.probes))[:most]


def _plain(reason: str) -> str:
    """A reason without the inputs it was found with."""
    return re.sub(r"\s*\(입력:.*\)$", "", reason, flags=re.S)[:160]


def _kind(reason: str) -> str:
    """What reasons of one cause have in common: the type of an error, else all but the numbers.

    ``nan`` and ``inf`` stay: they are another mistake than a value that is off.
    """
    if error := re.match(r"실행하다 멈췄습니다\. (\w+)", reason):
        return error[1]
    reason = re.sub(r"\[[\d\s,.-]*\](에서 )?", "…", reason)
    return re.sub(r"-?\d[\d.]*(e[+-]?\d+)?", "…", reason).replace("……", "…")
