"""Who is in the class: a CSV with a column for the number and one for the name."""

from __future__ import annotations

import contextlib
import re
import unicodedata
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path

from coursekit.findings import CourseError
from coursekit.folding import fold
from coursekit.grading.records import tables

# the words of LMSs and portals, without blanks and in lower case, the surest first
_ID = (
    "학번", "sisuserid", "sis사용자id", "학생번호", "studentid", "student_id", "studentnumber",
    "idnumber", "id번호", "식별번호", "사번", "username", "사용자이름", "아이디", "번호", "id",
)  # fmt: skip
_NAME = (
    "이름", "성명", "학생이름", "학생명", "한글성명", "student", "학생", "fullname", "전체이름",
    "name",
)  # fmt: skip
_GIVEN = ("firstname", "givenname", "이름(first)")
_FAMILY = ("lastname", "surname", "familyname", "성")
_EMAIL = ("이메일", "메일", "email", "e-mail", "이메일주소", "emailaddress", "전자우편")
_ACCOUNT = ("github", "깃허브", "githubid", "github_username", "깃허브아이디", "github아이디")
_SECTION = ("분반", "반", "section", "섹션", "분반번호", "groups", "모둠")
# Moodle's grading worksheet tells when each student handed in
_SUBMITTED = (
    "lastmodified(submission)", "최종수정(제출)", "최근수정(제출물)", "마지막수정일(제출물)",
    "제출시각", "제출일시", "제출시간", "submittedat",
)  # fmt: skip
_HEADER_WITHIN = 10  # rows: portals print the course, the term and the teacher above the table
_SEOUL = timezone(timedelta(hours=9))


@dataclass(frozen=True)
class Student:
    """``row`` is the whole row of the roster, for the CSV that goes back to the LMS.

    ``section``: the class of a course that has several.  ``submitted``: when the LMS says that
    this student handed in, for downloads whose files do not tell.
    """

    id: str
    name: str
    email: str = ""
    account: str = ""
    section: str = ""
    submitted: datetime | None = None
    row: dict[str, str] = field(default_factory=dict, compare=False, hash=False)

    def __str__(self) -> str:
        return f"{self.name}({self.id})" if self.name else self.id


@dataclass(frozen=True)
class Roster:
    """``notes`` (Korean): what was passed over, for the instructor."""

    columns: list[str]
    students: list[Student]
    notes: list[str] = field(default_factory=list)

    def by_id(self) -> dict[str, Student]:
        return {fold(student.id): student for student in self.students}


def read(path: Path) -> Roster:
    """Raises `CourseError` that names the row and what is wrong with it."""
    rows = [
        (number, [unicodedata.normalize("NFC", cell) for cell in row])
        for number, row in tables.cells(path)
    ]
    at = next((i for i, (_, row) in enumerate(rows[:_HEADER_WITHIN]) if _is_header(row)), None)
    if at is None:
        raise CourseError(
            f"'학번' 열이 없습니다. 있는 열: {', '.join(rows[0][1])}. 열의 이름이 적힌 줄에 "
            "'학번'과 '이름'을 쓰고 저장합니다.",
            path,
        )
    # an empty cell behind the header's last name is no column
    columns = rows[at][1]
    while not columns[-1]:
        columns = columns[:-1]
    notes = [f"{path.name}: 표 위의 {at}줄은 제목으로 보고 읽지 않았습니다."] if at else []
    identity = _column(columns, _ID)
    students: list[Student] = []
    passed_over: list[str] = []
    seen: dict[str, int] = {}
    for number, row in tables.under(columns, rows[at + 1 :], path):
        number_of = row[identity]
        if not fold(number_of):
            if _has_no_student(row, columns):
                passed_over.append(f"{number}째 줄({_first(row)})")
                continue
            raise CourseError("학번이 비어 있습니다.", path, number)
        if "/" in number_of or number_of.startswith("."):
            raise CourseError(f"학번에 쓸 수 없는 글자가 있습니다: {number_of}", path, number)
        if (before := seen.setdefault(fold(number_of), number)) != number:
            raise CourseError(f"학번 {number_of}이 {before}째 줄에도 있습니다.", path, number)
        students.append(_student(number_of, row, columns))
    if not students:
        raise CourseError("학생이 한 명도 없습니다.", path)
    if passed_over:
        shown = ", ".join(passed_over[:5]) + (" 등" if len(passed_over) > 5 else "")
        notes.append(f"{path.name}: 학번이 없어 학생으로 보지 않은 줄이 있습니다: {shown}")
    return Roster(columns, students, notes)


def _student(identity: str, row: dict[str, str], columns: list[str]) -> Student:
    def cell(words: tuple[str, ...]) -> str:
        column = _column(columns, words)
        return row[column] if column else ""

    name, given, family = cell(_NAME), cell(_GIVEN), cell(_FAMILY)
    if given or family:
        # "First name" and "Last name"; a column 이름 beside 성 holds the given name alone
        given = given or name
        korean = re.search("[가-힣]", family + given)
        name = f"{family}{given}" if korean else f"{given} {family}".strip()
    return Student(
        identity,
        name,
        cell(_EMAIL),
        cell(_ACCOUNT),
        section_of(row, columns),
        moment(cell(_SUBMITTED)),
        row,
    )


def section_of(row: dict[str, str], columns: list[str]) -> str:
    """The class of a course that has several, "" where the roster has no such column."""
    column = _column(columns, _SECTION)
    return row.get(column, "") if column else ""


def moment(text: str) -> datetime | None:
    """A time as Moodle and spreadsheets write it in Korean and in English; None for anything else.

    In Korea's time unless the text names another.
    """
    text = " ".join(text.split())
    if not text or text == "-":
        return None
    korean = re.fullmatch(
        r"(\d{4})년 (\d{1,2})월 (\d{1,2})일(?: ?\(?[월화수목금토일](?:요일)?\)?)?,? "
        r"(?:(오전|오후) )?(\d{1,2}):(\d{2})(?::\d{2})?",
        text,
    )
    try:
        if korean:
            year, month, day, half, hour, minute = korean.groups()
            hours = int(hour) if half is None else int(hour) % 12 + 12 * (half == "오후")
            return datetime(*map(int, (year, month, day)), hours, int(minute), tzinfo=_SEOUL)
        for form in ("%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M", "%Y/%m/%d %H:%M"):
            with contextlib.suppress(ValueError):
                return datetime.strptime(text, form).replace(tzinfo=_SEOUL)
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=_SEOUL)


def _is_header(row: list[str]) -> bool:
    """A row of names of columns, a number among them; a title has one cell."""
    return sum(map(bool, row)) > 1 and _column(row, _ID) is not None or _folded(row[0]) == "학번"


def _has_no_student(row: dict[str, str], columns: list[str]) -> bool:
    """Rows that are no student's: Canvas's points and test student, a portal's sum."""
    if _column(columns, ("sisuserid", "sis사용자id")):
        return True
    name = _column(columns, _NAME)
    sums = ("합계", "총계", "계", "총원", "total")
    return not (name and row[name]) or any(_folded(cell) in sums for cell in row.values())


def _first(row: dict[str, str]) -> str:
    return next(cell for cell in row.values() if cell)


def _folded(name: str) -> str:
    return re.sub(r"[\s_]+", "", name).casefold()


def _column(columns: list[str], words: tuple[str, ...]) -> str | None:
    folded = {_folded(column): column for column in columns}
    return next((folded[_folded(word)] for word in words if _folded(word) in folded), None)
