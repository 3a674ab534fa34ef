"""The verbs as a person meets them, and the summary that closes a test run."""

from __future__ import annotations

import sys
from collections import Counter

import pytest

from coursekit import __main__ as commands
from coursekit import testing
from coursekit.findings import CourseError

JUNIT = """<testsuites><testsuite>
<testcase name="a"/><testcase name="b"><failure message="x"/></testcase>
<testcase name="c"><error message="x"/></testcase>
<testcase name="d"><skipped message="needs-torch"/></testcase>
</testsuite></testsuites>"""


def call(monkeypatch, capsys, project, *arguments):
    monkeypatch.setattr(commands, "here", lambda: project)
    monkeypatch.setattr("sys.argv", ["book.py", *arguments])
    try:
        commands.main()
        code = 0
    except SystemExit as stop:
        code = stop.code
    return code, capsys.readouterr().out


def test_check_says_all_is_well_or_where_not(monkeypatch, capsys, sample):
    assert call(monkeypatch, capsys, sample, "check") == (0, "고칠 곳이 없습니다.\n")
    (sample.root / "chapters/01-sample.ipynb").unlink()
    code, output = call(monkeypatch, capsys, sample, "check")
    assert code == 1 and output.startswith("chapters/01-sample.ipynb: 노트북이 없습니다.")


def test_build_names_what_ran_and_what_failed(monkeypatch, capsys, sample):
    monkeypatch.setattr("coursekit.site.build.build", lambda project: sample.root / "_build/html")
    path = sample.source / "exercises/01-sample.md"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("y = x + x", "y = 2 * x"), encoding="utf-8")
    code, output = call(monkeypatch, capsys, sample, "build")
    assert code == 0 and "실행함  solutions/01-sample.ipynb" in output
    path.write_text(text.replace("def double", "1 / 0\n\n\ndef double"), encoding="utf-8")
    code, output = call(monkeypatch, capsys, sample, "build", "01")
    assert code == 1 and "ZeroDivisionError" in output and "옛 노트북은 그대로" in output
    assert "Traceback" not in output


def test_fault_of_the_program_keeps_its_traceback(monkeypatch, capsys, sample):
    """Only a CourseError is for the person at the keyboard; a fault is for who mends the tool."""

    def faulty(project):
        return [first + second for first, second in [(1,)]]

    monkeypatch.setattr("coursekit.notebooks.checks.run", faulty)
    with pytest.raises(ValueError, match="not enough values"):
        call(monkeypatch, capsys, sample, "check")


def test_book_without_an_address_of_its_repository_is_explained(monkeypatch, capsys, sample):
    config = sample.root / "_config.yml"
    config.write_text("title: x\n", encoding="utf-8")
    code, output = call(monkeypatch, capsys, sample, "check")
    assert code == 1 and "_config.yml: repository.url에서" in output and "Trace" not in output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["build", "42"], "42번 원고가 없습니다"),
        (["test", "--lane", "tpu"], "없는 레인입니다: tpu"),
    ],
)
def test_wrong_arguments_are_explained(monkeypatch, capsys, sample, arguments, words):
    code, output = call(monkeypatch, capsys, sample, *arguments)
    assert code == 1 and words in output and "Traceback" not in output


@pytest.mark.parametrize(
    "arguments",
    [["check", "07"], ["serve", "--port", "99999"], ["build", "--lane", "x"], ["nothing"]],
)
def test_usage_errors_are_explained_without_a_traceback(monkeypatch, capsys, sample, arguments):
    code, output = call(monkeypatch, capsys, sample, *arguments)
    assert code == 2 and output.startswith("명령을 이해하지 못했습니다.")


def test_report_is_counted(tmp_path):
    report = tmp_path / "report.xml"
    report.write_text(JUNIT)
    group = testing.read_report("묶음", report)
    assert (group.passed, group.failed, group.skipped) == (1, 2, Counter({"needs-torch": 1}))


def test_runner_that_leaves_no_report_counts_as_a_failure(tmp_path):
    assert testing.read_report("묶음", tmp_path / "none.xml").failed == 1


def test_runner_that_fails_without_a_failed_test_counts_as_a_failure(tmp_path, capsys):
    def nothing_collected(report):
        report.write_text("<testsuites/>")
        return 5

    assert (
        testing._group("묶음", tmp_path, testing.Log(tmp_path / "log"), nothing_collected).failed
        == 1
    )


def test_summary_closes_with_one_countable_line(capsys):
    groups = [testing.Group("가", 3, 0, Counter({"needs-torch": 2})), testing.Group("나", 4, 1)]
    assert testing._summary(groups) is False
    output = capsys.readouterr().out
    assert output.rstrip().split("\n")[-1] == "총계: 7 passed, 1 failed, 2 skipped"
    assert "가: 2개 건너뜀, needs-torch" in output


def test_missing_lane_fails_its_group_and_the_others_go_on(monkeypatch, sample, capsys):
    def missing(lane, project, report, follow):
        if lane == "colab":
            raise CourseError("colab 레인의 환경이 없습니다.")
        report.write_text("<testsuites><testsuite><testcase name='a'/></testsuite></testsuites>")
        return 0

    monkeypatch.setattr(testing.runner, "run", missing)
    monkeypatch.setattr(testing.runner, "missing_names", lambda lane, project: [])
    monkeypatch.setattr(testing.parts, "prepare", lambda lanes, say: [])
    assert testing.run(sample, ["colab", "current"]) is False
    assert "총계: 1 passed, 1 failed, 0 skipped" in capsys.readouterr().out


def test_runner_is_followed_into_the_log_and_its_progress_is_shown(tmp_path, capfd):
    log = testing.Log(tmp_path / "new/test.log")
    lines = r"print('.. [  4%]\n.. [ 50%]\nE   boom'); raise SystemExit(3)"
    assert log.follow([sys.executable, "-c", lines]) == 3
    assert log.path.read_text(encoding="utf-8") == ".. [  4%]\n.. [ 50%]\nE   boom\n"
    assert capfd.readouterr().out == "  50 %\n"


def test_many_failures_end_in_one_screen(capsys):
    long = "\n".join(f"E   line {i}" for i in range(300)) + "\ntests/a.py:7: AssertionError"
    same = [(f"tests.a::same{i}", "def f():\n" + long) for i in range(188)]
    other = [(f"tests.b::other{i}", f"E   reason {i}") for i in range(40)]
    group = testing.Group("도구와 책", 1, 228, why=same + other)
    assert testing._summary([group], "_build/test.log") is False
    output = capsys.readouterr().out.rstrip().split("\n")
    assert len(output) < 70
    start = next(i for i, line in enumerate(output) if line.startswith("실패"))
    assert output[start] == "실패  tests.a::same0 (같은 까닭으로 187개 더)"
    block = output[start : output.index("실패  tests.b::other0")]
    assert len(block) <= testing.LINES and block[-1] == "  tests/a.py:7: AssertionError"
    assert output[-3:] == [
        "실패  그 밖에 16개",
        "모든 출력: _build/test.log",
        "총계: 1 passed, 228 failed, 0 skipped",
    ]
