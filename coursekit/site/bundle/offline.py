"""The whole book in one file that opens from a folder, without a network."""

from __future__ import annotations

import zipfile
from pathlib import Path

from sphinx.application import Sphinx

from coursekit.files import whole

NAME = "jax-for-pytorch-korean.zip"
PDF = "jax-for-pytorch-korean.pdf"  # of the whole book, where somebody had it made
_TIME = (2026, 1, 1, 0, 0, 0)  # equal books make equal files
_PACKED = {".png", ".woff2"}


def pack_book(app: Sphinx, error: Exception | None) -> None:
    """Pack the finished book (build-finished)."""
    if not error and app.builder.format == "html":
        pack(Path(app.outdir))


def pack(folder: Path) -> Path:
    """Write the zip of ``folder`` into it; readers open ``index.html`` of the unpacked folder."""
    target = folder / NAME
    with whole(target) as new, zipfile.ZipFile(new, "w", compresslevel=6) as packed:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder)  # what hides is Sphinx's, or this file in the making
            if path.is_dir() or name.parts[0].startswith(".") or str(name) in (NAME, PDF):
                continue
            info = zipfile.ZipInfo(f"{target.stem}/{name.as_posix()}", _TIME)
            stored = path.suffix in _PACKED
            info.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
            packed.writestr(info, path.read_bytes())
    return target
