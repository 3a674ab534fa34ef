"""Colab, downloads, the offline book, and what a page remembers for its reader."""

from __future__ import annotations

import os
import re
import time
import zipfile
from urllib.parse import parse_qs, urlparse

from coursekit.site.bundle import offline
from coursekit.site.pages import reading


def test_colab_links_and_downloads_lead_to_files_of_the_project(chrome, checkout, html):
    page = chrome.new_page()
    for path in sorted(html.glob("chapters/*.html")):
        page.goto(path.as_uri())
        links = page.eval_on_selector_all(
            "a[href*='colab.research.google.com']", "links => links.map(a => a.href)"
        )
        assert bool(links) is not checkout.stand_in, path.name
        for link in links:
            notebook = re.search(rf"{checkout.repository}/blob/{checkout.branch}/(.+)$", link)[1]
            assert (checkout.root / notebook).is_file(), link
        download = page.get_attribute("a.btn-download-source-button", "href")
        assert (path.parent / download).resolve().is_file()
    page.close()


def test_offline_zip_opens_from_a_folder_and_can_be_searched(chrome, html, tmp_path):
    with zipfile.ZipFile(html / offline.NAME) as packed:
        assert offline.NAME not in packed.namelist()
        packed.extractall(tmp_path / "책")
    folder = tmp_path / "책" / offline.NAME.removesuffix(".zip")
    context = chrome.new_context(offline=True)
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda m: m.type == "error" and errors.append(m.text))
    page.goto((folder / "index.html").as_uri())
    page.wait_for_url("**/index.html")
    page.keyboard.press("Control+k")
    page.keyboard.type("자동미분")
    with page.expect_navigation():
        page.locator("dialog [role=option]").first.click()
    assert page.locator("article h1").count() == 1 and errors == []
    context.close()


def test_equal_books_make_equal_zips(tmp_path):
    """Built on another day, in another order, with a zip of the day before beside it."""
    books = tmp_path / "one", tmp_path / "two"
    for book, names in zip(books, ("abc", "cba"), strict=True):
        book.mkdir()
        for name in names:
            (book / f"{name}.html").write_text("가", encoding="utf-8")
    os.utime(books[1] / "a.html", (0, 0))
    (books[1] / offline.NAME).write_bytes(b"old")
    first, second = (offline.pack(book).read_bytes() for book in books)
    assert first == second
    with zipfile.ZipFile(books[0] / offline.NAME) as packed:
        days = {info.date_time[:3] for info in packed.infolist()}
    assert len(days) == 1 and days != {time.localtime()[:3]}  # the clock has no part in it


def test_reading_is_remembered_and_can_be_forgotten(chrome, html):
    context = chrome.new_context()
    page = context.new_page()
    page.goto((html / "intro.html").as_uri())
    assert page.locator(".course-continue").is_hidden()
    page.goto((html / "chapters/01-immutable-arrays.html").as_uri())
    page.evaluate("document.querySelectorAll('article h2')[3].scrollIntoView()")
    page.locator(".course-progress button").wait_for(state="attached")
    page.goto((html / "intro.html").as_uri())
    link = page.locator(".course-continue a")
    assert "불변 배열" in link.inner_text() and "#" in link.get_attribute("href")
    page.clock.install()
    link.click()
    page.wait_for_url("**/chapters/01-immutable-arrays.html#*")
    page.locator(".course-progress button").press("Enter")
    # a scroll under way and the time spent here must not bring the record back
    page.mouse.wheel(0, 400)
    page.clock.run_for(6000)
    page.goto((html / "intro.html").as_uri())
    assert page.locator(".course-continue").is_hidden()
    context.close()


def test_stuck_reader_opens_an_issue_that_names_the_section(chrome, html, checkout):
    path = html / "chapters/01-immutable-arrays.html"
    text = path.read_text(encoding="utf-8")
    assert ("course-stuck" in text) is not checkout.stand_in
    if checkout.stand_in:  # the link as it is once the repository has an address
        issue = reading.issue_address(checkout, "chapters/01-immutable-arrays")
        link = reading.STUCK.format(issue=issue.replace("&", "&amp;"))
        text = text.replace(
            '<span class="course-downloads">', link + '<span class="course-downloads">'
        )
    page = chrome.new_page()
    page.route(path.as_uri(), lambda route: route.fulfill(body=text, content_type="text/html"))
    page.goto(path.as_uri())
    page.evaluate("document.querySelectorAll('article h2')[3].scrollIntoView()")
    link = page.locator("a.course-stuck")
    link.evaluate("a => { a.addEventListener('click', e => e.preventDefault()); a.click(); }")
    address = urlparse(link.get_attribute("href"))
    assert address.path == f"/{checkout.repository}/issues/new"
    body = parse_qs(address.query)["body"][0]
    assert "chapters/01-immutable-arrays" in body and re.search(r"절: \S", body)
    page.close()


def test_copy_button_copies_the_code_alone(chrome, html):
    context = chrome.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto((html / "chapters/01-immutable-arrays.html").as_uri())
    page.evaluate("document.querySelector('.tag_hide-input details').open = true")
    button = page.locator("button.copybtn").first
    button.focus()
    page.keyboard.press("Enter")
    page.locator("button.copybtn.success").first.wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("import ") and ">>>" not in copied
    context.close()


def test_dark_mode_is_chosen_by_a_button_and_kept(chrome, html):
    context = chrome.new_context(color_scheme="light")
    page = context.new_page()
    page.goto((html / "intro.html").as_uri())
    button = page.locator("button.theme-switch-button").first
    for _ in range(3):
        if page.evaluate("document.documentElement.dataset.mode") == "dark":
            break
        button.press("Enter")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.goto((html / "chapters/03-grad.html").as_uri())
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    context.close()


def test_a_reference_table_can_be_filtered(chrome, html):
    page = chrome.new_page()
    page.goto((html / "reference/mapping-tables.html").as_uri())
    rows = page.locator("article tbody tr")
    everything = rows.count()
    assert everything >= 80
    page.get_by_label("대응표에서 찾기").fill("unsqueeze")
    shown = [text for text in rows.all() if text.is_visible()]
    assert 0 < len(shown) < everything
    assert all("unsqueeze" in row.inner_text() for row in shown)
    assert f"{everything}줄 가운데 {len(shown)}줄" in page.locator(".filter-table").inner_text()
    page.get_by_label("대응표에서 찾기").fill("")
    assert all(row.is_visible() for row in rows.all())
    page.close()
