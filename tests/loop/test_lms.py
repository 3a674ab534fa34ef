"""What the downloads and lists of LMSs and portals say, as they really come."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from coursekit.findings import CourseError
from coursekit.grading.exchange import collect, lms
from coursekit.grading.probes import questions
from coursekit.grading.records import roster

from .classroom import SET, answer, zip_of

SEOUL = timezone(timedelta(hours=9))
DOWNLOAD = (2026, 12, 12, 10, 30, 0)  # after the deadline
IN_TIME, LATE = (2026, 12, 9, 10, 0, 0), (2026, 12, 11, 9, 0, 0)
LIST = "학번,이름\ns2026001,김민수\ns2026002,이서연\ns2026003,박지호\n"


@pytest.fixture
def collected(tmp_path):
    """Collect ``members`` of a zip; the late mark of each student, and the whole result."""

    def run(members, listed=LIST):
        (tmp_path / "명단.csv").write_text(listed, encoding="utf-8")
        (tmp_path / "받은.zip").write_bytes(zip_of(members))
        people = roster.read(tmp_path / "명단.csv")
        due = collect.parse_due("2026-12-10 23:59")
        result = collect.collect(
            questions.load(SET), tmp_path / "받은.zip", people, tmp_path / "모음", due=due
        )
        return {entry.name: entry.late for entry in result.submissions}, result

    return run


def moodle(*names):
    return {
        f"{name}_41000{i}_assignsubmission_file/과제5.ipynb": (answer(i), DOWNLOAD)
        for i, name in enumerate(names)
    }


def canvas(*names):
    return {f"{name}_3000{i}_77000{i}_02.ipynb": (answer(i), DOWNLOAD)
            for i, name in enumerate(names)}  # fmt: skip


def test_times_in_a_moodle_zip_are_those_of_the_download(collected):
    late, result = collected(moodle("김민수", "이서연", "박지호"))
    assert late == {"김민수": None, "이서연": None, "박지호": None}
    assert collect.news(result, False)[0].startswith("Moodle이 만든 zip에는")


def test_moodle_names_in_one_flat_folder(collected):
    members = {f"{name}_4100_assignsubmission_file_05.ipynb": (answer(i), DOWNLOAD)
               for i, name in enumerate(["김민수", "이서연"])}  # fmt: skip
    assert set(collected(members)[0].values()) == {None}


def test_the_grading_worksheet_of_moodle_tells_the_times(collected):
    listed = (
        "Identifier,Full name,ID number,Status,Last modified (submission)\n"
        'Participant 410000,김민수,s2026001,Submitted,"Thursday, 10 December 2026, 9:00 PM"\n'
        'Participant 410001,이서연,s2026002,Submitted,"Friday, 11 December 2026, 12:05 AM"\n'
        "Participant 410002,박지호,s2026003,Submitted,-\n"
    )
    late, result = collected(moodle("김민수", "이서연", "박지호"), listed)
    assert late == {"김민수": False, "이서연": True, "박지호": None}
    assert result.submissions[0].time == "2026-12-10T21:00:00+09:00"


def test_canvas_marks_the_late_ones_itself(collected):
    late, _ = collected(canvas("김민수", "이서연_LATE", "박지호"))
    assert late == {"김민수": False, "이서연": True, "박지호": False}


def test_a_canvas_zip_without_a_mark_says_nothing(collected):
    late, result = collected(canvas("김민수", "이서연"))
    assert set(late.values()) == {None}
    assert "Canvas의 과제에 마감이 있었다면" in collect.news(result, False)[0]


def test_blackboard_writes_the_time_of_the_attempt_into_the_name(collected):
    late, _ = collected({
        "과제2_s2026001_attempt_2026-12-10-21-00-00_02.ipynb": (answer(1), DOWNLOAD),
        "과제2_s2026002_attempt_2026-12-11-00-00-01_02.ipynb": (answer(2), DOWNLOAD),
    })  # fmt: skip
    assert late == {"김민수": False, "이서연": True}


def test_of_two_attempts_in_blackboard_the_last_in_time_counts(collected):
    _, result = collected({
        "과제2_s2026001_attempt_2026-12-09-21-00-00_02.ipynb": (answer(1), DOWNLOAD),
        "과제2_s2026001_attempt_2026-12-10-21-00-00_02.ipynb": (answer(2), DOWNLOAD),
        "과제2_s2026001_attempt_2026-12-11-21-00-00_02.ipynb": (answer(3), DOWNLOAD),
    })  # fmt: skip
    assert "12-10-21" in result.submissions[0].original


def test_files_that_were_packed_together_tell_no_time(collected):
    members = {"s2026001.ipynb": (answer(1), DOWNLOAD),
               "s2026002.ipynb": (answer(2), (*DOWNLOAD[:5], 4))}  # fmt: skip
    late, result = collected(members)
    assert late == {"김민수": None, "이서연": None}
    assert "거의 같아서" in collect.news(result, False)[0]


def test_times_that_differ_are_of_handing_in(collected):
    late, _ = collected(
        {"s2026001.ipynb": (answer(1), IN_TIME), "s2026002.ipynb": (answer(2), LATE)}
    )
    assert late == {"김민수": False, "이서연": True}


@pytest.mark.parametrize(
    "name",
    [
        "s2026001_1_assignsubmission_file_.ipynb",
        "s2026001_30001_770001_02.ipynb",
        "s2026001_attempt_2026-12-01-00-00-00_.ipynb",
    ],
)
def test_a_student_who_names_a_file_like_an_lms_is_late_all_the_same(collected, name):
    late, _ = collected({name: (answer(1), LATE), "s2026002.ipynb": (answer(2), IN_TIME)})
    assert late["김민수"] is True


def test_a_late_file_does_not_silently_replace_one_whose_time_is_unknown(collected):
    collected(moodle("김민수", "이서연"))
    _, result = collected({
        "김민수_410000_assignsubmission_file/과제5.ipynb": (answer(7), LATE),
        "s2026002.ipynb": (answer(8), IN_TIME),
    })  # fmt: skip
    assert "김민수" not in {entry.name for entry in result.submissions}
    assert {row["why"].split(".")[0] for row in result.doubtful} == {
        "제출 시각을 모르는 파일이 여럿입니다"
    }


@pytest.mark.parametrize(
    "text, wanted",
    [
        ("2026년 12월 10일 목요일, 오후 9:05", datetime(2026, 12, 10, 21, 5, tzinfo=SEOUL)),
        ("2026년 12월 10일 (목), 오전 12:30", datetime(2026, 12, 10, 0, 30, tzinfo=SEOUL)),
        ("Thursday, 10 December 2026, 12:00 PM", datetime(2026, 12, 10, 12, 0, tzinfo=SEOUL)),
        ("2026-12-10 21:05", datetime(2026, 12, 10, 21, 5, tzinfo=SEOUL)),
        ("2026/12/10 21:05", datetime(2026, 12, 10, 21, 5, tzinfo=SEOUL)),
        ("2026년 13월 40일 목요일, 오후 9:05", None),
        ("-", None),
        ("아직 제출하지 않음", None),
    ],
)
def test_times_as_lms_write_them(text, wanted):
    assert roster.moment(text) == wanted


def read(tmp_path, text, encoding="utf-8"):
    (tmp_path / "명단.csv").write_text(text, encoding=encoding)
    return roster.read(tmp_path / "명단.csv")


CANVAS_GRADES = (
    "Student,ID,SIS User ID,SIS Login ID,Section,과제 5 (9001)\n"
    "    Points Possible,,,,,46\n"
    '"김민수",30001,s2026001,kim@example.ac.kr,1분반,\n'
    '"Test Student",30099,,abc,1분반,\n'
)
PORTAL = (
    "2026학년도 2학기 출석부,,,\n"
    "교과목: 딥러닝 실습 (담당: 홍길동),,,\n"
    "\n"
    "순번,학번,성명,분반\n"
    "1,s2026001,김민수,01\n"
    "합계,,1명,\n"
)
MOODLE_PEOPLE = "First name,Last name,ID number,Email address\n민수,김,s2026001,kim@example.ac.kr\n"
ENGLISH_PEOPLE = "First name,Surname,ID number\nAda,Lovelace,s2026001\n"
BLACKBOARD = '"Last Name","First Name","Username","Student ID"\n"김","민수","kim","s2026001"\n'


@pytest.mark.parametrize(
    "text, name, section, notes",
    [
        (CANVAS_GRADES, "김민수", "1분반", ["2째 줄(Points Possible), 4째 줄(Test Student)"]),
        (PORTAL, "김민수", "01", ["표 위의 2줄은 제목", "6째 줄(합계)"]),
        (MOODLE_PEOPLE, "김민수", "", []),
        (ENGLISH_PEOPLE, "Ada Lovelace", "", []),
        (BLACKBOARD, "김민수", "", []),
        (PORTAL.replace(",", "\t"), "김민수", "01", ["표 위의 2줄은 제목", "6째 줄(합계)"]),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp949", "utf-16"])
def test_lists_as_they_come(tmp_path, text, name, section, notes, encoding):
    found = read(tmp_path, text, encoding)
    assert [(s.id, s.name, s.section) for s in found.students] == [("s2026001", name, section)]
    assert len(found.notes) == len(notes)
    for note, words in zip(found.notes, notes, strict=True):
        assert words in note


def test_a_student_without_a_number_is_not_passed_over(tmp_path):
    with pytest.raises(CourseError, match=":3: 학번이 비어 있습니다"):
        read(tmp_path, "학번,이름\ns1,김민수\n,이서연\n")


def test_a_list_without_numbers_says_which_columns_it_has(tmp_path):
    with pytest.raises(CourseError, match="있는 열: 성함, 전화"):
        read(tmp_path, "성함,전화\n김민수,010\n")


def test_the_copy_of_a_list_beside_the_submissions_reads_the_same(tmp_path, collected):
    collected({"s2026001.ipynb": (answer(1), IN_TIME)}, PORTAL)
    again = roster.read(tmp_path / "모음" / collect.ROSTER)
    assert [(s.id, s.name) for s in again.students] == [("s2026001", "김민수")]


def test_what_is_told_of_nothing():
    assert lms.told([], SEOUL) == {}
