"""A class of a thousand, graded with `kill -9` at random moments.  Not part of the tests.

    .venv/bin/python -m tests.measures.thousand            # about half an hour on two quiet cores
    .venv/bin/python -m tests.measures.thousand --count 12 --kills 2 --no-save

Hands in right and planted wrong answers of set 02 whose points are known, collects them from a
zip, grades them with the command, kills it again and again and starts it anew.  Then every
student must be there once, graded once, with the right points.  Written down: seconds per
submission early and late, memory of the parent, what each kill cost.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from tests.loop.classroom import ROOT, SET, notebook, write_roster

NAME = SET.name
RESULTS = Path(__file__).parent / "results"


def answers() -> list[tuple[str, int | None]]:
    """(source, points); None: not a notebook at all."""
    full = sum(
        int(points)
        for points in re.findall(r"\.probe\((\d+),", (SET / "probes.py").read_text("utf-8"))
    )
    found: list[tuple[str, int | None]] = [
        (path.read_text("utf-8"), full) for path in sorted(SET.glob("right/*.py"))
    ]
    for path in sorted(SET.glob("wrong/*.py")):
        source = path.read_text("utf-8")
        found.append((source, int(re.match(r"# points: (\d+)", source)[1])))
    return found


def hand_in(folder: Path, count: int) -> dict[str, int | None]:
    """Write the zip and the roster; student → points that must come of it."""
    plan, wanted, students = answers(), {}, []
    rights = [one for one in plan if one[1] == max(points for _, points in plan)]
    with zipfile.ZipFile(folder / "받은.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for i in range(count):
            number, name = f"2026{i:05}", f"학생{i}"
            students.append((number, name))
            # half the class is right: that is what takes longest
            source, points = rights[i // 2 % len(rights)] if i % 2 else plan[i // 2 % len(plan)]
            data = notebook(f"student = {i}", source)
            if i % 50 == 17:
                data, points = data[: len(data) // 2], None
            wanted[number] = points
            place = zipfile.ZipInfo(f"{name}_{number}/{NAME}.ipynb", (2026, 12, 1, 9, 0, 0))
            archive.writestr(place, data, zipfile.ZIP_DEFLATED)
    write_roster(folder / "명단.csv", students)
    return wanted


def command(*arguments: str) -> list[str]:
    return [
        sys.executable,
        "-c",
        "from coursekit.grading.commands.cli import app; app()",
        *arguments,
    ]


class Watch:
    """Looks at the gradebook and the parent's memory while a run works."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.memory: list[tuple[int, int]] = []  # (graded, KiB)

    def graded(self) -> int:
        try:
            with contextlib.closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)) as book:
                return book.execute("select count(*) from submissions").fetchone()[0]
        except sqlite3.OperationalError:
            return 0

    def look(self, pid: int) -> int:
        count = self.graded()
        with contextlib.suppress(OSError, TypeError):  # it may have ended: no memory left
            status = Path(f"/proc/{pid}/status").read_text()
            self.memory.append((count, int(re.search(r"VmRSS:\s+(\d+)", status)[1])))
        return count


