"""Build the book strictly and serve it."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from coursekit.findings import CourseError
from coursekit.project import Project

_DIAGNOSTIC = re.compile(r"(WARNING|ERROR|CRITICAL|Exception|Error):", re.I)
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def output_folder(project: Project) -> Path:
    return project.root / "_build" / "html"


def build(project: Project, everything: bool = False) -> Path:
    """Build the book with every warning an error; returns the HTML folder.

    Raises CourseError with Sphinx's own diagnostics. ``everything`` rebuilds all pages.
    """
    command = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()"]
    command += ["build", str(project.root)]
    command += ["-W", "-n", "--keep-going", *(["--all"] if everything else [])]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        env=os.environ | {"PYTHONUTF8": "1", "NO_COLOR": "1"},
    )
    if done.returncode:
        lines = _ANSI.sub("", done.stdout + done.stderr).splitlines()
        told = [line for line in lines if _DIAGNOSTIC.search(line)] or lines[-15:]
        raise CourseError("책을 짓지 못했습니다.\n" + "\n".join(f"  {x}" for x in told[:30]))
    return output_folder(project)


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *args) -> None:
        """Say nothing: a line for each request would hide the build's messages."""


def open_server(folder: Path, port: int) -> ThreadingHTTPServer:
    """A server of ``folder`` on 127.0.0.1 at ``port`` or the next free one (of 100)."""
    handler = partial(_QuietHandler, directory=str(folder))
    for candidate in range(port, port + 100):
        # a listener bound to all interfaces would not stop a second bind to 127.0.0.1
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", candidate)) == 0:
                continue
        try:
            return ThreadingHTTPServer(("127.0.0.1", candidate), handler)
        except OSError:
            continue
    raise CourseError(
        f"{port}–{port + 99}번 포트를 모두 쓰고 있습니다. `--port`로 다른 번호를 줍니다."
    )
