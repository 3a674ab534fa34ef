"""Run a notebook in a fresh kernel and leave outputs that are the same on every machine."""

from __future__ import annotations

import configparser
import os
import re
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from coursekit.findings import CourseError
from coursekit.notebooks.source import Document
from coursekit.project import Project

CELL_TIMEOUT = 600  # seconds; a torch.compile cell on a busy machine is the longest
_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


_running: set[AsyncKernelManager] = set()


def kill_kernels() -> None:
    """End every kernel at once (Ctrl-C): the threads that wait for them then end too."""
    for manager in list(_running):
        if process := getattr(manager.provisioner, "process", None):
            process.kill()


def kernel_environment() -> dict[str, str]:
    """Environment of every kernel: the CPU only, and no width that depends on a terminal."""
    return os.environ | {
        "JAX_PLATFORMS": "cpu",
        "COLUMNS": "88",
        "PYTHONHASHSEED": "0",
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    }


def sanitize_rules(project: Project) -> list[tuple[re.Pattern, str]]:
    """The pairs of regex and replacement that nbval uses too."""
    parser = configparser.RawConfigParser()
    parser.read(project.sanitize_rules, encoding="utf-8")
    return [(re.compile(parser[s]["regex"]), parser[s]["replace"]) for s in parser.sections()]


def scrub(notebook: nbformat.NotebookNode, project: Project) -> None:
    """Take pids, addresses, paths and colours out of all outputs, in place."""
    rules = sanitize_rules(project)

    def clean(text: str) -> str:
        for pattern, replacement in rules:
            text = pattern.sub(replacement, text)
        return text

    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if output.output_type == "stream":
                output.text = clean(output.text)
            for kind, value in output.get("data", {}).items():
                if kind.startswith("text/") and isinstance(value, str):
                    output.data[kind] = clean(value)


def execute(
    notebook: nbformat.NotebookNode,
    document: Document,
    project: Project,
    working_folder: Path,
    on_cell: Callable[[int], None] = lambda index: None,
) -> None:
    """Run all code cells of ``notebook`` in place; outputs are scrubbed.

    ``document`` gives the file and line for the CourseError that a failing cell raises;
    ``on_cell`` is told the index of each cell before it runs.
    """
    with tempfile.TemporaryDirectory(prefix="kernel-") as sockets:
        # the async manager: with the other one nbclient waits for a dead kernel until the timeout
        manager = AsyncKernelManager(kernel_name="python3")
        if os.name != "nt":  # no port that others on the machine can reach
            manager.transport, manager.ip = "ipc", os.path.join(sockets, "zmq")
        _running.add(manager)
        try:
            _run_cells(notebook, document, manager, working_folder, on_cell)
        finally:
            _running.discard(manager)
    notebook.metadata.pop("language_info", None)
    scrub(notebook, project)


def _run_cells(notebook, document: Document, manager, working_folder, on_cell) -> None:
    client = NotebookClient(
        notebook,
        km=manager,
        timeout=CELL_TIMEOUT,
        coalesce_streams=True,
        record_timing=False,
        resources={"metadata": {"path": str(working_folder)}},
    )
    with client.setup_kernel(env=kernel_environment(), stderr=subprocess.DEVNULL):
        for index, cell in enumerate(notebook.cells):
            on_cell(index)
            try:
                client.execute_cell(cell, index)
            except CellExecutionError as error:
                raise _failure(document, index, error) from None
            except CellTimeoutError:
                raise _failure(
                    document, index, f"{CELL_TIMEOUT}초 안에 끝나지 않았습니다."
                ) from None
            except DeadKernelError:
                raise _failure(
                    document, index, "커널이 죽었습니다. 메모리가 모자라지 않은지 봅니다."
                ) from None


def _failure(document: Document, index: int, error: CellExecutionError | str) -> CourseError:
    cell = document.cells[index]
    line = 1
    if isinstance(error, CellExecutionError):
        trace = _ANSI.sub("", error.traceback)
        if found := re.search(r"Cell In\[\d+\], line (\d+)", trace):
            line = int(found.group(1))
        error = f"{error.ename}: {error.evalue}"
    shown = "\n".join(f"    {text}" for text in cell.source.split("\n"))
    return CourseError(f"셀을 실행하다 멈췄습니다.\n{shown}\n  {error}", *cell.place(line))
