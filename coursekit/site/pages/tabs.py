"""The row under a title that leads from a chapter to its deeper page, exercise and solution."""

from __future__ import annotations

import re

from sphinx.application import Sphinx

from coursekit.project import DEEPER

_NUMBERED = re.compile(r"(?P<folder>chapters|exercises|solutions)/(?P<stem>\d\d-[\w-]+)")


def add(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Put the row under the title of a numbered page (html-page-context)."""
    if doctree is not None and "body" in context:
        row = tabs(pagename, app.env.found_docs)
        context["body"] = context["body"].replace("</h1>", f"</h1>{row}", 1)


def tabs(pagename: str, pages: set[str]) -> str:
    """HTML of the row, or "" for a page that belongs to no chapter."""
    match = _NUMBERED.fullmatch(pagename)
    if match is None:
        return ""
    stem = match["stem"].removesuffix(DEEPER)
    wanted = {
        f"chapters/{stem}": "본문",
        f"chapters/{stem}{DEEPER}": "더 깊이",
        f"exercises/{stem}": "연습",
        f"solutions/{stem}": "풀이",
    }
    there = {name: word for name, word in wanted.items() if name in pages}
    if len(there) < 2:
        return ""
    items = "".join(
        f'<strong aria-current="page">{word}</strong>'
        if name == pagename
        else f'<a href="../{name}.html">{word}</a>'
        for name, word in there.items()
    )
    number = int(stem[:2])
    return f'<nav class="course-tabs" aria-label="{number}장의 쪽들"><span>{number}장</span>{items}</nav>'
