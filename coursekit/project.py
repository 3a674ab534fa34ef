"""Where things are and what they are called, once: paths, settings and words that rooms share.

Standard library only: a lane's Python, which lacks our packages, reads it too.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from coursekit.findings import CourseError

DEFAULT_LANE = "default"
LANES = ("default", "colab", "current")
DEVICES = ("gpu", "tpu")  # what a cell can be for and no lane has
PUBLISHED = ("chapters", "exercises", "solutions")  # folders of notebooks made from source/
PAGES = ("intro.md", "README.md", "CONTRIBUTING.md")  # written by hand, read by people
DEEPER = "-deeper"  # ends the name of the page that goes on where a chapter stops
BLANK = "아직 빈칸입니다"  # what an exercise says until somebody fills it in
ROOT = Path(__file__).resolve().parents[1]  # the checkout this package lies in


@dataclass(frozen=True)
class Project:
    """A checkout of the course (or a small copy of one, in tests)."""

    root: Path

    @property
    def source(self) -> Path:
        return self.root / "source"

    @property
    def sanitize_rules(self) -> Path:
        """Regexes that make outputs comparable; the build and nbval read the same file."""
        return self.root / "tests" / "nbval-sanitize.cfg"

    @cached_property
    def repository(self) -> str:
        """``owner/name`` on GitHub, from the one place that holds it (``_config.yml``)."""
        file = self.root / "_config.yml"
        config = file.read_text(encoding="utf-8")
        match = re.search(r"^\s*url:\s*https://github\.com/([\w.-]+/[\w.-]+)", config, re.M)
        if not match:
            raise CourseError(
                "repository.url에서 https://github.com/소유자/이름을 찾지 못했습니다. 그 꼴로 적습니다.",
                file,
            )
        return match.group(1)

    @property
    def stand_in(self) -> bool:
        """Whether the repository's address is only a stand-in (no account on GitHub begins so)."""
        return self.repository.startswith("_")

    @cached_property
    def version(self) -> str:
        """``version`` in pyproject.toml; its first number is the edition. "" where there is none."""
        path = self.root / "pyproject.toml"
        if not path.is_file():
            return ""
        return str(tomllib.loads(path.read_text(encoding="utf-8"))["project"]["version"])

    @cached_property
    def branch(self) -> str:
        config = (self.root / "_config.yml").read_text(encoding="utf-8")
        match = re.search(r"^\s*branch:\s*(\S+)", config, re.M)
        return match.group(1) if match else "main"

    def colab_url(self, notebook: str) -> str:
        """Address that opens ``notebook`` (``chapters/00-….ipynb``) in Colab."""
        return (
            "https://colab.research.google.com/github/"
            f"{self.repository}/blob/{self.branch}/{notebook}"
        )

    def sources(self, numbers: tuple[str, ...] = ()) -> list[Path]:
        """Source notebooks in reading order; ``numbers`` such as ``("07",)`` narrows them."""
        found = [
            path
            for folder in ("chapters", "exercises")
            # by stem: a chapter stands before its deeper page
            for path in sorted((self.source / folder).glob("[0-9][0-9]-*.md"), key=lambda p: p.stem)
        ]
        if not numbers:
            return found
        wanted = {number.zfill(2) for number in numbers}
        known = {path.name[:2] for path in found}
        if missing := sorted(wanted - known):
            raise CourseError(
                f"{', '.join(missing)}번 원고가 없습니다. 있는 번호: {', '.join(sorted(known))}"
            )
        return [path for path in found if path.name[:2] in wanted]


def here() -> Project:
    """The checkout this package lies in."""
    return Project(ROOT)
