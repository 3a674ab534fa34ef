"""Sphinx extension of the book: Korean search, one light bundle, formulas and diagrams ready made."""

from __future__ import annotations

from sphinx.application import Sphinx

from coursekit.site import search
from coursekit.site.bundle import assets, offline
from coursekit.site.pages import diagrams, images, lanes, markup, maths, reading, shell


def setup(app: Sphinx) -> dict:
    """Register every part with Sphinx (called by Sphinx)."""
    for part in (diagrams, maths, images, markup, lanes, reading, search, shell, assets, offline):
        part.setup(app)
    return {"version": "4", "parallel_read_safe": True, "parallel_write_safe": True}
