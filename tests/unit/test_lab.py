"""A learner's copy of a notebook: made once, never overwritten, opened by JupyterLab."""

from __future__ import annotations

import importlib.util
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

from coursekit import lab
from coursekit.findings import CourseError
from coursekit.notebooks import publish


def test_copy_is_made_once_and_neither_lab_nor_a_build_changes_it(sample):
    copy = lab.copy_of(sample, "1", exercise=True)
    assert copy == sample.root / "my-notebooks/exercises/01-sample.ipynb"
    assert copy.read_bytes() == (sample.root / "exercises/01-sample.ipynb").read_bytes()
    copy.write_text("답", encoding="utf-8")
    path = sample.source / "exercises/01-sample.md"
    path.write_text(path.read_text("utf-8") + "\n마지막 문장입니다.\n", encoding="utf-8")
    publish.build(sample.sources(), sample)
    assert lab.copy_of(sample, "01", exercise=True) == copy
    assert copy.read_text(encoding="utf-8") == "답"


def test_a_number_opens_the_chapter_and_not_its_deeper_page(sample):
    folder = sample.root / "chapters"
    (folder / "01-sample-deeper.ipynb").write_bytes(b"{}")
    assert lab.copy_of(sample, "01", exercise=False).name == "01-sample.ipynb"


def test_chapter_and_exercise_are_kept_apart_and_a_wrong_number_is_explained(sample):
    chapter = lab.copy_of(sample, "01", exercise=False)
    assert chapter != lab.copy_of(sample, "01", exercise=True)
    with pytest.raises(CourseError, match="42번 노트북이 없습니다. 있는 번호: 01"):
        lab.copy_of(sample, "42", exercise=False)


def test_git_ignores_the_copies(checkout):
    lines = (checkout.root / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert f"{lab.FOLDER}/" in lines


needs_lab = pytest.mark.skipif(
    importlib.util.find_spec("jupyterlab") is None,
    reason="JupyterLab 없이 테스트했습니다. 설치하는 명령: python3 book.py lab",
)


@needs_lab
def test_page_opens_and_its_kernel_runs_the_notebook(sample):
    copy = lab.copy_of(sample, "01", exercise=False)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = ["--no-browser", f"--port={port}", "--IdentityProvider.token=t", "--allow-root"]
    process = subprocess.Popen(
        lab.command(sample, copy, options),
        env=os.environ | {"JUPYTER_PREFER_ENV_PATH": "1", "JUPYTER_CONFIG_DIR": str(sample.root)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    base = f"http://127.0.0.1:{port}"
    try:
        page = fetch(process, f"{base}/lab/tree/chapters/01-sample.ipynb?token=t")
        assert "JupyterLab" in page
        assert json.loads(fetch(process, f"{base}/api/kernelspecs?token=t"))["default"] == "python3"
        assert execute(base) == sys.prefix
    finally:
        process.terminate()
        process.wait(30)


def fetch(process: subprocess.Popen, address: str) -> str:
    """The page, as soon as the server is there."""
    end = time.monotonic() + 180
    while True:
        try:
            with urllib.request.urlopen(address, timeout=30) as page:
                return page.read().decode("utf-8")
        except urllib.error.URLError:
            if process.poll() is not None or time.monotonic() > end:
                raise
            time.sleep(0.5)


def execute(base: str) -> str:
    """What a kernel that the server starts says its environment is."""
    from tornado.ioloop import IOLoop
    from tornado.websocket import websocket_connect

    request = urllib.request.Request(f"{base}/api/kernels?token=t", data=b"{}", method="POST")
    with urllib.request.urlopen(request, timeout=60) as reply:
        kernel = json.loads(reply.read())["id"]
    message = {
        "header": {
            "msg_id": "1",
            "msg_type": "execute_request",
            "username": "",
            "session": "1",
            "version": "5.3",
        },
        "parent_header": {},
        "metadata": {},
        "channel": "shell",
        "content": {"code": "import sys; print(sys.prefix)", "silent": False},
    }

    async def talk() -> str:
        address = f"{base.replace('http', 'ws')}/api/kernels/{kernel}/channels?token=t"
        channel = await websocket_connect(address)
        await channel.write_message(json.dumps(message))
        while True:
            reply = json.loads(await channel.read_message())
            if reply["msg_type"] == "stream":
                return reply["content"]["text"].strip()
            assert reply["msg_type"] != "error", reply["content"]

    return IOLoop().run_sync(talk, timeout=180)
