"""Many odd and hostile submissions in one run: nobody is lost, and the grader stays small.

    .venv/bin/python -m tests.measures.odd_submissions             # a thousand: an hour and more
    .venv/bin/python -m tests.measures.odd_submissions --count 200 --no-save

Every file of ``test_hostile_files``, every notebook of ``test_odd_notebooks`` and copies of them
with random bytes changed, in turn.  The run must end with a result for each; written down are the
memory of the grader's own process over time, and the slowest files.  Not part of the tests.
"""

from __future__ import annotations

import argparse
import datetime
import itertools
import json
import random
import resource
import statistics
import tempfile
import time
from collections import Counter
from pathlib import Path

from coursekit.grading.engine import batch
from coursekit.grading.probes import questions
from coursekit.grading.probes.questions import call
from coursekit.grading.probes.verdict import require
from coursekit.grading.sandbox.boxes import Limits
from tests.grading.test_hostile_files import FILES
from tests.grading.test_odd_notebooks import DOUBLE, HONEST, NAME, TRIPLE, notebook

RESULTS = Path(__file__).parent / "results"
# what loops takes all it is given, and tells nothing more of the grader in longer
LIMITS = Limits(cell_cpu=2.0, cell_wall=10.0, submission_wall=60.0)


def exercise_set(folder: Path) -> questions.Exercise:
    (folder / "right").mkdir()
    (folder / "right" / "1.py").write_text(f"{DOUBLE}\n\n\n{TRIPLE}\n", encoding="utf-8")
    exercise = questions.Exercise("93-odd", "보기", folder=folder)
    for number, (name, factor) in enumerate((("double", 2), ("triple", 3)), 1):

        def check(draw, factor=factor):
            require((yield call(7)) == 7 * factor, "다릅니다.")

        exercise.function(f"문제 {number}", name, name).probe(2, "곱함")(check)
    return exercise


def files(count: int, seed: int):
    """Name and bytes, endlessly many kinds in turn."""
    chance = random.Random(seed)
    good = {f"정직 {name}": notebook(*cells, TRIPLE, NAME) for name, cells in HONEST.items()}
    kinds = [*good.items(), *FILES.items()]
    chance.shuffle(kinds)
    for number, (name, data) in enumerate(itertools.islice(itertools.cycle(kinds), count)):
        if number >= len(kinds) and len(data) < 100_000:
            changed = bytearray(data)
            for _ in range(chance.randint(1, 4)):
                changed[chance.randrange(len(changed))] = chance.randrange(256)
            data = bytes(changed)
        yield f"{number:04} {name}.ipynb".replace("/", "_"), data


def resident() -> float:
    """MiB of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / (1 << 20)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--no-save", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        handed = base / "제출"
        handed.mkdir()
        names = []
        for name, data in files(options.count, options.seed):
            (handed / name).write_bytes(data)
            names.append(name)
        memory, statuses, slow = [], Counter(), []
        lost_points = []
        last = time.monotonic()

        def on_done(result) -> None:
            nonlocal last
            now = time.monotonic()
            memory.append(resident())
            statuses[result.status] += 1
            slow.append((round(now - last, 1), result.submission))
            number = int(result.submission[:4])
            whole = number < len(HONEST) + len(FILES)
            if whole and " 정직 " in result.submission and result.points != result.possible:
                lost_points.append(result.submission)
            last = now

        start = time.monotonic()
        exercise = exercise_set(base)
        batch.run(exercise, batch.find(handed), workers=options.workers, limits=LIMITS,
                  on_done=on_done, keep=False)  # fmt: skip
        seconds = time.monotonic() - start
    tenth = max(1, len(memory) // 10)
    found = {
        "date": datetime.date.today().isoformat(), "count": options.count,
        "results": len(memory), "statuses": dict(statuses), "seconds": round(seconds),
        "MiB early": round(statistics.median(memory[tenth : 2 * tenth] or memory), 1),
        "MiB late": round(statistics.median(memory[-tenth:]), 1),
        "MiB most": round(max(memory), 1),
        "slowest": sorted(slow, reverse=True)[:5], "honest points lost": lost_points,
    }  # fmt: skip
    print(json.dumps(found, ensure_ascii=False, indent=1))
    if not options.no_save:
        path = RESULTS / f"{found['date']}-odd-submissions.json"
        path.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    assert len(memory) == options.count, "제출물이 사라졌습니다."
    assert not lost_points, lost_points


if __name__ == "__main__":
    main()