def one_run(line: list[str], watch: Watch, stop_at: int | None, rng: random.Random) -> dict:
    """Run until done, or until ``stop_at`` are graded and a random moment has passed."""
    began, before = time.monotonic(), watch.graded()
    marks = [(0.0, before)]
    process = subprocess.Popen(line, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    killed = False
    while process.poll() is None:
        time.sleep(0.5)
        count = watch.look(process.pid)
        marks.append((time.monotonic() - began, count))
        if stop_at is not None and count >= stop_at:
            time.sleep(rng.uniform(0, 3))
            process.send_signal(signal.SIGKILL)
            killed = True
            break
    errors = process.communicate()[1].decode()
    if not killed and process.returncode:
        raise SystemExit(errors)
    first = next((t for t, count in marks if count > before), None)
    return {"killed": killed, "from": before, "to": watch.graded(),
            "seconds": round(time.monotonic() - began, 1),
            "seconds_to_first": None if first is None else round(first, 1), "marks": marks}  # fmt: skip


def steady(runs: list[dict]) -> float:
    """Seconds per submission between the first and the last that a run wrote: no start, no end."""
    seconds, count = 0.0, 0
    for run in runs:
        marks = [(t, n) for t, n in run["marks"] if n > run["from"]]
        if marks:
            seconds += next(t for t, n in marks if n == marks[-1][1]) - marks[0][0]
            count += marks[-1][1] - marks[0][1]
    return seconds / max(1, count)


def check(path: Path, wanted: dict[str, int | None]) -> None:
    """Nothing lost, nothing doubled, every point right."""
    with contextlib.closing(sqlite3.connect(path)) as book:
        rows = book.execute("select item, status, points from submissions").fetchall()
        events = book.execute("select item, count(*) from events group by item").fetchall()
        assert book.execute("pragma integrity_check").fetchone()[0] == "ok"
    assert len(rows) == len(wanted) and {row[0] for row in rows} == wanted.keys()
    assert {count for _, count in events} == {1} and len(events) == len(wanted)
    for item, status, points in rows:
        right = ("unreadable", 0) if wanted[item] is None else ("graded", wanted[item])
        assert (status, points) == right, (item, status, points, right)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--no-save", action="store_true")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory(prefix="thousand-") as base:
        folder = Path(base)
        wanted = hand_in(folder, options.count)
        began = time.monotonic()
        subprocess.run(
            command("collect", f"exercises/{NAME}", str(folder / "받은.zip"), "--roster",
                    str(folder / "명단.csv"), "--out", str(folder / "모음")),
            cwd=ROOT, check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        collecting = time.monotonic() - began
        book = folder / "성적부.db"
        watch = Watch(book)
        line = command("run", f"exercises/{NAME}", "--submissions", str(folder / "모음"),
                       "--gradebook", str(book), "--seed", "천 명")  # fmt: skip
        stops = sorted(rng.sample(range(1, options.count), options.kills))
        runs = []
        for stop in [*stops, None]:
            runs.append(one_run(line, watch, stop, rng))
            shown = {k: v for k, v in runs[-1].items() if k != "marks"}
            print(shown, os.getloadavg(), flush=True)
        check(book, wanted)
        again = one_run(line, watch, None, rng)
        check(book, wanted)
        began = time.monotonic()
        subprocess.run(command("report", str(book), "--out", str(folder / "보고서")), cwd=ROOT,
                       check=True, stdout=subprocess.DEVNULL)  # fmt: skip
        reporting = time.monotonic() - began
        half = options.count // 2
        pace = [steady([r for r in runs if (r["from"] < half) == early]) for early in (True, False)]
        last = [kib for count, kib in watch.memory if count > options.count * 0.9]
        early = [kib for count, kib in watch.memory if 0 < count <= options.count * 0.3]
        report = {
            "date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
            "cores": len(os.sched_getaffinity(0)), "python": sys.version.split()[0],
            "load_at_end": os.getloadavg()[0], "submissions": options.count, "kills": options.kills,
            "lost": 0, "doubled": 0, "wrong_points": 0, "collect_seconds": round(collecting, 1),
            "report_seconds": round(reporting, 1),
            "grading_seconds": round(sum(run["seconds"] for run in runs), 1),
            "seconds_each_first_half": round(pace[0], 3),
            "seconds_each_second_half": round(pace[1], 3),
            "seconds_of_a_run_with_nothing_to_do": again["seconds"],
            "parent_mib_early_max": round(max(early, default=0) / 1024, 1),
            "parent_mib_late_max": round(max(last, default=0) / 1024, 1),
            "runs": [{k: v for k, v in run.items() if k != "marks"} for run in runs],
        }  # fmt: skip
    text = json.dumps(report, ensure_ascii=False, indent=1) + "\n"
    print(text)
    if not options.no_save:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"{report['date'][:10]}-thousand.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
