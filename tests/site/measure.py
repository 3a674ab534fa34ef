"""Measure the book beside the default Jupyter Book on the same content, and write both down.

``python tests/site/measure.py`` writes ``docs/site-measures.json`` and ``.md``. It takes minutes
(it builds two books), so it is no test; the tests hold the limits.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from datetime import date
from pathlib import Path
from urllib.parse import unquote, urlparse

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import axe_playwright_python  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from coursekit.notebooks import diagrams  # noqa: E402
from tests.site import judged  # noqa: E402

CONTENT = ("chapters", "exercises", "solutions", "reference", "source")
SAMPLE = ("chapters/01-immutable-arrays", "chapters/02-jit-and-xla", "chapters/03-grad")
PACKED = {".png", ".woff2"}
SHIFT = """() => new Promise(done => {
  let sum = 0;
  new PerformanceObserver(list => list.getEntries().forEach(e => (sum += e.value)))
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 600);
})"""
DEFAULT_SEARCH = """text => {
  const [query, terms, excluded, marked, objects] = Search._parseQuery(text);
  return Search._performSearch(query, terms, excluded, marked, objects)
    .reverse().map(([page, title]) => ({ page, title: title.replace(/<[^>]+>/g, "") }));
}"""


def build(folder: Path, own: bool) -> tuple[Path, float]:
    """(HTML folder, seconds) of the book in ``folder``, ours or Jupyter Book's default."""
    for name in CONTENT:
        shutil.copytree(ROOT / name, folder / name)
    for name in ("_toc.yml", "intro.md", "_config.yml"):
        shutil.copy(ROOT / name, folder / name)
    if not own:
        config = (folder / "_config.yml").read_text(encoding="utf-8")
        config = re.sub(r"  local_extensions:\n(?:    .*\n)+", "", config)
        (folder / "_config.yml").write_text(config, encoding="utf-8")
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", "from jupyter_book.cli.main import main; main()", "build", folder],
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        sys.exit(done.stdout[-3000:] + done.stderr[-3000:])
    return folder / "_build" / "html", time.monotonic() - began


def weigh(browser, html: Path) -> dict:
    """Per sample page: bytes and requests of the first view on a phone, and what goes wrong."""
    axe = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
    rows = {}
    for name in SAMPLE:
        page = browser.new_page(viewport={"width": 390, "height": 844})
        asked, errors = [], []
        page.on("request", lambda r, asked=asked: asked.append(r.url))
        page.on("pageerror", lambda e, errors=errors: errors.append(str(e)))
        page.on("console", lambda m, errors=errors: m.type == "error" and errors.append(m.text))
        page.route(re.compile("^https?:"), lambda route: route.abort())
        page.goto((html / f"{name}.html").as_uri(), timeout=120_000)
        page.wait_for_timeout(2000)
        shift = page.evaluate(SHIFT)
        files = {Path(unquote(urlparse(a).path)) for a in asked if a.startswith("file:")}
        told = len([e for e in errors if "ERR_FAILED" not in e])  # axe's own reading adds some
        page.evaluate(axe + ";0")
        found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
        rows[name] = {
            "kilobytes": round(sum(weight(f) for f in files if f.is_file()) / 1000),
            "requests": len(files),
            "outside": len({a for a in asked if a.startswith("http")}),
            "shift": round(shift, 3),
            "errors": told,
            "axe": sum(len(v["nodes"]) for v in found),
        }
        page.close()
    return rows


def weight(path: Path) -> int:
    """Bytes that a server sends for ``path``."""
    data = path.read_bytes()
    return len(data) if path.suffix in PACKED else len(gzip.compress(data, 6))


def searched(browser, html: Path, own: bool) -> dict:
    """Of each judged set: share right first and in the first three, and queries without result.

    Ours is right with the section; the default engine already with the page.
    """
    page = browser.new_page()
    page.goto((html / "search.html").as_uri())
    if own:
        page.locator("article form.bd-search input").focus()
        page.wait_for_function("window.CourseSearch?.ready() ?? false")
    else:
        page.wait_for_function("typeof Search !== 'undefined' && Search._index !== null")
    script = "text => CourseSearch.search(text, 10)" if own else DEFAULT_SEARCH
    result, times = {}, []
    for name, queries in judged.sets().items():
        counts = Counter()
        for query in queries:
            took, found = page.evaluate(
                f"text => {{ const t = performance.now(); const found = ({script})(text);"
                " return [performance.now() - t, found]; }",
                query.text,
            )
            times.append(took)
            place = judged.rank(query, found) if own else page_rank(query, found)
            counts["n"] += 1
            counts["first"] += place == 0
            counts["three"] += 0 <= place < 3
            counts["none"] += not found
        result[name] = dict(counts)
    result["milliseconds"] = round(statistics.median(times), 2)
    file = "search-index.js" if own else "searchindex.js"
    result["index_kilobytes"] = round(len(gzip.compress((html / file).read_bytes())) / 1000)
    page.close()
    return result


