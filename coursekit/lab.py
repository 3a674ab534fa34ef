"""JupyterLab on a learner's copy of a notebook: git ignores it and no build writes to it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from coursekit.findings import CourseError
from coursekit.project import Project

FOLDER = "my-notebooks"


def copy_of(project: Project, number: str, exercise: bool) -> Path:
    """The learner's copy of chapter or exercise ``number``; one that is there stays as it is."""
    kind = "exercises" if exercise else "chapters"
    found = sorted((project.root / kind).glob(f"{number.zfill(2)}-*.ipynb"),
                   key=lambda path: path.stem)  # the chapter before its deeper page  # fmt: skip
    if not found:
        known = ", ".join(sorted({p.name[:2] for p in (project.root / kind).glob("*.ipynb")}))
        raise CourseError(f"{kind}에 {number}번 노트북이 없습니다. 있는 번호: {known}")
    copy = project.root / FOLDER / kind / found[0].name
    if not copy.exists():
        copy.parent.mkdir(parents=True, exist_ok=True)
        new = copy.with_suffix(".new")
        shutil.copyfile(found[0], new)
        os.replace(new, copy)
    return copy


def command(project: Project, notebook: Path | None, options: list[str]) -> list[str]:
    """The command line that opens ``notebook``, or the folder of copies without one."""
    root = project.root / FOLDER
    root.mkdir(exist_ok=True)
    place = [str(notebook)] if notebook else []
    return [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={root}", *options, *place]


def open_lab(project: Project, number: str, exercise: bool, options: list[str]) -> int:
    """Run JupyterLab until it is closed; its exit code."""
    notebook = copy_of(project, number, exercise) if number else None
    # the kernel of this environment, not one that somebody registered for the whole account
    environment = os.environ | {"JUPYTER_PREFER_ENV_PATH": "1"}
    try:
        return subprocess.run(command(project, notebook, options), env=environment).returncode
    except KeyboardInterrupt:
        return 0
