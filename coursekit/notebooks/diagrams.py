"""Diagrams: an SVG for the site and, drawn from it, a PNG that travels in the notebook.

The PNG carries the digest of its SVG in a text chunk, so a stale one is found without
drawing. Source of the chunk layout: the PNG specification, 11.3.3 (tEXt).
"""

from __future__ import annotations

import hashlib
import struct
from pathlib import Path

from coursekit.browser import browser_path
from coursekit.files import write_whole
from coursekit.findings import Finding
from coursekit.project import Project

LIMIT = 80_000  # bytes of one PNG; it is pasted into every notebook that shows it
CHUNK = b"svg-sha256"


def check(project: Project) -> list[Finding]:
    """Findings for each SVG without PNG, PNG without SVG, stale or too large PNG."""
    folder = project.source / "diagrams"
    findings = []
    for svg in sorted(folder.glob("*.svg")):
        png = svg.with_suffix(".png")
        name = str(png.relative_to(project.root))
        if not png.is_file():
            findings.append(
                Finding(name, 0, "이 SVG의 PNG가 없습니다. `python3 book.py draw`로 만듭니다.")
            )
            continue
        if digest_in(png) != _digest(svg):
            findings.append(
                Finding(name, 0, "PNG가 지금의 SVG와 다릅니다. `python3 book.py draw`로 만듭니다.")
            )
        if (size := png.stat().st_size) > LIMIT:
            findings.append(
                Finding(name, 0, f"PNG가 {size:,}바이트입니다. {LIMIT:,}바이트 이하로 줄입니다.")
            )
    for png in sorted(folder.glob("*.png")):
        if not png.with_suffix(".svg").is_file():
            findings.append(Finding(str(png.relative_to(project.root)), 0, "SVG가 없는 PNG입니다."))
    return findings


def draw(project: Project, force: bool = False, chrome=None) -> list[Path]:
    """Draw the PNG of each SVG that changed, at twice its size on white; returns those drawn.

    ``chrome`` is a playwright browser that runs already; without one, one is started.
    """
    stale = [
        svg
        for svg in sorted((project.source / "diagrams").glob("*.svg"))
        if force or digest_in(svg.with_suffix(".png")) != _digest(svg)
    ]
    if stale and chrome:
        _draw_all(stale, chrome)
    elif stale:
        from playwright.sync_api import sync_playwright

        with sync_playwright() as playwright:
            chrome = playwright.chromium.launch(
                executable_path=browser_path(), args=["--no-sandbox"]
            )
            _draw_all(stale, chrome)
            chrome.close()
    return [svg.with_suffix(".png") for svg in stale]


def _draw_all(svgs: list[Path], chrome) -> None:
    page = chrome.new_page(device_scale_factor=2)
    for svg in svgs:
        page.set_content(f"<body style='margin:0'>{svg.read_text(encoding='utf-8')}</body>")
        _write_png(page.locator("svg").first.screenshot(), svg)
    page.close()


def digest_in(png: Path) -> str:
    """The SVG digest that ``png`` carries, or ""."""
    if not png.is_file():
        return ""
    data = png.read_bytes()
    position = 8
    while position + 8 <= len(data):
        (length,) = struct.unpack_from(">I", data, position)
        kind = data[position + 4 : position + 8]
        body = data[position + 8 : position + 8 + length]
        if kind == b"tEXt" and body.startswith(CHUNK + b"\0"):
            return body[len(CHUNK) + 1 :].decode("latin-1")
        position += 12 + length
    return ""


def _digest(svg: Path) -> str:
    return hashlib.sha256(svg.read_bytes()).hexdigest()


def _write_png(shot: bytes, svg: Path) -> None:
    from io import BytesIO

    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    # 64 colours are enough for a drawing and keep it far below the limit
    image = Image.open(BytesIO(shot)).convert("RGB").quantize(64)
    info = PngInfo()
    info.add_text(CHUNK.decode(), _digest(svg))
    out = BytesIO()
    image.save(out, "PNG", optimize=True, pnginfo=info)
    write_whole(svg.with_suffix(".png"), out.getvalue())
