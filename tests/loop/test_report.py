"""`grade report`: no plain zeros, nothing hidden shown, nothing that a page should not do."""

from __future__ import annotations

import csv
import io
import random
import re
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from coursekit.grading.commands import cli
from coursekit.grading.course import chapters, published, statements
from coursekit.grading.gradebook.book import Gradebook, digest_of
from coursekit.grading.records import roster
from coursekit.grading.records.result import ProbeResult, QuestionResult, Result
from coursekit.grading.report import pages, similar, standing, summary, unusual
from coursekit.project import Project

from .classroom import RIGHT_2, ROOT, WRONG_1, write_roster

NAME = "02-jit-and-xla"
SECRET = "정답은 41.5 (입력: float32[3])"
ABOUT = [
    {"name": "문제 1", "function": "predict_traces", "title": "트레이싱 <횟수>", "points": 4, "kind": "code",
     "probes": [], "rubric": "", "hints": ["`jit`의 키를 봅니다", "<script>alert(1)</script>"],
     "sections": ["분기: `where`, `cond`, `switch`"]},
    {"name": "문제 2", "function": "robust_loss", "title": "분기", "points": 6, "kind": "code",
     "probes": [], "rubric": "", "hints": [], "sections": []},
    {"name": "문제 9", "function": "", "title": "생각해 보기", "points": 4, "kind": "text",
     "probes": [], "rubric": "- 2점", "hints": [], "sections": []},
]  # fmt: skip
STUDENTS = [("1", "김민수"), ("2", "이서연"), ("3", "박지호"), ("4", "최하은"), ("5", "=cmd()")]


def result(item: str, first: int = 4, status: str = "graded", second: str = "graded") -> Result:
    probes = [
        ProbeResult("a", "보이는 검사", 2, 2, "pass"),
        ProbeResult("b", "숨은 검사", 2, first - 2, "pass" if first == 4 else "fail",
                    "" if first == 4 else "이 요구를 여러 입력으로 확인했는데, 맞지 않는 경우가 있습니다.", SECRET),
    ]  # fmt: skip
    if status != "graded":
        return Result(item, NAME, status, 0, 14, reason="노트북 형식이 깨졌습니다.", digest="d")
    questions = [
        QuestionResult("문제 1", "predict_traces", first, 4, "graded", probes=probes),
        QuestionResult("문제 2", "robust_loss", 0 if second != "graded" else 6, 6, second,
                       "60초를 넘겼습니다." if second == "timeout" else ""),
        QuestionResult("문제 9", "", 0, 4, "review", "사람이 읽고 채점합니다."),
    ]  # fmt: skip
    return Result(item, NAME, "graded", sum(q.points for q in questions), 14, questions=questions,
                  digest="d", copied=["robust_loss"] if item == "2" else [])  # fmt: skip


ANSWERS = {
    "문제 1": WRONG_1,
    "문제 2": RIGHT_2,
    "문제 9": "키가 **같다**. <img src=x onerror=alert(1)>",
}


@pytest.fixture
def book(tmp_path, small):
    people = roster.read(write_roster(tmp_path / "명단.csv", STUDENTS))
    with Gradebook(tmp_path / "gradebook.db") as book:
        book.set_exercise(small, "씨앗", ABOUT)
        book.set_roster(people)
        book.save(
            result("1"), ANSWERS, student="1", late=True, submitted="2026-12-11T10:00:00+09:00"
        )
        book.save(result("2", first=2, second="timeout"), ANSWERS, student="2", late=False)
        book.save(result("3", status="unreadable"), {}, student="3")
        book.save(result("5", first=2), ANSWERS, student="5")
        book.save(result("모름.ipynb", status="unmatched"), {})
        yield book


def grade(
    book, item="1", points=3.5, question="문제 9", comment="이유가 *분명*합니다", answer=None
):
    answer = digest_of(ANSWERS[question]) if answer is None else answer
    book.judge(
        NAME,
        item,
        question,
        points=points,
        comment=comment,
        grader="조교",
        answer=answer,
        version=0,
    )


def rows_of(path) -> list[dict]:
    data = path.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))


