"""What a cell is, said in it: wrong and right code with their number, the blank, the check, output.

The words are text of the page, so they can be searched, read aloud and linked to
(``#P01-05``, ``#P01-05-right``).
"""

from __future__ import annotations

import re

from sphinx.application import Sphinx

_CELL = re.compile(r'<div class="cell (?P<tags>[^"]*)docutils container"(?P<rest>[^>]*)>')
_PITFALL = re.compile(r"tag_pitfall=(P(\d\d)-(\d\d))")
_MARKS = {"wrong": ("✗", "틀린 코드"), "right": ("✓", "바른 코드")}
_ROLES = {"tag_solution": "✎ 답", "tag_check": "☑ 확인 셀"}
_OUTPUT = '<div class="cell_output docutils container">'
_OUTPUT_SAID = f'{_OUTPUT}<p class="course-said" aria-hidden="true">출력</p>'


def rewrite(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Label the cells of a page (html-page-context)."""
    if doctree is not None and "body" in context:
        context["body"] = label(context["body"], blank=pagename.startswith("exercises/"))


def label(body: str, blank: bool = False) -> str:
    """``body`` with its cells labelled; ``blank``: answers are still to be written."""
    seen: set[str] = set()

    def one(match: re.Match) -> str:
        tags = match["tags"].split()
        kind = next((kind for kind in _MARKS if f"tag_{kind}" in tags), "")
        pitfall = _PITFALL.search(match["tags"])
        if kind and pitfall:
            sign, words = _MARKS[kind]
            name = pitfall[1] if kind == "wrong" else f"{pitfall[1]}-right"
            anchor = "" if name in seen else f' id="{name}"'
            seen.add(name)
            number = f"함정 {int(pitfall[2])}-{int(pitfall[3])}"
            said = f'<a class="course-number" href="#{name}">{number}</a>'
            head = f'<p class="course-said"><span aria-hidden="true">{sign}</span> {words} · {said}</p>'
            opened = match[0][:-1] + f'{anchor} role="group" aria-label="{words}, {number}">'
            return opened + head
        for tag, words in _ROLES.items():
            if tag in tags:
                words = "✎ 여기에 답을 씁니다" if blank and tag == "tag_solution" else words
                return f'{match[0]}<p class="course-said">{words}</p>'
        return match[0]

    return _CELL.sub(one, body).replace(_OUTPUT, _OUTPUT_SAID)
