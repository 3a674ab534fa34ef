"""Publish source notebooks to ``chapters/``, ``exercises/`` and ``solutions/``.

A notebook records two digests in its metadata: of what its outputs depend on (code and
pins) and of the outputs themselves. So the build knows what must run again, and the check
finds a stale notebook or an edited output, without running anything.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from coursekit.files import write_whole
from coursekit.findings import CourseError
from coursekit.notebooks import reading_time, source
from coursekit.notebooks.execute import execute, kill_kernels
from coursekit.notebooks.source import Document
from coursekit.project import Project

KEY = "coursekit"  # the metadata entry that holds the two digests
WORKERS = 2


@dataclass(frozen=True)
class Target:
    """One notebook to publish; ``path`` is relative to the root."""

    path: Path
    document: Document
    executed: bool


@dataclass(frozen=True)
class Outcome:
    """What happened: ``same``, ``written`` (no kernel), ``executed``, ``must-run``, ``failed``."""

    path: Path
    action: str
    error: CourseError | None = None


def targets(source_path: Path, project: Project) -> list[Target]:
    """The notebooks that one source file becomes."""
    document = source.read(source_path, project)
    name = source_path.stem + ".ipynb"
    if source_path.parent.name == "chapters":
        plan = [(f"chapters/{name}", document, True)]
    else:
        plan = [
            (f"exercises/{name}", source.blank(document), False),
            (f"solutions/{name}", source.solved(document), True),
        ]
    return [
        Target(Path(path), reading_time.fill(source.publish_markdown(doc, path, project)), executed)
        for path, doc, executed in plan
    ]


def names(source_path: Path) -> list[Path]:
    """Where a source file is published, without reading it."""
    folders = ("chapters",) if source_path.parent.name == "chapters" else ("exercises", "solutions")
    return [Path(folder) / f"{source_path.stem}.ipynb" for folder in folders]


def plan(project: Project) -> tuple[list[Target], list[CourseError]]:
    """All targets of all sources, and what is wrong with the sources that can't be read."""
    found, errors = [], []
    for path in project.sources():
        try:
            found += targets(path, project)
        except CourseError as error:
            errors.append(error)
    return found, errors


def documents(project: Project) -> list[Document]:
    """Every source that can be read, as written (freshness reports the others)."""
    found = []
    for path in project.sources():
        with suppress(CourseError):
            found.append(source.read(path, project))
    return found


def assemble(target: Target, project: Project) -> nbformat.NotebookNode:
    """The notebook without outputs: stable ids, tags, and the digest of its inputs."""
    cells, seen = [], {}
    for cell in target.document.cells:
        base = hashlib.sha1(f"{cell.kind}\n{cell.source}".encode()).hexdigest()[:12]
        seen[base] = seen.get(base, 0) + 1
        name = base if seen[base] == 1 else f"{base}-{seen[base]}"
        make = new_code_cell if cell.kind == "code" else new_markdown_cell
        metadata = {"tags": list(cell.tags)} if cell.tags else {}
        cells.append(make(cell.source, id=name, metadata=metadata))
    notebook = new_notebook(cells=cells, metadata=json.loads(json.dumps(target.document.metadata)))
    if target.executed:
        notebook.metadata[KEY] = {"inputs": inputs_digest(target.document, project)}
    return notebook


def inputs_digest(document: Document, project: Project) -> str:
    """Digest of all that outputs depend on: code in order and pins of the course."""
    code = [cell.source for cell in document.cells if cell.kind == "code"]
    digest = hashlib.sha256(json.dumps(code).encode())
    digest.update((project.root / "requirements" / "course.txt").read_bytes())
    return digest.hexdigest()[:16]


def outputs_digest(notebook: nbformat.NotebookNode) -> str:
    """Digest of all outputs except those that may differ from run to run."""
    kept = [
        (cell.execution_count, cell.outputs)
        for cell in notebook.cells
        if cell.cell_type == "code" and "nbval-ignore-output" not in cell.metadata.get("tags", ())
    ]
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:16]


