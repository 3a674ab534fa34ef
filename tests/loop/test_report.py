"""`grade report`: no plain zeros, nothing hidden shown, nothing that a page should not do."""

from __future__ import annotations

import csv
import io
import random
import re

import pytest
from typer.testing import CliRunner

from coursekit.grading import cli, roster
from coursekit.grading.gradebook import Gradebook, digest_of
from coursekit.grading.report import chapters, pages, similar, standing, summary
from coursekit.grading.result import ProbeResult, QuestionResult, Result

from .classroom import RIGHT_2, WRONG_1, write_roster

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
                    "" if first == 4 else "숨은 검사를 통과하지 못했습니다.", SECRET),
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
    assert rows[1]["문제 2"] == "시간 초과" and rows[1]["문제 9"] == "사람이 채점"
    assert rows[2]["문제 1"] == "채점 못함" and "읽지 못함" in rows[2]["확인할 것"]
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
    pages.write(book, book.exercise(), tmp_path / "out", chapter="https://example.org/c.html")
    text = (tmp_path / "out" / "students" / "2_이서연.html").read_text("utf-8")
    for words in ("이서연(2)", "시간 초과", "60초를 넘겼습니다.", "숨은 검사", "<em>분명</em>", "힌트 1",
                  "분기: where, cond, switch", 'href="https://example.org/c.html"', 'lang="ko"'):  # fmt: skip
        assert words in text, words
    assert "41.5" not in text and "공개된 풀이" not in text and "robust_loss(" in text
    unreadable = (tmp_path / "out" / "students" / "3_박지호.html").read_text("utf-8")
    assert "점수 없음: 읽지 못함" in unreadable and "0점이라는 뜻이 아닙니다" in unreadable
    assert not (tmp_path / "out" / "students" / "4_최하은.html").exists()


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
    assert "정답은 … " in text or "정답은 …" in text
    assert "베꼈다는 뜻이 아니며" in text and "공개된 풀이와 같은 답" in text
    standings = standing.of_class(book, book.exercise())
    (mistake,) = summary.mistakes(standings)
    assert (mistake.question, mistake.probe, mistake.count) == ("문제 1", "숨은 검사", 2)
    counted = summary.of(standings, book.exercise())
    assert counted.statuses["제출 없음"] == 1 and counted.mean is None
    grade(book)
    counted = summary.of(standing.of_class(book, book.exercise()), book.exercise())
    assert counted.mean == 13.5 and dict(counted.bins)["12.6–14"] == 1


def test_bins_hold_both_ends():
    assert [n for _, n in summary.bins([0, 14, 14, 7], 14)] == [1, 0, 0, 0, 0, 1, 0, 0, 0, 2]


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


def test_the_course_beside_the_gradebook():
    assert chapters.address(NAME).endswith(f"/chapters/{NAME}.ipynb")
    assert chapters.address(NAME, "https://x.kr/") == f"https://x.kr/chapters/{NAME}.html"
    assert chapters.address("없는-장") == ""
    found = chapters.published({"name": NAME, "questions": ABOUT})
    assert len(found["문제 2"]) == 2 and "jnp.where" in found["문제 2"][0]


def test_the_command(book, tmp_path):
    done = CliRunner().invoke(
        cli.app, ["report", str(tmp_path / "gradebook.db"), "--out", str(tmp_path / "r")]
    )
    assert done.exit_code == 0, done.output
    assert "정해지지 않은 학생 6명" in done.output and "박지호(3): 읽지 못함" in done.output
    assert (tmp_path / "r" / "class.html").exists()
    done = CliRunner().invoke(cli.app, ["report", str(tmp_path / "없음.db")])
    assert done.exit_code == 1 and "먼저 grade run" in done.output
