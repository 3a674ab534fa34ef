"""What is a blank: the stub that was given out, as code, and nothing that only looks like one."""

from __future__ import annotations

import ast
import json

import pytest

from coursekit.grading.handed_in import given, submission
from coursekit.grading.probes import questions
from coursekit.project import ROOT

SETS = sorted(path.name for path in (ROOT / "grading").glob("[0-9]*"))


def stubs(name: str) -> dict[str, str]:
    """Function → its stub in the blank notebook."""
    document = json.loads((ROOT / "exercises" / f"{name}.ipynb").read_text(encoding="utf-8"))
    found = {}
    for cell in document["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            for node in ast.parse(source).body:
                if isinstance(node, ast.FunctionDef):
                    found[node.name] = ast.get_source_segment(source, node)
    asked = [question.function for question in questions.load(ROOT / "grading" / name).questions]
    return {function: found[function] for function in asked}


@pytest.fixture
def read(tmp_path):
    def read(name: str, functions, *cells: str):
        path = tmp_path / "a.ipynb"
        written = [{"cell_type": "code", "source": cell} for cell in cells]
        path.write_text(json.dumps({"cells": written}), encoding="utf-8")
        return submission.read(path, list(functions), [], name)

    return read


@pytest.mark.parametrize("name", SETS)
def test_every_stub_is_blank_however_it_is_laid_out(read, name):
    for function, stub in stubs(name).items():
        commented = stub.replace("\n", "  # 여기에 씁니다\n", 1) + "  # 끝"
        doubled = stub.replace("):\n", "):\n\n\n", 1)
        for source in (stub, commented, doubled, f"x = 1\n{stub}", f"%%time\n{stub}"):
            found = read(name, [function], source)
            assert found.defining(function) and found.is_blank(function), source


@pytest.mark.parametrize("name", SETS)
def test_a_stub_with_anything_done_is_not_blank(read, name):
    for function, stub in stubs(name).items():
        head, _, rest = stub.partition("):\n")
        for source in (
            stub.replace("raise NotImplementedError", "return NotImplementedError"),
            f"{head}):\n    answer = 1\n{rest}",
            f"{head}):\n    return 1\n{rest}",
            f"{stub}\n\n\n{head}):\n    return 1",
            f"{stub}\n\n\n{function} = lambda *values: 1",
            f"{stub}\n\nif True:\n    {function} = print",
            f"@cache\n{stub}",
        ):
            assert not read(name, [function], source).is_blank(function), source


def test_the_stub_of_another_question_is_no_blank_of_this_one(read):
    (first, stub), (second, _), *_ = stubs("06-flax-and-optax").items()
    renamed = stub.replace(f"def {first}", f"def {second}").replace(
        "    raise", "    import math\n    raise"
    )
    assert not read("06-flax-and-optax", [second], renamed).is_blank(second)


@pytest.mark.parametrize(
    "other",
    [
        "globals()['{0}'] = print",
        "{0}.register(int)(print)",
        "import builtins\nsetattr(builtins, '{0}', print)",
        "g = {0}",
    ],
)
def test_a_stub_that_other_code_speaks_of_is_tried(read, other):
    name = "05-random-keys"
    for function, stub in stubs(name).items():
        assert function in read(name, [function], stub, other.format(function)).touched
        assert function not in read(name, [function], stub, "x = 1").touched


def test_an_unfinished_given_line_counts_as_given(read):
    """Lines that the exercise gives above its ``raise`` are no answer; one more is."""
    form = given.blank("03-grad").forms["translate"]
    assert form and form == given.form(ast.parse(stubs("03-grad")["translate"]).body[0])
