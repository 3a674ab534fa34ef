"""From the zip of an LMS to feedback and CSV, with the commands of the guide alone."""

from __future__ import annotations

import re
import subprocess
import sys

from coursekit.grading.exchange import decisions
from coursekit.grading.gradebook.book import Gradebook, digest_of
from coursekit.grading.records import tables

from .classroom import ROOT, write_roster
from .thirty import STUDENTS, write_zip

NAME = "02-jit-and-xla"


def test_thirty_mixed_submissions_go_from_zip_to_grades(small_set, tmp_path):
    def command(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, str(ROOT / "book.py"), "grade", *arguments],
            cwd=tmp_path, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    wanted = write_zip(tmp_path / "받은.zip")
    write_roster(tmp_path / "명단.csv", STUDENTS)
    private = ["--grading", str(small_set)]
    exercise = f"exercises/{NAME}"
    gather = ["collect", exercise, "받은.zip", "--roster", "명단.csv", "--out", "모음",
              "--due", "2026-12-10 23:59", *private]  # fmt: skip
    told = command(*gather)
    assert "확인할 파일 2개" in told and "숙제.ipynb" in told and "보고서.pdf" in told
    path = tmp_path / "모음" / decisions.QUESTIONS
    header, rows = tables.read(path)
    owner = next(s for s, want in wanted.items() if want["status"] == "graded" and s == "20260020")
    for row in rows:
        row["학번"] = owner if "숙제" in row["파일"] else "제외"
    tables.write(path, header, [list(row.values()) for row in rows])
    assert "확인할 파일 0개" in command(*gather)

    command("run", exercise, "--submissions", "모음", "--gradebook", "성적부.db", *private)
    with Gradebook(tmp_path / "성적부.db") as book:
        graded = {row.item: row for row in book.submissions(NAME)}
        for student, want in wanted.items():
            if want["status"] == "missing":
                assert student not in graded
                continue
            row = graded[student]
            assert row.status == want["status"], (student, row.result)
            assert row.result.points == want.get("points", 0), (student, row.result)
        for row in graded.values():
            if text := row.answers.get("문제 9"):
                book.judge(NAME, row.item, "문제 9", points=3, comment="", grader="조교",
                           answer=digest_of(text), version=0)  # fmt: skip

    command("report", "성적부.db", "--out", "보고서")
    _, rows = tables.read(tmp_path / "보고서" / "grades.csv")
    assert [row["학번"] for row in rows] == [number for number, _ in STUDENTS]
    words = {
        "graded": "채점함",
        "unreadable": "읽지 못함",
        "unmatched": "다른 노트북",
        "missing": "제출 없음",
    }
    for row in rows:
        want = wanted[row["학번"]]
        assert row["상태"] == words[want["status"]]
        if want["status"] == "graded":
            assert row["자동 점수"] == str(want["points"])
            assert row["점수"] and not row["늦음"]
        else:
            assert row["점수"] == "" and (want["status"] == "missing" or row["확인할 것"])
    pages = list((tmp_path / "보고서" / "students").glob("*.html"))
    assert len(pages) == sum(want["status"] != "missing" for want in wanted.values())
    assert all(re.search("점수 없음|[0-9.]+ / 14점", page.read_text("utf-8")) for page in pages)
