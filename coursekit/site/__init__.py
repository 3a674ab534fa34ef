"""Sphinx extension of the book: Korean search, one light bundle, formulas and diagrams ready made."""

from __future__ import annotations

from sphinx.application import Sphinx

from coursekit.site import (
    assets,
    blocks,
    diagrams,
    images,
    markup,
    maths,
    offline,
    passed,
    reading,
    search,
    shell,
)

PARTS = (
    diagrams,
    maths,
    images,
    markup,
    blocks,
    passed,
    reading,
    search,
    shell,
    assets,
    offline,
)


def setup(app: Sphinx) -> dict:
    """Register every part with Sphinx (called by Sphinx)."""
    for part in PARTS:
        part.setup(app)
    return {"version": "4", "parallel_read_safe": True, "parallel_write_safe": True}
