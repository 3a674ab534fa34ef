"""What a check has to say: a place and a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, order=True)
class Finding:
    """One defect: ``file`` relative to the root, 1-based ``line`` (0: the whole file)."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.message}"


class CourseError(Exception):
    """A failure that a person can mend; its text is Korean and names the place.

    The only family that commands show without a traceback: whatever a person can mend is one of
    these or of their children, and anything else is a fault of the program.
    """

    def __init__(self, message: str, file: Path | str = "", line: int = 0):
        self.file, self.line, self.reason = str(file), line, message
        place = f"{file}:{line}: " if file and line else f"{file}: " if file else ""
        super().__init__(place + message)
