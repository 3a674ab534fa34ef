"""Which grading this is: a digest of all code that can change a result.

Old results and the mutants' ledgers hold as long as it stays the same, so no number has to be
raised by hand.  Comments, docstrings, imports and the places of the files do not count
(`source_digest`).
"""

from __future__ import annotations

import functools
from pathlib import Path

from coursekit.grading.probes import source_digest

FOLDER = Path(__file__).resolve().parents[1]
# whatever judges, runs, reads or confines
PARTS = (
    "wire", "handed_in", "probes", "child", "sandbox", "engine", "course/published.py",
    "records/result.py", "records/shown.py",
)  # fmt: skip
# what these say changes no result: advice for the machine, and the list above
APART = ("sandbox/doctor.py", "engine/version.py")


def of_grading() -> str:
    """Changes when the same file, probes and seed could give another result."""
    return _of(FOLDER)


def files(folder: Path) -> list[Path]:
    """All Python files of `PARTS`."""
    found = [path for name in PARTS for path in [folder / name, *(folder / name).rglob("*.py")]]
    return [path for path in found if path.suffix and path not in {folder / n for n in APART}]


@functools.cache
def _of(folder: Path) -> str:
    found = (source_digest.of(path.read_text(encoding="utf-8")) for path in files(folder))
    # sorted by content: where a file lies and what it is called does not matter
    return source_digest.digest(*sorted(filter(None, found)))
