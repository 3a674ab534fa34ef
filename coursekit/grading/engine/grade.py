"""``grade(path, exercise) -> Result``: one submission, from file to verdict.

The result depends on the file, the probes and the seed only.  `Grader` keeps a worker warm over
many submissions; `grade` is the same for one.
"""

from __future__ import annotations

import hashlib
import secrets
import time
import unicodedata
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from coursekit.grading.course import published
from coursekit.grading.engine import cache, causes, version
from coursekit.grading.engine.attempt import HelperRun, Run
from coursekit.grading.handed_in import notebook, submission
from coursekit.grading.handed_in.submission import Submission, Unreadable
from coursekit.grading.probes import verdict
from coursekit.grading.probes.questions import Draw, Exercise, Helper, Probe, Question
from coursekit.grading.records.result import ProbeResult, QuestionResult, Result
from coursekit.grading.records.shown import shown
from coursekit.grading.sandbox.boxes import Limits, Zygote
from coursekit.grading.sandbox.session import Lost
from coursekit.grading.wire.trees import printable
from coursekit.project import ROOT

# All that is told of a hidden probe, unless its author says which requirement failed.  The kind of
# an error, an exit code or a signal is chosen by the student's function, which could so tell what
# it was given.
_HIDDEN = "이 요구를 여러 입력으로 확인했는데, 맞지 않는 경우가 있습니다."
_HIDDEN_RAISED = "이 요구를 여러 입력으로 확인하다가 오류로 멈췄습니다."
_HIDDEN_LOST = {
    "timeout": "이 요구를 여러 입력으로 확인하다가 정해진 시간 안에 끝나지 않았습니다.",
    "crashed": "이 요구를 여러 입력으로 확인하다가 프로세스가 멈췄습니다.",
}
_BLANK = "아직 빈칸입니다."
_LIMITS = Limits()
_MAX_LOST = 2  # crashes and timeouts in one question before its other probes are left out


def new_seed() -> str:
    return secrets.token_hex(8)


def plain_name(name: str) -> str:
    """Name of a submission, as results and gradebooks know it."""
    return unicodedata.normalize("NFC", printable(name))


