"""Collect what can be found: one entry for each section of each page."""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

_TAG = re.compile(r"<[^>]+>")
_WORD = re.compile(r"[A-Za-z_][\w.]*[A-Za-z0-9_]|\d{3,}")
_COMMENT = re.compile(r"#\s?(.*[가-힣].*)")
_RAISED = re.compile(r"^.*(?:Error|Exception|Warning)\b.*$", re.M)
_OUTPUT_LIMIT = 240  # characters of one output that may be found; the rest is numbers
_KEYWORDS = frozenset([*keyword.kwlist, "print", "self"])
# a name is looked up by its library; what stands before other dots is a variable of the cell
_LIBRARIES = {
    "jax", "jnp", "np", "numpy", "nnx", "nn", "linen", "flax", "optax", "ocp", "orbax",
    "torch", "lax", "eqx", "equinox", "onnx", "jr", "pl", "functools", "itertools",
    "collections", "contextlib", "dataclasses", "subprocess", "multiprocessing", "os",
}  # fmt: skip


@dataclass(frozen=True)
class Section:
    """A heading with what stands under it, up to the next heading.

    ``anchor`` is empty for the top of a page. ``trail`` holds the headings above, outermost
    first. ``text`` is prose, ``words`` the distinct names in code, ``errors`` what outputs say.
    """

    anchor: str
    title: str
    trail: tuple[str, ...]
    text: str
    words: str
    errors: str


def setup(app: Sphinx) -> None:
    """Keep the sections of each page in Sphinx's environment, so that reading again is cheap."""
    app.connect("doctree-read", _remember)
    app.connect("env-purge-doc", lambda app, env, name: _kept(env).pop(name, None))
    app.connect("env-merge-info", _merge)


def _kept(env: BuildEnvironment) -> dict[str, list[Section]]:
    if not hasattr(env, "course_sections"):
        env.course_sections = {}
    return env.course_sections


def _remember(app: Sphinx, doctree: nodes.document) -> None:
    _kept(app.env)[app.env.docname] = list(of_document(doctree))


def _merge(app: Sphinx, env: BuildEnvironment, names: Iterable[str], other) -> None:
    _kept(env).update({name: _kept(other)[name] for name in names if name in _kept(other)})


def of_document(doctree: nodes.document) -> Iterator[Section]:
    """Every section of a page in reading order, the page's own top first."""
    for section in doctree.findall(nodes.section):
        above = []
        parent = section.parent
        while isinstance(parent, nodes.section):
            above.append(_title(parent))
            parent = parent.parent
        text, words, errors = _content(section)
        anchor = section["ids"][0] if above else ""
        yield Section(anchor, _title(section), tuple(above[::-1]), text, words, errors)


def _title(section: nodes.section) -> str:
    title = next(iter(section.findall(nodes.title)), None)
    return _clean(title.astext()) if title is not None else ""


def _content(section: nodes.section) -> tuple[str, str, str]:
    prose: list[str] = []
    words: dict[str, None] = {}
    errors: dict[str, None] = {}
    for child in section.children:
        if isinstance(child, nodes.section | nodes.title):
            continue
        _collect(child, prose, words, errors)
    return "\n".join(filter(None, prose)), " ".join(words), "\n".join(errors)


def _collect(node: nodes.Node, prose: list, words: dict, errors: dict) -> None:
    """Sort one block into prose, names of code and messages of outputs."""
    classes = node.get("classes", ()) if isinstance(node, nodes.Element) else ()
    if "cell_output" in classes:
        for text in _plain_outputs(node):
            found = _RAISED.findall(text) or [text[:_OUTPUT_LIMIT]]
            errors.update(dict.fromkeys(_clean(line)[:_OUTPUT_LIMIT] for line in found[:4]))
    elif isinstance(node, nodes.literal_block):
        code = node.astext()
        prose.extend(_clean(comment) for comment in _COMMENT.findall(code))
        words.update(dict.fromkeys(filter(None, map(_name, _WORD.findall(code)))))
    elif isinstance(node, nodes.raw):
        prose.append(_clean(_TAG.sub(" ", node.astext())))
    elif isinstance(node, nodes.math_block | nodes.image | nodes.comment | nodes.target):
        if alt := isinstance(node, nodes.image) and node.get("alt"):
            prose.append(_clean(alt))
    elif isinstance(node, nodes.TextElement):
        prose.append(_clean(_inline(node)))
    elif isinstance(node, nodes.row):
        cells = [_clean(" ".join(_inline(x) for x in cell.children)) for cell in node.children]
        prose.append(" · ".join(filter(None, cells)))
    else:
        for child in getattr(node, "children", ()):
            _collect(child, prose, words, errors)


def _name(word: str) -> str:
    """What of a word in code somebody would look up: an API, an argument, a class; or nothing."""
    first, *rest = word.split(".")
    if rest and first not in _LIBRARIES:
        return rest[-1] if len(rest[-1]) > 2 else ""
    api = rest or "_" in word.strip("_") or not word.islower()
    return word if api and word not in _KEYWORDS else ""


def _inline(node: nodes.Node) -> str:
    """Text with formulas left out and with the descriptions of images."""
    if isinstance(node, nodes.Text):
        return node.astext()
    if isinstance(node, nodes.image):
        return " " + node.get("alt", "") + " "
    if isinstance(node, nodes.math):
        return node.astext() if "\\" not in node.astext() else " "
    if isinstance(node, nodes.raw):
        return _TAG.sub(" ", node.astext())
    return "".join(_inline(child) for child in node.children)


def _plain_outputs(node: nodes.Element) -> Iterator[str]:
    """The text of each output once, whatever forms the notebook stores."""
    for block in node.findall(nodes.literal_block):
        yield block.astext()


def _clean(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())
