"""`grade run --scheduler` on a real local Dask cluster, one of whose workers is killed."""

from __future__ import annotations

import os
import signal

import pytest

from coursekit.findings import CourseError
from coursekit.grading.engine import batch, remote

from .classroom import RIGHT_1, RIGHT_2, WRONG_1, WRONG_2, essay, notebook

distributed = pytest.importorskip(
    "distributed", reason="distributed가 없습니다: pip install -r requirements/scheduler.txt"
)


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", host="127.0.0.1"
    ) as cluster:
        yield cluster


def test_a_lost_worker_costs_a_retry_and_no_grade(cluster, small, tmp_path):
    cells = [(RIGHT_1, RIGHT_2), (WRONG_1, RIGHT_2), (RIGHT_1, WRONG_2), (RIGHT_1,), (WRONG_1,)]
    for number, written in enumerate(cells):
        (tmp_path / f"{number}.ipynb").write_bytes(notebook(*written, text=essay("글")))
    (tmp_path / "5.ipynb").write_text("broken")
    os.symlink("/etc/passwd", tmp_path / "6.ipynb")
    items = batch.find(tmp_path)
    local = batch.run(small, items, seed="같은 씨앗")
    heard = []

    def on_done(result):
        if not heard:
            with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
                pids = client.run(os.getpid)
            os.kill(next(iter(pids.values())), signal.SIGKILL)
        heard.append(result.submission)

    far = remote.run(
        small, items, scheduler=cluster.scheduler_address, seed="같은 씨앗", on_done=on_done
    )
    assert sorted(heard) == sorted(item.name for item in items)  # nothing lost, nothing doubled
    for mine, theirs in zip(local, far, strict=True):
        assert mine.same_verdict(theirs) or (mine.status, mine.reason) == (
            theirs.status,
            theirs.reason,
        )
        assert mine.points == theirs.points
    again = remote.run(small, items[:1], scheduler="nowhere:1", seed="x", known=lambda name: far[0])
    assert again == far[:1]  # what holds needs no cluster


def test_no_scheduler_there_is_a_message(small, tmp_path):
    (tmp_path / "a.ipynb").write_bytes(notebook(RIGHT_1))
    with pytest.raises(CourseError, match="연결하지 못했습니다"):
        remote.run(small, batch.find(tmp_path), scheduler="tcp://127.0.0.1:9", timeout=1)


def test_a_scheduler_without_workers_is_a_message(small, tmp_path):
    (tmp_path / "a.ipynb").write_bytes(notebook(RIGHT_1))
    with (
        distributed.LocalCluster(
            n_workers=0, dashboard_address="127.0.0.1:0", host="127.0.0.1"
        ) as empty,
        pytest.raises(CourseError, match="작업자가 없습니다"),
    ):
        remote.run(small, batch.find(tmp_path), scheduler=empty.scheduler_address, timeout=1)
