"""Fixtures that several groups of tests share."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path

import pytest

from coursekit import parts
from coursekit.notebooks import publish
from coursekit.project import Project, here
from coursekit.site import build as book

SAMPLE = Path(__file__).parent / "sample"

# a job in the background of a shell ignores Ctrl-C, and so would the children that tests interrupt
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# fixtures that stand for a part of the machine (coursekit.parts)
_PARTS_OF = {
    "chrome": ("browser",),
    "printed": ("browser", "font"),
    "graded": ("sandbox",),
}


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs(*parts): skipped where the machine lacks a part")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what needs a part that this machine lacks: one reason for all, with what installs it."""
    needed = [key for marker in item.iter_markers("needs") for key in marker.args]
    needed += [key for name in item.fixturenames for key in _PARTS_OF.get(name, ())]
    for key in dict.fromkeys(needed):
        if parts.is_missing(key):
            pytest.skip(parts.PARTS[key].reason)


@pytest.fixture(scope="session")
def checkout() -> Project:
    """The checkout under test, to be read only."""
    return here()


@pytest.fixture(scope="session")
def built_sample(tmp_path_factory, checkout: Project) -> Project:
    """The sample course, built once; not to be changed."""
    root = tmp_path_factory.mktemp("sample") / "course"
    shutil.copytree(SAMPLE, root)
    for name in ("_config.yml", "requirements/course.txt", "tests/nbval-sanitize.cfg"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(checkout.root / name, root / name)
    shutil.copy(checkout.root / "tests/nbval.ini", root / "tests/nbval.ini")
    project = Project(root)
    outcomes = publish.build(project.sources(), project)
    assert [str(outcome.error) for outcome in outcomes if outcome.error] == []
    return project


@pytest.fixture
def sample(tmp_path, built_sample: Project) -> Project:
    """A copy of the built sample course that a test may spoil."""
    shutil.copytree(built_sample.root, tmp_path / "course")
    return Project(tmp_path / "course")


@pytest.fixture(scope="session")
def html(tmp_path_factory, checkout: Project) -> Path:
    """The book of this checkout, built strictly in a folder of its own."""
    return book.build(checkout, into=tmp_path_factory.mktemp("book"))
