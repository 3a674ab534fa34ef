"""The whole book as one PDF: its pages joined into one, printed by a headless browser.

One document rather than one for each page: then Chromium itself makes the outline, turns links
between pages into links inside the file, and embeds each font once.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from coursekit.browser import browser_path
from coursekit.project import Project
from coursekit.site.bundle.offline import PDF
from coursekit.site.printing import chromium, combine


def require() -> None:
    """Raise CourseError, with what to install, where this machine cannot print Korean."""
    browser_path()
    chromium.require_korean()


def make(project: Project, html: Path) -> Path:
    """Print the built book in ``html`` to a PDF beside its pages; returns the file."""
    # in the root's own folder: a browser from Snap sees no folder for temporary files
    folder = project.root / "_build" / "printing"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    page = folder / "book.html"
    page.write_text(combine.whole_book(project, html), encoding="utf-8")
    new = folder / PDF
    chromium.print_page(page, new)
    os.replace(new, html / PDF)
    shutil.rmtree(folder, ignore_errors=True)
    return html / PDF
