"""How much CPU and wall time does grading take, beside nbgrader on the same submissions?

A script, not a test:  ``python tests/measures/compare_nbgrader.py [--rounds 5] [--venv DIR]``.
It makes a virtual environment with nbgrader 0.9.6, lets both graders grade the same 30 mixed
submissions in turn, then checks that CPU time grows linearly to 300 and that 300 submissions
graded twice, in another order, get the same results.  The result is written to
``tests/measures/results/``.

What is compared: nbgrader's ``autograde`` runs each notebook with three visible test cells, and
writes an executed notebook and a database.  Ours runs more checks and writes a result file with
feedback for each.  Imports and start-up count on both sides; the XLA cache, made once for each
exercise set, does not.  CPU seconds are those of all processes, by getrusage.
"""

from __future__ import annotations

import argparse
import datetime
import json
import math
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SET = ROOT / "grading" / "07-from-pytorch"
NAMES = ("running_mean", "augment", "clip_gradient")
sys.path.insert(0, str(ROOT))
# Student's t, 97.5 %, by degrees of freedom
_T = {1: 12.71, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262}

TESTS = (
    """x = jnp.arange(8.0)
state, mean = jax.jit(running_mean)((0, 0.0), x)
np.testing.assert_allclose(mean, x.mean(), rtol=1e-5)
(count, kept), mean = running_mean(state, x + 3)
np.testing.assert_allclose(mean, x.mean() + 1.5, rtol=1e-5)
_, means = jax.lax.scan(running_mean, (0, 0.0), jnp.ones((3, 4)))
assert means.shape == (3,)""",
    """images = jnp.arange(1152.0).reshape(32, 6, 6)
key, first = augment(jax.random.key(1), images)
_, second = augment(key, images)
_, again = jax.jit(augment)(jax.random.key(1), images)
assert first.shape == images.shape and not jnp.allclose(first, second)
np.testing.assert_allclose(first, again, atol=1e-3)
jax.vmap(augment, in_axes=(0, None))(jax.random.split(key, 3), images)""",
    """gradient = {"a": jnp.full((3,), 4.0), "b": [jnp.ones(2)]}
clip = jax.jit(clip_gradient)
same = clip(gradient, 1.0, 2, 5)
np.testing.assert_allclose(same["a"], gradient["a"])
small = clip(gradient, 1.0, 9, 5)
total = sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(small))
np.testing.assert_allclose(total, 1.0, rtol=1e-4)""",
)


def mixed(count: int) -> list[list[str]]:
    """``count`` submissions of 10 kinds in turn: the cells of the three answers."""
    from tests.grading.handed_in import blank, right, wrong

    def file(name: str) -> str:
        return (SET / name).read_text(encoding="utf-8")

    good = [right(1), right(2), right(3)]
    kinds = [
        good,
        [file("right/2-other.py")],
        [good[0], file("wrong/q2-one-key-for-both.py"), good[2]],
        [file("wrong/q1-python-if.py"), good[1], file("wrong/q3-off-by-one.py")],
        [wrong(1), wrong(2), wrong(3)],
        [good[0], "def augment(key, images)\n    return", good[2]],
        [blank(1), blank(2), blank(3)],
        [good[0], blank(2), blank(3)],
        ["import no_such_package", good[1], good[2]],
        [file("wrong/q1-global-state.py"), good[1], file("wrong/q3-static-step.py")],
    ]
    return [kinds[number % len(kinds)] for number in range(count)]


def measure(command: list[str], cwd: Path, **environment: str) -> tuple[float, float]:
    """Wall and CPU seconds of ``command`` with all its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run(command, cwd=cwd, env={**os.environ, **environment},
                          capture_output=True, text=True)  # fmt: skip
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{command[:4]}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def write_ours(folder: Path, count: int) -> None:
    from tests.grading.handed_in import notebook

    folder.mkdir(parents=True)
    for number, cells in enumerate(mixed(count)):
        path = folder / f"학생{number:03}.ipynb"
        # a line of its own makes every file, and so every digest, different
        path.write_text(json.dumps(notebook([f"student = {number}", *cells])), encoding="utf-8")


def run_ours(grading: Path, folder: Path, *more: str) -> tuple[float, float]:
    code = "from coursekit.grading.commands.cli import app; app()"
    return measure(
        [sys.executable, "-c", code, "run", "exercises/07-from-pytorch", "--grading",
         str(grading), "--submissions", str(folder), "--again", "--seed", "비교", *more], ROOT,
    )  # fmt: skip


def make_venv(folder: Path) -> Path:
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        from importlib.metadata import version

        packages = ["nbgrader==0.9.6", f"jax=={version('jax')}", f"jaxlib=={version('jaxlib')}",
                    f"numpy=={version('numpy')}", "ipykernel"]  # fmt: skip
        subprocess.run([str(python), "-m", "pip", "install", "-q", *packages], check=True)
        subprocess.run([str(python), "-m", "ipykernel", "install", "--sys-prefix"], check=True)
    return python


def nbgrader_notebook(answers: list[str]) -> dict:
    """A notebook with nbgrader's metadata: per answer a solution cell and a test cell."""
    from tests.grading.handed_in import notebook

    def cell(kind: str, name: str, source: str, **metadata) -> dict:
        tags = {"schema_version": 3, "grade_id": name, "locked": kind == "test",
                "solution": kind == "solution", "grade": kind == "test", "task": False}  # fmt: skip
        if kind == "test":
            tags["points"] = 2
        return {"cell_type": "code", "id": name, "metadata": {"nbgrader": tags}, "source": source,
                "outputs": [], "execution_count": None}  # fmt: skip

    parts = list(answers) + [""] * (3 - len(answers))
    document = notebook(["import jax\nimport jax.numpy as jnp\nimport numpy as np"])
    for name, source, test in zip(NAMES, parts, TESTS, strict=True):
        document["cells"].append(cell("solution", f"answer-{name}", source or "# 위에 있음"))
        document["cells"].append(cell("test", f"test-{name}", test))
    return document


