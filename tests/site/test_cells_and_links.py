"""Cells that say what they are, links that land, rows between the pages of a chapter."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from coursekit.site.pages import landing, markup, pairs, tabs
from coursekit.site.search.sections import Section

CELL = '<div class="cell tag_pitfall=P01-05 tag_{} docutils container">'


def section(anchor: str, title: str) -> Section:
    return Section(anchor, title, (), "", "", "")


SECTIONS = {
    "exercises/02-b": [
        section("", "연습"),
        section("p1", "문제 1. 가 ★"),
        section("p11", "문제 11. 나"),
    ],
    "chapters/02-b": [
        section("", "나"),
        section("keys", "캐시 키: `jit`의 열쇠"),
        section("x", "분기"),
    ],
    "chapters/02-b-deeper": [section("", "더"), section("deep", "깊은 이야기")],
}


@pytest.fixture
def warned(monkeypatch):
    told: list[str] = []
    monkeypatch.setattr(landing._log, "warning", lambda text, *args, **_: told.append(text % args))
    return told


@pytest.mark.parametrize(("kind", "words", "name"), [
    ("wrong", "틀린 코드", "P01-05"), ("right", "바른 코드", "P01-05-right"),
])  # fmt: skip
def test_a_cell_of_a_pair_says_what_it_is_and_can_be_linked_to(kind, words, name):
    made = pairs.label(CELL.format(kind) + "x</div>")
    assert f'id="{name}"' in made and f'href="#{name}"' in made
    assert words in made and "함정 1-5" in made and 'role="group"' in made


def test_an_anchor_stands_once_though_two_cells_are_right():
    made = pairs.label(CELL.format("right") * 2)
    assert made.count('id="P01-05-right"') == 1 and made.count("바른 코드 ·") == 2


def test_blanks_checks_and_outputs_say_what_they_are():
    cells = '<div class="cell tag_solution docutils container"><div class="cell tag_check docutils container">'
    assert "여기에 답을 씁니다" in pairs.label(cells, blank=True)
    assert "✎ 답" in pairs.label(cells) and "확인 셀" in pairs.label(cells)
    assert "출력" in pairs.label('<div class="cell_output docutils container">')
    plain = '<div class="cell docutils container">x</div>'
    assert pairs.label(plain) == plain


def test_a_problem_is_found_by_its_number_and_not_by_its_beginning():
    assert landing.anchor_of(SECTIONS["exercises/02-b"], "문제 1") == "p1"
    assert landing.anchor_of(SECTIONS["exercises/02-b"], "문제 11") == "p11"
    assert landing.anchor_of(SECTIONS["exercises/02-b"], "문제 2") is None


def test_a_link_to_a_problem_leads_to_it(warned):
    link = '<a class="reference internal" href="../exercises/02-b.html"><span>{}</span></a>'
    found = landing._PROBLEM.sub(
        lambda m: landing._problem(m, SECTIONS, "x"), link.format("문제 1")
    )
    assert 'href="../exercises/02-b.html#p1"' in found and not warned
    other = link.format("연습 2장")
    assert landing._PROBLEM.sub(lambda m: landing._problem(m, SECTIONS, "x"), other) == other
    landing._PROBLEM.sub(lambda m: landing._problem(m, SECTIONS, "x"), link.format("문제 7"))
    assert "문제 7" in warned[0]


def test_a_title_quoted_after_a_link_to_its_page_becomes_a_link(warned):
    text = '<p><a class="reference internal" href="02-b{}.html"><span>더 깊이</span></a>의 ‘{}’에 있습니다.</p>'
    made = landed(text.format("-deeper", "깊은 이야기"))
    assert 'href="02-b-deeper.html#deep">‘깊은 이야기’</a>에 있습니다.' in made and not warned
    assert 'href="02-b.html#keys">‘캐시 키: ' in landed(
        text.format("", "캐시 키: <code>jit</code>의 열쇠")
    )
    landed(text.format("", "없는 절"))
    assert "없는 절" in warned[0]


def test_the_anchor_of_a_section_that_moved_stands_where_its_page_is_named():
    text = '<a class="reference internal" href="02-b-deeper.html">더 깊이</a>의 ‘깊은 이야기’'
    assert landed(text + text).count(' id="deep"') == 1
    assert ' id="deep" href' not in landed('<section id="deep"></section>' + text)


def landed(body: str) -> str:
    """``body`` of a chapter after `landing.rewrite`."""
    app = SimpleNamespace(env=SimpleNamespace(course_sections=SECTIONS))
    context = {"body": body}
    landing.rewrite(app, "chapters/02-b", "", context, doctree=object())
    return context["body"]


def test_titles_to_look_at_again_become_links_also_on_the_deeper_page(warned):
    line = (
        '<p>다시 볼 곳: <a class="reference internal" href="../chapters/02-b.html">2장</a> '
        "‘캐시 키: <code>jit</code>의 열쇠’, ‘깊은 이야기’, ‘없는 절’</p>"
    )
    made = landing._again(line, SECTIONS, "exercises/02-b")
    assert 'href="../chapters/02-b.html#keys">‘캐시 키' in made
    assert 'href="../chapters/02-b-deeper.html#deep">‘깊은 이야기’' in made
    assert len(warned) == 1 and "없는 절" in warned[0] and "‘없는 절’</p>" in made


def test_names_of_pitfalls_in_a_table_lead_to_their_cells():
    body = CELL.format("wrong").replace("01-05", "02-05")
    here = landing._pitfalls("<td><p>P02-05 가</p></td>", body, SECTIONS, "chapters/02-b")
    assert '<a href="#P02-05">P02-05</a>' in here
    there = landing._pitfalls("<td><p>P02-06 나</p></td>", body, SECTIONS, "chapters/02-b")
    assert '<a href="02-b-deeper.html#P02-06">' in there


@pytest.mark.parametrize(("page", "told"), [
    ("chapters/02-b", ["<strong aria-current=\"page\">본문</strong>", "../chapters/02-b-deeper.html", "../exercises/02-b.html"]),
    ("chapters/02-b-deeper", ["../chapters/02-b.html", "<strong aria-current=\"page\">더 깊이</strong>"]),
    ("exercises/02-b", ["2장", "../solutions/02-b.html", ">풀이<"]),
])  # fmt: skip
def test_the_pages_of_a_chapter_lead_to_each_other(page, told):
    pages = {*SECTIONS, "solutions/02-b", "intro"}
    assert all(words in tabs.tabs(page, pages) for words in told)


def test_a_page_of_no_chapter_has_no_row():
    assert (
        tabs.tabs("intro", {"intro"}) == "" and tabs.tabs("chapters/09-x", {"chapters/09-x"}) == ""
    )


def test_a_plot_is_told_by_the_sentence_after_it():
    body = (
        '<div class="cell"><img alt="../_images/7be.png" src="../_images/7be.png"></div>'
        "<p>선 <code>둘</code>이 만납니다. 다음 문장입니다.</p>"
    )
    assert 'alt="그래프. 선 둘이 만납니다."' in markup.mend(body)


def test_the_words_of_a_plot_cannot_end_its_attribute():
    body = (
        '<img alt="../_images/7be.png" src="../_images/7be.png">'
        "<p>이름이 &quot;a&quot;이고 a &lt; b입니다. 끝.</p>"
    )
    made = markup.mend(body)
    assert 'alt="그래프. 이름이 &quot;a&quot;이고 a &lt; b입니다." src=' in made
