"""Formulas as MathML, made at build: browsers draw it themselves, no script is needed."""

from __future__ import annotations

import re

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging

_log = logging.getLogger(__name__)
# wide formulas scroll, so the keyboard must be able to reach them
_BLOCK = '<div class="math" role="group" aria-label="수식" tabindex="0">'
# one inside a line can't be broken either, so a long one scrolls as well
_LONG = '<span class="math" role="group" aria-label="수식" tabindex="0">'
_LONG_FROM = 20  # signs, about the width of a small phone
_TAG = re.compile(r"<[^>]+>")


def mathml(latex: str, display: str = "inline") -> str:
    r"""MathML of ``latex``, which it carries as alternative text.

    ``display`` is ``inline`` or ``block``. Raises ValueError for a command that has no
    translation (it would show up as ``\command``).
    """
    made = convert(latex, display=display)
    if "\\" in _TAG.sub("", made):
        raise ValueError(latex)
    return made.replace("<math ", f'<math alttext="{_attribute(latex)}" ', 1)


def _attribute(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


def setup(app: Sphinx) -> None:
    """Offer the renderer to Sphinx."""
    app.add_html_math_renderer("course-mathml", (_visit, None), (_visit_block, None))


def choose(app: Sphinx, config: Config) -> None:
    """Take our renderer, whichever an extension chose (config-inited)."""
    config.html_math_renderer = "course-mathml"


def _render(node: nodes.Element, display: str) -> str:
    latex = node.astext()
    try:
        return mathml(latex, display)
    except Exception as error:  # the converter has many kinds of errors of its own
        _log.warning("수식을 바꾸지 못했습니다: %s (%s)", latex, error, location=node)
        return f"<code>{_attribute(latex)}</code>"


def _visit(translator, node: nodes.Element) -> None:
    made = _render(node, "inline")
    long = len(_TAG.sub("", made)) >= _LONG_FROM
    translator.body.append(f"{_LONG}{made}</span>" if long else made)
    raise nodes.SkipNode


def _visit_block(translator, node: nodes.Element) -> None:
    translator.body.append(f"{_BLOCK}{_render(node, 'block')}</div>")
    raise nodes.SkipNode
