"""Sets with several devices, compiled programs, and functions that run in two processes."""

from __future__ import annotations

import json

import numpy as np
import pytest

from coursekit.grading.engine import grade
from coursekit.grading.probes import questions
from coursekit.grading.probes.questions import call, compiled, processes, program
from coursekit.grading.probes.verdict import close, require
from coursekit.grading.sandbox.boxes import Limits

from . import handed_in
from .conftest import LIMITS, SEED

SHARDED = """
import jax, jax.numpy as jnp

def slope(w, x):
    kinds = (jax.sharding.AxisType.Auto,)
    mesh = jax.make_mesh((8,), ("data",), axis_types=kinds)
    x = jax.lax.with_sharding_constraint(x, jax.NamedSharding(mesh, jax.P("data")))
    return jax.grad(lambda w: jnp.mean((x @ w) ** 2))(w)
"""
WORKER = """
import jax, jax.numpy as jnp
started = jnp.ones(3)  # not run in the fresh processes, where it would be too early

def total(index, count, port, values):
    import numpy as np
    jax.distributed.initialize(f"127.0.0.1:{port}", count, index)
    mesh = jax.make_mesh((jax.device_count(),), ("all",),
                         axis_types=(jax.sharding.AxisType.Auto,))
    sharding = jax.NamedSharding(mesh, jax.P("all"))
    x = jax.make_array_from_process_local_data(sharding, np.asarray(values))
    return jax.jit(jnp.sum, out_shardings=jax.NamedSharding(mesh, jax.P()))(x)
"""


@pytest.fixture
def ask(tmp_path):
    """Grade ``cells`` with one probe over ``function`` in a set with eight devices."""

    def run(cells, function, check, *, limits=LIMITS):
        exercise = questions.Exercise("92-devices", "장치", devices=8)
        exercise.folder = tmp_path
        (tmp_path / "right").mkdir(exist_ok=True)
        exercise.function("문제 1", function, "문제").probe(1, "검사", show=True)(check)
        path = tmp_path / "a.ipynb"
        path.write_text(json.dumps(handed_in.notebook(cells)))
        result = grade.grade(path, exercise, seed=SEED, limits=limits)
        return result.questions[0].probes[0]

    return run


def test_a_program_over_eight_devices_is_run_and_compiled_away_from_the_student(ask):
    def check(draw):
        w, x = draw.normal(4), draw.normal(16, 4)
        want = x.T @ (x @ w) / 8
        close((yield call(w, x)), want, "값", rtol=1e-4)
        close((yield program((w, x))).values[0], want, "값", rtol=1e-4)
        found = yield compiled(w, x)
        require(found.count("all-reduce") == 1, f"{found.count('all-reduce')}")
        require(found.count("all-gather") == 0, "all-gather")
        require(found.arguments >= w.nbytes + x.nbytes and found.results == 16, "크기")

    assert ask([SHARDED], "slope", check).verdict == "pass"


def test_a_program_is_run_on_the_mesh_that_it_names(ask):
    cell = """
import jax, jax.numpy as jnp
kinds = (jax.sharding.AxisType.Auto,) * 2
mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=kinds)

def on(*spec):
    return jax.NamedSharding(mesh, jax.P(*spec))

def scaled(scale, w, x):
    def inner(scale, w, x):
        return (scale * x @ w)[:, None, :]
    places = (on(), on(None, "model"), on("data"))
    inner = jax.jit(inner, in_shardings=places, out_shardings=on("data", None, "model"))
    return inner(scale, w, x)
"""

    def check(draw):
        scale, w, x = draw.normal(), draw.normal(4, 2), draw.normal(4, 4)
        ran = yield program((scale, w, x))
        close(ran.values[0], (scale * x @ w)[:, None, :], "값", rtol=1e-4)

    found = ask([cell], "scaled", check)
    assert found.verdict == "pass", found.detail


def test_memory_of_the_compiled_program_tells_a_pairwise_table_from_a_loop(ask):
    n = 512
    table = "def far(x):\n    return jnp.abs(x[:, None] - x[None]).max(1)"
    loop = "def far(x):\n    return jax.lax.map(lambda a: jnp.abs(x - a).max(), x)"
    head = "import jax, jax.numpy as jnp\n"

    def check(draw):
        found = yield compiled(draw.normal(n))
        require(found.temporary < n * n, f"{found.temporary}")

    assert ask([head + loop], "far", check).verdict == "pass"
    assert ask([head + table.replace(".max(1)", " @ x")], "far", check).verdict == "fail"


def sums(draw):
    first, second = draw.normal(16), draw.normal(16)
    values = yield processes((0, 2, 12321, first), (1, 2, 12321, second))
    for value in values:
        close(value, np.float32(first.sum() + second.sum()), "합", rtol=1e-4)


def test_two_processes_meet_over_their_own_loopback(ask):
    found = ask([WORKER], "total", sums)
    assert found.verdict == "pass", found.detail


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return values.sum()", "합"),
        ("import os; os._exit(3 if index else time.sleep(60))", "종료 코드 3"),
        ("import time; time.sleep(60)", "안에 끝나지"),
        ("raise ValueError('앗')", "앗"),
    ],
)
def test_a_process_that_fails_is_the_functions_failure_and_no_more(ask, body, reason):
    cell = f"import time\ndef total(index, count, port, values):\n    {body}"

    def check(draw):
        yield from sums(draw)

    limits = Limits(cell_cpu=6.0, cell_wall=4.0, submission_wall=60.0)
    found = ask([cell], "total", check, limits=limits)
    assert found.verdict == "fail" and reason in found.reason, found
