"""Images that wait until they are needed, keep their place meanwhile, and are all our own."""

from __future__ import annotations

import re
import struct
from functools import lru_cache
from pathlib import Path

from sphinx.application import Sphinx

BADGE = "https://colab.research.google.com/assets/colab-badge.svg"
OWN_BADGE = "_static/colab-badge.svg"
_IMAGE = re.compile(r"<img\b[^>]*>")
_SOURCE = re.compile(r'\bsrc="([^"]+)"')
_VIEWBOX = re.compile(r'<svg\b[^>]*\bviewBox="[\d.-]+ [\d.-]+ ([\d.]+) ([\d.]+)"')


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
    """(width, height) in pixels of a PNG or of an SVG with a viewBox; None if unknown."""
    if not path.is_file():
        return None
    if path.suffix == ".png":
        head = path.read_bytes()[:24]
        return struct.unpack(">II", head[16:24]) if head[:4] == b"\x89PNG" else None
    if path.suffix == ".svg":
        found = _VIEWBOX.search(path.read_text(encoding="utf-8"))
        return (round(float(found[1])), round(float(found[2]))) if found else None
    return None
