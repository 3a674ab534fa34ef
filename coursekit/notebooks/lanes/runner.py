"""Run the committed notebooks in a lane's environments with nbval, strict on stored outputs."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

from coursekit.files import write_whole
from coursekit.findings import CourseError
from coursekit.notebooks.execute import kernel_environment
from coursekit.project import DEFAULT_LANE, PUBLISHED, Project

# .venv-NAME and requirements/NAME.txt; book.py makes them and names the same ones
ENVIRONMENTS = {
    "default": ("default",),
    "colab": ("colab", "colab-torch"),
    "current": ("current",),
}
TOOLS = Path(__file__).resolve().parents[3]  # what a lane's Python needs to find coursekit
_WORDS_OF_ERRORS = r"""
[words of an error]
regex: (?m)^(\w*(?:Error|Exception|Interrupt|Warning)): .*(?:\n    .*)*$
replace: \1
"""
CELL_TIMEOUT = 900  # seconds, on a machine that is busy with other work too


def notebooks(project: Project) -> list[Path]:
    """Every notebook that a lane runs: all published ones and those in ``reference/``."""
    folders = (*PUBLISHED, "reference")
    return [path for f in folders for path in sorted((project.root / f).glob("**/*.ipynb"))]


def environments(lane: str, project: Project) -> dict[str, list[Path]]:
    """The lane's environments and the notebooks that run in each, every notebook in one.

    A lane with a second environment has torch there only, so that no CUDA build is fetched for
    the newer Python: notebooks with torch cells run in the second, the others in the first.
    """
    every = notebooks(project)
    first, *second = ENVIRONMENTS[lane]
    if not second:
        return {first: every}
    with_torch = [path for path in every if _uses_torch(path)]
    return {first: [path for path in every if path not in with_torch], second[0]: with_torch}


def _uses_torch(notebook: Path) -> bool:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return any("needs-torch" in cell["metadata"].get("tags", ()) for cell in cells)


def interpreter(environment: str, project: Project) -> Path:
    """The environment's Python, which ``book.py`` made; CourseError where it is missing."""
    if environment == DEFAULT_LANE:
        return Path(sys.executable)
    bin_folder = "Scripts" if sys.platform == "win32" else "bin"
    python = project.root / f".venv-{environment}" / bin_folder / "python"
    if not python.exists():
        lane = environment.split("-")[0]
        raise CourseError(
            f"{environment} 환경이 없습니다. `python3 book.py test --lane {lane}` 명령으로 만듭니다."
        )
    return python


def missing_names(lane: str, project: Project) -> list[str]:
    """Names that the notebooks use and the packages of the environment they run in lack."""
    lines = []
    for name, paths in environments(lane, project).items():
        arguments = [str(interpreter(name, project)), "-m", "coursekit.notebooks.lanes.names"]
        environment = kernel_environment() | {"PYTHONPATH": str(TOOLS)}
        done = subprocess.run(
            [*arguments, *map(str, paths)], env=environment, capture_output=True, text=True
        )
        if done.returncode:
            raise CourseError(f"{name} 환경에서 이름을 확인하지 못했습니다.\n{done.stderr[-2000:]}")
        for path, found in json.loads(done.stdout.splitlines()[-1]).items():
            place = Path(path).relative_to(project.root)
            lines += [f"{place}: 코드 셀 {n}의 {x}이(가) {name} 환경에 없습니다." for n, x in found]
    return lines


def sanitize_rules(project: Project, lane: str, folder: Path) -> Path:
    """The rules by which outputs are compared; those of another lane than ours go to ``folder``.

    Other versions of JAX tell the same error in other words.  There its class is compared; that
    it says what the text relies on is held by ``expect_error`` itself.
    """
    if lane == DEFAULT_LANE:
        return project.sanitize_rules
    rules = project.sanitize_rules.read_text(encoding="utf-8") + _WORDS_OF_ERRORS
    path = folder / f"nbval-sanitize-{lane}.cfg"
    write_whole(path, rules)
    return path


def command(
    python: Path, lane: str, paths: list[Path], project: Project, report: Path
) -> tuple[list[str], dict[str, str]]:
    """Command line and environment of one nbval run; results go to ``report`` (JUnit)."""
    arguments = [
        str(python),
        "-u",  # so that progress is seen while it is made
        *("-m", "pytest", "--nbval", "--nbval-current-env"),
        *("--nbval-sanitize-with", str(sanitize_rules(project, lane, report.parent))),
        *("--nbval-cell-timeout", str(CELL_TIMEOUT), "--nbval-kernel-startup-timeout", "180"),
        *("-n", "2", "--dist", "loadscope", "-q", "--color=no", "-rs", "--tb=short"),
        *("-p", "coursekit.notebooks.lanes.plugin", "-p", "no:cacheprovider"),
        *("-c", str(project.root / "tests" / "nbval.ini"), "--rootdir", str(project.root)),
        f"--junit-xml={report}",
        *map(str, paths),
    ]
    environment = kernel_environment() | {"COURSE_LANE": lane, "PYTHONPATH": str(TOOLS)}
    return arguments, environment


def run(lane: str, project: Project, report: Path, follow: Callable[..., int]) -> int:
    """Run the lane to its end, one environment after the other; pytest's worst exit code.

    ``follow`` starts a command, keeps its output and returns its exit code.
    """
    split = {name: paths for name, paths in environments(lane, project).items() if paths}
    if not split:
        raise CourseError("테스트할 노트북이 없습니다. `python3 book.py build`로 만듭니다.")
    pythons = {name: interpreter(name, project) for name in split}  # all there, before any runs
    worst, merged = 0, ElementTree.Element("testsuites")
    for name, paths in split.items():
        part = report.with_name(f"{report.stem}-{name}.xml")
        arguments, environment = command(pythons[name], lane, paths, project, part)
        worst = max(worst, abs(follow(arguments, env=environment, cwd=project.root)))
        if part.is_file():
            merged.extend(ElementTree.parse(part).getroot())
    if len(merged):
        ElementTree.ElementTree(merged).write(report, encoding="utf-8", xml_declaration=True)
    return worst
