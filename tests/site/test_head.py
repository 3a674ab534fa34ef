"""What stands around the text of a page: labels, landmarks, descriptions."""

from __future__ import annotations

import json
import re

from coursekit.site.pages import head, korean

# names and keys that are the same in Korean
SAME = {"Ctrl", "K", "Colab", "JAX", "PyTorch"}


def outside_the_article(page: str) -> str:
    page = re.sub(r"<!--.*?-->", "", page, flags=re.S)
    page = re.sub(r"<article\b.*</article>", "", page, flags=re.S)
    # names of chapters and sections are the author's
    page = re.sub(r"<nav\b.*?</nav>", "", page, flags=re.S)
    return re.sub(r"<(script|style|title)\b.*?</\1>", "", page, flags=re.S)


def test_no_label_is_left_in_english(html):
    for name in ("intro", "chapters/01-immutable-arrays", "exercises/03-grad", "search"):
        text = outside_the_article((html / f"{name}.html").read_text(encoding="utf-8"))
        labels = re.findall(r'\b(?:title|aria-label|data-bs-title|placeholder|alt)="([^"]+)"', text)
        labels += [found.strip() for found in re.findall(r">([^<>]+)<", text)]
        english = {
            x for x in labels if re.search(r"[A-Za-z]{2}", x) and not re.search("[가-힣]", x)
        }
        assert english - SAME == set(), name


def test_labels_are_translated_and_articles_left_alone():
    page = '<a title="Dark">Main</a><article title="Dark">Main</article><b> Main </b>'
    assert korean.translate(page) == (
        '<a title="어둡게">책의 차례</a><article title="Dark">Main</article><b> 책의 차례 </b>'
    )


def test_every_page_says_what_it_is(html):
    descriptions = {}
    for path in html.rglob("*.html"):
        if path.name == "index.html":
            continue
        text = path.read_text(encoding="utf-8")
        assert text.count('name="viewport"') == 1 and '<html lang="ko"' in text, path.name
        assert text.count('<link rel="icon"') == 1 and 'href="data:image/svg+xml,' in text
        found = re.search(r'<meta name="description" content="([^"]{20,})"', text)
        assert found, path.name
        descriptions[path] = found[1]
        data = re.search(r'<script type="application/ld\+json">(.*?)</script>', text, re.S)
        assert json.loads(data[1])["inLanguage"] == "ko"
    assert len(set(descriptions.values())) > 0.8 * len(descriptions)
    intro = (html / "intro.html").read_text(encoding="utf-8")
    assert '"@type": "Course"' in intro


def test_description_ends_at_a_word():
    assert head.shorten("가나 다라 마바", 7) == "가나 다라 …"
    assert head.shorten("가나", 6) == "가나"
