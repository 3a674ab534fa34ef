"""A small book as a PDF, made and read again."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import matplotlib
import pytest
from pypdf import PdfReader
from pypdf.generic import Destination

from coursekit import __main__ as commands
from coursekit.findings import CourseError
from coursekit.project import Project
from coursekit.site import build as book
from coursekit.site import printing
from coursekit.site.bundle import offline
from coursekit.site.printing import chromium

INTRO = """# 견본 책

[첫 장](chapters/01-sample.ipynb)과 [바깥](https://jax.dev/)으로 갑니다.

<details>
<summary>답</summary>

접힌 말입니다.

</details>
"""


@pytest.fixture(scope="module")
def printed(tmp_path_factory, built_sample) -> tuple[Path, Path]:
    """(folder of the built sample book, its PDF)."""
    root = tmp_path_factory.mktemp("printed") / "course"
    shutil.copytree(built_sample.root, root)
    (root / "intro.md").write_text(INTRO, encoding="utf-8")
    project = Project(root)
    printing.require()
    html = book.build(project, pdf=True)
    return html, printing.make(project, html)


@pytest.fixture(scope="module")
def pdf(printed) -> PdfReader:
    return PdfReader(printed[1])


def pages_with(pdf: PdfReader, words: str) -> list[int]:
    return [i for i, page in enumerate(pdf.pages) if words in page.extract_text()]


def test_korean_is_text_and_every_font_is_in_the_file(pdf):
    assert pages_with(pdf, "튜플은 바뀌지 않습니다")
    fonts = {}
    for page in pdf.pages:
        for reference in (page["/Resources"].get("/Font") or {}).values():
            font = reference.get_object()
            fonts[str(font.get("/BaseFont", font["/Subtype"]))] = font
    assert fonts
    for name, font in fonts.items():
        if font["/Subtype"] == "/Type3":
            continue  # its drawings stand in the file themselves
        inner = font["/DescendantFonts"][0].get_object() if "/DescendantFonts" in font else font
        descriptor = inner["/FontDescriptor"].get_object()
        assert {"/FontFile", "/FontFile2", "/FontFile3"} & set(descriptor), name
        assert "/ToUnicode" in font, name


def test_outline_names_pages_and_sections_in_the_order_of_the_contents(pdf):
    titles, places = [], []

    def walk(entries, depth):
        for entry in entries:
            if isinstance(entry, Destination):
                titles.append((depth, entry.title))
                places.append(pdf.get_destination_page_number(entry))
            else:
                walk(entry, depth + 1)

    walk(pdf.outline, 0)
    names = [title for _, title in titles]
    first = names.index("작은 장")
    assert names.index("차례") < names.index("견본 책") < first
    depth = dict((title, depth) for depth, title in titles)
    assert depth["튜플은 바뀌지 않습니다"] == depth["작은 장"] + 1
    assert places == sorted(places)
    assert places[first] == pages_with(pdf, "시험이 쓰는 견본")[0]


def test_links_between_pages_stay_in_the_file(pdf):
    inside, outside = [], []
    for number, page in enumerate(pdf.pages):
        for reference in page.get("/Annots") or ():
            link = reference.get_object()
            action = link.get("/A", {})
            if "/URI" in action:
                outside.append(str(action["/URI"]))
            else:
                inside.append((number, str(link.get("/Dest", action.get("/D")))))
    assert "https://jax.dev/" in outside
    assert not [address for address in outside if address.startswith("file:")]
    goals = pdf.named_destinations
    led = [(start, pdf.get_destination_page_number(goals[goal])) for start, goal in inside]
    (chapter,) = pages_with(pdf, "시험이 쓰는 견본")
    (intro,) = pages_with(pdf, "접힌 말입니다")
    assert (intro, chapter) in led
    assert {end for start, end in led if start == 1} >= {intro, chapter}  # the contents


def test_folded_text_is_unfolded_and_pages_are_numbered(pdf):
    assert pages_with(pdf, "접힌 말입니다")
    for number in range(1, len(pdf.pages)):
        assert str(number + 1) in pdf.pages[number].extract_text().split()
    assert not pages_with(pdf, "이 설명이 막혔어요")


def test_pages_offer_the_pdf_and_the_zip_leaves_it_out(printed):
    html, file = printed
    assert f'href="../{file.name}"' in (html / "chapters/01-sample.html").read_text("utf-8")
    with zipfile.ZipFile(offline.pack(html)) as packed:
        assert not [name for name in packed.namelist() if name.endswith(".pdf")]


@pytest.mark.needs("browser")
def test_machine_without_korean_font_is_told_what_to_install(monkeypatch, tmp_path):
    (tmp_path / "fonts").mkdir()
    shutil.copy(Path(matplotlib.get_data_path(), "fonts/ttf/DejaVuSans.ttf"), tmp_path / "fonts")
    config = tmp_path / "fonts.conf"
    config.write_text(
        f'<?xml version="1.0"?><fontconfig><dir>{tmp_path}/fonts</dir>'
        f"<cachedir>{tmp_path}/cache</cachedir></fontconfig>",
        encoding="utf-8",
    )
    monkeypatch.setenv("FONTCONFIG_FILE", str(config))
    with pytest.raises(CourseError, match="apt-get install fonts-nanum"):
        chromium.require_korean()


def test_machine_without_a_browser_is_told_before_anything_is_built(monkeypatch):
    monkeypatch.setattr("coursekit.browser.find", lambda: None)
    monkeypatch.setattr("coursekit.site.serve.refresh", lambda *a: pytest.fail("built"))
    with pytest.raises(CourseError, match="apt-get install chromium"):
        commands.site(pdf=True)


def test_browser_that_prints_nothing_is_reported(monkeypatch, tmp_path):
    monkeypatch.setattr(chromium, "browser_path", lambda: shutil.which("echo"))
    with pytest.raises(CourseError, match="PDF를 만들지 못했습니다"):
        chromium.print_page(tmp_path / "a.html", tmp_path / "a.pdf")
