"""Every notebook, torch cells too, with the very versions of Colab's list on Python 3.13.

    python3.13 tests/proofs/colab.py [--list colab|colab-tpu] [--keep FOLDER] [NOTEBOOK …]

The colab lane leaves out one thing: Colab's own torch, whose build on PyPI brings CUDA along
(5.6 GB on disk). This does it once, by hand: it makes an environment, installs the list and the
torch beside it, runs the notebooks as the lane does, and writes ``results/colab-DATE.json``. No
GPU or TPU takes part: the kernels see the CPU only. Run again with ``--keep``, it goes on with
the environment that is there.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import Counter
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from coursekit.notebooks.lanes import runner  # noqa: E402
from coursekit.project import Project  # noqa: E402

TORCH = {"colab": ["torch==2.11.0"], "colab-tpu": []}  # the second list names its own
SPACE = 30 * 2**30  # bytes that must be free before CUDA's libraries are unpacked


def environment(folder: Path, chosen: str, python: str) -> Path:
    """The Python of an environment in ``folder`` with the list installed."""
    made = folder / "bin" / "python"
    if not made.exists():
        subprocess.run([python, "-m", "venv", folder], check=True)
    lines = (ROOT / f"requirements/{chosen}.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and line[0] not in "#-"]
    subprocess.run([made, "-m", "pip", "install", "-q", *pins, *TORCH[chosen]], check=True)
    return made


def counts(report: Path) -> tuple[dict[str, int], list[str]]:
    """Cells by result, and those that failed."""
    found, failed = Counter(), []
    for case in ElementTree.parse(report).iter("testcase"):
        kinds = {child.tag for child in case}
        result = "skipped" if "skipped" in kinds else "failed" if kinds - {"system-out"} else ""
        found[result or "passed"] += 1
        if result == "failed":
            failed.append(f"{case.get('classname')} {case.get('name')}")
    return dict(found), failed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--list", choices=TORCH, default="colab", dest="chosen")
    parser.add_argument("--keep", type=Path, help="the environment's folder; kept")
    parser.add_argument("--python", default="python3.13")
    parser.add_argument("notebooks", nargs="*", type=Path, help="all where none is named")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.keep or Path(temporary) / "venv").absolute()
        folder.parent.mkdir(parents=True, exist_ok=True)
        if not folder.exists() and shutil.disk_usage(folder.parent).free < SPACE:
            sys.exit("디스크에 30 GB가 남아 있어야 합니다. --keep으로 다른 디스크의 폴더를 줍니다.")
        python = environment(folder, options.chosen, options.python)
        project, report = Project(ROOT), Path(temporary) / "report.xml"
        paths = [path.absolute() for path in options.notebooks] or runner.notebooks(project)
        command, variables = runner.command(python, "colab", paths, project, report)
        subprocess.run(command, env=variables, cwd=ROOT)
        found, failed = counts(report)
        frozen = [python, "-m", "pip", "list", "--format", "json", "--disable-pip-version-check"]
        packages = json.loads(subprocess.run(frozen, capture_output=True, check=True).stdout)
    lines = (ROOT / f"requirements/{options.chosen}.txt").read_text(encoding="utf-8")
    own = {one["name"]: one["version"] for one in packages}
    result = {
        "date": date.today().isoformat(),
        "list": options.chosen,
        "device": "cpu",
        "notebooks": [path.relative_to(ROOT).as_posix() for path in paths],
        "cells": found,
        "failed": failed,
        "versions": {n: v for n, v in own.items() if n == "torch" or f"\n{n}==" in lines},
    }
    place = Path(__file__).parent / "results" / f"{options.chosen}-{result['date']}.json"
    place.parent.mkdir(exist_ok=True)
    new = place.with_suffix(".new")
    new.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    new.replace(place)
    print(f"{place.relative_to(ROOT)}: {found}")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
