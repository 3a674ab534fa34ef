"""Images that wait until they are needed, keep their place meanwhile, and are all our own."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import imagesize
from sphinx.application import Sphinx

BADGE = "https://colab.research.google.com/assets/colab-badge.svg"
OWN_BADGE = "_static/colab-badge.svg"
_IMAGE = re.compile(r"<img\b[^>]*>")
_SOURCE = re.compile(r'\bsrc="([^"]+)"')


def rewrite(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Complete the image tags of a page's text (html-page-context)."""
    if "body" not in context:
        return
    root = context["content_root"]
    folders = [Path(app.outdir) / "_images", Path(app.srcdir), *_image_folders(app)]
    context["body"] = _IMAGE.sub(lambda found: _tag(found[0], root, folders, app), context["body"])


def _image_folders(app: Sphinx) -> list[Path]:
    return [Path(app.doctreedir).parent / "jupyter_execute"]


def _tag(tag: str, root: str, folders: list[Path], app: Sphinx) -> str:
    source = _SOURCE.search(tag)
    if not source:
        return tag
    if source[1] == BADGE:
        tag = tag.replace(BADGE, root + OWN_BADGE)
        return tag.replace("<img ", '<img width="136" height="24" ', 1)
    extra = ' loading="lazy" decoding="async"'
    name = source[1].rsplit("/", 1)[-1]
    original = {target: path for path, (_, target) in app.env.images.items()}.get(name)
    path = Path(app.srcdir, original) if original else None
    if path and (size := dimensions(path)) and "width=" not in tag:
        extra += f' width="{size[0]}" height="{size[1]}"'
    return tag.replace("<img ", f"<img{extra} ", 1) if "loading=" not in tag else tag


@lru_cache(maxsize=1000)
def dimensions(path: Path) -> tuple[int, int] | None:
    """(width, height) of an image in pixels; None if unknown."""
    size = imagesize.get(path) if path.is_file() else (-1, -1)
    return (round(size[0]), round(size[1])) if min(size) > 0 else None