def write_theirs(course: Path, count: int) -> None:
    shutil.rmtree(course, ignore_errors=True)
    source = course / "source" / "ps" / "ex.ipynb"
    source.parent.mkdir(parents=True)
    source.write_text(json.dumps(nbgrader_notebook(mixed(1)[0])))
    (course / "nbgrader_config.py").write_text(
        "c = get_config()\nc.CourseDirectory.course_id = 'c'\n"
        "c.IncludeHeaderFooter.header = ''\nc.ClearSolutions.enforce_metadata = False\n"
        "c.ExecutePreprocessor.timeout = 60\n"
    )
    for number, cells in enumerate(mixed(count)):
        path = course / "submitted" / f"s{number:03}" / "ps" / "ex.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(nbgrader_notebook(cells)))


def run_theirs(python: Path, course: Path) -> tuple[float, float]:
    nbgrader = str(python.with_name("nbgrader"))
    path = f"{python.parent}:{os.environ['PATH']}"
    subprocess.run([nbgrader, "generate_assignment", "ps", "--force"], cwd=course, check=True,
                   capture_output=True, env={**os.environ, "PATH": path})  # fmt: skip
    return measure([nbgrader, "autograde", "ps"], course, PATH=path, JAX_PLATFORMS="cpu")


def interval(ratios: list[float]) -> list[float]:
    """Mean and 95 % interval of paired ratios, on the log scale."""
    logs = [math.log(ratio) for ratio in ratios]
    mean = statistics.mean(logs)
    if len(logs) < 2:
        return [math.exp(mean)] * 3
    half = _T.get(len(logs) - 1, 2.2) * statistics.stdev(logs) / math.sqrt(len(logs))
    return [round(math.exp(v), 2) for v in (mean, mean - half, mean + half)]


def same_results(first: Path, second: Path) -> int:
    """Number of results that differ between two runs (time aside)."""
    from coursekit.grading.records.result import Result

    names = {path.name for path in first.glob("*.json")} | {p.name for p in second.glob("*.json")}
    pairs = [
        [Result.from_json((d / n).read_text(encoding="utf-8")) for d in (first, second)]
        for n in names
    ]
    return sum(not one.same_verdict(two) for one, two in pairs)


def main() -> None:
    from tests.grading.handed_in import first_three

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--large", type=int, default=300, help="0: leave out the long part")
    parser.add_argument("--venv", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="compare-") as folder:
        base = Path(folder)
        python = make_venv(options.venv or base / "venv")
        grading = first_three(base / "grading").parent
        write_ours(base / "small", options.count)
        run_ours(grading, base / "small", "--workers", "2")  # makes the cache
        rounds = []
        for number in range(options.rounds):
            load = os.getloadavg()[0]
            ours = run_ours(grading, base / "small", "--out", str(base / "out"))
            write_theirs(base / "course", options.count)
            theirs = run_theirs(python, base / "course")
            rounds.append({"ours": ours, "nbgrader": theirs, "load_before": load})
            print(f"{number + 1}/{options.rounds}", rounds[-1], flush=True)
        report = {
            "date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
            "cores": len(os.sched_getaffinity(0)), "python": sys.version.split()[0],
            "submissions": options.count, "rounds_wall_cpu_seconds": rounds,
            "cpu_ratio_mean_low_high": interval([r["nbgrader"][1] / r["ours"][1] for r in rounds]),
            "wall_ratio_mean_low_high": interval([r["nbgrader"][0] / r["ours"][0] for r in rounds]),
        }  # fmt: skip
        if options.large:
            write_ours(base / "large", options.large)
            wall, cpu = run_ours(grading, base / "large", "--out", str(base / "first"))
            again = run_ours(
                grading, base / "large", "--out", str(base / "second"), "--workers", "3"
            )
            small = statistics.mean(r["ours"][1] for r in rounds) / options.count
            report["large"] = {
                "submissions": options.large, "wall_seconds": wall, "cpu_seconds": cpu,
                "second_run_with_three_workers": again,
                "cpu_each": cpu / options.large, "cpu_each_small": small,
                "growth": cpu / options.large / small,
                "results_that_differ": same_results(base / "first", base / "second"),
            }  # fmt: skip
    results = ROOT / "tests" / "measures" / "results"
    results.mkdir(exist_ok=True)
    path = results / f"{report['date'][:10]}-nbgrader.json"
    path.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
