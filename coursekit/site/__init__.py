"""Sphinx extension of the book. So far: diagrams as SVG in place of the embedded PNG."""

from __future__ import annotations

from sphinx.application import Sphinx

from coursekit.site import diagrams


def setup(app: Sphinx) -> dict:
    """Register every part with Sphinx (called by Sphinx)."""
    diagrams.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
