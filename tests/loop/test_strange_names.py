"""Names and texts of strangers: no two share a page, none is obeyed, none is lost."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from typer.testing import CliRunner

from coursekit.grading.commands import cli, overview
from coursekit.grading.engine import batch
from coursekit.grading.exchange import decisions
from coursekit.grading.gradebook.book import Gradebook
from coursekit.grading.records import roster, tables
from coursekit.grading.records.result import Result
from coursekit.grading.records.shown import one_line, shown
from coursekit.grading.report import pages

from .classroom import RIGHT_1, notebook, write_roster
from .test_report import ABOUT, ANSWERS, NAME, result
from .test_run import collected, command

TWINS = [
    ("김민수 1장.ipynb", "김민수_1장.ipynb"),
    ("a.ipynb", "A.ipynb"),
    ("a  b.ipynb", "a b.ipynb"),
    ("가/나.ipynb", "가 나.ipynb"),
    ("_x_.ipynb", "x.ipynb"),
    ("긴" * 120 + "1.ipynb", "긴" * 120 + "2.ipynb"),
]


@pytest.mark.parametrize("names", TWINS)
def test_no_two_submissions_share_a_page(tmp_path, small, names):
    with Gradebook(tmp_path / "gradebook.db") as book:
        book.set_exercise(small, "씨앗", ABOUT)
        for number, name in enumerate(names):
            book.save(result(name), {**ANSWERS, "문제 1": f"mine = {number}"})
        for _ in range(2):  # a second report changes nothing
            pages.write(book, book.exercise(), tmp_path / "out")
            found = sorted((tmp_path / "out" / "students").glob("*.html"))
            assert len({path.name.casefold() for path in found}) == 2
            assert {text.count("mine = ") for text in map(_read, found)} == {1}
        overview_page = _read(tmp_path / "out" / "class.html")
        assert all(path.name.split(".")[0] for path in found) and "students/" in overview_page


def _read(path) -> str:
    return path.read_text(encoding="utf-8")


def test_names_that_differ_keep_their_plain_pages(tmp_path, small):
    people = roster.read(write_roster(tmp_path / "명단.csv", [("1", "김민수"), ("2", "이서연")]))
    with Gradebook(tmp_path / "gradebook.db") as book:
        book.set_exercise(small, "씨앗", ABOUT)
        book.set_roster(people)
        book.save(result("1"), ANSWERS, student="1")
        book.save(result("2"), ANSWERS, student="2")
        pages.write(book, book.exercise(), tmp_path / "out")
    names = {path.name for path in (tmp_path / "out" / "students").iterdir()}
    assert names == {"1_김민수.html", "2_이서연.html"}


LABELS = ["'따옴표.ipynb", "''둘.ipynb", "'양쪽'", " 앞 빈칸.ipynb", "뒤 빈칸.ipynb ", "=SUM(1).ipynb",
          "+82.ipynb", "-1.ipynb", "@a.ipynb", "'=둘다.ipynb", "' '", "보통.ipynb", "'"]  # fmt: skip


def test_labels_of_open_questions_come_back_as_they_were(tmp_path):
    people = roster.read(write_roster(tmp_path / "명단.csv", [("1", "김민수")]))
    path = tmp_path / decisions.QUESTIONS
    open_ = [{"file": name, "why": "까닭", "candidates": ""} for name in LABELS]
    decisions.write(path, open_, {}, [])
    for _ in range(3):  # filled in, read and written again
        header, rows = tables.read(path)
        tables.write(path, header, [[*list(row.values())[:3], "1"] for row in rows])
        decided = decisions.read(path, people)
        assert list(decided) == LABELS
        decisions.write(path, open_, decided, [])
    assert not any(
        cell[:1] in "=+-@" for row in tables.read(path)[1] for cell in row.values() if cell
    )


MARKUP = [
    r"a\[b].ipynb",
    r"\[red].ipynb",
    "[/].ipynb",
    "[bold]x[/bold].ipynb",
    r"x\.ipynb",
    "[link=file:///]a",
]


@pytest.mark.parametrize("name", MARKUP)
def test_the_console_does_not_read_names(name):
    out = io.StringIO()
    console = Console(file=out, width=120)
    people = overview.People({}, {})
    graded = Result(name, NAME, "unreadable", 0, 4, reason=f"{name} [/] 까닭")
    console.print(overview.table_of([graded], people))
    for line in overview.notes_of([graded], people):
        console.print(line, markup=False)
    assert name in out.getvalue()


def test_a_run_with_such_names_ends_well(small_set, tmp_path):
    folder = tmp_path / "제출"
    folder.mkdir()
    for name in (r"a\[b].ipynb", "[red].ipynb", "가\u202e나.ipynb", ".ipynb", "05.IPYNB"):
        (folder / name).write_bytes(notebook(RIGHT_1))
    done = CliRunner().invoke(cli.app, command(small_set, folder, "--workers", "1")[3:])
    assert done.exit_code == 0, done.output
    assert done.output.count("4/14") >= 5 or done.output.count(" 4/") >= 5, done.output
    assert "\u202e" not in done.output and r"\u202e" in done.output


def test_what_turns_a_line_is_shown_escaped():
    for odd in "\x1b\x07\x7f\x9b\u202e\u2066\u200f\u061c\u2028\u200b\ufeff\U000e0041":
        assert (
            shown(f"가{odd}나")
            == f"가\\{'u' if ord(odd) < 0x10000 else 'U'}"
            + (f"{ord(odd):04x}" if ord(odd) < 0x10000 else f"{ord(odd):08x}")
            + "나"
        )
    for plain in (
        "가나 abc\n\t끝",
        "👨\u200d👩\u200d👧 가족",
        "é",
        "e\u0301",
        "नमस्ते",
        "a\r\nb".replace("\r", ""),
    ):
        assert shown(plain) == plain
    assert "\n" not in one_line("가\n나") and one_line("김 민수 (1).ipynb") == "김 민수 (1).ipynb"


def test_pages_escape_what_turns_a_line(tmp_path, small):
    evil = "정답\u202e[1+]\x1b[31m"
    with Gradebook(tmp_path / "gradebook.db") as book:
        book.set_exercise(small, "씨앗", ABOUT)
        odd = result(f"{evil}.ipynb", first=2)
        book.save(odd, {**ANSWERS, "문제 1": f"x = '{evil}'", "문제 9": f"**{evil}**"})
        pages.write(book, book.exercise(), tmp_path / "out")
    for path in (tmp_path / "out").rglob("*.html"):
        text = _read(path)
        assert "\u202e" not in text and "\x1b" not in text
        assert r"\u202e" in text or path.name == "department.html"
    (page,) = (tmp_path / "out" / "students").iterdir()
    assert "<strong>" in _read(page)  # markup of ours stays markup


def test_a_page_that_cannot_be_made_costs_only_itself(tmp_path, small, monkeypatch):
    plain = pages.public

    def public(one):
        if one.item == "나쁨.ipynb":
            raise RecursionError("maximum recursion depth exceeded")
        return plain(one)

    monkeypatch.setattr(pages, "public", public)
    with Gradebook(tmp_path / "gradebook.db") as book:
        book.set_exercise(small, "씨앗", ABOUT)
        for name in ("가.ipynb", "나쁨.ipynb", "하.ipynb"):
            book.save(result(name), ANSWERS)
        pages.write(book, book.exercise(), tmp_path / "out")
    texts = {path.name: _read(path) for path in (tmp_path / "out" / "students").iterdir()}
    assert len(texts) == 3 and "만들지 못했습니다" in texts["나쁨.ipynb.html"]
    assert "낸 답" in texts["가.ipynb.html"] and "낸 답" in texts["하.ipynb.html"]
    assert "만들지 못했습니다" in _read(tmp_path / "out" / "class.html")


def test_what_a_person_should_see_is_in_the_report(tmp_path, small):
    look = "bootstrap의 답이 셀 40(글 셀)에 있어 코드로 읽었습니다."
    with Gradebook(tmp_path / "gradebook.db") as book:
        book.set_exercise(small, "씨앗", ABOUT)
        from dataclasses import replace

        book.save(replace(result("가.ipynb"), look=[look]), ANSWERS)
        pages.write(book, book.exercise(), tmp_path / "out")
    assert look in _read(tmp_path / "out" / "class.html")
    assert look in (tmp_path / "out" / "grades.csv").read_text("utf-8-sig")
    (page,) = (tmp_path / "out" / "students").iterdir()
    assert look not in _read(page)
    assert overview.needs_look(replace(result("가.ipynb"), look=[look]))


def test_every_way_to_name_a_notebook_is_found(tmp_path):
    there = [".ipynb", "A.IPYNB", "s/05.IPYNB", "s/05.ipynb의 사본", "s/과제.ipynb.txt", "s/.과제.ipynb",
             "t/.ipynb", "u/a.PY", "v/a.Zip"]  # fmt: skip
    litter = [".DS_Store", "._a.ipynb", "s/._a.ipynb", "s/.ipynb_checkpoints/a-checkpoint.ipynb",
              "s/__MACOSX/a.ipynb", "Thumbs.db", "s/자료.csv", ".git/a.ipynb"]  # fmt: skip
    for name in [*there, *litter]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"{}")
    assert sorted(item.name for item in batch.find(tmp_path)) == sorted(there)


def test_collected_folders_with_a_lone_other_notebook_say_so(small, tmp_path):
    from coursekit.grading.commands import classroom

    folder = collected(
        tmp_path / "모음", {"1": notebook("def train_step(): pass", text="# PyTorch 기초")}, ()
    )
    with Gradebook(tmp_path / "gradebook.db") as book:
        classroom.grade(small, classroom.plan(small, folder), book, hidden=[folder])
        row = book.find(NAME, "1")
    assert row.status == "unmatched" and "‘PyTorch 기초’" in row.result.reason
