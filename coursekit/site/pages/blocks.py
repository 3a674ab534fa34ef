"""Blocks of code that cost the browser little: fewer elements, and laid out only near the screen.

Pygments puts each name, bracket and space into an element of its own, though both styles of the
book give them the colour of plain text: half of all elements of a page. What is left is not laid
out by the browser until the reader comes near (``content-visibility`` in ``course.css``); the
size that each block tells of itself keeps its place.
"""

from __future__ import annotations

import html
import re
import unicodedata

# classes of Pygments that look like the text around them, in the light style and in the dark one
PLAIN = ("n", "nn", "nx", "p", "w")
_BLOCK = re.compile(r'(?<=<div class="highlight">)<pre>(.*?)</pre>', re.S)
_PLAIN = re.compile(rf'<span(?: class="(?:{"|".join(PLAIN)})")?>([^<]*)</span>')
_TAG = re.compile(r"<[^>]*>")


def lighten(body: str) -> str:
    """``body`` with the same code in fewer elements, each block with its ``--lines`` (exact) and
    ``--columns`` (of its longest line; a Korean character counts two).
    """
    return _BLOCK.sub(_light, body)


def _light(block: re.Match[str]) -> str:
    inside = _PLAIN.sub(r"\1", block[1])
    lines = html.unescape(_TAG.sub("", inside)).removesuffix("\n").split("\n")
    size = f"--lines:{len(lines)};--columns:{max(map(_columns, lines))}"
    return f'<pre><code style="{size}">{inside}</code></pre>'


def _columns(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
