"""The book: strict, with the diagrams as SVG, and served while it is being written."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

from coursekit.findings import CourseError
from coursekit.notebooks import publish
from coursekit.project import Project
from coursekit.site import build as book
from coursekit.site.serve import open_server


def test_every_notebook_has_a_page(checkout, html):
    for path in checkout.sources():
        for target in publish.targets(path, checkout):
            assert (html / target.path.with_suffix(".html")).is_file()


def test_pages_show_svg_and_no_raw_data_uri(html):
    for page in html.glob("c*/*.html"):
        text = page.read_text(encoding="utf-8")
        assert "](data:" not in text
        drawn = re.search(r'<img[^>]+src="\.\./_images/[\w-]+\.svg"', text)
        assert drawn or page.stem.endswith("-deeper")
        assert 'src="data:image/png' not in text.split("</article>")[0]


def test_pages_offer_colab_and_the_notebook(checkout, html):
    for path in checkout.sources():
        for target in publish.targets(path, checkout):
            text = (html / target.path.with_suffix(".html")).read_text(encoding="utf-8")
            if checkout.stand_in:  # nothing leads to a repository that is not there
                assert checkout.repository not in text.split("</head>")[1]
                assert "colab.research.google.com/github" not in text
            else:
                assert text.count(checkout.colab_url(str(target.path))) >= 2  # button and badge
            assert (html / "_sources" / target.path).is_file()


def test_menus_name_chapters_by_their_numbers(checkout, html):
    toc = (checkout.root / "_toc.yml").read_text(encoding="utf-8")
    told = re.findall(r"file: \w+/0(\d)-[\w-]+\n +title: \D*(\d)\. ", toc)
    assert len(told) == 32 and all(file == title for file, title in told)
    menu = (html / "chapters/04-vmap-and-sharding.html").read_text(encoding="utf-8")
    for words in ("3. grad<", "3. 더 깊이<", "연습 3. grad<", "풀이 3. grad<"):
        assert f">{words}" in menu, words


@pytest.mark.parametrize(("changed", "kept"), [(0, False), (-60, True)])
def test_a_changed_contents_list_has_every_page_made_anew(tmp_path, changed, kept):
    read = tmp_path / "_build" / ".doctrees" / "environment.pickle"
    read.parent.mkdir(parents=True)
    read.write_bytes(b"")
    (tmp_path / "_toc.yml").write_text("root: intro\n", encoding="utf-8")
    now = time.time()
    os.utime(read, (now - 30, now - 30))
    os.utime(tmp_path / "_toc.yml", (now + changed, now + changed))
    book.forget_menus(Project(tmp_path))
    assert read.exists() is kept


def test_solution_is_titled_as_one(html):
    titles = [
        re.search(r"<title>([^<]*)", (html / folder / "07-from-pytorch.html").read_text("utf-8"))[1]
        for folder in ("exercises", "solutions")
    ]
    assert titles[0].startswith("연습") and titles[1].startswith("풀이")


@pytest.mark.parametrize(
    ("old", "new", "diagnostic"),
    [
        ("[첫 장](chapters/01-sample.ipynb)", "[첫 장](chapters/09.ipynb)", "chapters/09.ipynb"),
        ("[첫 장](chapters/01-sample.ipynb)", "{ref}`없는-이름`", "없는-이름"),
        ("[첫 장](chapters/01-sample.ipynb)", "![그림](nothing.png)", "nothing.png"),
    ],
)
def test_broken_reference_fails_the_build_and_is_named(sample, old, new, diagnostic):
    page = sample.root / "intro.md"
    page.write_text(page.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(CourseError) as caught:
        book.build(sample)
    assert "intro.md" in str(caught.value) and diagnostic in str(caught.value)


def test_taken_port_moves_to_the_next_free_one(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        server = open_server(tmp_path, port)
        assert server.server_port > port and server.server_address[0] == "127.0.0.1"
        server.server_close()


SERVE = """
import sys
from pathlib import Path
from coursekit.project import Project
from coursekit.site.serve import serve
serve(Project(Path(sys.argv[1])), int(sys.argv[2]))
"""


def test_serve_shows_the_book_rebuilds_on_change_and_ends_cleanly(sample, checkout, tmp_path):
    log = tmp_path / "log"
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-u", "-c", SERVE, str(sample.root), "8700"],
            cwd=checkout.root,
            env=os.environ | {"PYTHONUTF8": "1"},
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    try:
        address = wait_for(lambda: re.search(r"http://127\.0\.0\.1:\d+/", log.read_text()))[0]
        assert "견본 책" in fetch(address + "intro.html")
        page = sample.root / "intro.md"
        page.write_text(page.read_text(encoding="utf-8") + "\n바뀐 글\n", encoding="utf-8")
        wait_for(lambda: "바뀐 글" in fetch(address + "intro.html"))
        page.write_text("# 견본\n\n{ref}`없는-이름`\n", encoding="utf-8")
        wait_for(
            lambda: "없는-이름" in log.read_text() and "책을 빌드하지 못했습니다" in log.read_text()
        )
        assert process.poll() is None
    finally:
        process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 0
    assert "서버를 닫았습니다" in log.read_text() and "Traceback" not in log.read_text()


def fetch(address: str) -> str:
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError:
        return ""  # the page is being written


def wait_for(condition, seconds: float = 120):
    """The first true value of ``condition``; the bound is for a hung build, not for speed."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.2)
    raise AssertionError("기다리던 일이 일어나지 않았습니다.")