class Grader:
    """One worker: a zygote and the author's helpers.  Start it from the main thread.

    With ``until_loss`` the other probes of a question are left out once one is not passed: enough
    to tell whether a mutant keeps full marks.
    """

    def __init__(
        self,
        exercise: Exercise,
        *,
        seed: str = "",
        limits: Limits = _LIMITS,
        hidden: Sequence[Path] = (),
        unsafe: bool = False,
        slot: int = 0,
        warming: Path | None = None,
        until_loss: bool = False,
    ) -> None:
        self.exercise, self.limits, self.until_loss = exercise, limits, until_loss
        self.seed = seed or new_seed()
        functions = [question.function for question in exercise.questions]
        solutions = ROOT / "solutions" / f"{exercise.name}.ipynb"
        self.published = published.solution(solutions, functions)
        self.given = published.given(ROOT / "exercises" / f"{exercise.name}.ipynb")
        self.warm = warming is not None
        # none of these is bound into a sandbox, unless all of this lies below /usr or python's prefix
        project = [ROOT / name for name in ("grading", "solutions", "source", "tests", ".git")]
        hidden = [p for p in (exercise.folder, *project, *hidden) if p.exists()]
        folder = warming or cache.fill(exercise, partial(_warm, exercise, hidden, unsafe))
        self._new_zygote = partial(
            Zygote,
            folder,
            hidden=hidden,
            preload=exercise.preload,
            devices=exercise.devices,
            unsafe=unsafe,
            slot=slot,
        )
        self.zygote, self.helpers = self._start()

    def _start(self) -> tuple[Zygote, HelperRun]:
        zygote = self._new_zygote()
        return zygote, HelperRun(zygote, self.exercise.helpers, self.limits, warm=self.warm)

    def grade(self, path: Path, name: str = "") -> Result:
        """Grade the file at ``path``.  Raises only for the machine's or the author's faults
        (`SandboxError`, `ExerciseError`), never for what is in the file.
        """
        start = time.monotonic()
        base = {
            "submission": plain_name(name or path.name),
            "exercise": self.exercise.name,
            "possible": self.exercise.points,
            "digest": digest(self.exercise, path),
            "seed": self.seed,
            "probes_version": self.exercise.version,
        }
        functions = [question.function for question in self.exercise.questions]
        headings = [text.heading for text in self.exercise.texts]
        try:
            handed_in = submission.read(path, functions, headings, self.exercise.name)
        except Unreadable as error:
            return Result(**base, status="unreadable", points=0, reason=shown(str(error)))
        if reason := _unmatched(handed_in, functions, headings):
            return Result(
                **base, status="unmatched", points=0, reason=shown(reason), notes=handed_in.notes
            )
        sheets, questions, run = self.grade_answers(handed_in)
        points = sum(question.points for question in questions)
        if not points and handed_in.origin.stranger and not handed_in.texts:
            reason = _foreign(handed_in, functions, headings)
            return Result(
                **base, status="unmatched", points=0, reason=shown(reason), notes=handed_in.notes
            )
        notes = [*handed_in.notes, *causes.stopped(run.cell_errors, run.deadly)]
        return Result(
            **base,
            status="graded",
            points=points,
            questions=questions,
            notes=[shown(note) for note in notes],
            copied=published.copied(handed_in, self.published),
            look=[shown(line) for line in [*handed_in.look, *_one_cause(sheets, run)]],
            seconds=round(time.monotonic() - start, 3),
            cpu_seconds=round(run.cpu_seconds, 3),
        )

    def grade_answers(
        self, handed_in: Submission
    ) -> tuple[list[_Sheet], list[QuestionResult], Run]:
        """What is known about each question, the results, and the run, which is over."""
        sheets = [_Sheet(question) for question in self.exercise.questions]
        with Run(self.zygote, handed_in, self.limits, warm=self.warm) as run:
            # probes that may be shown come first, in all questions: a function could remember a
            # hidden input, and tell it in the message of an error that is shown
            for shown in (True, False):
                for sheet in sheets:
                    self._fill(sheet, run, shown)
            questions = [sheet.result() for sheet in sheets]
        for text in self.exercise.texts:
            written = handed_in.texts.get(text.heading, "")
            status, reason = (
                ("review", "사람이 읽고 채점합니다.") if written else ("blank", "글이 없습니다.")
            )
            questions.append(QuestionResult(text.name, "", 0, text.points, status, reason))
        return sheets, questions, run

    def _fill(self, sheet: _Sheet, run: Run, shown: bool) -> None:
        """Judge those probes of a question that are ``shown``, or those that are not."""
        question = sheet.question
        sheet.is_stub = run.submission.is_blank(question.function)
        if sheet.settled is None:
            sheet.settled = _unanswered(question, run.submission, self.given)
        for probe in question.probes:
            if probe.show is not shown or sheet.settled:
                continue
            if len(sheet.lost) >= _MAX_LOST or (self.until_loss and sheet.has_loss()):
                sheet.add(probe, "skipped", "앞의 검사에서 멈춰 하지 않았습니다.")
                continue
            try:
                run.student()
                sheet.settled = _broken_cell(question.function, run)
                if not sheet.settled:
                    sheet.probes[probe.name] = self._probe(sheet, probe, run)
            except Lost as error:
                told = error.reason if shown else _HIDDEN_LOST[error.status]
                sheet.lost.append((error.status, told))
                sheet.add(probe, error.status, told, error.reason)

    def _probe(self, sheet: _Sheet, probe: Probe, run: Run) -> ProbeResult:
        question = sheet.question

        def ask(request: Any) -> Any:
            if isinstance(request, Helper):
                return self.helpers.ask(request, run.clock)
            return run.ask(question.function, request, question.cpu)

        draw = Draw(self.seed, self.exercise.name, question.name, probe.name)
        found = verdict.judge(probe, draw, ask)
        sheet.raised.append((found.raised, found.cause))
        if not found.passed:
            detail = found.reason
            arguments = getattr(found.request, "arguments", None)
            if arguments is not None:
                inputs = ", ".join(verdict.describe(value) for value in arguments)
                detail += f" (입력: {inputs})"
            told = found.told or (_HIDDEN_RAISED if found.raised else _HIDDEN)
            told = detail if probe.show else told
            return _outcome(probe, "fail", 0, shown(told), shown(detail))
        return _outcome(probe, "pass", probe.points, "")

    def restart(self) -> None:
        """A new zygote, in case the machine has killed the old one."""
        self.close()
        self.zygote, self.helpers = self._start()

    def close(self) -> None:
        self.helpers.close()
        self.zygote.close()

    def __enter__(self) -> Grader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def grade(path: Path, exercise: Exercise, **options: Any) -> Result:
    """Grade one file; ``options`` are those of `Grader`."""
    with Grader(exercise, **options) as grader:
        return grader.grade(path)


