"""Korean search of the book: sections are collected while Sphinx reads, one file is written.

The browser builds its bigram index from that file (``static/search-engine.js``), so the
text is shipped once, serves for snippets too, and is tokenised by one program only.
"""

from __future__ import annotations

from sphinx.application import Sphinx

from coursekit.site.search import index, sections


def setup(app: Sphinx) -> None:
    """Collect sections and leave Sphinx's own index out."""
    sections.setup(app)
    index.setup(app)
