"""`grade release`: what goes out, and what must never go out."""

from __future__ import annotations

import json
import zipfile

import pytest
from typer.testing import CliRunner

from coursekit.findings import CourseError
from coursekit.grading.commands import cli
from coursekit.grading.exchange import collect, release
from coursekit.grading.handed_in import submission
from coursekit.grading.probes import questions
from coursekit.grading.records import roster

from .classroom import RIGHT_2, ROOT, SET, write_roster

DUE = collect.parse_due("2026-12-10 23:59")
FUNCTIONS = ["predict_traces", "robust_loss"]


@pytest.fixture(scope="module")
def exercise():
    return questions.load(SET)


def test_the_package_holds_the_blank_and_what_to_do(exercise, tmp_path):
    release.release(exercise, tmp_path / "배포", due=DUE)
    names = {path.name for path in (tmp_path / "배포").iterdir()}
    assert names == {f"{exercise.name}.ipynb", f"{exercise.name}.zip", "안내.md", "assignment.json"}
    notice = (tmp_path / "배포" / "안내.md").read_text("utf-8")
    assert (
        "2026-12-10(목) 23:59" in notice and "만점: 48점" in notice and "| 문제 8 | 8 |" in notice
    )
    assert "_your-account" not in notice and "학번_이름_02-jit-and-xla.ipynb" in notice
    with zipfile.ZipFile(tmp_path / "배포" / f"{exercise.name}.zip") as archive:
        assert sorted(archive.namelist()) == [f"{exercise.name}.ipynb", "안내.md"]
    path = tmp_path / "배포" / f"{exercise.name}.ipynb"
    read = submission.read(path, FUNCTIONS, exercise=exercise.name)
    assert all(read.is_blank(name) and read.defining(name) for name in FUNCTIONS)
    assert release.read(tmp_path / "배포").due == DUE.isoformat()


def test_the_notice_links_to_the_exercise_once_the_repository_has_an_address(monkeypatch):
    for repository, link in (
        ("_your-account/x", ""),
        ("kim/x", "github/kim/x/blob/main/exercises/02"),
    ):
        monkeypatch.setattr(release.Project, "repository", repository)
        assert link in release._colab("02-jit-and-xla", ROOT)
        assert bool(release._colab("02-jit-and-xla", ROOT)) is bool(link)


def test_nothing_of_probes_or_solutions_is_in_the_package(exercise, tmp_path):
    written = release.release(exercise, tmp_path, due=DUE)
    probes = (SET / "probes.py").read_text("utf-8")
    answers = (SET / "right" / "1-direct.py").read_text("utf-8")
    secret = {line.strip() for line in (probes + answers).splitlines() if len(line.strip()) > 40}
    blank = (ROOT / "exercises" / f"{exercise.name}.ipynb").read_text("utf-8")
    secret = {line for line in secret if json.dumps(line, ensure_ascii=False)[1:-1] not in blank}
    assert len(secret) > 50
    for path in written:
        if path.suffix != ".zip":
            text = path.read_text("utf-8")
            assert not [s for s in secret if json.dumps(s, ensure_ascii=False)[1:-1] in text]


def test_a_notebook_that_gives_something_away_is_refused(exercise, tmp_path):
    document = json.loads((ROOT / "exercises" / f"{exercise.name}.ipynb").read_bytes())

    def refused(change) -> str:
        changed = json.loads(json.dumps(document))
        change(changed["cells"])
        path = tmp_path / "비밀.ipynb"
        path.write_text(json.dumps(changed), "utf-8")
        with pytest.raises(CourseError) as caught:
            release.release(exercise, tmp_path / "out", due=DUE, notebook=path)
        assert not (tmp_path / "out").exists()
        return str(caught.value)

    code = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "id": "x"}
    assert "답이 들어" in refused(lambda cells: cells.append({**code, "source": RIGHT_2}))
    hidden = {**code, "source": "### BEGIN HIDDEN TESTS\nassert 1"}
    assert "풀이를 표시하는 말" in refused(lambda cells: cells.append(hidden))
    assert "함수 predict_traces이 없습니다" in refused(lambda cells: cells.clear())


STUB = 'def predict_traces():\n    raise NotImplementedError("아직 빈칸입니다")'
SECRET = "def predict_traces():\n    return ['my own secret']"


@pytest.mark.parametrize(
    "cell",
    [
        f"{STUB}\n\n\n{SECRET}",
        f"{SECRET}\n\n\n{STUB}",
        f"{STUB}\n\nif True:\n    def predict_traces():\n        return ['secret']",
        f"{STUB}\n\npredict_traces = lambda: ['secret']",
        "def predict_traces():\n    answer = ['secret']\n    raise NotImplementedError('아직 빈칸입니다')",
        "def predict_traces():\n    raise NotImplementedError('아직 빈칸입니다')\n    return ['secret']",
        f"%%time\n{SECRET}\n\n{STUB}",
    ],
)
def test_an_answer_beside_the_stub_or_another_stub_is_refused(exercise, tmp_path, cell):
    document = json.loads((ROOT / "exercises" / f"{exercise.name}.ipynb").read_bytes())
    for place in document["cells"]:
        if "def predict_traces" in "".join(place["source"]):
            place["source"] = cell
    path = tmp_path / "비밀.ipynb"
    path.write_text(json.dumps(document), "utf-8")
    with pytest.raises(CourseError, match="predict_traces"):
        release.release(exercise, tmp_path / "out", due=DUE, notebook=path)
    assert not (tmp_path / "out").exists()


