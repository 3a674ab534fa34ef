"""Sphinx extension of the book: Korean search, one light bundle, formulas and diagrams ready made."""

from __future__ import annotations

from sphinx.application import Sphinx

from coursekit.site import (
    assets,
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


def setup(app: Sphinx) -> dict:
    """Register every part with Sphinx (called by Sphinx)."""
    for part in (diagrams, maths, images, markup, passed, reading, search, shell, assets, offline):
        part.setup(app)
    return {"version": "4", "parallel_read_safe": True, "parallel_write_safe": True}
