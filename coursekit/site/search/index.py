"""Write the file that the browser searches, in place of Sphinx's own index."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from sphinx.application import Sphinx

from coursekit.files import write_whole
from coursekit.site.search import asked, glossary
from coursekit.site.search.sections import Section

# how much a hit on a page of this folder counts: chapters explain, the others list and ask;
# a solution repeats its exercise word for word. "" is for the pages in no folder
WEIGHTS = {"chapters": 1.0, "": 0.7, "reference": 0.7, "exercises": 0.33, "solutions": 0.2}
FILE = "search-index.js"
EXERCISE_TEXT = 200  # characters of a question; the rest is rules, hints and a frame of code


def setup(app: Sphinx) -> None:
    """Sphinx must not index the pages a second time; it still links to the search page."""
    app.connect("builder-inited", _without_own_index)
    app.connect("html-collect-pages", _search_page)


def _without_own_index(app: Sphinx) -> None:
    app.builder.search = False


def _search_page(app: Sphinx) -> Iterator[tuple[str, dict, str]]:
    yield "search", {}, "search.html"


def entries(
    sections: dict[str, list[Section]], titles: list[str], phrases: dict[tuple[str, str], str]
) -> dict:
    """The content of the index: pages, sections of pages, in the order of ``titles``.

    ``phrases``: (page, heading) → what readers call it.
    """
    pages, rows = [], []
    for name in titles:
        found = sections.get(name)
        if not found:
            continue
        folder = name.split("/")[0] if "/" in name else ""
        pages.append([name, found[0].title, WEIGHTS.get(folder, 1.0)])
        for section in found:
            # a solution is found by its headings; its text is the exercise's
            bare = folder == "solutions"
            exercise = folder == "exercises"
            length = EXERCISE_TEXT if exercise else None
            rows.append(
                [
                    len(pages) - 1,
                    section.anchor,
                    section.title,
                    " › ".join(section.trail[1:]),
                    "" if bare else section.text[:length],
                    "" if bare or exercise else section.words,
                    "" if bare else section.errors,
                    phrases.get((name, asked.plain(section.title)), ""),
                ]
            )
    return {"pages": pages, "sections": rows}


def write(app: Sphinx, error: Exception | None) -> None:
    """Write the index of the sections that were collected (build-finished)."""
    if error or app.builder.format != "html":
        return
    env = app.env
    order = sorted(getattr(env, "course_sections", {}))
    data = Path(app.srcdir) / "source" / "data"
    content = entries(env.course_sections, order, asked.load(data / "asked.yml"))
    content["synonyms"] = glossary.load(data / "glossary.yml")
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    write_whole(Path(app.outdir) / FILE, f"window.courseSearchIndex={text};\n")
