"""Put the HTML of tables, figures and code right, so that everybody can use them."""

from __future__ import annotations

import re
from html import escape, unescape

from sphinx.application import Sphinx

from coursekit.site.pages import blocks

# an empty heading cell names nothing; it is the corner of a table, an ordinary cell
_EMPTY_HEADING = re.compile(r"<th\b[^>]*>(?:<p></p>)?\s*</th>")
# a diagram keeps its size on a phone and scrolls, so the keyboard must be able to reach it
_FIGURE = re.compile(r'<p>(<img\b[^>]*src="[^"]*_images/[^"]+\.svg"[^>]*>)</p>')
_FIGURE_OPENS = '<p class="course-figure" role="group" aria-label="그림" tabindex="0">'

# readers of the screen find no text in a heading cell that holds a formula alone
_FORMULA_HEADING = re.compile(r'(<th\b[^>]*>(?:<p>)?)<math alttext="([^"]*)"(.*?</math>)')
_FORMULA_SAID = r'\1<span class="visually-hidden">\2</span><math aria-hidden="true" alttext="\2"\3'

# what a folded cell is called is written in it, in Korean; this English label would hide that
_FOLDED_LABEL = '<summary aria-label="Toggle hidden content">'

_PERMALINK, _PERMALINK_SAID = 'title="Link to this heading"', 'title="이 절의 주소"'
_PLOT = re.compile(r'(<img\b[^>]*?)alt="(?:\.\./)*_images/[^"]*"')
_PARAGRAPH = re.compile(r"<p>((?!<img).+?)</p>", re.S)
_TAG = re.compile(r"<[^>]+>")


def words(html: str) -> str:
    """What a reader reads of ``html``: no tags, no entities, single blanks."""
    return " ".join(unescape(_TAG.sub("", html)).split())


def rewrite(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Put the text of a page right once it is HTML (html-page-context)."""
    if "body" in context:
        context["body"] = blocks.lighten(mend(context["body"]))


def mend(body: str) -> str:
    """``body`` with accessible tables and figures."""
    body = _EMPTY_HEADING.sub("<td></td>", body).replace(_FOLDED_LABEL, "<summary>")
    body = _FORMULA_HEADING.sub(_FORMULA_SAID, body)
    body = body.replace(_PERMALINK, _PERMALINK_SAID)
    body = _plots(body)
    return _FIGURE.sub(rf"{_FIGURE_OPENS}\1</p>", body)


def _plots(body: str) -> str:
    """What a plot shows, told by the first sentence after its cell; else Sphinx tells its file."""

    def told(match: re.Match) -> str:
        after = _PARAGRAPH.search(body, match.end())
        text = words(after[1]) if after else ""
        sentence = re.match(r".*?[.?!](?=\s|$)", text)
        alt = f"그래프. {sentence[0] if sentence else text}".strip()
        return f'{match[1]}alt="{escape(alt)}"'

    return _PLOT.sub(told, body)
