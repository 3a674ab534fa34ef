"""The verbs as a person meets them, and the summary that closes a test run."""

from __future__ import annotations

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

    assert testing._group("묶음", tmp_path, nothing_collected).failed == 1


def test_summary_closes_with_one_countable_line(capsys):
    groups = [testing.Group("가", 3, 0, Counter({"needs-torch": 2})), testing.Group("나", 4, 1)]
    assert testing._summary(groups) is False
    output = capsys.readouterr().out
    assert output.rstrip().split("\n")[-1] == "총계: 7 passed, 1 failed, 2 skipped"
    assert "가: 2개 건너뜀, needs-torch" in output


def test_missing_lane_fails_its_group_and_the_others_go_on(monkeypatch, sample, capsys):
    def missing(lane, project, report):
        if lane == "colab":
            raise CourseError("colab 레인의 환경이 없습니다.")
        report.write_text("<testsuites><testsuite><testcase name='a'/></testsuite></testsuites>")
        return 0

    monkeypatch.setattr(testing.runner, "run", missing)
    assert testing.run(sample, ["colab", "current"]) is False
    assert "총계: 1 passed, 1 failed, 0 skipped" in capsys.readouterr().out
