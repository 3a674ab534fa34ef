"""Build the book, with every warning an error."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from coursekit.findings import CourseError
from coursekit.project import Project

PDF_COMES = "COURSE_PDF"  # environment variable that tells the extension of a PDF
TOOLS = Path(__file__).resolve().parents[2]
_DIAGNOSTIC = re.compile(r"(WARNING|ERROR|CRITICAL|Exception|Error):", re.I)
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def output_folder(project: Project) -> Path:
    """Where the HTML goes."""
    return project.root / "_build" / "html"


def build(project: Project, into: Path | None = None, pdf: bool = False) -> Path:
    """Build the book strictly; returns the HTML folder.

    ``into`` is a folder to build in, instead of the root's own; ``pdf`` makes the pages link to
    the PDF that is about to be made. Raises CourseError with Sphinx's own diagnostics.
    """
    forget_menus(project, into)
    command = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()"]
    command += ["build", str(project.root)]
    command += ["-W", "-n", "--keep-going", *(["--path-output", str(into)] if into else [])]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        env=os.environ
        | {"PYTHONUTF8": "1", "NO_COLOR": "1", "PYTHONPATH": str(TOOLS)}
        | ({PDF_COMES: "1"} if pdf else {}),
    )
    if done.returncode:
        lines = _ANSI.sub("", done.stdout + done.stderr).splitlines()
        told = [line for line in lines if _DIAGNOSTIC.search(line)] or lines[-15:]
        raise CourseError("책을 빌드하지 못했습니다.\n" + "\n".join(f"  {x}" for x in told[:30]))
    return output_folder(project) if into is None else into / "_build" / "html"


def forget_menus(project: Project, into: Path | None = None) -> None:
    """Have every page made anew after a change of ``_toc.yml``, which Sphinx would not notice."""
    trees = (into or project.root) / "_build" / ".doctrees"
    read = trees / "environment.pickle"
    toc = project.root / "_toc.yml"
    if read.is_file() and toc.is_file() and toc.stat().st_mtime > read.stat().st_mtime:
        shutil.rmtree(trees)
