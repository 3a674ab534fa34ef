"""Write the report: one page per student, one for the class, one CSV."""

from __future__ import annotations

import hashlib
import html
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from coursekit.files import write_whole
from coursekit.grading.gradebook.book import Gradebook
from coursekit.grading.handed_in import bounded
from coursekit.grading.records import tables, words
from coursekit.grading.records.shown import shown
from coursekit.grading.report import department, similar, standing, summary, unusual
from coursekit.grading.report.standing import Standing

_MARKDOWN_SECONDS = 2
_NAME_BYTES = 200  # a file system takes 255 with all that is added


def write(
    book: Gradebook,
    exercise: dict,
    out: Path,
    *,
    chapter: str = "",
    number: int | None = None,
    published: dict[str, list[str]] | None = None,
    on_page: Callable[[int, int], None] = lambda done, total: None,
) -> list[Standing]:
    """Fill ``out``: ``students/*.html``, ``class.html``, ``department.html``, ``grades.csv``.

    ``chapter``: address of the chapter that teaches this, ``number``: which it is;
    ``published``: question → answers whose pieces say nothing about likeness.
    """
    standings = standing.of_class(book, exercise)
    environment = templates()
    page = environment.get_template("student.html")
    files = page_names(standings)
    about = {question["name"]: question for question in exercise["questions"]}
    written = set()
    for done, one in enumerate(standings, 1):
        if one.status != "missing":
            path = out / "students" / files[one.item]
            try:
                text = page.render(one=public(one), exercise=exercise, about=about,
                                   chapter=chapter, number=number, verdicts=words.PROBE)  # fmt: skip
            except Exception as error:  # whatever is in one submission, the others get their pages
                why = f"피드백 쪽을 만들지 못했습니다. ({type(error).__name__})"
                one.to_check.append(why)
                text = environment.get_template("failed.html").render(
                    one=one, exercise=exercise, why=why
                )
            write_whole(path, text.encode())
            written.add(path)
        on_page(done, len(standings))
    for old in (out / "students").glob("*.html"):
        if old not in written:
            old.unlink()  # of a submission that was withdrawn
    code = {
        one.item: {q.name: q.answer for q in one.questions if q.kind == "code"}
        for one in standings
        if one.status == "graded"
    }
    names = {one.item: one.who for one in standings}
    alike = [
        replace(pair, first=names[pair.first], second=names[pair.second])
        for pair in similar.pairs(code, published)
    ]
    same = [[names[item] for item in group] for group in similar.groups(code, published)]
    odd = {names[item]: used for item, written in code.items()
           if (used := unusual.of(written, published or {}))}  # fmt: skip
    text = environment.get_template("class.html").render(
        exercise=exercise, summary=summary.of(standings, exercise), alike=alike[:100],
        same=same, odd=odd,
        alike_count=len(alike), copied=[one for one in standings if one.copied],
        pages={one.who: "students/" + quote(files[one.item]) for one in standings if one.status != "missing"},
    )  # fmt: skip
    write_whole(out / "class.html", text.encode())
    text = environment.get_template("department.html").render(
        exercise=exercise, found=department.of(standings, exercise), fewest=department.FEWEST,
        made=f"{datetime.now():%Y-%m-%d}",
    )  # fmt: skip
    write_whole(out / "department.html", text.encode())
    header, rows = table(standings, exercise, book)
    tables.write(out / "grades.csv", header, rows)
    return standings


def public(one: Standing) -> Standing:
    """Without what only the instructor may see."""
    questions = [
        replace(q, probes=[replace(p, detail="") for p in q.probes]) for q in one.questions
    ]
    return replace(one, questions=questions, copied=[], to_check=[])


def table(
    standings: list[Standing], exercise: dict, book: Gradebook
) -> tuple[list[str], list[list]]:
    """Header and rows of the CSV: the roster's columns as they came, then ours."""
    roster = book.roster()
    theirs = roster.columns if roster else ["제출물"]
    ours = ["상태", "점수", "만점", "자동 점수", "늦음", "제출 시각",
            *(q["name"] for q in exercise["questions"]), "확인할 것"]  # fmt: skip
    ours = [f"{exercise['name']} {name}" if name in theirs else name for name in ours]
    rows = []
    for one in standings:
        if roster and one.student:
            head = [one.student.row.get(column, "") for column in theirs]
        else:
            head = [one.item, *[""] * (len(theirs) - 1)]
        status = one.label if one.student or not roster else f"명단에 없음, {one.label}"
        late = {True: "늦음", False: "", None: ""}[one.late]
        cells = {q.name: _cell(q) for q in one.questions}
        marks = [cells.get(q["name"], "") for q in exercise["questions"]]
        rows.append([*head, status, one.points, one.possible, one.auto, late, _clock(one.submitted),
                     *marks, "; ".join(one.to_check)])  # fmt: skip
    return [*theirs, *ours], rows


def _cell(question: standing.Question) -> str | float:
    """A number, or a word where no number would be fair."""
    if question.points is None:
        return question.label
    if not question.points and not question.grader and question.label:
        return question.label
    return question.points


def _clock(submitted: str | None) -> str:
    """As a spreadsheet reads it, in the time zone it was written down in."""
    return submitted[:16].replace("T", " ") if submitted else ""


def page_names(standings: list[Standing]) -> dict[str, str]:
    """Item → name of its page.  Names that tidying has made equal get a digest of what they were."""
    tidy = {one.item: _tidy(one) for one in standings}
    # folded, for a folder on macOS or Windows holds only one of a.html and A.html
    often = Counter(name.casefold() for name in tidy.values())
    return {
        item: (name if often[name.casefold()] == 1 else f"{name}-{_digest(item)}") + ".html"
        for item, name in tidy.items()
    }


def _tidy(one: Standing) -> str:
    name = f"{one.student.id}_{one.student.name}" if one.student else one.item
    name = re.sub(r"[^\w.()-]+", "_", name).strip("_.")
    return name.encode()[:_NAME_BYTES].decode(errors="ignore")


def _digest(item: str) -> str:
    return hashlib.sha256(item.encode()).hexdigest()[:8]


def templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("coursekit.grading.report"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    environment.filters["markdown"] = markdown
    environment.filters["points"] = lambda value: "–" if value is None else f"{value:g}"
    return environment


def markdown(text: str) -> Markup:
    """HTML of a text, or the text as it is if that takes too long (`bounded`)."""
    text = shown(text)
    try:
        return Markup(bounded.ask("markdown", cpu=_MARKDOWN_SECONDS, text=text))
    except bounded.TooMuch:
        return Markup(f"<pre>{html.escape(text)}</pre>")


def _finalize(value: object) -> object:
    if isinstance(value, Markup):
        return Markup(shown(str(value)))
    return shown(value) if isinstance(value, str) else value
