"""The review server: who gets in, what it keeps, what it refuses.  The page: tests/browser."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from urllib.parse import quote, urlencode

import pytest

from coursekit.grading.gradebook.book import Gradebook
from coursekit.grading.review.desk import Desk

from .classroom import ROOT
from .desks import NAME, fill, serving

ASK = {"exercise": NAME, "question": "문제 9"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    path = fill(tmp_path_factory.mktemp("review") / "gradebook.db", 4)
    with serving(path, "김조교", "이조교") as server:
        yield server


class Browser:
    """Just enough of one: a cookie and the headers that a page sends."""

    def __init__(self, port: int) -> None:
        self.port, self.cookie = port, ""

    def send(self, method: str, path: str, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        headers = {"Cookie": self.cookie, **{k.replace("_", "-"): v for k, v in headers.items()}}
        if method == "POST":
            headers.setdefault("Origin", f"http://127.0.0.1:{self.port}")
        connection.request(method, path, body and json.dumps(body).encode(), headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        if cookie := answer.getheader("Set-Cookie"):
            self.cookie = cookie.split(";")[0]
        return answer, text

    def get(self, path: str, **query):
        answer, text = self.send("GET", f"{path}?{urlencode(query)}")
        assert answer.status == 200, text
        return json.loads(text)

    def judge(self, item: str, **said):
        body = {**ASK, "item": item, "points": 2, "comment": "", "version": 0, "digest": "", **said}
        answer, text = self.send("POST", "/judge", body)
        return answer.status, json.loads(text) if text.startswith("{") else text


@pytest.fixture(scope="module")
def two(server):
    browsers = []
    for link in list(server.links.values()):
        browser = Browser(server.port)
        answer, _ = browser.send("GET", link[link.index("/?") :])
        assert answer.status == 302 and answer.getheader("Location") == "/"
        browsers.append(browser)
    return browsers


def test_a_link_works_once_and_nothing_is_given_without_one(server, two):
    stranger = Browser(server.port)
    assert server.tokens == {}  # both are spent
    for path in ("/", "/?token=", "/?token=wrong", f"/queue?{urlencode(ASK)}", "/review.js"):
        answer, text = stranger.send("GET", path)
        assert answer.status == 403 and "이미 쓰였거나" in text, path
    assert stranger.send("POST", "/judge", {})[0].status == 403
    assert two[0].send("GET", "/")[0].status == 200


def test_other_hosts_and_other_origins_are_refused(two):
    assert two[0].send("GET", "/", Host="evil.example")[0].status == 403
    for origin in ("http://evil.example", "null"):
        assert two[0].send("POST", "/judge", {}, Origin=origin)[0].status == 403


def test_pages_may_ask_no_one_else_and_run_only_our_script(two):
    answer, text = two[0].send("GET", "/")
    policy = answer.getheader("Content-Security-Policy")
    assert "default-src 'none'" in policy and "script-src 'self'" in policy
    assert "unsafe" not in policy and answer.getheader("Cache-Control") == "no-store"
    assert "http://" not in text.replace("http://127.0.0.1", "") and "https://" not in text


def test_paths_outside_the_static_folder_are_not_there(two):
    for path in ("/../server.py", "/review.py", "/%2e%2e/server.py", "/static/review.js"):
        assert two[0].send("GET", path)[0].status == 404


def test_what_a_student_wrote_is_shown_and_not_obeyed(two):
    found = two[0].get("/answer", **ASK, item="20230001")
    assert "<img" not in found["html"] and "&lt;img src=x" in found["html"]
    assert "캐시 키를 말합니다" in found["side"]


def test_a_grade_is_kept_with_its_history_and_its_words(two, server):
    found = two[0].get("/answer", **ASK, item="20230000")
    status, saved = two[0].judge(
        "20230000", points=3.5, comment=" 좋습니다 ", digest=found["digest"]
    )
    assert status == 200 and saved["manual"]["version"] == 1
    assert two[0].judge("20230000", points=4, comment="좋습니다", version=1)[0] == 200
    found = two[1].get("/answer", **ASK, item="20230000")
    assert found["manual"]["points"] == 4 and found["manual"]["grader"] == "김조교"
    assert "3.5점 좋습니다 → 4점 좋습니다" in found["html"]
    assert found["phrases"] == ["좋습니다"]


def test_the_history_is_told_in_words(two, server):
    page = two[0].get("/answer", **ASK, item="20230003")["html"]
    assert "채점기: 채점함, 2점" in page and "graded" not in page


def test_two_graders_can_not_overwrite_each_other(two):
    assert two[0].judge("20230002", points=1, comment="하나")[0] == 200
    status, told = two[1].judge("20230002", points=3, comment="셋")
    assert (
        status == 409 and told["current"]["grader"] == "김조교" and told["current"]["points"] == 1
    )
    assert two[1].judge("20230002", points=3, comment="셋", version=1)[0] == 200
    assert two[0].judge("20230002", points=2, version=1)[0] == 409
    assert two[0].get("/answer", **ASK, item="20230002")["manual"]["comment"] == "셋"


def test_one_sees_what_the_other_reads_and_has_graded(two):
    before = two[0].get("/queue", **ASK)["last"]
    two[1].get("/answer", **ASK, item="20230003")
    two[1].judge("20230001", points=0)
    found = two[0].get("/answer", **ASK, item="20230000", since=before)
    assert found["busy"] == {"20230003": "이조교"} and found["news"] == {"20230001": 0.0}


def test_an_answer_under_another_name_is_shown_with_the_reason(tmp_path):
    path = fill(tmp_path / "gradebook.db", 1)
    with Gradebook(path) as book:
        row = book.find(NAME, "20230000")
        reason = "predict_traces 함수를 찾지 못했습니다."
        lost = [
            replace(q, points=0, status="absent", reason=reason, probes=[])
            for q in row.result.questions
        ]
        book.save(replace(row.result, questions=lost), {"문제 1": "def my_traces(): pass"},
                  student=row.student)  # fmt: skip
    with serving(path, "조교") as server:
        browser = Browser(server.port)
        link = server.links["조교"]
        browser.send("GET", link[link.index("/?") :])
        ask = {"exercise": NAME, "question": "문제 1"}
        page = browser.get("/answer", **ask, item="20230000")["html"]
        assert browser.get("/queue", **ask)["items"][0]["status"] == "absent"
    assert reason in page and "def my_traces(): pass" in page and "답이 없습니다" not in page


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"points": 4.5}, "0부터 4까지"), ({"points": -1}, "0부터 4까지"), ({"points": "3"}, "숫자가"),
        ({"points": True}, "숫자가"), ({"points": float("nan")}, "0부터 4까지"),
        ({"comment": "가" * 10_001}, "너무 깁니다"), ({"version": None}, "새로 고칩니다"),
    ],
)  # fmt: skip
def test_nonsense_is_refused_with_a_reason(two, said, words):
    status, told = two[0].judge("20230003", **said)
    assert status == 400 and words in told["message"]


def test_what_is_not_there_is_not_found(two):
    assert two[0].judge("없음")[0] == 404
    assert two[0].send("POST", "/judge", {"item": "x"})[0].status == 404
    answer, _ = two[0].send("GET", f"/answer?{urlencode({**ASK, 'item': quote('../x')})}")
    assert answer.status == 404


def test_the_command_prints_a_link_per_grader_and_ends_quietly(tmp_path):
    path = fill(tmp_path / "gradebook.db", 2)
    line = [sys.executable, "-u", str(ROOT / "book.py"), "grade", "review", str(path),
            "--grader", "김조교", "--grader", "이조교"]  # fmt: skip
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        said = [process.stdout.readline() for _ in range(3)]
        link = re.search(r"이조교: http://127\.0\.0\.1:(\d+)(/\S+)", said[2])
        assert Browser(int(link[1])).send("GET", link[2])[0].status == 302
        process.send_signal(signal.SIGINT)
        assert "끝냈습니다" in process.communicate(timeout=60)[0] and process.returncode == 0
    finally:
        process.kill()
        process.wait()


def test_a_thousand_are_listed_and_read_quickly(tmp_path):
    """Generous limits: a machine under load must not fail this; the numbers are measured apart."""
    with Gradebook(fill(tmp_path / "gradebook.db", 1000)) as book:
        desk = Desk(book)
        start = time.perf_counter()
        assert len(desk.queue(NAME, "문제 9")["items"]) == 1000
        assert time.perf_counter() - start < 3.0
        start = time.perf_counter()
        desk.answer(NAME, "문제 9", "20230777", "조교")
        assert time.perf_counter() - start < 1.0
