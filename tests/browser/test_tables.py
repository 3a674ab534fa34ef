"""On the smallest phone every table scrolls inside itself, on every page of the book."""

from __future__ import annotations

WIDE = """() => [...document.querySelectorAll("article table, article pre, article .math")]
  .filter(e => e.getBoundingClientRect().right > innerWidth + 1)
  .filter(e => {
    for (let box = e; box && box.tagName !== "ARTICLE"; box = box.parentElement)
      if (["auto", "scroll"].includes(getComputedStyle(box).overflowX)
          && box.getBoundingClientRect().right <= innerWidth + 1) return false;
    return true;
  }).map(e => e.outerHTML.slice(0, 120))"""
FIXED = """() => [...document.querySelectorAll(".pst-scrollable-table-container")]
  .filter(e => e.scrollWidth > e.clientWidth + 1 && e.getAttribute("tabindex") !== "0").length"""


def test_wide_content_of_every_page_scrolls_inside_itself(chrome, html):
    page = chrome.new_page(viewport={"width": 320, "height": 700})
    tables, found = 0, {}
    for path in sorted(html.rglob("*.html")):
        if path.name == "index.html":
            continue
        page.goto(path.as_uri())
        tables += page.locator("article table").count()
        trouble = page.evaluate(WIDE)
        if page.evaluate("document.documentElement.scrollWidth") > 320:
            trouble.append("옆으로 밀리는 쪽")
        if fixed := page.evaluate(FIXED):
            trouble.append(f"키보드로 밀 수 없는 표 {fixed}개")
        if trouble:
            found[str(path.relative_to(html))] = trouble
    page.close()
    assert tables > 30 and found == {}
