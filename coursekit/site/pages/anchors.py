"""Anchors of sections from the words of their headings.

Sphinx numbers headings that are not ASCII (``id7``), so that a link from outside leads elsewhere
once a heading is put above.  MyST's slug of the heading comes first; the number stays beside it,
for links that somebody has already.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx

EARLY = 100  # before the table of contents and the search read the ids


def setup(app: Sphinx) -> None:
    app.connect("doctree-read", _name, priority=EARLY)


def _name(app: Sphinx, doctree: nodes.document) -> None:
    for section in doctree.findall(nodes.section):
        slug = section.get("slug")
        if slug and slug not in section["ids"]:
            section["ids"].insert(0, slug)
