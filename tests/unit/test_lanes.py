"""nbval with the course's tags, on the sample course in the default lane's Python."""

from __future__ import annotations

import subprocess

import pytest

import book
from coursekit.findings import CourseError
from coursekit.notebooks import publish
from coursekit.notebooks.lanes import runner
from coursekit.project import PUBLISHED
from coursekit.testing import read_report


def run(project, tmp_path, lane="default"):
    report, outputs = tmp_path / "report.xml", []

    def follow(command, **popen):
        done = subprocess.run(command, capture_output=True, text=True, **popen)
        outputs.append(done.stdout)
        return done.returncode

    runner.run(lane, project, report, follow)
    return read_report(lane, report), "".join(outputs)


def edit_and_build(project, name, old, new):
    path = project.source / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    outcomes = publish.build(project.sources(), project)
    assert [str(outcome.error) for outcome in outcomes if outcome.error] == []


@pytest.fixture
def as_lane(monkeypatch):
    """Pretend that the default Python is that of every lane."""
    python = runner.interpreter("default", None)
    monkeypatch.setattr(runner, "interpreter", lambda name, project: python)


def test_sample_passes(sample, tmp_path):
    group, output = run(sample, tmp_path)
    assert (group.failed, group.passed) == (0, 10), output


def test_edited_output_fails(sample, tmp_path):
    path = sample.root / "chapters/01-sample.ipynb"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("TypeError: …", "KeyError: …"), encoding="utf-8")
    group, output = run(sample, tmp_path)
    assert group.failed == 1 and "Cell outputs differ" in output


def test_rotten_pitfall_fails(sample, tmp_path):
    """The wrong code stopped failing, as after an upgrade."""
    path = sample.root / "chapters/01-sample.ipynb"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("point = (1, 2)", "point = [1, 2]"), encoding="utf-8")
    group, output = run(sample, tmp_path)
    assert group.failed >= 1 and "TypeError이(가) 나지 않았습니다" in output


def test_blank_that_passes_fails(sample, tmp_path):
    old = "    ### BEGIN SOLUTION\n    y = x + x"
    edit_and_build(sample, "exercises/01-sample.md", old, f"    return 6\n{old}")
    group, output = run(sample, tmp_path)
    assert group.failed == 1 and "빈칸의 확인 셀이" in output


def test_cell_without_its_package_is_skipped_by_name(sample, tmp_path):
    name = "chapters/01-sample.md"
    edit_and_build(
        sample, name, "[nbval-ignore-output]", "[nbval-ignore-output, needs-no_such_package]"
    )
    group, _ = run(sample, tmp_path)
    assert dict(group.skipped) == {"needs-no_such_package: 이 레인에 없는 패키지": 1}
    assert group.failed == 0


@pytest.mark.parametrize(
    ("code", "failed", "words"),
    [
        ("import os\n\nprint(os.environ['COURSE_LANE'])", 0, ""),
        ("import os\n\nassert os.environ['COURSE_LANE'] != 'colab'", 1, "exception"),
    ],
)
def test_cell_that_can_do_without_a_package_runs_to_its_end(
    sample, tmp_path, as_lane, monkeypatch, code, failed, words
):
    """Where the package is absent, as in Colab, whose run of all cells stops at the first error."""
    monkeypatch.setenv("COURSE_LANE", "default")
    cell = f"## 연습\n\n```{{code-cell}}\n:tags: [optional-no_such_package]\n\n{code}\n```\n"
    edit_and_build(sample, "chapters/01-sample.md", "## 연습", cell)
    group, output = run(sample, tmp_path, lane="colab")
    assert (group.failed, group.skipped.total()) == (failed, 0) and words in output, output


def test_notebook_with_torch_runs_once_where_its_lane_has_torch(sample, tmp_path, monkeypatch):
    """Both environments of the lane get their share, and their results one report."""
    name = "chapters/01-sample.md"
    edit_and_build(sample, name, "[nbval-ignore-output]", "[nbval-ignore-output, needs-torch]")
    used = []

    def python(name, project):
        used.append(name)
        return runner.Path(runner.sys.executable)

    monkeypatch.setattr(runner, "interpreter", python)
    split = runner.environments("colab", sample)
    assert [path.parent.name for path in split["colab-torch"]] == ["chapters"]
    assert sorted(path.parent.name for path in split["colab"]) == ["exercises", "solutions"]
    group, output = run(sample, tmp_path, lane="colab")
    assert (group.failed, group.passed) == (0, 10) and set(used) == set(split), output


def test_one_environment_missing_and_none_is_run(sample, tmp_path, monkeypatch):
    def python(name, project):
        if name == "colab-torch":
            raise CourseError("없음")
        return runner.Path(runner.sys.executable)

    monkeypatch.setattr(runner, "interpreter", python)
    edit_and_build(
        sample,
        "chapters/01-sample.md",
        "[nbval-ignore-output]",
        "[nbval-ignore-output, needs-torch]",
    )
    with pytest.raises(CourseError, match="없음"):
        runner.run("colab", sample, tmp_path / "report.xml", lambda *_, **__: pytest.fail("실행함"))
    assert not list(tmp_path.glob("report*"))


def test_book_py_makes_the_environments_that_the_lanes_run_in(checkout):
    wanted = {lane: set(names) for lane, names in runner.ENVIRONMENTS.items() if lane != "default"}
    assert {lane: set(made) for lane, made in book.LANE_PYTHON.items()} == wanted
    for names in wanted.values():
        assert all((checkout.root / f"requirements/{name}.txt").is_file() for name in names)


DIFFERING = "import os\n\nprint(os.environ['COURSE_LANE'] == 'colab')"


@pytest.mark.parametrize(
    ("tag", "code", "failed", "words"),
    [
        ("differs=colab", DIFFERING, 0, ""),
        ("differs=colab", "print(1)", 1, "출력이 저장된 것과 같습니다"),
        (
            "differs=colab",
            DIFFERING + "\nassert os.environ['COURSE_LANE'] != 'colab'",
            1,
            "exception",
        ),
        ("differs=current", DIFFERING, 1, "Cell outputs differ"),
    ],
)
def test_differs_must_differ_and_still_run(
    sample, tmp_path, as_lane, monkeypatch, tag, code, failed, words
):
    monkeypatch.setenv("COURSE_LANE", "default")
    cell = f"## 연습\n\n```{{code-cell}}\n:tags: [{tag}]\n\n{code}\n```\n"
    edit_and_build(sample, "chapters/01-sample.md", "## 연습", cell)
    group, output = run(sample, tmp_path, lane="colab")
    assert group.failed == failed and words in output, output


def test_missing_lane_environment_is_explained(sample):
    with pytest.raises(CourseError, match="colab-torch 환경이 없습니다. .* --lane colab`"):
        runner.interpreter("colab-torch", sample)


def test_every_notebook_on_disk_is_run(checkout):
    """A folder that holds notebooks and is not in the list would be left out in silence."""
    skipped = (".venv", "_build", "tests", ".git", ".")
    on_disk = {
        path
        for path in checkout.root.glob("*/**/*.ipynb")
        if not path.relative_to(checkout.root).parts[0].startswith(skipped)
    }
    assert on_disk == set(runner.notebooks(checkout))
    for path in checkout.sources():
        names = [t.path for t in publish.targets(path, checkout)]
        assert {checkout.root / name for name in names} <= set(runner.notebooks(checkout))
    assert set(PUBLISHED) <= {p.relative_to(checkout.root).parts[0] for p in on_disk}
