"""What ``grade run`` shows: how far it is, then a table of the class and what needs a look."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Mapping
from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from coursekit.grading.records import words
from coursekit.grading.records.result import QuestionResult, Result
from coursekit.grading.records.shown import one_line

_WIDE = 4  # more questions than this get narrow columns
_LINES = 50  # of plain progress, however large the class


class People:
    """Submission → who it is of and whether it is late, where a roster is known."""

    def __init__(self, names: Mapping[str, str], about: Mapping[str, dict]) -> None:
        """``names``: number → name; ``about``: submission → what `classroom.Plan.of` says."""
        self.names, self.about = names, about

    def name(self, item: str) -> str:
        return self.names.get(self.about.get(item, {}).get("student") or item, "")

    def late(self, item: str) -> bool:
        return self.about.get(item, {}).get("late") is True

    def who(self, item: str) -> str:
        return f"{item} {self.name(item)}".strip()


class Meter:
    """A bar on a terminal; elsewhere a plain line now and then.

    What need not be graded leaves the total, so that the time left is that of what is graded.
    """

    def __init__(self, total: int, people: People, console: Console | None = None) -> None:
        self.console = console or Console(stderr=True, highlight=False)
        self.people, self.total, self.done = people, total, 0
        self.every = max(1, total // _LINES)
        self.started = time.monotonic()
        columns = (TextColumn("채점"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
                   TextColumn("남은 시간"), TimeRemainingColumn(elapsed_when_finished=True),
                   TextColumn("{task.description}", markup=False))  # fmt: skip
        # submissions are slow: the speed of the last half minute may be that of none
        self.bar = Progress(*columns, console=self.console, transient=True,
                            speed_estimate_period=1800)  # fmt: skip
        self.task = self.bar.add_task("준비합니다", total=total)

    def __enter__(self) -> Meter:
        if self.console.is_terminal:
            self.bar.start()
        else:
            self._say(f"채점할 것을 고릅니다. 제출물 {self.total}개")
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:  # fmt: skip
        if self.console.is_terminal:
            self.bar.stop()

    def skip(self) -> None:
        """One that needs no grading."""
        self.total -= 1
        self.bar.update(self.task, total=self.total)

    def step(self, result: Result) -> None:
        self.done += 1
        name = plain(self.people.who(result.submission))
        self.bar.update(self.task, advance=1, description=name[:40])
        if self.console.is_terminal or (self.done % self.every and self.done != self.total):
            return
        left = (time.monotonic() - self.started) / self.done * (self.total - self.done)
        more = f", 남은 시간 약 {duration(left)}" if left else ""
        self._say(f"{self.done}/{self.total} {name}: {_outcome(result)}{more}")

    def _say(self, line: str) -> None:
        self.console.print(line, soft_wrap=True, markup=False)


def duration(seconds: float) -> str:
    if seconds < 60:
        return f"{max(1, round(seconds))}초"
    minutes = round(seconds / 60)
    return f"{minutes}분" if minutes < 60 else f"{minutes // 60}시간 {minutes % 60}분"


def table_of(results: list[Result], people: People) -> Table:
    """A row per submission.  Many questions get narrow columns, and reasons their own lines."""
    names = next((r.questions for r in results if r.questions), [])
    wide = len(names) > _WIDE
    named = any(people.name(result.submission) for result in results)
    table = Table()
    # a number stays on one line; a long file name is folded
    longest = max((len(result.submission) for result in results), default=0)
    table.add_column("제출물", overflow="fold", min_width=min(longest, 12))
    if named:
        table.add_column("이름", no_wrap=True)
    table.add_column("상태", no_wrap=True)
    table.add_column("점수", justify="right", no_wrap=True)
    for question in names:
        title = question.name.removeprefix("문제 ") if wide else question.name
        table.add_column(title, justify="right", no_wrap=wide)
    if not wide:
        table.add_column("까닭", overflow="fold")
    for result in results:
        late = ", 늦음" if people.late(result.submission) else ""
        cells = [result.submission, *([people.name(result.submission)] if named else [])]
        cells += [words.SUBMISSION[result.status] + late, _points(result)]
        cells += [_cell(q, wide) for q in result.questions]
        cells += [words.MARK["unreadable"]] * (len(names) - len(result.questions))
        cells += [] if wide else [_short(_reason(result), 100)]
        table.add_row(*(Text(plain(cell)) for cell in cells))
    return table


def legend(results: list[Result]) -> str:
    """What the short words in a wide table mean, of those that are in it; "" if none is."""
    names = next((r.questions for r in results if r.questions), [])
    if len(names) <= _WIDE:
        return ""
    used = {q.status for result in results for q in result.questions}
    if any(len(result.questions) < len(names) for result in results):
        used.add("unreadable")
    return words.legend(used)


def needs_look(result: Result) -> bool:
    """Whether a person should see it: no points, or points that the engine is not sure of."""
    odd = any(q.status in words.DOUBTFUL for q in result.questions)
    return result.status != "graded" or odd or bool(result.look)


def notes_of(results: list[Result], people: People) -> list[str]:
    """Lines on what needs a look; last, who wrote what is published."""
    lines = [f"{people.who(r.submission)}: {_short(_trouble(r), 300)}"
             for r in results if needs_look(r)]  # fmt: skip
    if copied := [result for result in results if result.copied]:
        lines.append("공개된 풀이와 같은 답 (점수와 상관없습니다)")
        lines += [f"  {people.who(r.submission)}: {', '.join(r.copied)}" for r in copied]
    return lines


def _trouble(result: Result) -> str:
    if result.status != "graded":
        return result.reason
    odd = [f"{q.name} {words.QUESTION[q.status]}. {q.reason}".strip()
           for q in result.questions if q.status in words.DOUBTFUL]  # fmt: skip
    return " ".join([*odd, *result.look])


def _reason(result: Result) -> str:
    return result.reason or next((q.reason for q in result.questions if q.reason), "")


def _outcome(result: Result) -> str:
    return _points(result) if result.status == "graded" else words.SUBMISSION[result.status]


def _points(result: Result) -> str:
    return f"{result.points}/{result.possible}" if result.status == "graded" else "–"


def _cell(question: QuestionResult, wide: bool) -> str:
    score = f"{question.points}" if wide else f"{question.points}/{question.possible}"
    if question.status == "graded":
        return score
    return (
        words.MARK.get(question.status, score)
        if wide
        else f"{score} {words.QUESTION[question.status]}"
    )


def _short(text: str, width: int) -> str:
    """Cut between words."""
    return textwrap.shorten(text, width, placeholder=" …", break_on_hyphens=False)


def plain(text: str) -> str:
    """File names and messages are no commands to the terminal: odd characters are escaped."""
    return one_line(text)