def expected(target: Target, project: Project) -> nbformat.NotebookNode | None:
    """The notebook that the committed outputs allow, or None where it has to run."""
    notebook = assemble(target, project)
    if not target.executed:
        return notebook
    old = load(project.root / target.path)
    if old is None or not _outputs_fit(old, notebook):
        return None
    results = (cell for cell in old.cells if cell.cell_type == "code")
    for cell in notebook.cells:
        if cell.cell_type == "code":
            result = next(results)
            cell.outputs, cell.execution_count = result.outputs, result.execution_count
    notebook.metadata[KEY]["outputs"] = outputs_digest(notebook)
    return notebook


def serialize(notebook: nbformat.NotebookNode) -> bytes:
    nbformat.validate(notebook)
    text = json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True)
    return (text + "\n").encode()


def build(
    paths: Iterable[Path],
    project: Project,
    force: bool = False,
    run: bool = True,
    on_cell: Callable[[Target, int], None] = lambda target, index: None,
    on_end: Callable[[Outcome], None] = lambda outcome: None,
) -> list[Outcome]:
    """Bring the published notebooks up to date, two kernels at a time.

    ``force`` runs also what has not changed, one at a time: the cells that tell times have the
    machine for themselves.
    One notebook that fails does not keep the others from being built; its old version stays.
    ``run=False`` leaves a notebook that has to run as it is (outcome ``must-run``).
    """
    plan: list[Target] = []
    outcomes: list[Outcome] = []

    def end(outcome: Outcome) -> None:
        outcomes.append(outcome)
        on_end(outcome)

    for path in paths:
        try:
            plan += targets(path, project)
        except CourseError as error:
            end(Outcome(path.relative_to(project.root), "failed", error))

    def one(target: Target) -> Outcome:
        try:
            return _publish(target, project, force, run, lambda index: on_cell(target, index))
        except CourseError as error:
            return Outcome(target.path, "failed", error)

    with ThreadPoolExecutor(1 if force else WORKERS) as pool:
        try:
            for done in as_completed([pool.submit(one, target) for target in plan]):
                end(done.result())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            kill_kernels()
            raise
    return outcomes


def _publish(target: Target, project: Project, force: bool, run: bool, on_cell) -> Outcome:
    path = project.root / target.path
    notebook = None if force and target.executed else expected(target, project)
    action = "written"
    if notebook is None and not run:
        return Outcome(target.path, "must-run")
    if notebook is None:
        notebook = assemble(target, project)
        path.parent.mkdir(parents=True, exist_ok=True)
        execute(notebook, target.document, project, path.parent, on_cell)
        notebook.metadata[KEY]["outputs"] = outputs_digest(notebook)
        action = "executed"
    content = serialize(notebook)
    if path.is_file() and path.read_bytes() == content:
        return Outcome(target.path, action if action == "executed" else "same")
    write_whole(path, content)
    return Outcome(target.path, action)


def load(path: Path) -> nbformat.NotebookNode | None:
    """The notebook at ``path``, or None where there is none that can be read."""
    try:
        return nbformat.read(path, as_version=4)
    except (OSError, ValueError, nbformat.ValidationError):
        return None


def _outputs_fit(old: nbformat.NotebookNode, new: nbformat.NotebookNode) -> bool:
    """True if the outputs in ``old`` came from the same inputs and were not touched since."""
    record = old.metadata.get(KEY, {})
    code = [c.source for c in old.cells if c.cell_type == "code"]
    return (
        record.get("inputs") == new.metadata[KEY]["inputs"]
        and code == [c.source for c in new.cells if c.cell_type == "code"]
        and [c.execution_count for c in old.cells if c.cell_type == "code"]
        == list(range(1, len(code) + 1))
        and record.get("outputs") == outputs_digest(old)
    )
