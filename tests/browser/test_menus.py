"""The two menus and the way home work on a phone, a tablet and a desktop."""

from __future__ import annotations

import pytest

OPEN = "[...document.querySelectorAll('dialog[open]')].map(d => d.id)"
WIDTHS = {"phone": 390, "tablet": 820}


@pytest.fixture
def page(chrome, html, request):
    page = chrome.new_page(viewport={"width": request.param, "height": 844})
    page.goto((html / "chapters" / "01-immutable-arrays.html").as_uri())
    yield page
    page.close()


@pytest.mark.parametrize("page", WIDTHS.values(), ids=WIDTHS, indirect=True)
def test_the_chapter_list_opens_and_leads_to_a_chapter(page):
    page.locator(".primary-toggle:visible").click()
    assert page.evaluate(OPEN) == ["pst-primary-sidebar-modal"]
    page.locator("dialog[open] a", has_text="jit과 XLA").first.click()
    page.wait_for_url("**/chapters/02-jit-and-xla.html")


@pytest.mark.parametrize("page", WIDTHS.values(), ids=WIDTHS, indirect=True)
def test_the_contents_of_the_page_open_and_land(page):
    page.locator(".secondary-toggle:visible").click()
    assert page.evaluate(OPEN) == ["pst-secondary-sidebar-modal"]
    link = page.locator("dialog[open] a", has_text="정리").first
    target = link.get_attribute("href").removeprefix("#")
    link.click()
    page.wait_for_function("() => scrollY > 0")
    assert page.evaluate(OPEN) == []
    page.wait_for_function(
        "id => Math.abs(document.getElementById(id).getBoundingClientRect().top) < innerHeight",
        arg=target,
    )


@pytest.mark.parametrize("page", WIDTHS.values(), ids=WIDTHS, indirect=True)
def test_the_way_home_is_on_the_screen(page):
    page.locator(".course-home:visible").click()
    page.wait_for_url("**/intro.html")


@pytest.mark.parametrize("page", [1366], indirect=True)
def test_on_a_desktop_the_bar_folds_and_comes_back(page):
    bar = page.locator("#pst-primary-sidebar")
    width = bar.bounding_box()["width"]
    toggle = page.locator(".primary-toggle:visible")
    for hidden in (True, False):
        toggle.click()
        page.wait_for_function(
            "([hidden, width]) => { const box = document.querySelector('#pst-primary-sidebar')"
            ".getBoundingClientRect(); return hidden === (box.right <= 0 || box.width < width / 2); }",
            arg=[hidden, width],
        )
