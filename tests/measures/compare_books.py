"""Measure the book beside the default Jupyter Book on the same content, and write both down.

``python tests/measures/compare_books.py [--part … --book …] [--lighthouse node_modules/lighthouse]`` writes
``docs/site-measures.json`` and ``.md``; what is not measured stays as it was. It takes many
minutes, so it is no test; the tests hold the limits. Lighthouse is installed by whoever runs
this, with npm, outside the tree.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import statistics
import sys
import tempfile
from collections import Counter
from datetime import date
from pathlib import Path
from urllib.parse import unquote, urlparse

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from playwright.sync_api import sync_playwright  # noqa: E402

from coursekit.browser import browser_path  # noqa: E402
from tests.browser.test_accessible import AXE, THIN_OUT  # noqa: E402
from tests.measures import books, lighthouse  # noqa: E402
from tests.measures.comparison_page import page_of  # noqa: E402
from tests.site import judged  # noqa: E402

PARTS = ("build", "weight", "search", "lighthouse")
BOOKS = ("default", "ours")
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


def chapters() -> list[str]:
    """Every chapter, as a page of the book."""
    return [f"chapters/{path.stem}" for path in sorted((books.ROOT / "chapters").glob("*.ipynb"))]


def weigh(browser, html: Path) -> dict:
    """Per chapter: bytes and requests of the first view on a phone, and what goes wrong."""
    rows = {}
    for name in chapters():
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
        page.evaluate(THIN_OUT)
        page.evaluate(AXE + ";0")
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
    for name, queries in (judged.sets() | judged.apart()).items():
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


def one_book(which: str, place: Path, parts: list[str], tool: Path | None, runs: int) -> dict:
    """The ``parts`` of the measures of one of the two books, built in ``place``."""
    own = which == "ours"
    books.copy(place, own)
    print(f"{which}: 빌드", flush=True)
    if "build" in parts:
        html, seconds = books.build(place, own)
        found = {"seconds": seconds}
    else:
        books.timed(place, own)
        html, found = place / "_build" / "html", {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        if "weight" in parts:
            print(f"{which}: 무게", flush=True)
            found["pages"] = weigh(browser, html)
        if "search" in parts:
            print(f"{which}: 검색", flush=True)
            found["search"] = searched(browser, html, own)
        browser.close()
    if "lighthouse" in parts:
        print(f"{which}: Lighthouse", flush=True)
        found["lighthouse"] = lighthouse.measure(tool, html, chapters(), runs)
    return found


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--part", action="append", choices=PARTS, help="only this part")
    asked.add_argument("--book", action="append", choices=BOOKS, help="only this one of the two")
    asked.add_argument("--lighthouse", type=Path, help="folder of an installed Lighthouse")
    asked.add_argument("--runs", type=int, default=5, help="Lighthouse runs of a page")
    options = asked.parse_args()
    options.book = options.book or BOOKS
    wanted = options.part or PARTS
    parts = [part for part in wanted if part != "lighthouse" or options.lighthouse]
    docs = books.ROOT / "docs"
    kept = docs / "site-measures.json"
    measured = json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else {}
    version = lighthouse.version(options.lighthouse) if "lighthouse" in parts else None
    with tempfile.TemporaryDirectory() as folder:
        for which in options.book:
            before = os.getloadavg()[0]
            place = Path(folder, which)
            place.mkdir()
            found = one_book(which, place, parts, options.lighthouse, options.runs)
            now = {
                "date": date.today().isoformat(),
                "cpus": os.cpu_count(),
                "load": [round(load, 1) for load in (before, os.getloadavg()[0])],
            }
            old = measured.get(which, {})
            when = old.get("when", {}) | dict.fromkeys(parts, now)
            measured[which] = old | found | {"when": when}
    if version:
        measured["lighthouse"] = version
    kept.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    page = docs / "site-measures.md"
    page.write_text(page_of(measured, page), encoding="utf-8")


if __name__ == "__main__":
    main()
