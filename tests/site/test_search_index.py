"""What the search is built from: sections, glossary, index, judged queries."""

from __future__ import annotations

import gzip
import json

import docutils.core
import pytest

from coursekit.findings import CourseError
from coursekit.site.search import asked, glossary, sections
from tests.site import judged

INDEX_LIMIT = 250_000  # bytes, gzipped


@pytest.fixture(scope="module")
def index(html) -> dict:
    text = (html / "search-index.js").read_text(encoding="utf-8")
    return json.loads(text[text.index("{") : text.rindex("}") + 1])


def test_sections_keep_prose_names_and_headings_above():
    source = "책\n==\n\n머리글\n\n절\n--\n\n본문 *강조*\n\n::\n\n  jax.lax.scan(step, 0)\n"
    found = list(sections.of_document(docutils.core.publish_doctree(source)))
    assert [s.title for s in found] in (["책", "절"], ["절"])
    last = found[-1]
    assert last.text == "본문 강조" and "jax.lax.scan" in last.words.split()


def test_index_has_every_page_and_is_small(index, checkout, html):
    names = {page[0] for page in index["pages"]}
    for folder in ("chapters", "exercises", "solutions"):
        assert {f"{folder}/{p.stem}" for p in (html / folder).glob("*.html")} <= names
    assert len(gzip.compress((html / "search-index.js").read_bytes())) <= INDEX_LIMIT
    assert not (html / "searchindex.js").exists()  # Sphinx's own would only be weight


def test_every_anchor_of_the_index_is_on_its_page(index, html):
    pages = {page[0]: (html / f"{page[0]}.html").read_text("utf-8") for page in index["pages"]}
    for page, anchor, title, *_ in index["sections"]:
        name = index["pages"][page][0]
        assert not anchor or f'id="{anchor}"' in pages[name], f"{name}: {title}"


def test_judged_queries_name_sections_that_exist(index):
    known = {(index["pages"][row[0]][0], judged.plain(row[2])) for row in index["sections"]}
    judged_sets = {**judged.sets(), **judged.apart()}
    queries = [query for one in judged_sets.values() for query in one]
    assert len(queries) >= 120
    assert {query.kind for query in queries} <= judged.KINDS
    missing = sorted({answer for query in queries for answer in query.answers} - known)
    assert missing == []


def test_code_is_kept_by_the_names_somebody_would_look_up():
    source = (
        "책\n==\n\n머리글\n\n절\n--\n\n::\n\n  lowered = jax.jit(f, donate_argnums=0).lower(x)\n"
    )
    source += "  lowered.as_text()\n"
    found = list(sections.of_document(docutils.core.publish_doctree(source)))[-1]
    assert found.words.split() == ["jax.jit", "donate_argnums", "as_text"]


def test_what_readers_call_it_is_said_of_sections_that_exist(index, checkout):
    phrases = asked.load(checkout.source / "data" / "asked.yml")
    known = {
        (index["pages"][row[0]][0], asked.plain(row[2])): row[7]
        for row in index["sections"]
        if row[1]
    }
    assert sorted(phrases.keys() - known.keys()) == []
    assert all(known[place] == text for place, text in phrases.items()) and len(phrases) > 300


@pytest.mark.parametrize(
    ("text", "told"), [("쪽: 절", "'절 제목'"), ("쪽: {절: ' '}", "찾는 말이 없습니다")]
)
def test_malformed_phrases_are_explained(tmp_path, text, told):
    path = tmp_path / "asked.yml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CourseError, match=told):
        asked.load(path)


def test_glossary_of_the_book_is_sound(checkout):
    groups = glossary.load(checkout.source / "data" / "glossary.yml")
    assert len(groups) > 80
    seen: dict[str, str] = {}
    for group in groups:
        for form in group:
            assert seen.setdefault(form, group[0]) == group[0], f"두 항목에 있는 말: {form}"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- 배열", "terms와 words"),
        ("terms: [{ko: 배열}]\nwords: []", "1번째 항목"),
        ("terms: [{ko: 배열, en: ' '}]\nwords: []", "빈 말"),
    ],
)
def test_malformed_glossary_is_explained(tmp_path, text, told):
    path = tmp_path / "glossary.yml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CourseError, match=told):
        glossary.load(path)
