"""Join the pages of the built book into one HTML page, ready to be printed."""

from __future__ import annotations

import html as markup
import posixpath
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

import yaml

from coursekit.findings import CourseError
from coursekit.project import Project
from coursekit.site.bundle.assets import STYLE

PRINT_STYLE = Path(__file__).with_name("print.css")
_ARTICLE = re.compile(r'<article class="bd-article">(.*)</article>', re.S)
_TITLE = re.compile(r"<h1>(.*?)</h1>", re.S)
# what only a screen can use
_SCREEN = (
    re.compile(r'<a class="headerlink".*?</a>', re.S),
    re.compile(r'<div class="course-strip.*?</div>', re.S),
    re.compile(r'<p class="course-continue.*?</p>', re.S),
    re.compile(r"<script\b.*?</script>", re.S),
    re.compile(r'<p class="collapsed admonition-title">.*?</p>', re.S),
    re.compile(r'<p class="expanded admonition-title">.*?</p>', re.S),
)
# pieces of code in the colour of plain text: a tagged PDF keeps an object for each of them
_PLAIN = re.compile(r'<span class="(?:n|p|w|nn|pre)">([^<]*)</span>')
_WAITS = re.compile(r' (?:loading="lazy"|decoding="async"|tabindex="0")')
_FOLDED = re.compile(r"<details(?! open)")
_TAG = re.compile(r"<[a-z][^>]*>")
_ID = re.compile(r'(\sid=")([^"]+)"')
_LINK = re.compile(r'(\shref=")([^"]*)"')
_SOURCE = re.compile(r'(\ssrc=")([^"]*)"')
_OUTSIDE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.I)


@dataclass(frozen=True)
class Part:
    """A part of the table of contents: ``caption`` may be empty; ``pages`` as in _toc.yml."""

    caption: str
    pages: tuple[str, ...]


def contents(project: Project) -> list[Part]:
    """The parts of ``_toc.yml`` in reading order, the root page first."""
    toc = yaml.safe_load((project.root / "_toc.yml").read_text(encoding="utf-8"))
    parts = [Part("", (toc["root"],))]
    for part in toc.get("parts") or [toc]:
        pages = tuple(_pages(part.get("chapters", ())))
        parts.append(Part(part.get("caption", ""), pages))
    return parts


def _pages(entries: list[dict]) -> list[str]:
    found = []
    for entry in entries:
        if "file" in entry:
            found.append(entry["file"])
        found += _pages(entry.get("sections", ()))
    return [re.sub(r"\.(?:md|ipynb|rst)$", "", name) for name in found]


def whole_book(project: Project, html: Path) -> str:
    """One HTML page with every page of the book built in ``html``: a cover, contents, the pages.

    Raises CourseError where a page of the table of contents was not built.
    """
    config = yaml.safe_load((project.root / "_config.yml").read_text(encoding="utf-8"))
    base = ((config.get("html") or {}).get("baseurl") or "").rstrip("/")
    parts = contents(project)
    names = [name for part in parts for name in part.pages]
    texts = {name: _article(html / f"{name}.html") for name in names}
    titles = {name: _plain_title(text, name) for name, text in texts.items()}
    joined = "\n".join(page(texts[name], name, names, html, base) for name in names)
    style = (html / "_static" / STYLE).as_uri()
    title = markup.escape(config["title"])
    return (
        '<!DOCTYPE html>\n<html lang="ko" data-theme="light" data-mode="light">\n'
        f'<head><meta charset="utf-8"><title>{title}</title>\n'
        f'<link rel="stylesheet" href="{style}">\n'
        f"<style>{PRINT_STYLE.read_text(encoding='utf-8')}{_running_heads(names, titles)}</style>"
        f"</head>\n<body>{_cover(config, base, parts, titles)}{joined}</body></html>\n"
    )


def page(text: str, name: str, names: list[str], html: Path, base: str) -> str:
    """The article ``text`` of page ``name`` as a part of the whole book.

    Its ids get the page's name in front, so that they stay unique; links to ``names`` lead
    inside the book, links to other files of the site to its address ``base``, or nowhere.
    """
    for useless in _SCREEN:
        text = useless.sub("", text)
    text = _FOLDED.sub("<details open", _WAITS.sub("", _PLAIN.sub(r"\1", text)))
    folder = posixpath.dirname(name)

    def link(found: re.Match) -> str:
        target = _target(markup.unescape(found[2]), name, names, base)
        return f'{found[1]}{markup.escape(target)}"' if target else ""

    def source(found: re.Match) -> str:
        if _OUTSIDE.match(found[2]):
            return found[0]
        path = html / posixpath.normpath(posixpath.join(folder, unquote(found[2])))
        return f'{found[1]}{path.as_uri()}"'

    def tag(found: re.Match) -> str:
        changed = _ID.sub(rf"\1{anchor(name)}--\2" + '"', found[0])
        return _SOURCE.sub(source, _LINK.sub(link, changed))

    number = names.index(name)
    return (
        f'<article class="bd-article course-page" id="{anchor(name)}" style="page: p{number}">'
        f"{_TAG.sub(tag, text)}</article>\n"
    )


def anchor(name: str) -> str:
    """The id of page ``name`` in the whole book."""
    return name.replace("/", "-")


def _target(link: str, name: str, names: list[str], base: str) -> str:
    if _OUTSIDE.match(link):
        return link
    path, _, fragment = link.partition("#")
    there = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(path)))
    if not path:
        there = f"{name}.html"
    inside = there.removesuffix(".html")
    if there.endswith(".html") and inside in names:
        return f"#{anchor(inside)}--{unquote(fragment)}" if fragment else f"#{anchor(inside)}"
    return f"{base}/{there}" if base else ""


def _article(path: Path) -> str:
    found = _ARTICLE.search(path.read_text(encoding="utf-8")) if path.is_file() else None
    if not found:
        raise CourseError("차례에 있는 쪽이 책에 없습니다. 책을 다시 빌드합니다.", path.name)
    return found[1]


def _plain_title(text: str, name: str) -> str:
    found = _TITLE.search(text)
    without_link = re.sub(r'<a class="headerlink".*?</a>', "", found[1]) if found else name
    return markup.unescape(re.sub(r"<[^>]+>", "", without_link)).strip()


def _running_heads(names: list[str], titles: dict[str, str]) -> str:
    """Every page says at its top which chapter it belongs to."""
    rules = []
    for number, name in enumerate(names):
        title = titles[name].replace("\\", "\\\\").replace('"', '\\"').replace("<", "\\3c ")
        rules.append(f'@page p{number} {{ @top-right {{ content: "{title}"; }} }}')
    return "\n".join(rules)


def _cover(config: dict, base: str, parts: list[Part], titles: dict[str, str]) -> str:
    author = markup.escape(str(config.get("author", "")))
    address = f'<p><a href="{markup.escape(base)}/">{markup.escape(base)}</a></p>' if base else ""
    lines = []
    for part in parts:
        if part.caption:
            # no heading: the outline of the file names pages, not this list of them
            lines.append(f'<p class="course-part">{markup.escape(part.caption)}</p>')
        lines.append("<ul>")
        for name in part.pages:
            title = markup.escape(titles[name])
            lines.append(f'<li><a href="#{anchor(name)}">{title}</a></li>')
        lines.append("</ul>")
    return (
        f'<header class="course-cover"><p class="course-book">{markup.escape(config["title"])}</p>'
        f"<p>{author}</p>{address}</header>\n"
        f'<nav class="bd-article course-contents"><h1>차례</h1>{"".join(lines)}</nav>\n'
    )
