"""The browser that draws diagrams and prints the book: one that is installed already."""

from __future__ import annotations

import shutil

from coursekit.findings import CourseError

BROWSERS = ("chromium", "google-chrome", "chrome", "chromium-browser", "msedge")


def browser() -> str:
    """Path of an installed Chrome, Chromium or Edge; CourseError where there is none."""
    for name in BROWSERS:
        if path := shutil.which(name):
            return path
    raise CourseError(
        "PATH에서 Chrome, Chromium, Edge를 찾지 못했습니다. "
        "Debian과 Ubuntu에서는 `sudo apt-get install chromium`으로 설치합니다."
    )
