"""Pages of the book become parts of one page: ids stay unique, links stay right."""

from __future__ import annotations

from pathlib import Path

import pytest

from coursekit.findings import CourseError
from coursekit.project import Project
from coursekit.site.printing import combine

HTML = Path("/site")
NAMES = ["intro", "chapters/01-a", "chapters/02-b"]


def printed(text: str, name: str = "chapters/01-a", base: str = "") -> str:
    return combine.page(text, name, NAMES, HTML, base)


def test_parts_come_in_the_order_of_the_contents(tmp_path):
    (tmp_path / "_toc.yml").write_text(
        "format: jb-book\nroot: intro\nparts:\n"
        "- caption: 강의\n  chapters:\n"
        "  - file: chapters/02-b.ipynb\n    sections:\n    - file: chapters/01-a\n"
        "- caption: 참고\n  chapters:\n  - file: reference/z\n",
        encoding="utf-8",
    )
    assert combine.contents(Project(tmp_path)) == [
        combine.Part("", ("intro",)),
        combine.Part("강의", ("chapters/02-b", "chapters/01-a")),
        combine.Part("참고", ("reference/z",)),
    ]


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("#id1", "#chapters-01-a--id1"),
        ("02-b.html", "#chapters-02-b"),
        ("02-b.html#%EA%B0%80", "#chapters-02-b--가"),
        ("../intro.html#x", "#intro--x"),
        ("https://jax.dev/a.html#b", "https://jax.dev/a.html#b"),
        ("mailto:a@b.c", "mailto:a@b.c"),
    ],
)
def test_links_lead_inside_the_book_or_out_into_the_world(link, target):
    assert f'<a href="{target}">' in printed(f'<a href="{link}">a</a>')


def test_link_to_a_file_needs_the_address_of_the_site():
    link = '<a href="../_sources/chapters/01-a.ipynb">노트북</a>'
    assert "<a>노트북</a>" in printed(link)
    address = "https://example.org/book/_sources/chapters/01-a.ipynb"
    assert f'<a href="{address}">노트북</a>' in printed(link, base="https://example.org/book")


def test_ids_are_told_apart_and_text_is_left_alone():
    text = '<h2 id="a">x</h2><pre>&lt;p id="b" href="c"&gt; id="b"</pre>'
    assert printed(text).count('id="chapters-01-a--') == 1
    assert '<pre>&lt;p id="b" href="c"&gt; id="b"</pre>' in printed(text)
    assert 'id="chapters-02-b--a"' in printed(text, "chapters/02-b")


def test_nothing_waits_or_stays_folded_and_the_screen_only_is_gone():
    text = (
        '<script>1</script><a class="headerlink" href="#a">#</a><details><summary>답</summary>'
        '</details><img loading="lazy" src="../_images/a.svg" />'
        '<div class="course-strip course-only-screen"><p>막혔어요</p></div>'
    )
    page = printed(text)
    assert "<details open><summary>답</summary>" in page
    assert '<img src="file:///site/_images/a.svg" />' in page
    assert not any(x in page for x in ("script", "headerlink", "막혔어요", "lazy"))


def test_page_that_was_not_built_is_named(tmp_path):
    (tmp_path / "_toc.yml").write_text("root: intro\n", encoding="utf-8")
    (tmp_path / "_config.yml").write_text("title: 책\n", encoding="utf-8")
    with pytest.raises(CourseError, match="intro.html"):
        combine.whole_book(Project(tmp_path), tmp_path)
