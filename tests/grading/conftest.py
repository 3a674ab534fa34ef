"""One batch for everything that is graded in these tests: zygotes start once, both cores work."""

from __future__ import annotations

import socket
import threading
from dataclasses import dataclass
from pathlib import Path

import pytest

from coursekit.grading.engine import batch
from coursekit.grading.probes import questions
from coursekit.grading.records.result import Result
from coursekit.grading.sandbox.boxes import Limits

from . import handed_in
from .handed_in import SET, Expected

# CPU time is what ends a loop and idle time what sleeps, so wall time can be generous
LIMITS = Limits(cell_cpu=6.0, cell_wall=120.0, submission_wall=600.0)
SEED = "시험"


@dataclass
class Graded:
    """Everything that was handed in, what it had to get and what it got, by name."""

    folder: Path
    items: list[batch.Item]
    expected: dict[str, Expected]
    results: dict[str, Result]
    connections: list
    out: Path


class Listener:
    """Counts connections to a port of this machine: a sandbox must make none."""

    def __init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.connections: list = []
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                self.connections.append(self.socket.accept()[1])
            except OSError:
                return


def put_attacks(folder: Path, pattern: str, listener: int = 0) -> dict[str, Expected]:
    """Write those attacks as notebooks into ``folder``; name → what it must get."""
    expected = {}
    for path in sorted((handed_in.HERE / "attacks").glob(pattern)):
        data, want = handed_in.attack(path, listener)
        (folder / f"{path.stem}.ipynb").write_bytes(data)
        expected[f"{path.stem}.ipynb"] = want
    return expected


@pytest.fixture(scope="session")
def asked(tmp_path_factory) -> Path:
    """The folder of the set that these tests grade with."""
    return handed_in.first_three(tmp_path_factory.mktemp("grading"))


@pytest.fixture(scope="session")
def exercise(asked) -> questions.Exercise:
    return questions.load(asked)


@pytest.fixture(scope="session")
def handed(tmp_path_factory) -> tuple[Path, dict[str, Expected], Listener]:
    """The folder that "students" filled."""
    folder = tmp_path_factory.mktemp("submissions")
    listener = Listener()
    expected = {}
    expected |= put_attacks(folder, "[0-9]*.txt", listener.port)
    expected |= handed_in.odd_files(folder)
    for path in sorted(SET.glob("right/*.py")):
        (folder / f"right-{path.name}").write_bytes(path.read_bytes())
        expected[f"right-{path.name}"] = Expected(handed_in.FULL)
    return folder, expected, listener


@pytest.fixture(scope="session")
def graded(exercise, handed, tmp_path_factory) -> Graded:
    folder, expected, listener = handed
    out = tmp_path_factory.mktemp("results")
    items = batch.find(folder)
    results = batch.run(exercise, items, out=out, seed=SEED, limits=LIMITS, hidden=[folder, out])
    by_name = {result.submission: result for result in results}
    return Graded(folder, items, expected, by_name, listener.connections, out)


@pytest.fixture(scope="session")
def forms() -> questions.Exercise:
    return questions.load(handed_in.FORMS)


@pytest.fixture(scope="session")
def graded_forms(forms, tmp_path_factory) -> Graded:
    """The attacks on ``sets/98-forms``."""
    folder, out = tmp_path_factory.mktemp("forms"), tmp_path_factory.mktemp("forms-results")
    expected = put_attacks(folder, "forms-*.txt")
    items = batch.find(folder)
    results = batch.run(forms, items, out=out, seed=SEED, limits=LIMITS, hidden=[folder, out])
    by_name = {result.submission: result for result in results}
    return Graded(folder, items, expected, by_name, [], out)
