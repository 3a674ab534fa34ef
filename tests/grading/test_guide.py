"""The example in CONTRIBUTING.md is a working exercise set."""

from __future__ import annotations

import re

import pytest

from coursekit.grading.engine import batch
from coursekit.grading.probes import questions

from .conftest import LIMITS
from .handed_in import ROOT

IMPORT = "import jax\nimport jax.numpy as jnp\n\n\n"
ANSWERS = {
    "right": ("def softplus(x):\n    return jnp.logaddexp(x, 0.0)\n", 6),
    "overflows": ("def softplus(x):\n    return jnp.log1p(jnp.exp(x))\n", 2),
    "wrong": ("def softplus(x):\n    return jnp.maximum(x, 0.0)\n", 0),
}


@pytest.fixture(scope="module")
def points(tmp_path_factory) -> dict[str, int]:
    folder = tmp_path_factory.mktemp("guide") / "90-example"
    (folder / "right").mkdir(parents=True)
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (folder / "probes.py").write_text(re.search(r"```python\n(.*?)```", guide, re.S)[1], "utf-8")
    items = []
    for name, (code, _) in ANSWERS.items():
        path = folder / "right" / f"{name}.py" if name == "right" else folder / f"{name}.py"
        path.write_text(IMPORT + code, encoding="utf-8")
        items.append(batch.Item(name, path))
    results = batch.run(questions.load(folder), items, limits=LIMITS)
    return {result.submission: result.points for result in results}


@pytest.mark.parametrize("name", ANSWERS)
def test_example_gives_each_answer_its_points(points, name):
    assert points[name] == ANSWERS[name][1]