def test_the_csv_has_the_rosters_columns_and_no_plain_zero(book, tmp_path):
    grade(book)
    pages.write(book, book.exercise(), tmp_path / "out")
    rows = rows_of(tmp_path / "out" / "grades.csv")
    assert list(rows[0])[:3] == ["학번", "이름", "분반"]
    assert [row["상태"] for row in rows] == [
        "채점함", "채점함", "읽지 못함", "제출 없음", "채점함", "명단에 없음, 다른 노트북",
    ]  # fmt: skip
    assert [row["점수"] for row in rows] == ["13.5", "", "", "", "", ""]
    assert [row["자동 점수"] for row in rows] == ["10", "2", "", "", "8", ""]
    assert rows[0]["늦음"] == "늦음" and rows[0]["문제 9"] == "3.5"
    assert rows[0]["제출 시각"] == "2026-12-11 10:00" and rows[1]["제출 시각"] == ""
    assert rows[1]["문제 2"] == "시간 초과" and rows[1]["문제 9"] == "사람이 채점"
    assert rows[2]["문제 1"] == "채점하지 못함" and "읽지 못함" in rows[2]["확인할 것"]
    assert rows[4]["이름"] == "'=cmd()"  # a spreadsheet must not obey it
    assert "0" not in {row["점수"] for row in rows}


def test_a_grade_given_to_an_older_answer_is_flagged(book, tmp_path):
    grade(book, answer="eines anderen")
    (one, *_) = standing.of_class(book, book.exercise())
    assert one.points == 13.5 and one.to_check == ["문제 9: 제출물이 바뀜"]


def test_a_person_may_grade_what_the_engine_could_not(book):
    grade(book, item="3", points=2, answer=digest_of(""))
    found = {one.item: one for one in standing.of_class(book, book.exercise())}
    assert found["3"].points == 2 and found["3"].status == "unreadable"
    grade(book, item="2", question="문제 2", points=5)
    found = {one.item: one for one in standing.of_class(book, book.exercise())}
    assert found["2"].questions[1].points == 5 and found["2"].questions[1].auto == 0


def test_feedback_shows_what_failed_and_nothing_hidden(book, tmp_path):
    grade(book, item="2", points=1)
    pages.write(book, book.exercise(), tmp_path / "out", chapter="https://example.org/c.html",
                number=2)  # fmt: skip
    text = (tmp_path / "out" / "students" / "2_이서연.html").read_text("utf-8")
    for words in ("이서연(2)", "시간 초과", "60초를 넘겼습니다.", "숨은 검사", "<em>분명</em>", "힌트 1",
                  "분기: where, cond, switch", '<a href="https://example.org/c.html">2장</a>의',
                  'lang="ko"'):  # fmt: skip
        assert words in text, words
    assert "41.5" not in text and "공개된 풀이" not in text and "robust_loss(" in text
    unreadable = (tmp_path / "out" / "students" / "3_박지호.html").read_text("utf-8")
    assert "점수 없음: 읽지 못함" in unreadable and "0점이라는 뜻이 아닙니다" in unreadable
    assert not (tmp_path / "out" / "students" / "4_최하은.html").exists()


def test_an_answer_under_another_name_is_to_be_checked(book, tmp_path):
    code = "def my_loss(error, delta, step):\n    return error"
    one = result("1", second="absent")
    lost = replace(one.questions[1], reason="robust_loss 함수를 찾지 못했습니다.")
    book.save(replace(one, questions=[one.questions[0], lost, one.questions[2]]),
              {**ANSWERS, "문제 2": code}, student="1")  # fmt: skip
    pages.write(book, book.exercise(), tmp_path / "out")
    row = rows_of(tmp_path / "out" / "grades.csv")[0]
    assert row["문제 2"] == "이름 없음" and "문제 2: 이름 없음" in row["확인할 것"]
    page = (tmp_path / "out" / "students" / "1_김민수.html").read_text("utf-8")
    assert "<b>이름 없음</b>: robust_loss 함수를 찾지 못했습니다." in page and "my_loss" in page
    assert "문제 2: 이름 없음" in (tmp_path / "out" / "class.html").read_text("utf-8")


def test_pages_obey_nothing_that_a_student_wrote_and_ask_nobody(book, tmp_path):
    pages.write(book, book.exercise(), tmp_path / "out")
    for path in (tmp_path / "out").rglob("*.html"):
        text = path.read_text("utf-8")
        assert "<script" not in text and "<img" not in text
        assert "default-src 'none'" in text
        assert not re.search(r"<[^>]*\s(?:src|srcset|onerror|onclick)=", text)
        assert "@import" not in text and "url(" not in text


def test_the_class_report_groups_mistakes_and_names_the_hardest(book, tmp_path):
    pages.write(book, book.exercise(), tmp_path / "out")
    text = (tmp_path / "out" / "class.html").read_text("utf-8")
    assert "베꼈다는 뜻이 아니며" in text and "공개된 풀이와 같은 답" in text
    standings = standing.of_class(book, book.exercise())
    assert summary.mistakes(standings) == []  # two people are no pattern
    (mistake,) = summary.mistakes(standings, least=2)
    assert (mistake.title, mistake.count) == ("문제 1: 숨은 검사", 2)
    assert mistake.reason == "정답은 41.5"
    counted = summary.of(standings, book.exercise())
    assert counted.statuses["제출 없음"] == 1 and counted.mean is None
    grade(book)
    counted = summary.of(standing.of_class(book, book.exercise()), book.exercise())
    assert counted.mean == 13.5 and dict(counted.bins)["12–14"] == 1