def test_an_answer_in_a_text_cell_is_refused(exercise, tmp_path):
    document = json.loads((ROOT / "exercises" / f"{exercise.name}.ipynb").read_bytes())
    for kind in ("markdown", "raw"):
        more = {"cell_type": kind, "metadata": {}, "source": SECRET}
        path = tmp_path / "비밀.ipynb"
        path.write_text(json.dumps({**document, "cells": [*document["cells"], more]}), "utf-8")
        with pytest.raises(CourseError, match="답이 들어"):
            release.release(exercise, tmp_path / "out", due=DUE, notebook=path)


def test_the_outputs_of_the_instructor_do_not_go_out(exercise, tmp_path):
    document = json.loads((ROOT / "exercises" / f"{exercise.name}.ipynb").read_bytes())
    for cell in document["cells"]:
        if cell["cell_type"] == "code":
            cell["execution_count"] = 7
            cell["outputs"] = [
                {"output_type": "stream", "name": "stdout", "text": "답은 1, 1, 1, 2"}
            ]
    path = tmp_path / "실행함.ipynb"
    path.write_text(json.dumps(document, ensure_ascii=False), "utf-8")
    people = roster.read(write_roster(tmp_path / "명단.csv", [("20231234", "김민수")]))
    for written in release.release(
        exercise, tmp_path / "out", due=DUE, notebook=path, roster=people
    ):
        data = written.read_bytes()
        if written.suffix == ".zip":
            with zipfile.ZipFile(written) as archive:
                data = archive.read(f"{exercise.name}.ipynb")
        assert "답은".encode() not in data and b'"execution_count": 7' not in data


def test_students_get_notebooks_that_collect_knows(exercise, tmp_path):
    people = roster.read(
        write_roster(tmp_path / "명단.csv", [("20231234", "김민수"), ("7", "이서연")])
    )
    release.release(exercise, tmp_path / "배포", due=DUE, roster=people)
    result = collect.collect(exercise, tmp_path / "배포" / "학생별", people, tmp_path / "모음")
    assert [entry.student for entry in result.submissions] == ["20231234", "7"]
    # downloaded from Colab under another name: the signed cell is enough
    (tmp_path / "받음").mkdir()
    for number, path in enumerate((tmp_path / "배포" / "학생별").iterdir()):
        (tmp_path / "받음" / f"Untitled{number}.ipynb").write_bytes(path.read_bytes())
    result = collect.collect(exercise, tmp_path / "받음", people, tmp_path / "모음")
    assert {entry.student for entry in result.submissions} == {"20231234", "7"}


def test_the_package_of_another_set_is_refused(exercise, tmp_path):
    release.release(exercise, tmp_path / "배포", due=DUE)
    assert release.read(tmp_path / "배포", exercise.name).due == DUE.isoformat()
    with pytest.raises(CourseError, match="다른 연습의 배포 폴더입니다: 02-jit-and-xla"):
        release.read(tmp_path / "배포", "03-grad")


def test_the_command_and_the_deadline_that_collect_reads(tmp_path):
    arguments = [
        "release",
        "exercises/02-jit-and-xla",
        "--out",
        str(tmp_path / "배포"),
        "--due",
        "2026-12-10",
    ]
    done = CliRunner().invoke(cli.app, arguments)
    assert done.exit_code == 0 and "LMS에 붙이고" in done.output, done.output
    (tmp_path / "받음").mkdir()
    (tmp_path / "받음" / "김민수.ipynb").write_bytes(
        (tmp_path / "배포/02-jit-and-xla.ipynb").read_bytes()
    )
    write_roster(tmp_path / "명단.csv", [("20231234", "김민수")])
    done = CliRunner().invoke(cli.app, [
        "collect", "exercises/02-jit-and-xla", str(tmp_path / "받음"), "--roster",
        str(tmp_path / "명단.csv"), "--out", str(tmp_path / "모음"), "--release", str(tmp_path / "배포"),
    ])  # fmt: skip
    assert done.exit_code == 0 and "제출 1명" in done.output, done.output
    assert collect.read(tmp_path / "모음").due == DUE.isoformat()
    for more in ([], ["--due", "2026-12-31"]):
        done = CliRunner().invoke(cli.app, [
            "collect", "exercises/03-grad", str(tmp_path / "받음"), "--roster",
            str(tmp_path / "명단.csv"), "--out", str(tmp_path / "다른 모음"), "--release",
            str(tmp_path / "배포"), *more,
        ])  # fmt: skip
        assert done.exit_code == 1 and "다른 연습의 배포 폴더" in done.output, done.output
