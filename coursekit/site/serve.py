"""Serve the book on this machine and build it again when something changes."""

from __future__ import annotations

import importlib.util
import socket
import threading
import time
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from watchfiles import watch

from coursekit.console import build_notebooks, console, working
from coursekit.findings import CourseError
from coursekit.project import Project
from coursekit.site import build as book

WATCHED = ("source", "reference", "intro.md", "_config.yml", "_toc.yml", "coursekit/site")
PORTS = 100  # how many to try, from the one asked for
_ASK_FOR_BUILD = "/_build-after"
_RELOAD = f"""<script>
(async () => {{
  for (let seen = "";;) {{
    try {{
      const now = await (await fetch("{_ASK_FOR_BUILD}?" + seen)).text();
      if (seen && now !== seen) return location.reload();
      seen = now;
    }} catch {{
      await new Promise((done) => setTimeout(done, 1000));
    }}
  }}
}})();
</script>
"""


def refresh(project: Project, pdf: bool = False) -> None:
    """Bring notebooks and book up to date; where jax is missing, only text is carried over.

    ``pdf`` tells the pages that a PDF of the book will lie beside them.
    """
    can_run = importlib.util.find_spec("jax") is not None
    for outcome in build_notebooks(project, run=can_run):
        if outcome.action == "must-run":
            number = outcome.path.name[:2]
            console.print(f"코드가 바뀌었습니다. 실행할 명령: `python3 book.py build {number}`")
    with working("책을 빌드합니다"):
        book.build(project, pdf=pdf)


def serve(project: Project, port: int) -> None:
    """Build, serve on 127.0.0.1 at ``port`` or the next free one, until Ctrl-C."""
    refresh(project)
    builds = Builds()
    server = open_server(book.output_folder(project), port, builds)
    if server.server_port != port:
        console.print(f"{port}번 포트는 이미 쓰고 있어 {server.server_port}번을 씁니다.")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    console.print(
        f"http://127.0.0.1:{server.server_port}/ 에서 볼 수 있습니다. 끝내려면 Ctrl-C를 누릅니다."
    )
    places = [project.root / name for name in WATCHED if (project.root / name).exists()]
    with suppress(KeyboardInterrupt):
        for _ in watch(*places):
            try:
                refresh(project)
                builds.add()
                console.print("다시 빌드했습니다.")
            except CourseError as error:
                console.print(str(error), style="red", markup=False)
    server.shutdown()
    console.print("서버를 닫았습니다.")


class Builds:
    """Names the build that is served; whoever waits is woken by the next one."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._started = time.time_ns()  # a page that outlives its server reloads too
        self._count = 0

    @property
    def name(self) -> str:
        return f"{self._started}-{self._count}"

    def add(self) -> None:
        """A new build lies in the folder."""
        with self._changed:
            self._count += 1
            self._changed.notify_all()

    def after(self, name: str) -> str:
        """The name of the build, at once if it is not ``name``, else when it changes (or 20 s)."""
        with self._changed:
            self._changed.wait_for(lambda: self.name != name, timeout=20)
            return self.name


class _Handler(SimpleHTTPRequestHandler):
    """The files of the book; each page gets a script that reloads it after a build."""

    def __init__(self, *args, builds: Builds, **kwargs) -> None:
        self.builds = builds
        super().__init__(*args, **kwargs)

    def do_GET(self) -> None:
        path, _, seen = self.path.partition("?")
        file = Path(self.translate_path(path))
        if path == _ASK_FOR_BUILD:
            self._send(self.builds.after(seen).encode(), "text/plain")
        elif file.suffix == ".html" and file.is_file():
            self._send(file.read_bytes() + _RELOAD.encode(), "text/html; charset=utf-8")
        else:
            super().do_GET()

    def _send(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        with suppress(ConnectionError):  # the reader went to another page
            self.wfile.write(body)

    def log_message(self, *args) -> None:
        """Say nothing: a line for each request would hide the build's messages."""


def open_server(folder: Path, port: int, builds: Builds | None = None) -> ThreadingHTTPServer:
    """A server of ``folder`` on 127.0.0.1 at the first free port from ``port`` on.

    Pages reload themselves whenever ``builds`` gets a new one.
    """
    handler = partial(_Handler, directory=str(folder), builds=builds or Builds())
    for candidate in range(port, port + PORTS):
        # a listener bound to all interfaces would not stop a second bind to 127.0.0.1
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", candidate)) == 0:
                continue
        try:
            return ThreadingHTTPServer(("127.0.0.1", candidate), handler)
        except OSError:
            continue
    raise CourseError(
        f"{port}–{port + PORTS - 1}번 포트가 모두 사용 중입니다. `--port`로 다른 번호를 줍니다."
    )
