"""`grade collect`: names as LMSs, systems and people spell them; files as attackers pack them."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import re
import shutil
import stat
import unicodedata
import zipfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from coursekit.findings import CourseError
from coursekit.grading.commands import cli
from coursekit.grading.exchange import collect, decisions, incoming, names, received
from coursekit.grading.handed_in import notebook
from coursekit.grading.probes import questions
from coursekit.grading.records import roster, tables

from .classroom import SET, answer, write_roster, zip_of
from .classroom import notebook as paper

KIM, LEE, PARK = ("20231234", "김민수"), ("20231235", "이서연"), ("20231236", "박지호")
CLASS = [KIM, LEE, PARK]


@pytest.fixture(scope="module")
def exercise():
    return questions.load(SET)


@pytest.fixture
def gather(tmp_path, exercise):
    """Collect a zip (or folder) for a class; the result with its files."""

    def run(source, students=CLASS, due=None, **options):
        path = source
        if isinstance(source, bytes):
            path = tmp_path / "받은.zip"
            path.write_bytes(source)
        people = roster.read(write_roster(tmp_path / "명단.csv", students))
        moment = collect.parse_due(due) if due else None
        return collect.collect(exercise, path, people, tmp_path / "모음", due=moment, **options)

    return run


def owners(result: collect.Collection) -> dict[str, str]:
    return {entry.original: entry.student for entry in result.submissions}


ENCODINGS = {
    "utf-8 flag": {},
    "macOS": {"form": "NFD", "flag": False},
    "macOS flag": {"form": "NFD"},
    "CP949": {"encoding": "cp949", "flag": False},
}


@pytest.mark.parametrize("how", ENCODINGS)
def test_names_in_zips_of_every_system(gather, how):
    wanted = {"김민수의 사본/02.ipynb": KIM[0], "이서연_과제 (1).ipynb": LEE[0]}
    result = gather(zip_of(dict.fromkeys(wanted, answer()), **ENCODINGS[how]))
    assert owners(result) == wanted
    assert result.missing == [PARK[0]] and result.doubtful == []


def test_names_that_a_server_decoded_wrongly_once(gather):
    spoiled = "박지호_02.ipynb".encode("cp949").decode("latin-1")
    quoted = "%EA%B9%80%EB%AF%BC%EC%88%98/02.ipynb"
    result = gather(zip_of({spoiled: answer(1), quoted: answer(2)}))
    assert set(owners(result).values()) == {PARK[0], KIM[0]}


def test_a_quoted_slash_stays_quoted():
    assert names.clean("%EA%B9%80%2F..%2Fx") == "%EA%B9%80%2F..%2Fx"


# how people and systems write a name; S: number, N: name.  "ask" must not be matched alone.
SURE = [
    "{N}_{S}_02-jit-and-xla.ipynb", "{S}/02-jit-and-xla.ipynb", "{S} {N}/과제.ipynb",
    "{N}의 사본.ipynb", "02-jit-and-xla.ipynb의 사본 ({S}).ipynb", "과제2_{N}.ipynb",
    "{N}_8812_assignsubmission_file_/02.ipynb", "[{S}]{N}(1).ipynb", "{S}-{N}-최종-진짜최종.ipynb",
    "제출/{N}/02-jit-and-xla.ipynb의 사본", "과제 {N} 20261201.ipynb", "{N}과제 (2).ipynb",
    "s{S}.ipynb", "{N}님/notebook.ipynb", "이름{N}.ipynb",
]  # fmt: skip
ASK = [
    "02-jit-and-xla ({I}).ipynb",
    "{N}솔이_02.ipynb",
    "{N}와 {O}.ipynb",
    "{S}_{O}.ipynb",
    "홍길{I}.ipynb",
]


def nasty_class():
    """(students, name → owner or None): 200 names over 100 students, namesakes among them."""
    family = "김이박최정강조윤장임"
    given = ["민수", "서연", "지호", "하은", "도윤", "수아", "예준", "지우", "민", "은우"]
    people = [f"{a}{b}" for a, b in itertools.product(family, given)]
    students = [(f"2023{1000 + i}", name) for i, name in enumerate(people)]
    students[7] = ("20231007", "김민수")  # a namesake of the first
    wanted, number = {}, 0
    same = {name for _, name in students if [n for _, n in students].count(name) > 1}
    for round_ in range(2):
        for i, (identity, name) in enumerate(students):
            number += 1
            template = (SURE * 2 + ASK)[(i * 7 + round_ * 3) % (2 * len(SURE) + len(ASK))]
            other = students[(i + 13) % len(students)][1]
            path = template.format(S=identity, N=name, O=other, I=number)
            sure = template in SURE and ("{S}" in template or name not in same)
            wanted[f"{round_}{number}폴더/{path}"] = identity if sure else None
    return students, wanted


@pytest.mark.parametrize("how", ENCODINGS)
def test_two_hundred_nasty_names_are_matched_right_or_asked_about(gather, tmp_path, how):
    students, wanted = nasty_class()
    assert len(wanted) == 200
    files, truth = {}, {}
    for i, (name, owner) in enumerate(wanted.items()):
        files[name] = (answer(i), (2026, 12, 1, 0, i // 60, i % 60 // 2 * 2))
        truth[hashlib.sha256(answer(i)).hexdigest()] = owner
    result = gather(zip_of(files, **ENCODINGS[how]), students)
    asked = {row["file"] for row in result.doubtful}
    for entry in result.submissions:
        for name in (entry.original, *entry.others):
            assert wanted[name] == entry.student, name
        copy = tmp_path / "모음" / entry.file
        assert truth[hashlib.sha256(copy.read_bytes()).hexdigest()] == entry.student
    matched = {n for e in result.submissions for n in (e.original, *e.others)}
    # nothing is lost, and what is plain is not asked about
    assert matched | asked == wanted.keys() and not matched & asked
    assert asked == {name for name, owner in wanted.items() if owner is None}


def test_namesakes_are_told_apart_by_number_or_asked_about(gather):
    students = [("20230001", "김민수"), ("20230002", "김민수"), ("20230003", "김민")]
    result = gather(
        zip_of({"a/김민수.ipynb": answer(1), "b/김민수_20230002.ipynb": answer(2),
                "c/김민.ipynb": answer(3)}), students,
    )  # fmt: skip
    assert owners(result) == {"b/김민수_20230002.ipynb": "20230002", "c/김민.ipynb": "20230003"}
    assert result.doubtful[0]["why"] == (
        "이름이 같은 학생이 있습니다: 김민수(20230001), 김민수(20230002)"
    )


def test_what_the_notebook_says_decides_only_where_the_path_says_nothing(gather):
    signed = paper("def predict_traces(): pass", text="학번: 20231235\n이름: 이서연")
    result = gather(zip_of({"a/02의 사본.ipynb": signed, "b/김민수.ipynb": signed}))
    assert owners(result) == {"a/02의 사본.ipynb": LEE[0]}
    (question,) = result.doubtful
    assert question["file"] == "b/김민수.ipynb" and "다릅니다" in question["why"]


def test_latin_names_mail_addresses_and_accounts(tmp_path, exercise):
    table = "Student ID,Name,Email,GitHub\nA1,Nguyen Van An,an@u.kr,van-an\nB2,John Smith,js@u.kr,jsmith\n"
    (tmp_path / "roster.csv").write_text(table)
    (tmp_path / "x.zip").write_bytes(zip_of({
        "p/SMITH_john.ipynb": answer(1), "q/an@u.kr.ipynb": answer(2),
        "jax02-van-an/02.ipynb": (answer(3), (2026, 12, 2, 0, 0, 0)),
    }))  # fmt: skip
    people = roster.read(tmp_path / "roster.csv")
    result = collect.collect(exercise, tmp_path / "x.zip", people, tmp_path / "out")
    found = {entry.student: {entry.original, *entry.others} for entry in result.submissions}
    # "SMITH john" is not how the roster spells it: asked, not guessed
    assert found == {"A1": {"q/an@u.kr.ipynb", "jax02-van-an/02.ipynb"}}
    assert [row["file"] for row in result.doubtful] == ["p/SMITH_john.ipynb"]


def attempts(*times: str) -> dict:
    return {
        f"김민수 ({i}).ipynb": (answer(i), tuple(map(int, re.findall(r"\d+", time))) + (0,))
        for i, time in enumerate(times)
    }


def test_the_latest_attempt_before_the_deadline_wins_and_late_ones_are_marked(gather):
    files = attempts("2026-12-09 10:00", "2026-12-10 23:58", "2026-12-11 01:00")
    (entry,) = gather(zip_of(files), due="2026-12-10 23:59").submissions
    assert entry.original == "김민수 (1).ipynb" and entry.late is False
    assert set(entry.others) == {"김민수 (0).ipynb", "김민수 (2).ipynb"}
    assert entry.after_due == ["김민수 (2).ipynb"]
    (entry,) = gather(zip_of(files), due="2026-12-08").submissions
    assert entry.original == "김민수 (2).ipynb" and entry.late is True and not entry.after_due
    # the deadline of the last time holds until another is given
    (entry,) = gather(zip_of(files)).submissions
    assert entry.late is True
    (entry,) = gather(zip_of(files), fresh=True).submissions
    assert entry.original == "김민수 (2).ipynb" and entry.late is None


def test_two_files_of_the_same_moment_are_asked_about(gather):
    moment = (2026, 12, 9, 10, 0, 0)
    files = {"김민수/가.ipynb": (answer(1), moment), "김민수/나.ipynb": (answer(2), moment)}
    result = gather(zip_of({**files, "이서연.ipynb": answer(3)}))
    assert result.missing == [PARK[0]] and set(owners(result).values()) == {LEE[0]}
    assert {row["file"] for row in result.doubtful} == set(files)
    same = {name: (answer(1), moment) for name in files}
    result = gather(zip_of({**same, "이서연.ipynb": answer(3)}), fresh=True)
    assert len(result.submissions) == 2


def at(hour: int, number: int) -> tuple[bytes, tuple]:
    return answer(number), (2026, 12, 9, hour, 0, 0)


def text_of(folder: Path, entry: collect.Entry) -> str:
    return (folder / entry.file).read_text("utf-8")


def test_a_second_zip_adds_and_nobody_is_lost(gather, tmp_path):
    gather(zip_of({"김민수.ipynb": at(10, 1), "이서연.ipynb": at(10, 2), "누구.ipynb": at(9, 3)}))
    later = zip_of({"김민수.ipynb": at(12, 4), "박지호.ipynb": at(11, 5)})
    for new in (2, 0):  # once more changes nothing
        result = gather(later)
        assert owners(result).keys() == {"김민수.ipynb [2]", "이서연.ipynb", "박지호.ipynb"}
        assert (result.new, result.removed) == (new, [])
        assert [row["file"] for row in result.doubtful] == ["누구.ipynb"]
        texts = [text_of(tmp_path / "모음", entry) for entry in result.submissions]
        assert ["# 4" in texts[0], "# 2" in texts[1], "# 5" in texts[2]] == [True] * 3
        assert len(list((tmp_path / "모음" / received.FOLDER).iterdir())) == 5
    where = {file.label: (file.name, file.batch) for file in result.received}
    assert where["김민수.ipynb [2]"] == ("김민수.ipynb", 2) and len(result.sources) == 2
    # what was asked about the first time can be answered without the first zip
    decide(tmp_path / "모음" / decisions.QUESTIONS, {"누구.ipynb": "제외"})
    assert gather(later).doubtful == []


def test_the_last_before_the_deadline_wins_over_all_that_was_collected(gather, tmp_path):
    gather(zip_of({"김민수.ipynb": at(14, 1)}), due="2026-12-09 13:00")
    for hour, number, wins in ((12, 2, 2), (11, 3, 2), (15, 4, 2)):
        (entry,) = gather(zip_of({"김민수.ipynb": at(hour, number)})).submissions
        assert f"# {wins}" in text_of(tmp_path / "모음", entry) and entry.late is False
    assert entry.after_due == ["김민수.ipynb", "김민수.ipynb [4]"]
    # nobody need choose, but who wants to can
    decide(tmp_path / "모음" / decisions.QUESTIONS, {"김민수.ipynb [4]": KIM[0]})
    (entry,) = gather(zip_of({"김민수.ipynb": at(15, 4)})).submissions
    assert "# 4" in text_of(tmp_path / "모음", entry) and entry.late is True


def test_a_kill_while_the_folders_change_places_loses_nothing(gather, tmp_path, monkeypatch):
    gather(zip_of({"김민수.ipynb": at(10, 1)}))
    rename = Path.rename

    def killed(self, target):
        if target == tmp_path / "모음":
            raise KeyboardInterrupt
        return rename(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", killed)
        with pytest.raises(KeyboardInterrupt):
            gather(zip_of({"이서연.ipynb": at(10, 2)}))
    assert not (tmp_path / "모음").exists()
    assert set(owners(gather(zip_of({"이서연.ipynb": at(10, 2)}))).values()) == {KIM[0], LEE[0]}
    assert not list(tmp_path.glob(".모음*"))


def test_starting_anew_says_whom_it_drops(gather, tmp_path):
    gather(zip_of({"김민수.ipynb": at(10, 1), "이서연.ipynb": at(10, 2)}))
    result = gather(zip_of({"이서연.ipynb": at(11, 3), "박지호.ipynb": at(11, 4)}), fresh=True)
    assert result.removed == ["김민수(20231234)"] and result.missing == [KIM[0]]
    assert set(owners(result).values()) == {LEE[0], PARK[0]} and len(result.sources) == 1
    assert not (tmp_path / "모음" / KIM[0]).exists()


def test_another_file_of_a_decided_name_is_asked_about_anew(gather, tmp_path):
    path = tmp_path / "모음" / decisions.QUESTIONS
    gather(zip_of({"숙제.ipynb": at(10, 1)}))
    decide(path, {"숙제.ipynb": KIM[0]})
    result = gather(zip_of({"숙제.ipynb": at(11, 2)}))
    assert owners(result) == {"숙제.ipynb": KIM[0]}
    assert [row["file"] for row in result.doubtful] == ["숙제.ipynb [2]"]
    decide(path, {"숙제.ipynb [2]": LEE[0]})
    result = gather(zip_of({"숙제.ipynb": at(11, 2)}), fresh=True)
    assert owners(result) == {"숙제.ipynb [2]": LEE[0]}


def test_a_decision_does_not_shut_out_what_is_handed_in_later(gather, tmp_path):
    path = tmp_path / "모음" / decisions.QUESTIONS
    first = {"숙제.ipynb": at(10, 1), "김민수 a.ipynb": at(9, 2), "김민수 b.ipynb": at(9, 3)}
    gather(zip_of(first))
    decide(path, {"숙제.ipynb": KIM[0]})
    assert owners(gather(zip_of(first))) == {"숙제.ipynb": KIM[0]}
    assert owners(gather(zip_of({"김민수.ipynb": at(12, 4)}))) == {"김민수.ipynb": KIM[0]}
    # of the same moment: asked, and each answer settles it
    result = gather(zip_of({"김민수 c.ipynb": at(12, 5)}))
    assert {row["file"] for row in result.doubtful} == {"김민수.ipynb", "김민수 c.ipynb"}
    decide(path, {"김민수.ipynb": KIM[0]})
    assert owners(gather(zip_of(first))) == {"김민수.ipynb": KIM[0]}
    decide(path, {"김민수.ipynb": "제외", "숙제.ipynb": "제외"})
    assert owners(gather(zip_of(first))) == {"김민수 c.ipynb": KIM[0]}


def test_an_answer_that_settles_nothing_stays_beside_its_question(gather, tmp_path):
    path = tmp_path / "모음" / decisions.QUESTIONS
    files = {"가.ipynb": at(10, 1), "나.ipynb": at(10, 2)}
    gather(zip_of(files))
    decide(path, dict.fromkeys(files, KIM[0]))
    result = gather(zip_of(files))
    assert result.submissions == [] and len(result.doubtful) == 2
    assert [row["학번"] for row in tables.read(path)[1]] == [KIM[0]] * 2
    decide(path, {"가.ipynb": "제외"})
    assert owners(gather(zip_of(files))) == {"나.ipynb": KIM[0]}


def test_a_folder_collected_before_all_files_were_kept_loses_nobody(gather, tmp_path):
    gather(zip_of({"김민수.ipynb": at(10, 1)}), due="2026-12-10")
    manifest = tmp_path / "모음" / collect.MANIFEST
    data = json.loads(manifest.read_text("utf-8"))
    for name in ("received", "sources", "decided", "new", "removed"):
        del data[name]
    manifest.write_text(json.dumps(data), "utf-8")
    shutil.rmtree(tmp_path / "모음" / received.FOLDER)
    result = gather(zip_of({"이서연.ipynb": at(11, 2)}))
    assert owners(result) == {"김민수.ipynb": KIM[0], "이서연.ipynb": LEE[0]}
    assert len(result.sources) == 2 and all(e.late is False for e in result.submissions)


def test_a_lost_copy_or_list_is_told_and_starting_anew_helps(gather, tmp_path):
    files = {"김민수.ipynb": at(10, 1)}
    (file,) = gather(zip_of(files)).received
    (tmp_path / "모음" / file.copy).unlink()
    with pytest.raises(CourseError, match="사본이 없습니다.*--fresh"):
        gather(zip_of(files))
    (tmp_path / "모음" / collect.MANIFEST).write_text("{", "utf-8")
    with pytest.raises(CourseError, match="--fresh"):
        gather(zip_of(files))
    assert owners(gather(zip_of(files), fresh=True)) == {"김민수.ipynb": KIM[0]}


def test_the_folder_of_another_set_is_not_mixed_with_this_one(gather, tmp_path, exercise):
    gather(zip_of({"김민수.ipynb": answer()}))
    other = replace(exercise, name="03-grad")
    people = roster.read(tmp_path / "명단.csv")
    with pytest.raises(CourseError, match="02-jit-and-xla의 제출물이 든 폴더"):
        collect.collect(other, tmp_path / "받은.zip", people, tmp_path / "모음", fresh=True)


def test_only_what_an_lms_or_a_system_wrote_tells_the_time(gather, tmp_path):
    own = zip_of({"02.ipynb": (answer(1), (2026, 12, 1, 9, 0, 0))})  # as the student set it
    outer = zip_of({"김민수.zip": (own, (2026, 12, 12, 9, 0, 0))})
    (entry,) = gather(outer, due="2026-12-10").submissions
    assert entry.time == "2026-12-12T09:00:00+09:00" and entry.late is True
    folder = tmp_path / "내려받기"
    folder.mkdir()
    (folder / "김민수.zip").write_bytes(own)
    late = collect.parse_due("2026-12-12 09:00").timestamp()
    os.utime(folder / "김민수.zip", (late, late))
    (entry,) = gather(folder, due="2026-12-10", fresh=True).submissions
    assert entry.late is True


def test_a_student_who_sent_only_a_pdf_is_told_and_can_still_hand_in(gather, tmp_path):
    path = tmp_path / "모음" / decisions.QUESTIONS
    files = {"김민수/과제.pdf": (b"%PDF", (2026, 12, 9, 10, 0, 0)), "이서연.ipynb": at(10, 2)}
    result = gather(zip_of(files), due="2026-12-10")
    assert KIM[0] in result.missing and len(result.doubtful) == 1
    decide(path, {"김민수/과제.pdf": KIM[0]})
    for _ in range(2):
        result = gather(zip_of(files))
        assert result.doubtful == [] and result.missing == [PARK[0]]
        assert result.submissions[0].problem == "노트북이 아닌 파일(PDF)만 냈습니다"
        assert result.submissions[0].file == "" and result.submissions[0].late is False
        assert [row["학번"] for row in tables.read(path)[1]] == [KIM[0]]
    result = gather(zip_of({"김민수.ipynb": at(11, 1)}))
    assert owners(result) == {"김민수.ipynb": KIM[0], "이서연.ipynb": LEE[0]}


def test_clones_collected_again_take_the_place_of_the_earlier_ones(gather, tmp_path):
    repository = tmp_path / "저장소" / "jax02-20231234"
    (repository / ".git").mkdir(parents=True)
    for number in (1, 2):
        (repository / "02.ipynb").write_bytes(answer(number))
        (entry,) = gather(tmp_path / "저장소").submissions
        assert f"# {number}" in text_of(tmp_path / "모음", entry)


def test_the_name_of_whoever_downloaded_it_all_says_nothing(gather):
    files = {"김민수_받음/a/02.ipynb": answer(1), "김민수_받음/b/이서연.ipynb": answer(2)}
    result = gather(zip_of(files))
    assert owners(result) == {"김민수_받음/b/이서연.ipynb": LEE[0]}
    assert [row["file"] for row in result.doubtful] == ["김민수_받음/a/02.ipynb"]


def test_a_broken_last_attempt_is_asked_about_and_another_exercise_is_left_aside(gather):
    files = attempts("2026-12-09 10:00", "2026-12-09 11:00")
    files["김민수 (1).ipynb"] = (answer(1)[:-30], files["김민수 (1).ipynb"][1])
    result = gather(zip_of(files))
    assert not result.submissions and "읽을 수 없고" in result.doubtful[0]["why"]
    files["김민수 (1).ipynb"] = (paper("def other(): pass"), files["김민수 (1).ipynb"][1])
    (entry,) = gather(zip_of(files), fresh=True).submissions
    assert entry.original == "김민수 (0).ipynb"


def decide(path: Path, answers: dict[str, str]) -> None:
    """Fill in the CSV of open questions, as an instructor does."""
    header, rows = tables.read(path)
    assert answers.keys() <= {row["파일"] for row in rows}
    for row in rows:
        row["학번"] = answers.get(row["파일"], row["학번"])
    tables.write(path, header, [list(row.values()) for row in rows])


def test_decisions_are_read_again_and_kept(gather, tmp_path):
    files = {"x/숙제.ipynb": answer(1), "y/무제.ipynb": answer(2), "z/이서연.ipynb": answer(3)}
    gather(zip_of(files))
    path = tmp_path / "모음" / decisions.QUESTIONS
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    _, rows = tables.read(path)
    assert {row["파일"] for row in rows} == {"x/숙제.ipynb", "y/무제.ipynb"}
    # who seems to have handed in nothing is offered
    assert {row["후보"] for row in rows} == {f"{' '.join(KIM)} / {' '.join(PARK)}"}
    decide(path, {"x/숙제.ipynb": KIM[0], "y/무제.ipynb": "제외"})
    path.write_bytes(path.read_text("utf-8-sig").encode("cp949"))  # as Excel may save it
    for _ in range(2):
        result = gather(zip_of(files))
        assert owners(result) == {"x/숙제.ipynb": KIM[0], "z/이서연.ipynb": LEE[0]}
        assert result.doubtful == []
    path.write_text("파일,까닭,후보,학번\nx/숙제.ipynb,,,99999\n", "utf-8")
    with pytest.raises(CourseError, match=r"확인할 파일\.csv:2: .*명단에 없는 학번"):
        gather(zip_of(files))


def hostile_zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../김민수.ipynb", answer())
        archive.writestr("/etc/cron.d/이서연.ipynb", answer())
        archive.writestr("C:\\박지호.ipynb", answer())
        link = zipfile.ZipInfo("최하은.ipynb")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        with archive.open("정도윤.ipynb", "w", force_zip64=True) as member:
            for _ in range(5):
                member.write(bytes(1 << 20))
        archive.writestr("강수아.ipynb", answer(1))
        archive.writestr("__MACOSX/._강수아.ipynb", b"junk")
        archive.writestr("조예준.pdf", b"%PDF")
    data = bytearray(path.read_bytes())
    at = data.find("강수아.ipynb".encode(), data.find(b"PK\x01\x02"))
    data[at - 46 + 8] |= 1  # "encrypted", says the directory
    path.write_bytes(data)


def test_hostile_members_are_refused_with_a_reason_and_nothing_leaves_the_folder(
    gather, tmp_path, monkeypatch
):
    monkeypatch.setattr(notebook, "MAX_FILE", 4 << 20)
    people = ["김민수", "이서연", "박지호", "최하은", "정도윤", "강수아", "조예준"]
    students = [(f"2023000{i}", name) for i, name in enumerate(people)]
    hostile_zip(tmp_path / "x.zip")
    before = (tmp_path / "x.zip").read_bytes()
    result = gather(tmp_path / "x.zip", students)
    problems = {entry.name: entry.problem for entry in result.submissions}
    assert all(entry.file == "" for entry in result.submissions)
    expected = {"김민수": "폴더 밖", "이서연": "절대 경로", "박지호": "절대 경로", "최하은": "바로 가기",
                "정도윤": "4 MB가 넘습니다", "강수아": "암호"}  # fmt: skip
    assert problems.keys() == expected.keys()
    for name, words in expected.items():
        assert words in problems[name], (name, problems[name])
    # a PDF is no notebook: asked about, and the student is not silently missing
    assert [row["file"] for row in result.doubtful] == ["조예준.pdf"]
    assert (tmp_path / "x.zip").read_bytes() == before
    written = {p.relative_to(tmp_path) for p in tmp_path.rglob("*") if p.is_file()}
    allowed = {Path("x.zip"), Path("명단.csv")} | {
        Path("모음", n) for n in (collect.MANIFEST, decisions.QUESTIONS, collect.ROSTER)
    }
    assert written == allowed


def test_a_bomb_of_many_members_is_refused(gather, tmp_path, monkeypatch):
    monkeypatch.setattr(incoming, "MAX_MEMBERS", 3)
    with pytest.raises(CourseError, match="파일이 4개"):
        gather(zip_of({f"n{i}/김민수.ipynb": answer() for i in range(4)}))
    assert not (tmp_path / "모음").exists()


def test_a_damaged_zip_says_so(gather):
    with pytest.raises(CourseError, match="zip도 폴더도 아닙니다|깨져"):
        gather(zip_of({"김민수.ipynb": answer()})[:-40])


def test_a_folder_of_downloads_with_zips_and_links_in_it(gather, tmp_path):
    folder = tmp_path / "내려받기"
    (folder / unicodedata.normalize("NFD", "김민수")).mkdir(parents=True)
    (folder / unicodedata.normalize("NFD", "김민수") / "02.ipynb").write_bytes(answer(1))
    (folder / "이서연-2026.zip").write_bytes(zip_of({"x/02.ipynb": answer(2)}))
    os.symlink("/etc/passwd", folder / "박지호.ipynb")
    os.symlink(folder, folder / "loop")
    with open(os.fsencode(folder) + "/최하은.ipynb".encode("cp949"), "wb") as file:
        file.write(answer(3))
    before = sorted((p, p.lstat().st_mtime_ns) for p in folder.rglob("*"))
    result = gather(folder, [*CLASS, ("20231237", "최하은")])
    assert {e.student: bool(e.file) for e in result.submissions} == {
        KIM[0]: True, LEE[0]: True, PARK[0]: False, "20231237": True,
    }  # fmt: skip
    assert sorted((p, p.lstat().st_mtime_ns) for p in folder.rglob("*")) == before


def test_a_clone_tells_no_time(gather, tmp_path):
    repository = tmp_path / "저장소" / "jax02-20231234"
    (repository / ".git").mkdir(parents=True)
    (repository / "notebooks").mkdir()
    (repository / "notebooks" / "02.ipynb").write_bytes(answer())
    (repository / "utils.py").write_text("x = 1")
    (entry,) = gather(tmp_path / "저장소", due="2026-12-10").submissions
    assert entry.original == "jax02-20231234/notebooks/02.ipynb"
    assert entry.time is None and entry.late is None


def test_the_output_never_touches_the_input_or_strange_folders(gather, tmp_path, exercise):
    folder = tmp_path / "내려받기"
    folder.mkdir()
    (folder / "김민수.ipynb").write_bytes(answer())
    people = roster.read(write_roster(tmp_path / "명단.csv", CLASS))
    with pytest.raises(CourseError, match="밖이어야"):
        collect.collect(exercise, folder, people, folder / "out")
    (tmp_path / "모음").mkdir()
    (tmp_path / "모음" / "내 글.txt").write_text("")
    with pytest.raises(CourseError, match="만들지 않은 파일"):
        gather(folder)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("이름\n김민수\n", "'학번' 열이 없습니다"),
        ("학번,이름\n1,가\n1,나\n", "roster.csv:3: .*2째 줄에도"),
        ("학번,이름\n,가\n", "roster.csv:2: 학번이 비어"),
        ("학번,이름\n../x,가\n", "쓸 수 없는 글자"),
        ("", "빈 표"),
        ("학번,이름\n", "한 명도"),
    ],
)
def test_a_roster_that_is_wrong_says_where(tmp_path, text, words):
    (tmp_path / "roster.csv").write_text(text, "utf-8")
    with pytest.raises(CourseError, match=words):
        roster.read(tmp_path / "roster.csv")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp949"])
def test_rosters_in_every_encoding(tmp_path, encoding):
    (tmp_path / "roster.csv").write_text("학번;성명;메일\r\n7;김민수;a@b.kr\r\n", encoding)
    (student,) = roster.read(tmp_path / "roster.csv").students
    assert (student.id, student.name, student.email) == ("7", "김민수", "a@b.kr")


def test_the_deadline_is_korean_time_and_its_minute_counts():
    due = collect.parse_due("2026-12-10 23:59")
    assert due.isoformat() == "2026-12-10T23:59:59+09:00"
    assert collect.parse_due("2026-12-10") == due
    assert collect.parse_due("2026-12-10T14:59:59Z") == due
    with pytest.raises(CourseError, match="마감을 읽지 못했습니다"):
        collect.parse_due("내일")
    assert due.utcoffset() == timedelta(hours=9)


def test_the_command_says_what_it_found_and_what_to_do(tmp_path):
    (tmp_path / "받은.zip").write_bytes(
        zip_of({"김민수.ipynb": answer(1), "누구.ipynb": (answer(2), (2026, 12, 2, 12, 0, 0))})
    )
    write_roster(tmp_path / "명단.csv", CLASS)
    arguments = ["collect", "exercises/02-jit-and-xla", str(tmp_path / "받은.zip"),
                 "--roster", str(tmp_path / "명단.csv"), "--out", str(tmp_path / "모음"),
                 "--due", "2026-12-10"]  # fmt: skip
    done = CliRunner().invoke(cli.app, arguments)
    assert done.exit_code == 0, done.output
    for words in ("명단 3명: 제출 1명 (늦음 0명), 확인할 파일 1개", "누구.ipynb", "학번 칸에"):
        assert words in done.output
    assert "제출 없음  이서연(20231235), 박지호(20231236)" in done.output
    more = {"이서연.ipynb": (answer(3), (2026, 12, 11, 1, 0, 0))}
    more["김민수.ipynb"] = (answer(4), (2026, 12, 12, 1, 0, 0))
    (tmp_path / "받은.zip").write_bytes(zip_of(more))
    done = CliRunner().invoke(cli.app, arguments[:-2])
    for words in ("앞서 걷은 파일 2개에 새 파일 2개", "마감: 2026-12-10 23:59", "제출 2명 (늦음 1명)",
                  "다시 냄  김민수(20231234): 김민수.ipynb [2]"):  # fmt: skip
        assert words in done.output, done.output
    done = CliRunner().invoke(cli.app, [*arguments, "--fresh"])
    assert "새로 모았습니다" in done.output and "확인할 파일 0개" in done.output
    done = CliRunner().invoke(cli.app, [*arguments[:-1], "내일"])
    assert done.exit_code == 1 and "마감을 읽지 못했습니다" in done.output
