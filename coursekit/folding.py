"""One way to compare what people type: names, numbers and headings."""

from __future__ import annotations

import re
import unicodedata


def fold(text: str) -> str:
    """NFC, lower case, without blanks and hyphens: ``문제 1`` and ``문제1`` are the same."""
    return re.sub(r"[\s\-]+", "", unicodedata.normalize("NFC", text)).casefold()
