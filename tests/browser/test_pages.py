"""Every page in a real browser: no script error, no sideways scroll, light and dark."""

from __future__ import annotations

import re
from collections import Counter

import pytest

WIDTHS = {"desk": 1280, "phone": 390, "small phone": 320}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_pages_fit_and_run_without_errors(chrome, html, width, theme):
    page = chrome.new_page(viewport={"width": WIDTHS[width], "height": 900}, color_scheme=theme)
    errors = []
    page.on("pageerror", lambda error: errors.append(f"{page.url}: {error}"))
    pages = [html / "intro.html", *sorted(html.glob("[ces]*s/*.html"))]
    assert len(pages) > 3
    for path in pages:
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= WIDTHS[width], path.name
        assert page.evaluate("document.documentElement.dataset.theme") == theme
        assert page.locator("article h1").count() == 1, path.name
    page.close()
    assert errors == []


def test_diagrams_stay_readable_on_a_phone(chrome, html):
    page = chrome.new_page(viewport={"width": 390, "height": 900})
    drawn: Counter[str] = Counter()
    for path in sorted(html.glob("chapters/*.html")):
        page.goto(path.as_uri())
        images = page.locator('article img[src$=".svg"][src*="_images"]')
        drawn[path.stem.removesuffix("-deeper")] += images.count()
        for index in range(images.count()):
            image = images.nth(index)
            image.scroll_into_view_if_needed()
            page.wait_for_function("image => image.complete", arg=image.element_handle())
            size = image.evaluate("i => [i.naturalWidth, i.getBoundingClientRect().width]")
            assert size[0] > 0 and 500 < size[1] < 700  # readable, inside its own scroll
            assert image.get_attribute("alt")
    assert len(drawn) == 8 and min(drawn.values()) >= 3
    page.close()


def test_paper_is_light_and_has_a_title_and_the_page_comes_back(chrome, html):
    page = chrome.new_page(color_scheme="dark")
    page.goto((html / "chapters" / "01-immutable-arrays.html").as_uri())
    theme = "document.documentElement.dataset.theme"
    assert page.evaluate(theme) == "dark"
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(theme) == "light"
    assert page.locator("article h1").is_visible()
    ink = page.evaluate("getComputedStyle(document.querySelector('article p')).color")
    assert max(map(int, re.findall(r"\d+", ink)[:3])) < 128
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(theme) == "dark"
    page.close()
