"""Run the mutants of all cells that assert, two processes at a time."""

from __future__ import annotations

import ast
import json
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from coursekit.findings import CourseError
from coursekit.notebooks.audit import ledger, mutants, slices
from coursekit.notebooks.audit.ledger import Entry, Unit
from coursekit.notebooks.execute import kernel_environment, sanitize_rules
from coursekit.notebooks.publish import Target
from coursekit.project import Project

WORKERS = 2
MEMORY = 8 << 30  # bytes a cell may allocate
CPU = 300.0  # seconds for a cell as it is; its mutants get five times what it took and MORE
MORE = 10.0
IDLE = 15.0  # seconds without any use of the CPU, after which a cell counts as hung
FEW = 4  # mutants of a cell that needs the whole notebook before it


class Zygote:
    """The process that imports once and forks for every run."""

    def __init__(self, modules: list[str], cache: str):
        environment = kernel_environment() | {
            "JAX_COMPILATION_CACHE_DIR": cache,
            "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
            "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
            "MPLBACKEND": "Agg",
            "OPENBLAS_NUM_THREADS": "1",  # at import, BLAS starts a thread for every other core
            "PYTHONPATH": str(Path(__file__).resolve().parents[3]),
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "coursekit.notebooks.audit.zygote", *modules],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            start_new_session=True,  # Ctrl-C is for us; we end it
        )
        self._answer()

    def run(self, cells: list[str], cpu: float = CPU, cache: bool = True) -> dict:
        request = {"cells": cells, "cpu": cpu, "memory": MEMORY, "idle": IDLE, "cache": cache}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return self._answer()

    def _answer(self) -> dict:
        line = self.process.stdout.readline()
        if not line:
            told = self.process.stderr.read().strip()[-500:]
            raise CourseError(f"변이를 실행하는 프로세스가 끝났습니다. {told}")
        return json.loads(line)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()


@dataclass
class Job:
    """One notebook under way."""

    target: Target
    code: list[str]
    units: list[Unit]
    entries: dict[int, Entry] = field(default_factory=dict)

    def in_order(self) -> list[Entry]:
        return [self.entries[unit.index] for unit in self.units if unit.index in self.entries]


def run(
    project: Project,
    targets: list[Target],
    on_cell: Callable[[Target, int, int], None] = lambda target, done, all: None,
) -> None:
    """Audit what the ledgers do not hold yet; each finished cell is saved at once."""
    if not sys.platform.startswith("linux"):
        raise CourseError("audit은 Linux에서만 실행됩니다. 다른 운영 체제에서는 WSL2를 씁니다.")
    tasks: queue.Queue = queue.Queue()
    jobs = []
    for target in targets:
        code = ledger.sources(target)
        job = Job(target, code, ledger.units(target, project))
        known = ledger.load(target, project)
        for unit in job.units:
            if entry := ledger.fresh(unit, code, known):
                job.entries[unit.index] = entry
            else:
                tasks.put((job, unit))
        jobs.append(job)
    modules = _modules(jobs)
    lock, failures = threading.Lock(), []
    stop = threading.Event()

    def work() -> None:
        with tempfile.TemporaryDirectory(prefix="audit-cache-") as cache:
            zygote = Zygote(modules, cache)
            try:
                while not stop.is_set():
                    job, unit = tasks.get_nowait()
                    entry = audit(zygote, unit, job.code, project)
                    with lock:
                        job.entries[unit.index] = entry
                        ledger.save(job.target, project, job.in_order())
                        on_cell(job.target, len(job.entries), len(job.units))
            except queue.Empty:
                pass
            finally:
                zygote.close()

    def guarded() -> None:
        try:
            work()
        except BaseException as error:
            failures.append(error)
            stop.set()

    threads = [threading.Thread(target=guarded) for _ in range(min(WORKERS, tasks.qsize()))]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    except BaseException:
        stop.set()
        raise
    if failures:
        raise failures[0]
    for job in jobs:
        ledger.save(job.target, project, job.in_order())  # without the entries of cells now gone


def audit(zygote: Zygote, unit: Unit, code: list[str], project: Project) -> Entry:
    """The entry of one cell: first the cell as it is, then its mutants."""
    title = next((t for t in unit.cell.source.split("\n") if t.strip()), "")[:70]
    wanted = None
    if "nbval-ignore-output" not in unit.cell.tags:
        wanted = shown(unit.stored, project)
    for width, cache in (*((w, True) for w in slices.WIDTHS), ("all", False)):
        before = [code[i] for i in slices.needed(code, unit.index, width)]
        control = zygote.run([*before, unit.cell.source], cache=cache)
        same = wanted is None or (
            control["ending"] == "ok" and _clean(control["shown"], project) == wanted
        )
        if control["ending"] == "ok" and same:
            break
    else:
        if control["ending"] != "ok":
            return Entry(title, ledger.digest(unit, code, ""), "")
        wanted = None  # other outputs than in a kernel: only the asserts judge
    entry = Entry(title, ledger.digest(unit, code, width), width)
    chosen = mutants.mutants_of(unit.cell.source, unit.twin, unit.twin_is)
    swap = f"몸통 -> {unit.twin_is} 셀의 몸통"
    if width == "all":
        chosen = [m for m in chosen if m.name != swap][:FEW] + [m for m in chosen if m.name == swap]
    for mutant in chosen:
        answer = zygote.run([*before, mutant.source], cpu=MORE + 5 * control["cpu"], cache=cache)
        raised = answer["ending"] != "ok"
        other = not raised and wanted is not None and _clean(answer["shown"], project) != wanted
        entry.mutants += 1
        entry.by_assert += raised
        entry.by_output += other
        if mutant.name == swap:
            entry.swap = raised or other
        if not raised and not other:
            entry.alive.append(mutant.name)
    return entry


def shown(outputs: list, project: Project) -> list[str]:
    """What a stored cell shows, in the form in which a zygote tells it."""
    out, texts = "", []
    for output in outputs:
        if output.output_type == "stream":
            out += output.text if output.name == "stdout" else ""
        elif not any(kind.startswith("image/") for kind in output.get("data", {})):
            texts.append(output.get("data", {}).get("text/plain", ""))
    return _clean([out, *texts], project)


def _clean(texts: list[str], project: Project) -> list[str]:
    for pattern, replacement in sanitize_rules(project):
        texts = [pattern.sub(replacement, text) for text in texts]
    return texts


def _modules(jobs: list[Job]) -> list[str]:
    """What the notebooks import outside of functions, so that no run has to."""
    found = set()
    for job in jobs:
        for source in job.code:
            try:
                nodes = ast.parse(source).body
            except SyntaxError:
                continue
            for node in nodes:
                if isinstance(node, ast.Import):
                    found |= {alias.name for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module:
                    found.add(node.module)
    return sorted(found)
