"""Code out of sight is not laid out, and nobody can tell: sizes stay, the keyboard reaches all."""

from __future__ import annotations

import pytest

SIZES = """() => [...document.querySelectorAll("article div.highlight > pre")].map(e => ({
  height: e.getBoundingClientRect().height, wide: e.scrollWidth > e.clientWidth + 1,
  stop: e.tabIndex === 0 }))"""
SKIPPED = """() => [...document.querySelectorAll("article div.highlight > pre > code > span")]
  .filter(e => !e.checkVisibility({ contentVisibilityAuto: true })).length"""
ALL = "article div.highlight > pre > code { content-visibility: visible !important }"


@pytest.mark.parametrize("width", [390, 1280])
def test_blocks_out_of_sight_keep_their_place_and_their_tab_stop(chrome, html, width):
    page = chrome.new_page(viewport={"width": width, "height": 844})
    skipped = 0
    for path in sorted((html / "chapters").glob("*.html")):
        page.goto(path.as_uri())
        skipped += page.evaluate(SKIPPED)
        guessed = page.evaluate(SIZES)
        page.add_style_tag(content=ALL)
        true = page.evaluate(SIZES)
        moved = [
            (g, t)
            for g, t in zip(guessed, true, strict=True)
            if abs(g["height"] - t["height"])
            > max(0.5, t["height"] / 1000)  # lines snap to 1/64 px
        ]
        lost = [t for g, t in zip(guessed, true, strict=True) if t["wide"] and not g["stop"]]
        assert guessed and moved == [] and lost == [], path.name
    page.close()
    assert skipped > 10_000  # coloured pieces, of all chapters