def failed(item: str, *reasons: str) -> standing.Standing:
    """Someone whose hidden checks of 문제 1, in order, failed for these reasons."""
    probes = [ProbeResult(str(i), f"검사 {i}", 2, 0, "fail", "숨은 검사", reason)
              for i, reason in enumerate(reasons)]  # fmt: skip
    question = standing.Question("문제 1", "", "code", 4, "graded", 0, 0, probes=probes)
    return standing.Standing(None, item, "graded", 4, 0, 0, [question])


def test_mistakes_are_told_apart_by_their_cause():
    near = ["평균: [0]에서 3.2이어야 하는데 -1e+05입니다. (입력: float32[9])",
            "평균: [1, 2]에서 7이어야 하는데 6.5입니다."]  # fmt: skip
    crash = "실행하다 멈췄습니다. TracerBoolConversionError: Attempted … of {}"
    people = [failed(f"near{i}", near[i % 2]) for i in range(3)]
    people += [failed(f"crash{i}", crash.format(i), crash.format("x")) for i in range(4)]
    people += [failed(f"nan{i}", "평균: [0]에서 3.2이어야 하는데 nan입니다.") for i in range(2)]
    first, second = summary.mistakes(people)
    # the same four people fell over the same error twice: one cause
    assert first.title == "문제 1: 검사 0, 검사 1" and first.count == 4
    assert second.who == ["near0", "near1", "near2"]  # not the two with nan
    assert second.reason == near[0].partition(" (입력")[0]
    many = [failed(f"{i}-{k}", "가나다라마바사아자차카타"[i]) for i in range(12) for k in range(3)]
    assert len(summary.mistakes(many)) == 10


def test_bins_are_whole_points_and_hold_both_ends():
    found = summary.bins([0, 4.5, 48, 48, 45, 20], 48)
    assert [label for label, _ in found][:2] == ["0–4", "5–9"] and found[-1] == ("45–48", 3)
    assert found[0] == ("0–4", 2) and dict(found)["20–24"] == 1 and len(found) == 10
    assert summary.bins([14, 7, 0], 14)[-1] == ("12–14", 1)
    assert [label for label, _ in summary.bins([], 3)] == ["0", "1", "2–3"]
    assert summary.bins([0], 0) == [("0", 1)]


OWN = """
def f(x, scale):
    total = 0.0
    for step in range({n}):
        total = total + jnp.where(x > {n}, scale * x, x ** 2).sum() / ({n} + step)
        if step % {n} == 0:
            total = total * jnp.exp(-x[{n}]) + jnp.tanh(scale - {n})
    return total / {n}
"""
RENAMED = (
    OWN.replace("total", "합").replace("step", "i").replace("    return", "    # 다시\n    return")
)


def test_likeness_sees_through_names_and_ignores_what_many_wrote():
    rng = random.Random(0)
    common = "def f(x):\n    return x.at[0].set(1.0) + jnp.sin(x).sum() * jnp.cos(x).mean() - 1"
    answers = {str(i): {"q": common} for i in range(40)}
    for i in range(20):
        answers[f"own{i}"] = {"q": OWN.format(n=1000 + rng.randrange(10**6)).replace("exp", f"f{i}")
                              .replace("tanh", f"g{i}").replace("where", f"h{i}")}  # fmt: skip
    answers["a"] = {"q": OWN.format(n=3)}
    answers["b"] = {"q": RENAMED.format(n=3)}
    found = similar.pairs(answers)
    assert {(p.first, p.second) for p in found if p.share > 0.9} == {("a", "b")}
    assert not [p for p in found if p.first.isdigit() or p.second.isdigit()]
    assert similar.pairs(answers, {"q": [OWN.format(n=3)]}) != found  # published: says nothing
    assert similar.pieces("def f(:") == set()


def test_a_large_group_with_the_same_program_is_one_line():
    def both(code: str) -> dict[str, str]:
        return {"q": code, "r": code}

    answers = {f"own{i}": both(OWN.format(n=1000 + 7 * i)) for i in range(22)}
    answers |= {f"same{i}": both((OWN if i % 2 else RENAMED).format(n=3)) for i in range(8)}
    answers |= {f"short{i}": {"q": "def f(x):\n    return x + 1"} for i in range(5)}
    assert similar.groups(answers) == [[f"same{i}" for i in range(8)]]
    assert similar.groups(answers, {"q": [OWN.format(n=3)], "r": [RENAMED.format(n=3)]}) == []


