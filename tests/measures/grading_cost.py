"""Where does the CPU time of grading go?

A script, not a test:  ``python tests/measures/grading_cost.py [--rounds 3] [--before FOLDER]``.
Grades the 20 first submissions of `compare_nbgrader.mixed` with the first three questions of set 07
on one worker, and tells the CPU seconds (user and system, children included) of each part for one
submission.  With ``--before`` another checkout grades the same files in turn with this one, and
the ratio of the totals is told: CPU time depends little on what else the machine does, and taking
turns cancels what is left of that.  The result is written to ``tests/measures/results/``.

How the parts are known: CPU seconds of a sandbox are read from /proc around each request, in ticks
of 10 ms, so only sums over many mean anything; the grader's own are those of its process, and
what is left of all processes' time belongs to the zygote and bwrap.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import datetime
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COUNT = 20


def cpu(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def measured(folder: Path, grading: Path) -> dict[str, float]:
    """CPU seconds of one submission by part, in the checkout on ``sys.path``; with an empty cache
    the first call fills it, and its numbers mean nothing.
    """
    from coursekit.grading.engine import grade
    from coursekit.grading.probes import questions
    from coursekit.grading.sandbox import session

    parts: collections.Counter[str] = collections.Counter()
    ask = session.Child.ask

    def seconds(child: session.Child) -> float:
        look = getattr(child.sandbox, "usage", None) or child.sandbox.cpu_and_memory
        found = look()
        return found[0] if isinstance(found, tuple) else found.cpu

    def watched(child: session.Child, message: dict, *rest):
        before = seconds(child)
        try:
            return ask(child, message, *rest)
        finally:
            with contextlib.suppress(OSError):
                parts[f"child: {message['op']}"] += max(0.0, seconds(child) - before)

    exercise = questions.load(grading)
    start = cpu(resource.RUSAGE_SELF), cpu(resource.RUSAGE_CHILDREN)
    with grade.Grader(exercise, seed="cost") as grader:
        grader.zygote.wait()
        session.Child.ask = watched
        own = cpu(resource.RUSAGE_SELF)
        points = [grader.grade(path).points for path in sorted(folder.iterdir())]
        session.Child.ask = ask
        parts["grader"] = cpu(resource.RUSAGE_SELF) - own
    total = sum(cpu(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) - sum(start)
    parts["start of the zygote, bwrap, forks"] = total - sum(parts.values())
    per = {name: value / len(points) for name, value in parts.items()}
    return {**per, "total": total / len(points), "points": sum(points)}


def one_process(checkout: Path, folder: Path, grading: Path) -> dict[str, float]:
    """`measured` by ``checkout`` in a process of its own."""
    code = (
        "import importlib.util, json, sys\nfrom pathlib import Path\n"
        f"sys.path.insert(0, {str(checkout)!r})\n"
        f"spec = importlib.util.spec_from_file_location('cost', {str(Path(__file__).resolve())!r})\n"
        "cost = importlib.util.module_from_spec(spec); spec.loader.exec_module(cost)\n"
        f"print(json.dumps(cost.measured(Path({str(folder)!r}), Path({str(grading)!r}))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=checkout, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--before", type=Path)
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    from tests.grading import handed_in
    from tests.measures.compare_nbgrader import mixed

    checkouts = {"now": ROOT, **({"before": options.before.resolve()} if options.before else {})}
    found: dict[str, list[dict]] = {name: [] for name in checkouts}
    load = [os.getloadavg()[0]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "submissions"
        folder.mkdir()
        for number, cells in enumerate(mixed(COUNT)):
            text = json.dumps(handed_in.notebook(cells))
            (folder / f"{number:02}.ipynb").write_text(text, encoding="utf-8")
        grading = handed_in.first_three(Path(name) / "grading")
        for turn in range(options.rounds + 1):
            for which, checkout in checkouts.items():
                one = one_process(checkout, folder, grading)
                if turn:  # the first one fills the caches
                    found[which].append(one)
                print(which, json.dumps({k: round(v, 3) for k, v in one.items()}), flush=True)
    load.append(os.getloadavg()[0])
    names = sorted({key for runs in found.values() for run in runs for key in run})
    middle = {
        which: {
            key: round(statistics.median(run.get(key, 0.0) for run in runs), 3) for key in names
        }
        for which, runs in found.items()
    }
    result = {
        "date": datetime.date.today().isoformat(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, load {load[0]:.0f} to {load[1]:.0f}",
        "submissions": COUNT,
        "rounds": options.rounds,
        "cpu_seconds_of_one_submission": middle,
        "totals": {
            which: [round(run["total"], 3) for run in runs] for which, runs in found.items()
        },
    }
    place = ROOT / "tests" / "measures" / "results" / f"cost-{result['date']}.json"
    place.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(middle, indent=1))


if __name__ == "__main__":
    main()
