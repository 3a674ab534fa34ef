"""Who is in the class: a CSV with a column for the number and one for the name."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

from coursekit.findings import CourseError
from coursekit.grading.records import tables

# the words that LMSs use in the first row, without blanks and in lower case
_ID = ("학번", "id", "studentid", "student_id", "사번", "아이디", "번호", "학생번호", "idnumber")
_NAME = ("이름", "성명", "name", "학생이름", "학생명", "fullname")
_EMAIL = ("이메일", "메일", "email", "e-mail", "이메일주소", "emailaddress")
_ACCOUNT = ("github", "깃허브", "githubid", "github_username", "깃허브아이디", "github아이디")


@dataclass(frozen=True)
class Student:
    """``row`` is the whole row of the roster, for the CSV that goes back to the LMS."""

    id: str
    name: str
    email: str = ""
    account: str = ""
    row: dict[str, str] = field(default_factory=dict, compare=False, hash=False)

    def __str__(self) -> str:
        return f"{self.name}({self.id})" if self.name else self.id


@dataclass(frozen=True)
class Roster:
    columns: list[str]
    students: list[Student]

    def by_id(self) -> dict[str, Student]:
        return {fold(student.id): student for student in self.students}


def fold(text: str) -> str:
    """For comparing: NFC, lower case, no blanks or hyphens."""
    return re.sub(r"[\s\-]+", "", unicodedata.normalize("NFC", text)).casefold()


def read(path: Path) -> Roster:
    """Raises `CourseError` that names the row and what is wrong with it."""
    columns, rows = tables.read(path)
    columns = [unicodedata.normalize("NFC", name) for name in columns]
    identity, name = _column(columns, _ID), _column(columns, _NAME)
    if identity is None:
        raise CourseError(
            f"'학번' 열이 없습니다. 있는 열: {', '.join(columns)}. 첫 줄에 열 이름을 씁니다.", path
        )
    email, account = _column(columns, _EMAIL), _column(columns, _ACCOUNT)
    students: list[Student] = []
    seen: dict[str, int] = {}
    for number, row in enumerate(rows, 2):
        row = {
            k: unicodedata.normalize("NFC", v) for k, v in zip(columns, row.values(), strict=False)
        }
        if not fold(row[identity]):
            raise CourseError("학번이 비어 있습니다.", path, number)
        if "/" in row[identity] or row[identity].startswith("."):
            raise CourseError(f"학번에 쓸 수 없는 글자가 있습니다: {row[identity]}", path, number)
        if (before := seen.setdefault(fold(row[identity]), number)) != number:
            raise CourseError(f"학번 {row[identity]}이 {before}째 줄에도 있습니다.", path, number)
        students.append(
            Student(
                row[identity],
                row[name] if name else "",
                row[email] if email else "",
                row[account] if account else "",
                row,
            )
        )
    if not students:
        raise CourseError("학생이 한 명도 없습니다.", path)
    return Roster(columns, students)


def _column(columns: list[str], words: tuple[str, ...]) -> str | None:
    folded = {re.sub(r"\s+", "", column).casefold(): column for column in columns}
    return next((folded[word] for word in words if word in folded), None)
