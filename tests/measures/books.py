"""The two books that are compared, ours and Jupyter Book's default on the same content."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONTENT = ("chapters", "exercises", "solutions", "reference", "source")
CHANGED = "chapters/03-grad"  # the chapter that an incremental build finds changed


def copy(folder: Path, own: bool) -> None:
    """Put the course's content in ``folder``, without our extension unless ``own``."""
    for name in CONTENT:
        shutil.copytree(ROOT / name, folder / name)
    for name in ("_toc.yml", "intro.md", "_config.yml"):
        shutil.copy(ROOT / name, folder / name)
    if not own:
        config = (folder / "_config.yml").read_text(encoding="utf-8")
        config = re.sub(r"  local_extensions:\n(?:    .*\n)+", "", config)
        (folder / "_config.yml").write_text(config, encoding="utf-8")


def build(folder: Path, own: bool) -> tuple[Path, dict]:
    """(HTML folder, wall and CPU seconds of each kind of build) of the book in ``folder``."""
    times = {"cold": timed(folder, own), "same": timed(folder, own)}
    notebook = folder / f"{CHANGED}.ipynb"
    content = json.loads(notebook.read_text(encoding="utf-8"))
    text = next(c for c in reversed(content["cells"]) if c["cell_type"] == "markdown")
    text["source"] = "".join(text["source"]) + "\n\n한 문장을 더했습니다.\n"
    notebook.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    times["one"] = timed(folder, own)
    return folder / "_build" / "html", times


def timed(folder: Path, own: bool) -> dict:
    """Wall and CPU seconds of one build; exits with its output where it fails."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    command = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()"]
    command += ["build", str(folder), *(["-W", "-n", "--keep-going"] if own else [])]
    done = subprocess.run(
        command,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
    )
    wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(done.stdout[-3000:] + done.stderr[-3000:])
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall": round(wall, 1), "cpu": round(cpu, 1), "load": round(os.getloadavg()[0], 1)}
