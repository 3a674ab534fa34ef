"""axe finds nothing on any page; the keyboard reaches everything that can be used."""

from __future__ import annotations

from pathlib import Path

import axe_playwright_python
import pytest

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
# A page shows the same few colours of code thousands of times, and two hundred cells that differ in
# nothing but their text: two of each colour and three of each kind of cell are enough to judge.
THIN_OUT = """() => {
  const seen = new Map();
  const count = (key) => seen.set(key, (seen.get(key) || 0) + 1).get(key);
  for (const token of document.querySelectorAll("pre span[class]")) {
    const place = token.closest(".cell_output") ? "out" : "in";
    if (count(place + token.className) > 2 && !token.querySelector("span")) token.remove();
  }
  for (const cell of document.querySelectorAll("article div.cell")) {
    const parts = [...cell.querySelectorAll("div, details, table, img, a")];
    const kind = [cell, ...parts].map(e => e.tagName + "." + e.className).join(" ");
    if (count(kind) > 3 && !cell.querySelector("pre span[class]")) cell.remove();
  }
}"""
# For colours, also three of each kind of paragraph, of list entry and of table row.
THIN_PROSE = """() => {
  const seen = new Map();
  const name = (e) => e.tagName + "." + e.getAttribute("class");
  for (const e of document.querySelectorAll("p, li, tr, div.cell")) {
    const kind = [...new Set([...e.querySelectorAll("*")].map(name))].sort();
    for (let box = e; box; box = box.parentElement) kind.push(name(box));
    const key = kind.join(" ");
    seen.set(key, (seen.get(key) || 0) + 1);
    if (seen.get(key) > 3) e.remove();
  }
}"""
# as the button does it; colours that change little by little have then arrived
THEME = """async (theme) => {
  document.documentElement.dataset.theme = theme;
  await Promise.allSettled(document.getAnimations().map((change) => change.finished));
}"""
# code that the browser has not drawn yet takes its new colours while axe looks
DRAWN = "article pre > code { content-visibility: visible !important }"
COLOURS = ["color-contrast", "link-in-text-block"]  # the rules whose answer depends on the theme


def violations(page, name: str, options: dict) -> list[tuple]:
    """What axe finds wrong on the open page, with three of the places."""
    found = page.evaluate("o => axe.run(o)", options | {"resultTypes": ["violations"]})
    return [
        (name, v["id"], v["help"], [node["target"] for node in v["nodes"]][:3])
        for v in found["violations"]
    ]


@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing(chrome, html, width):
    """Rules on colours in both themes, all others once: they do not depend on the theme."""
    size = {"width": width, "height": 900}
    page = chrome.new_page(viewport=size, color_scheme="light", reduced_motion="reduce")
    found = []
    for path in sorted(html.rglob("*.html")):
        if path.name == "index.html":
            continue
        page.goto(path.as_uri())
        page.evaluate(THIN_OUT)
        page.evaluate(AXE + ";0")
        others = {"rules": {rule: {"enabled": False} for rule in COLOURS}}
        found += violations(page, path.name, others)
        page.evaluate(THIN_PROSE)
        page.add_style_tag(content=DRAWN)
        for theme in ("light", "dark"):
            page.evaluate(THEME, theme)
            found += violations(page, f"{path.name}, {theme}", {"runOnly": COLOURS})
    page.close()
    assert found == []


def test_open_search_dialog_is_accessible(chrome, html):
    page = chrome.new_page()
    page.goto((html / "intro.html").as_uri())
    page.keyboard.press("Control+k")
    page.keyboard.type("기울기")
    page.locator("dialog [role=option]").first.wait_for()
    page.keyboard.press("ArrowDown")
    page.evaluate(AXE + ";0")
    assert page.evaluate("axe.run('#pst-search-dialog')")["violations"] == []
    page.close()


def test_keyboard_starts_at_the_text_and_reaches_search_and_copy(chrome, html):
    page = chrome.new_page()
    page.goto((html / "chapters/07-from-pytorch.html").as_uri())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "본문으로 건너뛰기"
    reached = set()
    for _ in range(80):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.className.toString().split(' ').pop()"))
        if "copybtn" in reached:
            break
    assert "search-button__button" in str(reached) or "pst-js-only" in str(reached)
    assert page.locator("button.copybtn").first.get_attribute("aria-label") or page.locator(
        "button.copybtn"
    ).first.get_attribute("data-tooltip")
    page.close()


def test_wide_table_scrolls_inside_itself_and_by_keyboard(chrome, html):
    page = chrome.new_page(viewport={"width": 320, "height": 700})
    page.goto((html / "chapters/00-why-jax.html").as_uri())
    tables = page.locator(".pst-scrollable-table-container")
    wide = [
        index
        for index in range(tables.count())
        if tables.nth(index).evaluate("e => e.scrollWidth > e.clientWidth + 1")
    ]
    assert wide, "320픽셀보다 넓은 표가 하나도 없습니다."
    for index in wide:
        assert tables.nth(index).get_attribute("tabindex") == "0"
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.close()


def test_reader_who_wants_no_motion_gets_none(chrome, html):
    page = chrome.new_page(reduced_motion="reduce")
    page.goto((html / "intro.html").as_uri())
    durations = page.evaluate(
        """() => [...document.querySelectorAll("body *")]
          .map(e => parseFloat(getComputedStyle(e).transitionDuration)).filter(d => d > 0.001)"""
    )
    assert durations == []
    page.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_line_that_leads_back_to_the_last_page_is_accessible(chrome, html, theme):
    context = chrome.new_context(color_scheme=theme)
    page = context.new_page()
    page.goto((html / "chapters/01-immutable-arrays.html").as_uri())
    page.evaluate("document.querySelectorAll('article h2')[3].scrollIntoView()")
    page.wait_for_function("localStorage.getItem('course-reading')")
    page.goto((html / "intro.html").as_uri())
    page.locator(".course-continue > a").wait_for()
    page.evaluate(AXE + ";0")
    assert page.evaluate("axe.run('.course-continue')")["violations"] == []
    context.close()