def digest(exercise: Exercise, path: Path) -> str:
    """Changes when the file, the probes or grading itself change; "" if it can't be read."""
    try:
        data = notebook.read_bytes(path)
    except Unreadable:
        return ""
    head = f"{version.of_grading()} {exercise.name} {exercise.version} ".encode()
    return hashlib.sha256(head + data).hexdigest()[:32]


def _warm(exercise: Exercise, hidden: Sequence[Path], unsafe: bool, folder: Path) -> None:
    """Grade all right answers with the cache in ``folder`` writable: author's code only."""
    with Grader(exercise, seed="warm", hidden=hidden, unsafe=unsafe, warming=folder) as grader:
        for path in exercise.right_answers:
            grader.grade(path)


class _Sheet:
    """What is known about one question while it is graded."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.probes: dict[str, ProbeResult] = {}
        self.is_stub = False  # as it was given, though other code may fill it
        self.lost: list[tuple[str, str]] = []  # status, and the reason as the student is told
        self.settled: tuple[str, str] | None = None  # status and reason, without any probe
        self.raised: list[tuple[str, str]] = []  # of each probe: type and text of the error, or ""

    def add(self, probe: Probe, verdict: str, reason: str, detail: str = "") -> None:
        self.probes[probe.name] = _outcome(probe, verdict, 0, reason, detail)

    def has_loss(self) -> bool:
        return any(probe.verdict != "pass" for probe in self.probes.values())

    @property
    def stayed_blank(self) -> bool:
        """Whether the stub was tried and nothing but its own error came of it."""
        return (
            self.is_stub
            and bool(self.raised)
            and {kind for kind, _ in self.raised} == {"NotImplementedError"}
        )

    def result(self) -> QuestionResult:
        question = self.question
        head = (question.name, question.function)
        if not self.settled and self.stayed_blank and not self.lost:
            self.settled = ("blank", _BLANK)
        if self.settled:
            return QuestionResult(*head, 0, question.points, *self.settled)
        probes = [self._with_needs(probe) for probe in question.probes]
        points = sum(probe.earned for probe in probes)
        judged = any(probe.verdict in ("pass", "fail") for probe in probes)
        status = "graded" if not self.lost else "partial" if judged else self.lost[0][0]
        reason = self.lost[0][1] if self.lost else ""
        if not reason:
            failed = next((p for p in probes if p.verdict == "fail"), None)
            reason = f"{failed.title}: {failed.reason}" if failed else ""
        return QuestionResult(*head, points, question.points, status, reason, "", probes)

    def _with_needs(self, probe: Probe) -> ProbeResult:
        """A pass counts only with the passes that it needs."""
        found = self.probes[probe.name]
        if found.verdict == "pass":
            for name in probe.needs:
                if self.probes[name].verdict != "pass":
                    title = self.probes[name].title
                    reason = f"먼저 통과해야 하는 검사가 있습니다: {title}. 그래서 점수가 없습니다."
                    return _outcome(probe, "skipped", 0, reason)
        return found


def _outcome(probe: Probe, kind: str, earned: int, reason: str, detail: str = "") -> ProbeResult:
    return ProbeResult(probe.name, probe.title, probe.points, earned, kind, reason, detail)


def _unmatched(handed_in: Submission, functions: list[str], headings: list[str]) -> str:
    """Why this is no notebook of the exercise; "" if it is, or may be."""
    if handed_in.origin.other and not handed_in.texts:
        return f"다른 노트북입니다: {handed_in.origin.other}. 이 연습의 노트북을 다시 내세요."
    if any(handed_in.defining(name) for name in functions) or handed_in.texts or handed_in.hints:
        return ""
    return _foreign(handed_in, functions, headings)


def _foreign(handed_in: Submission, functions: list[str], headings: list[str]) -> str:
    titled = f"노트북의 제목은 ‘{handed_in.origin.title}’입니다. " if handed_in.origin.title else ""
    names = sorted({name for cell in handed_in.cells for name in cell.names})[:8]
    return (
        f"이 연습의 답을 찾지 못했습니다. {titled}찾은 이름: {', '.join(names) or '없음'}. "
        f"필요한 이름: {', '.join(functions + headings)}. "
        "다른 노트북을 냈는지, 이름을 바꾸었는지 확인하세요."
    )


def _unanswered(
    question: Question, handed_in: Submission, given: frozenset[str]
) -> tuple[str, str] | None:
    """Status and reason if nothing is written, or nothing under the function's name."""
    name = question.function
    if handed_in.is_blank(name) and (hint := handed_in.hints.get(name)):
        return "absent", f"{hint} 코드 셀로 바꾸어 다시 내세요."
    if handed_in.defining(name):
        # other code may fill the stub: `globals()["f"] = g`, a registered function
        blank = handed_in.is_blank(name) and name not in handed_in.touched
        return ("blank", _BLANK) if blank else None
    reason = f"{name} 함수를 찾지 못했습니다."
    if similar := handed_in.similar(name):
        reason += f" 이름이 비슷한 {similar!r}을 찾았습니다. 글자 하나하나를 확인하세요."
    return "absent" if similar or handed_in.stray(given) else "blank", shown(reason)


