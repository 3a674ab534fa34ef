"""Pages need nothing from outside, and little from inside."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest

BYTES, REQUESTS = 500_000, 25
PACKED = {".png", ".woff2", ".zip"}  # a server does not compress these again


def every_page(html: Path) -> list[Path]:
    """All pages of the book but index.html, which only forwards."""
    return [path for path in sorted(html.rglob("*.html")) if path.name != "index.html"]


@pytest.fixture(scope="module")
def visits(chrome, html) -> dict[str, tuple[list[str], list[str]]]:
    """For each page: the addresses it asks for on a phone, and what its console complains of."""
    page = chrome.new_page(viewport={"width": 390, "height": 844})
    seen = {}
    asked, errors = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda m: m.type in ("error", "warning") and errors.append(m.text))
    page.route(re.compile("^https?:"), lambda route: route.abort())
    for path in every_page(html):
        asked.clear(), errors.clear()
        page.goto(path.as_uri())
        seen[str(path.relative_to(html))] = (list(asked), list(errors))
    page.close()
    return seen


def test_no_page_asks_for_anything_from_outside(visits):
    assert len(visits) > 10
    outside = {
        (name, address)
        for name, (asked, _) in visits.items()
        for address in asked
        if not address.startswith(("file:", "data:"))
    }
    assert outside == set()


def test_no_page_complains_in_the_console(visits):
    assert {name: errors for name, (_, errors) in visits.items() if errors} == {}


def test_first_view_is_light(visits):
    heavy = {}
    for name, (asked, _) in visits.items():
        files = {Path(unquote(urlparse(a).path)) for a in asked if a.startswith("file:")}
        size = sum(weight(path) for path in files)
        if size > BYTES or len(files) > REQUESTS:
            heavy[name] = (size, len(files))
    assert heavy == {}


def weight(path: Path) -> int:
    """Bytes that a server sends for ``path``."""
    data = path.read_bytes()
    return len(data) if path.suffix in PACKED else len(gzip.compress(data, 6))


def test_every_icon_is_drawn(chrome, html):
    page = chrome.new_page()
    for name in ("intro.html", "chapters/01-immutable-arrays.html", "search.html"):
        page.goto((html / name).as_uri())
        missing = page.evaluate(
            """() => [...document.querySelectorAll("[class*='fa-']")]
              .filter(e => getComputedStyle(e, "::before").maskImage === "none")
              .map(e => e.className)"""
        )
        assert missing == [], name
    page.close()


def test_images_keep_their_place_and_wait(html):
    for path in html.glob("chapters/*.html"):
        article = path.read_text(encoding="utf-8").split("<article")[1].split("</article>")[0]
        for tag in re.findall(r"<img\b[^>]*>", article):
            assert "width=" in tag and "height=" in tag, f"{path.name}: {tag[:120]}"
            assert 'loading="lazy"' in tag or "colab-badge" in tag


def test_formulas_are_mathml_that_says_what_it_is(html):
    text = (html / "chapters/03-grad.html").read_text(encoding="utf-8")
    assert text.count("<math ") > 20 and text.count("<math alttext=") == text.count("<math ")
    assert "<script" in text and not re.search(r"<script[^>]*mathjax", text, re.I)


def test_images_keep_their_proportions_on_a_phone(chrome, html):
    page = chrome.new_page(viewport={"width": 390, "height": 844})
    for name in ("chapters/01-immutable-arrays.html", "chapters/07-from-pytorch.html"):
        page.goto((html / name).as_uri())
        sizes = page.evaluate(
            """() => [...document.querySelectorAll("article img[width]")].map(image => {
              const box = image.getBoundingClientRect();
              return [image.getAttribute("width") / image.getAttribute("height"),
                      box.width / box.height];
            })"""
        )
        assert sizes and all(abs(own / shown - 1) < 0.02 for own, shown in sizes), name
    page.close()
