"""Which notebook passed in which lane is written from a real run, and goes when it is stale."""

from __future__ import annotations

from datetime import date

import pytest

from coursekit import testing
from coursekit.findings import CourseError
from coursekit.notebooks.lanes import records, runner
from tests.site.results import CHAPTER, cells, edit, report, write


def passed(project, name=CHAPTER) -> dict:
    return {p.lane: p for p in records.lanes_passed(project.root / name, project)}


def test_real_run_is_recorded_and_a_change_takes_it_back(sample, tmp_path, monkeypatch, capsys):
    def no_tools(project, xml, log, missing):
        xml.write_text("<testsuites/>")
        return 0

    monkeypatch.setattr(testing, "_unit", no_tools)
    monkeypatch.setattr(testing.parts, "prepare", lambda lanes, say: [])
    assert testing.run(sample, ["default"], record=True) is True
    assert "통과한 노트북 3개를 기록했습니다" in capsys.readouterr().out
    (only,) = records.lanes_passed(sample.root / CHAPTER, sample)
    assert (only.lane, only.date, only.cells) == (
        "default",
        date.today().isoformat(),
        cells(sample),
    )
    assert only.versions["jax"] and only.versions["python"].startswith("3.")
    edit(sample, "markdown")
    assert passed(sample)
    edit(sample, "code")
    assert not passed(sample) and passed(sample, "solutions/01-sample.ipynb")


@pytest.mark.parametrize("numbers", [{"failed": 1}, {"missing": 1}])
def test_failed_or_broken_off_run_has_not_passed(sample, tmp_path, numbers):
    assert write(sample, tmp_path) == [] and passed(sample)
    assert write(sample, tmp_path, **numbers) == [CHAPTER]
    assert not passed(sample) and passed(sample, "exercises/01-sample.ipynb")


def test_skipped_cells_are_counted_and_lanes_kept_apart(sample, tmp_path, monkeypatch):
    python = runner.interpreter("default", sample)
    monkeypatch.setattr(runner, "interpreter", lambda name, project: python)
    write(sample, tmp_path, "colab", skipped=1)
    write(sample, tmp_path)
    found = passed(sample)
    assert list(found) == ["default", "colab"]
    assert (found["colab"].cells, found["colab"].skipped) == (cells(sample) - 1, 1)
    assert found["default"].whole and not found["colab"].whole


def test_record_tells_the_environment_of_each_notebook_and_its_device(
    sample, tmp_path, monkeypatch
):
    def versions(name, project):
        return {"jax": "0.7.2", "device": "cpu"} | ({"torch": "2"} if "torch" in name else {})

    monkeypatch.setattr(records, "_versions", versions)
    monkeypatch.setattr(runner, "_uses_torch", lambda path: path.parent.name == "chapters")
    write(sample, tmp_path, "colab")
    assert passed(sample)["colab"].versions == {"jax": "0.7.2", "device": "cpu", "torch": "2"}
    other = passed(sample, "exercises/01-sample.ipynb")["colab"]
    assert other.versions == {"jax": "0.7.2", "device": "cpu"}


def test_versions_are_asked_of_the_device_that_kernels_see(sample, monkeypatch):
    monkeypatch.delenv("JAX_PLATFORMS", raising=False)
    assert records._versions("default", sample)["device"] == "cpu"


def test_notebook_that_changed_while_its_lane_ran_has_not_passed(sample, tmp_path):
    before = records.digests(sample)
    results = report(tmp_path / "r.xml", sample)
    edit(sample, "code")
    assert records.write("default", sample, results, before) == [CHAPTER]


def test_run_without_a_report_leaves_the_record_as_it_was(sample, tmp_path):
    write(sample, tmp_path)
    with pytest.raises(CourseError, match="기록하지 못했습니다"):
        records.write("default", sample, tmp_path / "none.xml", {})
    assert passed(sample)


def test_spoilt_record_is_explained(sample):
    records.place(sample).parent.mkdir(parents=True, exist_ok=True)
    records.place(sample).write_text("{", encoding="utf-8")
    with pytest.raises(CourseError, match="lanes.json: 레인의 기록을 읽지 못했습니다"):
        passed(sample)
