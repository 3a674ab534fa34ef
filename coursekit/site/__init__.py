"""Sphinx extension of the book: diagrams as SVG, no idle scripts, a style for Korean text."""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

from coursekit.site import diagrams, scripts

STATIC = Path(__file__).parent / "static"


def setup(app: Sphinx) -> dict:
    """Register every part with Sphinx (called by Sphinx)."""
    diagrams.setup(app)
    scripts.setup(app)
    app.connect("config-inited", _add_static_files)
    app.add_css_file("course.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _add_static_files(app: Sphinx, config: Config) -> None:
    config.html_static_path.append(str(STATIC))
