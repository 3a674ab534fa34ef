"""What a book shows once its site has an address and its notebooks have records."""

from __future__ import annotations

import re
import shutil
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path
from urllib.parse import unquote

import pytest

from coursekit.notebooks import publish
from coursekit.notebooks.lanes import records
from coursekit.notebooks.lanes.records import Passed
from coursekit.project import Project
from coursekit.site import build as book
from coursekit.site.pages import lanes
from tests.site.results import edit, write

# folders of a class, as teachers name them; each would be a pattern, one of them a wrong one
UNLISTED = ["모음", "[AI실습] 5주차 모음", "[z-a] 보고서", "과제*", "2주차?", "(1분반)+"]
ADDRESS = "https://example.org/jax"
TOC = """format: jb-book
root: intro
chapters:
  - file: chapters/01-sample
  - file: exercises/01-sample
  - file: solutions/01-sample
  - file: reference/lanes
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory, built_sample, checkout) -> Project:
    """The sample course at an address, all of it recorded as passed but the solution."""
    folder = tmp_path_factory.mktemp("small")
    shutil.copytree(built_sample.root, folder / "course")
    project = Project(folder / "course")
    config = (project.root / "_config.yml").read_text(encoding="utf-8")
    assert 'baseurl: ""' in config
    config = config.replace('baseurl: ""', f"baseurl: {ADDRESS}/")
    # a repository that is there: its buttons and badges are shown
    config = config.replace("github.com/_your-account/", "github.com/somebody/")
    (project.root / "_config.yml").write_text(config, encoding="utf-8")
    (project.root / "_toc.yml").write_text(TOC, encoding="utf-8")
    (project.root / "reference").mkdir()
    shutil.copy(checkout.root / "reference/lanes.md", project.root / "reference")
    for name in UNLISTED:
        page = project.root / name / "s01" / "05-random-keys.ipynb"
        page.parent.mkdir(parents=True)
        shutil.copy(project.root / "chapters" / "01-sample.ipynb", page)
        (project.root / name / "class.md").write_text("# 김민수\n", encoding="utf-8")
    path = project.source / "chapters" / "01-sample.md"
    text = path.read_text(encoding="utf-8")
    link = "[둘째 절](#튜플은-바뀌지-않습니다)로 갑니다.\n\n## 연습"
    path.write_text(text.replace("## 연습", link, 1), encoding="utf-8")
    assert [o.error for o in publish.build([path], project)] == [None]
    assert write(project, folder) == []
    edit(project, "code", "solutions/01-sample.ipynb")
    book.build(project)
    return project


def read(project: Project, name: str) -> str:
    return (book.output_folder(project) / f"{name}.html").read_text(encoding="utf-8")


def test_nothing_of_a_class_is_published(small):
    folder = book.output_folder(small)
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert {name for name in files if "s01" in name or "class" in name} == set()
    assert not any("05-random-keys" in name for name in files)
    [offline] = folder.glob("*.zip")
    with zipfile.ZipFile(offline) as archive:
        assert not any("s01" in name or "class.html" in name for name in archive.namelist())


def test_pages_know_their_address_and_the_map_lists_them(small):
    for name in ("intro", "chapters/01-sample"):
        text = read(small, name)
        address = f"{ADDRESS}/{name}.html"
        assert text.count(f'<link rel="canonical" href="{address}"') == 1
        assert text.count(f'<meta property="og:url" content="{address}"') == 1
        for field in ("title", "description", "type", "locale"):
            assert re.search(rf'<meta property="og:{field}" content="[^"]+"', text)
    tree = ElementTree.parse(book.output_folder(small) / "sitemap.xml")
    mapped = {found.text for found in tree.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")}
    names = ("intro", "chapters/01-sample", "exercises/01-sample", "solutions/01-sample")
    assert mapped == {f"{ADDRESS}/{name}.html" for name in (*names, "reference/lanes")}
    for address in mapped:
        assert (book.output_folder(small) / address.removeprefix(f"{ADDRESS}/")).is_file()


def test_book_without_an_address_claims_none(html):
    assert not (html / "sitemap.xml").exists()
    text = (html / "intro.html").read_text(encoding="utf-8")
    assert 'rel="canonical"' not in text and "og:url" not in text


def test_page_tells_what_its_notebook_passed_and_where_that_is_explained(small):
    versions = records.lanes_passed(small.root / "chapters/01-sample.ipynb", small)[0].versions
    text = read(small, "chapters/01-sample")
    line = re.search(r'<p class="course-lanes">(.*?)</p>', text)[1]
    assert line.startswith(f"통과한 환경: jax {versions['jax']} ")
    assert '<a href="../reference/lanes.html">' in line
    assert text.index("</h1>") < text.index("colab-badge.svg") < text.index("course-lanes")


def test_notebook_that_changed_is_not_shown_as_passed(small):
    assert "course-lanes" not in read(small, "solutions/01-sample")
    meaning = read(small, "reference/lanes")
    rows = re.findall(r"<tr.*?</tr>", meaning, re.S)
    row = {name: next(r for r in rows if f"{name}/01-sample" in r) for name in lanes._FOLDERS}
    assert "개" in row["chapters"] and "개" in row["exercises"]
    assert "개" not in row["solutions"] and "–" in row["solutions"]


def test_new_record_reaches_a_page_that_did_not_change_itself(small):
    assert "course-lanes" in read(small, "chapters/01-sample")
    records.place(small).rename(kept := Path(f"{records.place(small)}.kept"))
    book.build(small)
    assert "course-lanes" not in read(small, "chapters/01-sample")
    kept.rename(records.place(small))
    book.build(small)
    assert "course-lanes" in read(small, "chapters/01-sample")


def one(lane, jax, skipped=0, device="cpu"):
    return Passed(lane, "2026-11-30", {"jax": jax, "device": device}, 3, skipped)


def test_line_names_a_lane_that_left_cells_out_only_with_what_it_left_out():
    assert "통과한 환경: jax 0.10.2, PyTorch 셀을 빼고 jax 0.7.2(Colab) · 0.12.0.1<" in lanes.line(
        [one("default", "0.10.2"), one("colab", "0.7.2", 2), one("current", "0.12.0.1", 2)]
    )
    assert "통과한 환경: PyTorch 셀을 빼고 jax 0.12.0.1<" in lanes.line(
        [one("current", "0.12.0.1", 1)]
    )


def test_cell_for_a_device_says_so_until_a_run_there_has_passed():
    page = '<div class="cell tag_for=gpu tag_for=tpu docutils container"><p>x</p></div>'
    cpu = lanes.devices(page, [one("default", "1")])
    assert ">이 셀은 GPU와 TPU에서 확인하지 않았습니다.</p><p>x</p></div>" in cpu
    gpu = lanes.devices(page, [one("default", "1"), one("colab", "1", device="gpu")])
    assert ">이 셀은 TPU에서 확인하지 않았습니다.<" in gpu
    for untouched in (page.replace("tag_for=gpu tag_for=tpu ", ""), "<p>tag_for=gpu</p>"):
        assert lanes.devices(untouched, []) == untouched


def test_line_names_the_lane_of_colab():
    three = [one("default", "0.10.2"), one("colab", "0.7.2"), one("current", "0.12.0.1")]
    assert lanes.line(three) == (
        '<p class="course-lanes">통과한 환경: jax 0.10.2 · 0.7.2(Colab) · 0.12.0.1</p>'
    )
    assert lanes.line([]) == ""


def test_a_section_is_found_by_the_words_of_its_heading_and_by_its_old_number(small):
    page = read(small, "chapters/01-sample")
    section = re.search(r'<section id="튜플은-바뀌지-않습니다">\s*<span id="(id\d+)">', page)
    assert section, re.findall(r"<section id=[^>]*>", page)
    targets = re.findall(r'href="#([^"]*)"[^>]*>(?:<[^>]*>)*둘째 절', page)
    assert [unquote(target) for target in targets] in (["튜플은-바뀌지-않습니다"], [section[1]])


def test_address_of_the_book_shows_its_first_page(small):
    html = book.output_folder(small)
    assert (html / "index.html").read_bytes() == (html / "intro.html").read_bytes()


def test_wrong_address_gets_a_page_whose_links_work_from_anywhere(small):
    text = read(small, "404")
    assert text.index(f'<base href="{ADDRESS}/"') < text.index("course-bundle.css")
    assert "책의 첫 쪽" in text and 'href="search.html"' in text


def test_robots_are_shown_the_map(small):
    robots = (book.output_folder(small) / "robots.txt").read_text(encoding="utf-8")
    assert f"Sitemap: {ADDRESS}/sitemap.xml" in robots


def test_a_notebook_is_saved_and_not_shown(small):
    text = read(small, "chapters/01-sample")
    (link,) = re.findall(r'<a href="[^"]*_sources/chapters/01-sample\.ipynb"[^>]*>', text)
    assert " download" in link and "_blank" not in link
