"""Which notebook passed in which lane: one committed file, from real runs only.

``book.py test --lane X --record`` writes it, the book shows it. A record carries the digest of
what was run, so a notebook that changed afterwards has no record until its lane runs again.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from coursekit.files import write_whole
from coursekit.findings import CourseError
from coursekit.notebooks.execute import kernel_environment
from coursekit.notebooks.lanes import runner
from coursekit.project import LANES, Project

PACKAGES = ("jax", "flax", "optax", "numpy", "torch")  # whose versions a record tells
_VERSIONS = """
import json, platform, sys
from importlib import metadata
import jax
found = {"python": platform.python_version(), "device": jax.default_backend()}
for name in sys.argv[1:]:
    try:
        found[name] = metadata.version(name)
    except metadata.PackageNotFoundError:
        pass
print(json.dumps(found))
"""


@dataclass(frozen=True)
class Passed:
    """A notebook went through ``lane``: ``cells`` ran, ``skipped`` of others were left out.

    ``versions`` are those of the environment it ran in: Python, the packages, and the ``device``
    that its arrays lay on.
    """

    lane: str
    date: str  # ISO
    versions: dict[str, str]
    cells: int
    skipped: int

    @property
    def whole(self) -> bool:
        """No cell was left out, so the lane can be named without saying what is missing."""
        return not self.skipped


def place(project: Project) -> Path:
    """The committed file of records."""
    return project.source / "data" / "lanes.json"


def digest(notebook: Path) -> str:
    """Digest of what a lane runs and compares: code, tags, and the outputs that must be equal."""
    kept = []
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            tags = cell["metadata"].get("tags", [])
            outputs = [] if "nbval-ignore-output" in tags else cell["outputs"]
            kept.append(["".join(cell["source"]), tags, outputs])
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:16]


def digests(project: Project) -> dict[str, str]:
    """Digest of every notebook that a lane runs; taken before the run, kept with its result."""
    return {_name(path, project): digest(path) for path in runner.notebooks(project)}


def write(lane: str, project: Project, report: Path, before: dict[str, str]) -> list[str]:
    """Put the lane's results in ``report`` (JUnit) on record in place of its older ones.

    ``before`` is what ``digests`` said when the run began. Returns the notebooks that have not
    passed. Raises CourseError where the run left no report.
    """
    if not report.is_file():
        raise CourseError(f"{lane} 레인의 결과가 없어 기록하지 못했습니다.")
    counted = _counts(report)
    split = runner.environments(lane, project)
    ran_in = {_name(path, project): name for name, paths in split.items() for path in paths}
    entries = {}
    for name, seen in before.items():
        count = counted.get(name.replace("/", "."), Counter())
        numbers = {key: count[key] for key in ("passed", "failed", "skipped")}
        entries[name] = {"digest": seen, "environment": ran_in.get(name, ""), **numbers}
    every = _load(project)
    every[lane] = {
        "date": date.today().isoformat(),
        "versions": {name: _versions(name, project) for name, paths in split.items() if paths},
        "notebooks": entries,
    }
    ordered = {name: every[name] for name in LANES if name in every}
    text = json.dumps(ordered, ensure_ascii=False, indent=1) + "\n"
    write_whole(place(project), text)
    return [
        name
        for name in before
        if lane not in {passed.lane for passed in lanes_passed(project.root / name, project)}
    ]


def lanes_passed(notebook: Path, project: Project) -> list[Passed]:
    """The lanes in which ``notebook`` passed as it is now, in the order of LANES."""
    if not notebook.is_file() or not (every := _load(project)):
        return []
    name, now = _name(notebook, project), digest(notebook)
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = sum(cell["cell_type"] == "code" for cell in cells)
    found = []
    for lane, run in every.items():
        entry = run["notebooks"].get(name)
        if not entry or entry["digest"] != now or entry["failed"] or not entry["passed"]:
            continue
        if entry["passed"] + entry["skipped"] == code:  # else the run broke off
            count = (entry["passed"], entry["skipped"])
            versions = run["versions"].get(entry.get("environment"), {})
            found.append(Passed(lane, run["date"], versions, *count))
    return found


def _name(notebook: Path, project: Project) -> str:
    return notebook.relative_to(project.root).as_posix()


def _load(project: Project) -> dict:
    path = place(project)
    if not path.is_file():
        return {}
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise CourseError(
            f"레인의 기록을 읽지 못했습니다({error}). "
            "파일을 지우고 `python3 book.py test --record`로 다시 만듭니다.",
            path,
        ) from error


def _counts(report: Path) -> dict[str, Counter]:
    """Results by class name, which is the notebook's path with dots for slashes."""
    found: dict[str, Counter] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        count = found.setdefault(case.get("classname", ""), Counter())
        kinds = {child.tag for child in case}
        if "skipped" in kinds:
            count["skipped"] += 1
        else:
            count["failed" if kinds & {"failure", "error"} else "passed"] += 1
    return found


def _versions(environment: str, project: Project) -> dict[str, str]:
    """As they are for the kernels of a lane, which see the devices that those see."""
    command = [str(runner.interpreter(environment, project)), "-c", _VERSIONS, *PACKAGES]
    kernels = {"env": kernel_environment(), "capture_output": True, "text": True}
    done = subprocess.run(command, **kernels, check=True)
    return json.loads(done.stdout)
