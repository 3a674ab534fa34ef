"""Diagrams are drawn by a browser from their SVG, once."""

from __future__ import annotations

import shutil

from PIL import Image

from coursekit import browser
from coursekit.findings import CourseError
from coursekit.notebooks import diagrams


def test_draw_makes_a_png_of_twice_the_size_that_carries_its_svg(sample, chrome):
    folder = sample.source / "diagrams"
    png = folder / "box.png"
    png.unlink()
    assert diagrams.check(sample) != []
    assert diagrams.draw(sample, chrome=chrome) == [png]
    with Image.open(png) as image:
        assert image.size == (240, 120)
        assert image.convert("RGB").getpixel((120, 60)) == (0x44, 0x77, 0xAA)
    assert diagrams.check(sample) == []
    assert diagrams.draw(sample, chrome=chrome) == []


def test_changed_svg_is_found_and_drawn_again(sample, chrome):
    svg = sample.source / "diagrams" / "box.svg"
    svg.write_text(svg.read_text(encoding="utf-8").replace("#4477aa", "#aa4477"), encoding="utf-8")
    shutil.copy(svg, svg.with_name("new.svg"))
    messages = [finding.message for finding in diagrams.check(sample)]
    assert any("지금의 SVG" in m for m in messages) and any("PNG가 없습니다" in m for m in messages)
    assert len(diagrams.draw(sample, chrome=chrome)) == 2
    assert diagrams.check(sample) == []


def test_without_a_browser_the_line_that_installs_one_is_given(monkeypatch):
    monkeypatch.setattr(browser, "find", lambda: None)
    try:
        browser.browser_path()
    except CourseError as error:
        assert "apt-get install chromium" in str(error)
    else:
        raise AssertionError("오류가 나야 합니다")
