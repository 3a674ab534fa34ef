"""Every name that the notebooks take from a package exists in each lane that runs them."""

from __future__ import annotations

import json
import sys
import types

import pytest

from coursekit.findings import CourseError
from coursekit.notebooks.lanes import names, runner
from coursekit.project import LANES


@pytest.mark.parametrize("lane", LANES)
def test_notebooks_use_only_names_that_the_lane_has(checkout, lane):
    try:
        for name in runner.ENVIRONMENTS[lane]:
            runner.interpreter(name, checkout)
    except CourseError as error:
        pytest.skip(str(error))  # `book.py test --lane` asks again where it made the environment
    assert runner.missing_names(lane, checkout) == []


@pytest.fixture
def packages(monkeypatch):
    """A package ``shapes`` with a module, a class and an object in it."""
    shapes, flat = types.ModuleType("shapes"), types.ModuleType("shapes.flat")

    class Square:
        side: int

        def area(self):
            return self.side**2

    flat.Square, flat.unit, shapes.flat = Square, Square(), flat
    for module in (shapes, flat):
        module.__spec__ = types.SimpleNamespace(name=module.__name__)
        module.__path__ = []
        monkeypatch.setitem(sys.modules, module.__name__, module)


def found(tmp_path, *cells):
    """Names that are missing in a notebook of (code, tags…)."""
    made = [
        {"cell_type": "code", "source": [code], "metadata": {"tags": tags}} for code, *tags in cells
    ]
    path = tmp_path / "n.ipynb"
    path.write_text(json.dumps({"cells": [{"cell_type": "markdown"}, *made]}), encoding="utf-8")
    return [f"{number}:{name}" for number, name in names.missing(path)]


IMPORT = ("from shapes import flat",)


@pytest.mark.parametrize(
    ("code", "missing"),
    [
        ("flat.Square.area, flat.Square.side, flat.unit.anything", None),
        ("flat.Circle()", "flat.Circle"),
        ("flat.Square.round", "flat.Square.round"),
        ("import shapes.solid", "solid"),
        ("from shapes.flat import Circle", "flat.Circle"),
        ("import shapes as s\nprint(s.flat.Circle)", "flat.Circle"),
        ("%timeit flat.Square()\nflat.Circle", "flat.Circle"),
        ('CODE = """\nimport shapes\nshapes.Circle()\n"""', "Circle"),
        # the code looks after itself
        ("try:\n    flat.Circle\nexcept AttributeError:\n    flat.Ring", "flat.Ring"),
        ("try:\n    flat.Circle\nexcept ValueError:\n    pass", "flat.Circle"),
        ("with expect_error(AttributeError, match='Circle'):\n    flat.Circle", None),
        ("with expect_error(TypeError):\n    flat.Circle", "flat.Circle"),
        ("if hasattr(flat, 'Circle'):\n    flat.Circle()\nflat.Ring", "flat.Ring"),
        ("if shapes.__version__ > '2':\n    flat.Circle()", None),
        ("if debug:\n    flat.Circle()", "flat.Circle"),
        # another thing of that name
        ("def f(flat):\n    return flat.Circle", None),
    ],
)
def test_names_that_are_missing_and_those_that_are_guarded(tmp_path, packages, code, missing):
    expected = [f"1:shapes.{missing}"] if missing else []
    assert found(tmp_path, IMPORT, (code,)) == expected


@pytest.mark.parametrize("tag", ["needs-torch", "optional-equinox"])
def test_absent_package_needs_a_tag(tmp_path, packages, tag):
    code = "import no_such_package as n\nn.f()"
    assert found(tmp_path, (code,)) == ["0:no_such_package", "0:no_such_package.f"]
    assert found(tmp_path, (code, tag)) == []


def test_package_that_is_there_is_looked_into_whatever_the_tag(tmp_path, packages):
    assert found(tmp_path, IMPORT, ("flat.Circle", "needs-torch")) == ["1:shapes.flat.Circle"]
