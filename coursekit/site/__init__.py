"""Sphinx extension of the book: Korean search, one light bundle, formulas and diagrams ready made.

``pages`` makes what stands on a page (``pages.head``: its ``<head>`` and the sitemap, with
``templates/``), ``bundle`` what a page loads and the zip of the book, ``search`` the index
(its words: ``source/data/glossary.yml`` and ``asked.yml``), ``printing`` the PDF.
"""

from __future__ import annotations

from sphinx.application import Sphinx

from coursekit.site import search
from coursekit.site.bundle import assets, offline
from coursekit.site.pages import (
    anchors,
    diagrams,
    head,
    images,
    landing,
    lanes,
    listed,
    markup,
    maths,
    pairs,
    reading,
    stand_in,
    tabs,
)
from coursekit.site.search import index

# Sphinx calls the listeners of an event by rising number; other extensions stand at 500.
# Ours come after all of those, in the order of these lists.
LATE = 900
ORDER = {
    "config-inited": [maths.choose, listed.only, stand_in.configure],
    "html-page-context": [
        head.describe,
        images.rewrite,
        markup.rewrite,  # images have their size by now: it copies their tags
        lanes.add,  # below the badge, which images made our own
        stand_in.rewrite,
        landing.rewrite,
        pairs.rewrite,
        tabs.add,
        reading.add,
        assets.only_bundles,  # whatever files any part asked for
    ],
    "build-finished": [
        index.write,
        head.write_sitemap,
        head.write_front,
        assets.write,  # reads the finished pages
        offline.pack_book,  # packs all that the others wrote
    ],
}


def setup(app: Sphinx) -> dict:
    """Register every part with Sphinx (called by Sphinx)."""
    for part in (anchors, diagrams, maths, lanes, reading, search, head, assets):
        part.setup(app)
    for event, listeners in ORDER.items():
        for turn, listener in enumerate(listeners):
            app.connect(event, listener, priority=LATE + turn)
    return {"version": "4", "parallel_read_safe": True, "parallel_write_safe": True}
