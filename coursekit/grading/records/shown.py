"""Text of strangers as people may see it: nothing in it moves the cursor or turns the line."""

from __future__ import annotations

import re
import unicodedata

# what turns the direction of a line, breaks it, or takes no room; joiners are part of emoji
_ODD = re.compile("[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def shown(text: str) -> str:
    """``text`` with such characters escaped (``\\u202e``); ordinary text stays as it is."""
    text = _CONTROL.sub(_escape, text.replace("\r\n", "\n"))
    return _ODD.sub(_escape, text)


def one_line(text: str) -> str:
    """As `shown`, for a file name: line breaks and unassigned characters escaped too."""
    return "".join(
        c if c.isprintable() or unicodedata.category(c) in ("Zs", "Mn") else _code(c)
        for c in shown(text)
    )


def _escape(found: re.Match) -> str:
    return _code(found[0])


def _code(character: str) -> str:
    number = ord(character)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
