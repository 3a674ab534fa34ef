"""The XLA cache of an exercise set: made once by its right answers, never written again.

A cache that submissions could write would let one plant a program for the next, and one that they
could read would show them the answers: they ask for a program by its hash.  The folder is
named after everything a compiled program depends on, and is filled beside its place and renamed
into it, so a half-filled one is never used.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

from coursekit.grading.probes.questions import Exercise
from coursekit.grading.sandbox.bwrap import environment

_FILLED_BY = "every child of a right answer, under keys of the program alone"


def root() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "coursekit" / "xla"


def folder_for(exercise: Exercise) -> Path:
    """Place of the cache of ``exercise``: an empty stand-in until `fill` has been called."""
    parts = [
        _FILLED_BY, exercise.name, exercise.version, platform.machine(), platform.processor(), sys.version,
        metadata.version("jax"), metadata.version("jaxlib"), environment()["XLA_FLAGS"],
        _cpu_flags(), *(path.read_text(encoding="utf-8") for path in exercise.right_answers),
    ]  # fmt: skip
    return root() / hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


def fill(exercise: Exercise, warm: Callable[[Path], None]) -> Path:
    """Folder with the programs of every right answer; ``warm(folder)`` makes it if need be."""
    folder = folder_for(exercise)
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    making = Path(tempfile.mkdtemp(dir=folder.parent, prefix="making-"))
    try:
        making.chmod(0o777)  # as root the child that fills it is another user
        warm(making)
        making.chmod(0o755)
        os.rename(making, folder)
    except OSError:  # another run was faster, or the place can't be written
        if not folder.is_dir():
            raise
    finally:
        shutil.rmtree(making, ignore_errors=True)
    return folder


def _cpu_flags() -> str:
    try:
        with open("/proc/cpuinfo") as file:
            return next((line for line in file if line.startswith(("flags", "Features"))), "")
    except OSError:
        return ""
