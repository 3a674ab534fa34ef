"""A page that is open in a browser follows the book: after a build it loads itself again."""

from __future__ import annotations

import threading
import urllib.request

import pytest

from coursekit.site.serve import Builds, open_server


@pytest.fixture
def served(tmp_path):
    """(folder, builds, address) of a server that closes with the test."""
    builds = Builds()
    server = open_server(tmp_path, 8700, builds)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield tmp_path, builds, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def get(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=60) as reply:
        return reply.read()


def test_pages_get_the_script_and_files_stay_as_they_are(served):
    folder, builds, address = served
    (folder / "a b.html").write_text("<p>하나</p>", encoding="utf-8")
    (folder / "data.json").write_text("{}")
    assert get(f"{address}/a%20b.html?x=1").decode("utf-8").startswith("<p>하나</p><script>")
    assert get(f"{address}/data.json") == b"{}"
    assert (folder / "a b.html").read_text(encoding="utf-8") == "<p>하나</p>"


def test_question_is_answered_at_once_or_when_the_next_build_is_there(served):
    _, builds, address = served
    first = get(f"{address}/_build-after?").decode()
    assert first == builds.name
    answers = []
    waiting = threading.Thread(
        target=lambda: answers.append(get(f"{address}/_build-after?{first}").decode())
    )
    waiting.start()
    builds.add()
    waiting.join(60)
    assert answers == [builds.name] and builds.name != first


def test_open_page_shows_the_new_build(served, chrome):
    folder, builds, address = served
    file = folder / "index.html"
    file.write_text("<p id=a>처음</p>", encoding="utf-8")
    page = chrome.new_page()
    with page.expect_response(lambda reply: "_build-after" in reply.url):
        page.goto(f"{address}/index.html")
    file.write_text("<p id=a>다음</p>", encoding="utf-8")
    builds.add()
    page.wait_for_function("document.getElementById('a')?.textContent === '다음'", timeout=60_000)
    page.close()
