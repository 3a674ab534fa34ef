"""Which grading this is: a digest of all code that can change a result.

Old results and the mutants' ledgers hold as long as it stays the same, so no number has to be
raised by hand.  Comments, docstrings, imports and the places of the files do not count
(`meaning`).
"""

from __future__ import annotations

import functools
from pathlib import Path

from coursekit.grading import meaning

FOLDER = Path(__file__).resolve().parent
# whatever judges, runs, reads or confines
PARTS = (
    "batch.py", "bwrap.py", "cache.py", "confine.py", "frames.py", "grade.py", "inside.py",
    "magics.py", "meaning.py", "memory.py", "notebook.py", "published.py", "questions.py",
    "remote.py", "result.py", "run.py", "sandbox.py", "session.py", "submission.py", "syntax.py",
    "trees.py", "verdict.py", "zygote.py",
)  # fmt: skip


def of_grading() -> str:
    """Changes when the same file, probes and seed could give another result."""
    return _of(FOLDER)


def files(folder: Path = FOLDER) -> list[Path]:
    return [folder / name for name in PARTS]


@functools.cache
def _of(folder: Path) -> str:
    found = (meaning.of(path.read_text(encoding="utf-8")) for path in files(folder))
    # sorted by content: where a file lies and what it is called does not matter
    return meaning.digest(*sorted(filter(None, found)))
