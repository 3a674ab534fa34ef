"""Files are whole at every moment."""

from __future__ import annotations

import os

import pytest

from coursekit.files import clear_halves, whole, write_whole


def test_text_is_written_with_its_folder_and_can_be_read_by_all(tmp_path):
    path = tmp_path / "a/b.txt"
    assert write_whole(path, "가\n") is True
    assert path.read_bytes() == "가\n".encode() and path.stat().st_mode & 0o777 == 0o644
    assert os.listdir(path.parent) == ["b.txt"]


def test_equal_content_leaves_the_file_as_it_is(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"x")
    os.utime(path, (1, 1))
    assert write_whole(path, b"x") is False and path.stat().st_mtime == 1
    assert write_whole(path, b"y") is True and path.read_bytes() == b"y"


@pytest.mark.parametrize("failure", [OSError, KeyboardInterrupt])
def test_failure_at_any_step_leaves_the_old_file_and_nothing_beside_it(
    tmp_path, monkeypatch, failure
):
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def fail(*arguments):
        raise failure

    with pytest.raises(failure), whole(path) as new:
        new.write_bytes(b"half")
        assert path.read_bytes() == b"old"
        fail()
    for step in ("fsync", "replace"):
        with monkeypatch.context() as patch, pytest.raises(failure):
            patch.setattr(os, step, fail)
            write_whole(path, b"new")
    assert path.read_bytes() == b"old" and os.listdir(tmp_path) == ["a"]


def test_content_is_on_the_disk_before_it_has_the_name(tmp_path, monkeypatch):
    path, steps = tmp_path / "a", []
    sync, rename = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda file: steps.append("sync") or sync(file))
    monkeypatch.setattr(os, "replace", lambda *names: steps.append("rename") or rename(*names))
    write_whole(path, b"x")
    assert steps == ["sync", "rename"]


def test_halves_of_killed_writers_go_and_nothing_else(tmp_path):
    half = next(iter(_half_of(tmp_path / "a.json")))
    others = [
        tmp_path / name for name in ("a.json", ".b.json", ".a.json.longer-than-eight", "c.txt")
    ]
    for path in (half, *others):
        path.write_text("x")
    clear_halves(tmp_path, "*.json")
    assert sorted(tmp_path.iterdir()) == sorted(others)


def _half_of(path):
    """The name under which ``path`` is written before it takes its place."""
    with whole(path):
        found = list(path.parent.iterdir())
    return found