def _one_cause(sheets: list[_Sheet], run: Run) -> list[str]:
    """Why the points may not be the answers' fault: one trouble that cost most of them, or cells
    of which only the definitions could run.
    """
    raised = {sheet.question.name: sheet.raised for sheet in sheets if not sheet.settled}
    settled = {sheet.question.name: sheet.settled for sheet in sheets if sheet.settled}
    lines = causes.shared(raised, settled, stopped=bool(run.cell_errors or run.deadly))
    if run.submission.origin.few and not any(sheet.result().points for sheet in sheets):
        lines.append("이 연습의 이름이 거의 없고 점수도 없습니다. 다른 노트북인지 확인하세요.")
    if run.deadly:
        cells = ", ".join(str(index + 1) for index in sorted(run.deadly)[:5])
        lines.append(f"프로세스를 끝내거나 끝나지 않는 셀이 있어 정의만 실행했습니다: 셀 {cells}")
    return lines


def _broken_cell(function: str, run: Run) -> tuple[str, str] | None:
    """Status and reason if ``function`` does not exist, for the cells that define it failed."""
    if run.exists(function):
        return None
    cells = [c for c in run.submission.defining(function) if function not in c.blanks]
    for cell in reversed(cells):
        where = f"셀 {cell.index + 1}"
        if lost := run.deadly.get(cell.index):
            return lost.status, f"{where}에서 {lost.reason}"
        if error := run.cell_errors.get(cell.index):
            line = f"의 {error.line}번째 줄" if error.line else ""
            return "graded", shown(f"{where}{line}에서 멈췄습니다. {error}")
    reason = f"셀을 모두 실행해도 부를 수 있는 {function} 함수가 없습니다."
    return "absent", f"{reason} 셀의 맨 왼쪽에서 def {function}(…)로 정의합니다."
