"""Links that land on the place they name, not at the top of its page.

``→ 문제 3`` leads to the problem, ``다시 볼 곳: 2장 ‘제목’`` and ``[더 깊이](…)의 ‘제목’`` to the section
of that title, ``P02-05`` in a table to the cell of that pitfall.  A place that does not exist is
a warning of the build.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from sphinx.application import Sphinx
from sphinx.util import logging

from coursekit.project import DEEPER
from coursekit.site.pages import markup

_log = logging.getLogger(__name__)
_PROBLEM = re.compile(
    r'(<a class="reference internal" href="[^"#]*?(?:exercises|solutions)/(?P<page>[\w-]+)\.html)'
    r'(?P<rest>">(?:(?!</a>).)*?문제 (?P<number>\d+)\b)'
)
_AGAIN = re.compile(r"<p>다시 볼 곳:.*?</p>", re.S)
_THERE = re.compile(r'<a class="reference internal" href="[^"#]*">(?:(?!</a>).)*</a>의 ‘[^’]+’')
_ID = re.compile(r' id="([^"]+)"')
_PAGE = re.compile(r'<a class="reference internal" href="(?P<href>[^"#]*)\.html"')
_QUOTED = re.compile(r"‘(?P<title>[^’]+)’")
_PITFALL = re.compile(r"\bP(\d\d-\d\d)\b")
_CELL = re.compile(r"<td>.*?</td>", re.S)


def rewrite(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Give the links of a page their places (html-page-context)."""
    if doctree is None or "body" not in context:
        return
    sections = getattr(app.env, "course_sections", {})
    body = _PROBLEM.sub(lambda m: _problem(m, sections, pagename), context["body"])
    body = _AGAIN.sub(lambda m: _again(m[0], sections, pagename), body)
    if pagename.startswith("chapters/"):
        seen = set(_ID.findall(body))
        body = _THERE.sub(lambda m: _elsewhere(m[0], seen, sections, pagename), body)
        body = _CELL.sub(lambda m: _pitfalls(m[0], body, sections, pagename), body)
    context["body"] = body


def anchor_of(sections: list, wanted: str) -> str | None:
    """Anchor of the section whose title is ``wanted``, or has it as whole words."""
    key = plain(wanted)
    for fits in (key.__eq__, re.compile(rf"(?<!\w){re.escape(key)}(?!\w)").search):
        for section in sections:
            if section.anchor and fits(plain(section.title)):
                return section.anchor
    return None


def plain(title: str) -> str:
    """Words of a title without marks and layout, to compare by."""
    return markup.words(re.sub(r"[`★*]", "", title))


def _problem(match: re.Match, sections: dict, pagename: str) -> str:
    folder = "solutions" if "solutions/" in match[1] else "exercises"
    page = f"{folder}/{match['page']}"
    anchor = anchor_of(sections.get(page, []), f"문제 {match['number']}")
    if anchor is None:
        _log.warning("%s에 문제 %s이(가) 없습니다.", page, match["number"], location=pagename)
        return match[0]
    return f"{match[1]}#{anchor}{match['rest']}"


def _again(line: str, sections: dict, pagename: str) -> str:
    """Make each quoted title a link into the chapter that stands before it, or its deeper page."""
    parts = re.split(r"(?=<a class=\"reference internal\")", line)
    return "".join(_one_chapter(part, sections, pagename) for part in parts)


def _one_chapter(part: str, sections: dict, pagename: str) -> str:
    page = _PAGE.match(part)
    if page is None:
        return part
    stem = PurePosixPath(page["href"]).name

    def link(match: re.Match) -> str:
        for name in (stem, f"{stem}{DEEPER}"):
            anchor = anchor_of(sections.get(f"chapters/{name}", []), match["title"])
            if anchor:
                folder = page["href"].removesuffix(stem)
                return f'<a class="reference internal" href="{folder}{name}.html#{anchor}">{match[0]}</a>'
        _log.warning(
            "다시 볼 곳이 없습니다: %s ‘%s’", stem, plain(match["title"]), location=pagename
        )
        return match[0]

    return _QUOTED.sub(link, part)


def _elsewhere(part: str, seen: set[str], sections: dict, pagename: str) -> str:
    """A link to a section of another page, which stands here under the section's anchor.

    Sections move from a chapter to its deeper page; what pointed at them here still lands.
    """
    made = _one_chapter(part, sections, pagename)
    anchor = re.search(r'href="[^"#]*#([^"]+)">‘', made)
    if anchor is None or anchor[1] in seen:
        return made
    seen.add(anchor[1])
    return made.replace(anchor[0], f'id="{anchor[1]}" {anchor[0]}')


def _pitfalls(cell: str, body: str, sections: dict, pagename: str) -> str:
    """Links from the names of pitfalls in a table to their cells, on this page or its other half."""
    if "<a " in cell:
        return cell
    stem = pagename.removesuffix(DEEPER)
    other = stem if pagename.endswith(DEEPER) else f"{stem}{DEEPER}"

    def link(match: re.Match) -> str:
        if f"tag_pitfall=P{match[1]}" in body:
            place = ""
        elif other in sections:
            place = f"{PurePosixPath(other).name}.html"
        else:
            return match[0]
        return f'<a href="{place}#P{match[1]}">{match[0]}</a>'

    return _PITFALL.sub(link, cell)
