"""What the book reads: the pages of the table of contents, and nothing else below the root.

A teacher's folder of submissions may lie in the root under any name.  sphinx-external-toc keeps
unlisted files out by patterns made of their names, so a folder called ``[AI실습] 5주차`` was read
and published; here the pages are let in by name instead.
"""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx_external_toc.parsing import parse_toc_yaml


def only(app: Sphinx, config: Config) -> None:
    """Let in the documents of ``_toc.yml``, with whatever suffix they have."""
    listed = parse_toc_yaml(Path(app.srcdir) / config.external_toc_path)
    config.include_patterns = [f"{_literal(name)}.*" for name in listed]


def _literal(name: str) -> str:
    """A pattern of Sphinx that matches ``name`` alone."""
    return re.sub(r"([\[*?])", r"[\1]", name)