def page_rank(query: judged.Query, found: list[dict]) -> int:
    pages = {page for page, _ in query.answers}
    return next((i for i, result in enumerate(found[:10]) if result["page"] in pages), -1)


def table(measured: dict) -> str:
    """The Markdown page of the measures."""
    default, ours = measured["default"], measured["ours"]

    def share(which: dict, key: str, names=("own", "independent", "problems")) -> str:
        n = sum(which["search"][name].get("n", 0) for name in names)
        right = sum(which["search"][name].get(key, 0) for name in names)
        return f"{100 * right / n:.1f} %" if n else "–"

    rows = [
        (
            "첫 화면(휴대 전화) " + name,
            page_cell(default, name),
            page_cell(ours, name),
            "≤ 500 KB, ≤ 25",
        )
        for name in SAMPLE
    ]
    for key, label, target in (
        ("outside", "밖으로 나가는 요청", "0"),
        ("shift", "배치 이동(CLS)", "≤ 0.02"),
        ("errors", "콘솔 오류", "0"),
        ("axe", "axe 위반", "0"),
    ):
        worst = [max(which["pages"][n][key] for n in SAMPLE) for which in (default, ours)]
        rows.append((f"{label}, 가장 나쁜 쪽", *map(str, worst), target))
    for key, label, target in (
        ("first", "검색: 첫째가 맞음", "≥ 88 %"),
        ("three", "검색: 셋 안에 맞음", "≥ 97 %"),
    ):
        rows.append((f"{label}, 모두", share(default, key), share(ours, key), target))
        for name, korean in (
            ("own", "우리가 쓴 질의"),
            ("independent", "남이 쓴 질의"),
            ("problems", "공개된 문제"),
        ):
            rows.append(
                (
                    f"{label}, {korean}",
                    share(default, key, (name,)),
                    share(ours, key, (name,)),
                    target,
                )
            )
    none = [
        sum(w["search"][n].get("none", 0) for n in ("own", "independent", "problems"))
        for w in (default, ours)
    ]
    rows.append(("검색: 결과 없음", *map(str, none), "0"))
    rows.append(
        (
            "검색: 한 질의(중앙값)",
            f"{default['search']['milliseconds']} ms",
            f"{ours['search']['milliseconds']} ms",
            "≤ 5 ms",
        )
    )
    rows.append(
        (
            "검색 색인(gzip)",
            f"{default['search']['index_kilobytes']} KB",
            f"{ours['search']['index_kilobytes']} KB",
            "≤ 200 KB",
        )
    )
    rows.append(("처음부터 빌드", f"{default['seconds']} s", f"{ours['seconds']} s", "≤ 20 s"))
    lines = [
        "# 책의 측정",
        "",
        f"{measured['date']}에 `python tests/site/measure.py`로 쟀습니다.",
        f"그때 1분 평균 부하는 CPU {measured['cpus']}개에 {measured['load']}였습니다. 부하가 크면 시간은 믿을 수 없습니다.",
        "기본은 같은 글을 확장 없이 빌드한 Jupyter Book입니다.",
        "기본 검색은 맞는 쪽만 찾아도 맞은 것으로, 우리 검색은 맞는 절을 찾아야 맞은 것으로 셉니다.",
        "기본의 첫 화면에는 밖에서 받는 파일(MathJax)의 크기가 빠져 있습니다.",
        "",
        "| 잰 것 | 기본 | 이 책 | 목표 |",
        "|---|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in rows),
        "",
    ]
    return "\n".join(lines)


def page_cell(which: dict, name: str) -> str:
    page = which["pages"][name]
    return f"{page['kilobytes']} KB, {page['requests']}개"


def main() -> None:
    measured = {
        "date": date.today().isoformat(),
        "cpus": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
    }
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=diagrams.browser(), args=["--no-sandbox"]
        )
        for which in ("default", "ours"):
            own = which == "ours"
            place = Path(folder, which)
            place.mkdir()
            print(f"{which}: 빌드", flush=True)
            html, seconds = build(place, own)
            print(f"{which}: 무게", flush=True)
            pages = weigh(browser, html)
            print(f"{which}: 검색", flush=True)
            measured[which] = {
                "seconds": round(seconds),
                "pages": pages,
                "search": searched(browser, html, own),
            }
        browser.close()
    docs = ROOT / "docs"
    (docs / "site-measures.json").write_text(json.dumps(measured, indent=1) + "\n", "utf-8")
    (docs / "site-measures.md").write_text(table(measured), encoding="utf-8")


if __name__ == "__main__":
    main()
