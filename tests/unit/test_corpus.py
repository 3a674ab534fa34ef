"""The Korean text of chapter 06 is long enough, varied and reads as prose."""

import re
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

SNIPPETS = Path(__file__).resolve().parents[2] / "source" / "snippets"


@pytest.fixture(scope="module")
def text():
    """As the chapter puts it together: one paragraph a line."""
    pages: list[str] = []
    for path in sorted(SNIPPETS.glob("korean_text_*.py")):
        exec(path.read_text(encoding="utf-8"), {"PAGES": pages})
    paragraphs = [" ".join(p.split()) for p in "\n\n".join(pages).split("\n\n")]
    return "\n".join(p for p in paragraphs if p)


def sentences(text):
    return [s.strip() for s in re.split(r"(?<=[.?!])[”’]?\s+|\n", text) if s.strip()]


def test_is_at_least_thirty_kilobytes(text):
    assert len(text.encode()) >= 30_000


def test_no_sentence_stands_twice(text):
    bare = [re.sub(r"\W", "", s) for s in sentences(text)]
    assert [s for s, n in Counter(bare).items() if n > 1] == []


def test_no_sentence_is_a_template_of_another(text):
    """No two sentences share three quarters of their words."""
    words = [(s, set(s.split())) for s in sentences(text) if len(s.split()) >= 5]
    alike = [
        (a, b)
        for i, (a, one) in enumerate(words)
        for b, two in words[i + 1 :]
        if len(one & two) >= 0.75 * min(len(one), len(two))
    ]
    assert alike == []


def test_openings_vary(text):
    first = Counter(s.split()[0] for s in sentences(text))
    assert first.most_common(1)[0][1] <= 0.05 * first.total()


def test_is_plain_composed_korean(text):
    assert text == unicodedata.normalize("NFC", text)
    strange = {c for c in text if not ("가" <= c <= "힣" or c in " \n.,?!“”")}
    assert not strange
