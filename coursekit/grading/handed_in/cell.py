"""One cell of a notebook, as text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    """``index`` counts all cells from 0, as a reader would count them."""

    index: int
    kind: str  # "code", "markdown" or another word from the file
    source: str
