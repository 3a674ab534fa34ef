"""Run the committed notebooks in one lane's Python with nbval, strict on stored outputs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from coursekit.findings import CourseError
from coursekit.notebooks.execute import kernel_environment
from coursekit.project import DEFAULT_LANE, PUBLISHED, Project

CELL_TIMEOUT = 900  # seconds, on a machine that is busy with other work too


def notebooks(project: Project) -> list[Path]:
    """Every notebook that a lane runs: all published ones and those in ``reference/``."""
    folders = (*PUBLISHED, "reference")
    return [path for f in folders for path in sorted((project.root / f).glob("**/*.ipynb"))]


def interpreter(lane: str, project: Project) -> Path:
    """The lane's Python, which ``book.py`` made; CourseError where it is missing."""
    if lane == DEFAULT_LANE:
        return Path(sys.executable)
    bin_folder = "Scripts" if sys.platform == "win32" else "bin"
    python = project.root / f".venv-{lane}" / bin_folder / "python"
    if not python.exists():
        raise CourseError(
            f"{lane} 레인의 환경이 없습니다. `python3 book.py test --lane {lane}` 명령으로 만듭니다."
        )
    return python


def command(lane: str, project: Project, report: Path) -> tuple[list[str], dict[str, str]]:
    """Command line and environment of the lane's nbval run; results go to ``report`` (JUnit)."""
    paths = notebooks(project)
    if not paths:
        raise CourseError("테스트할 노트북이 없습니다. `python3 book.py build`로 만듭니다.")
    arguments = [
        str(interpreter(lane, project)),
        "-u",  # so that progress is seen while it is made
        *("-m", "pytest", "--nbval", "--nbval-current-env"),
        *("--nbval-sanitize-with", str(project.sanitize_rules)),
        *("--nbval-cell-timeout", str(CELL_TIMEOUT), "--nbval-kernel-startup-timeout", "180"),
        *("-n", "2", "--dist", "loadscope", "-q", "--color=no", "-rs", "--tb=short"),
        *("-p", "coursekit.notebooks.lanes.plugin", "-p", "no:cacheprovider"),
        *("-c", str(project.root / "tests" / "nbval.ini"), "--rootdir", str(project.root)),
        f"--junit-xml={report}",
        *map(str, paths),
    ]
    tools = Path(__file__).resolve().parents[3]
    environment = kernel_environment() | {"COURSE_LANE": lane, "PYTHONPATH": str(tools)}
    return arguments, environment


def run(lane: str, project: Project, report: Path, follow: Callable[..., int]) -> int:
    """Run the lane to its end; the exit code is pytest's.

    ``follow`` starts the command, keeps its output and returns its exit code.
    """
    arguments, environment = command(lane, project, report)
    return follow(arguments, env=environment, cwd=project.root)