def test_code_that_no_question_calls_for_is_a_note_for_the_instructor(book, tmp_path):
    code = "import os, jax\n\ndef f():\n    jax.jit = lambda g: g\n    os.kill(1, 9)\n    return jax.jit"
    assert unusual.uses(code) == {"os", "jax.jit = …"}
    assert (
        unusual.uses("def f(x):\n    y = x.at[0].set(1)\n    self.os = y\n    return y.sys")
        == set()
    )
    assert unusual.uses("def f(:") == set()
    assert unusual.of({"q": code}, {"q": ["import os"]}) == {"q": ["jax.jit = …"]}
    book.save(result("1"), {**ANSWERS, "문제 2": code}, student="1")
    before = [one.points for one in standing.of_class(book, book.exercise())]
    pages.write(book, book.exercise(), tmp_path / "out")
    text = (tmp_path / "out" / "class.html").read_text("utf-8")
    line = re.search(r"<li>.*김민수\(1\)</a>: 문제 2 (.*?)</li>", text)[1]
    assert "<code>os</code>" in line and "잘못했다는 뜻이 아니며" in text
    page = (tmp_path / "out" / "students" / "1_김민수.html").read_text("utf-8")
    assert "필요하지 않은" not in page and "잘못" not in page
    assert [one.points for one in standing.of_class(book, book.exercise())] == before
    book.save(result("1"), ANSWERS, student="1")
    pages.write(book, book.exercise(), tmp_path / "out")
    assert "필요하지 않은" not in (tmp_path / "out" / "class.html").read_text("utf-8")


def test_the_course_beside_the_gradebook(tmp_path):
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters" / f"{NAME}.ipynb").write_text("{}")
    config = tmp_path / "_config.yml"
    config.write_text("repository:\n  url: https://github.com/someone/book\n")
    assert chapters.address(NAME, root=tmp_path).endswith(
        f"/someone/book/blob/main/chapters/{NAME}.ipynb"
    )
    config.write_text("repository:\n  url: https://github.com/_your-account/book\n")
    assert chapters.address(NAME, root=tmp_path) == ""  # nobody can have that name: a dead link
    assert chapters.address(NAME, "https://x.kr/") == f"https://x.kr/chapters/{NAME}.html"
    assert chapters.number(NAME) == 2
    assert chapters.address("없는-장") == "" and chapters.number("없는-장") is None
    found = published.by_question({"name": NAME, "questions": ABOUT})
    assert len(found["문제 2"]) == 2 and "jnp.where" in found["문제 2"][0]


def test_the_question_as_it_was_asked():
    blank = ROOT / "exercises" / f"{NAME}.ipynb"
    asked = statements.statement(blank, "문제 1")
    assert "predict_traces()" in asked and "힌트" not in asked and "다시 볼 곳" not in asked
    assert "robust_loss" not in asked and "## 문제" not in asked
    assert statements.statement(blank, "문제 77") == ""
    assert statements.statement(blank.with_name("없음.ipynb"), "문제 1") == ""


def test_the_command_says_when_pages_can_not_link_to_the_book(book, tmp_path, monkeypatch):
    def run(*more: str) -> tuple[str, str]:
        line = ["report", str(tmp_path / "gradebook.db"), "--out", str(tmp_path / "r"), *more]
        done = CliRunner().invoke(cli.app, line)
        assert done.exit_code == 0, done.output
        return done.output, (tmp_path / "r" / "students" / "2_이서연.html").read_text("utf-8")

    monkeypatch.setattr(Project, "repository", "_your-account/book")
    said, page = run()
    assert "--book-url" in said and "2장의" in page and "_your-account" not in page
    said, page = run("--book-url", "https://x.kr")
    assert (
        "--book-url" not in said
        and f'<a href="https://x.kr/chapters/{NAME}.html">2장</a>의' in page
    )


def test_the_command(book, tmp_path):
    done = CliRunner().invoke(
        cli.app, ["report", str(tmp_path / "gradebook.db"), "--out", str(tmp_path / "r")]
    )
    assert done.exit_code == 0, done.output
    assert "정해지지 않은 학생 6명" in done.output and "박지호(3): 읽지 못함" in done.output
    assert "제출 없음 1명: 최하은(4)" in done.output
    assert (tmp_path / "r" / "class.html").exists()
    done = CliRunner().invoke(cli.app, ["report", str(tmp_path / "없음.db")])
    assert done.exit_code == 1 and "먼저 grade run" in done.output
