"""Blocks of code keep their text and colours in fewer elements, and tell their size."""

from __future__ import annotations

import re

import pytest
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from pygments.styles import get_style_by_name
from pygments.token import STANDARD_TYPES, Text

from coursekit.site.pages import blocks

CODE = 'def f(x):\n    return x["가"]  # <- 나\n'


@pytest.mark.parametrize("style", ["a11y-high-contrast-light", "a11y-high-contrast-dark"])
def test_what_is_left_out_has_the_colour_of_plain_text(style):
    found = get_style_by_name(style)
    plain = found.style_for_token(Text)
    for token, name in STANDARD_TYPES.items():
        if name in blocks.PLAIN:
            assert found.style_for_token(token) == plain, name


def test_the_text_stays_and_coloured_pieces_too():
    made = highlight(CODE, PythonLexer(), HtmlFormatter())
    light = blocks.lighten(made)

    def text(html):
        return re.sub("<[^>]*>", "", html)

    def kinds(html):
        return set(re.findall('class="([^"]*)"', html))

    assert text(light) == text(made)
    assert kinds(light) == kinds(made) - set(blocks.PLAIN)
    assert light.count("<span") < made.count("<span") / 2


@pytest.mark.parametrize(
    "inside, size",
    [
        ("a\n", "--lines:1;--columns:1"),
        ("a\n\n가나\n", "--lines:3;--columns:4"),
        ('<span class="k">a &lt; b</span>', "--lines:1;--columns:5"),
    ],
)
def test_a_block_tells_its_lines_and_columns(inside, size):
    block = f'<div class="highlight"><pre>{inside}</pre></div>'
    assert f'<pre><code style="{size}">' in blocks.lighten(block)
