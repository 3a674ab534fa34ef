"""The browser that draws diagrams, prints the book and opens pages in tests."""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
from pathlib import Path

from coursekit.findings import CourseError

NAMES = ("chromium", "google-chrome", "chrome", "chromium-browser", "msedge")
# in a process of its own: playwright's sync API cannot be started twice in one thread
_ASK = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
"""


def find() -> str | None:
    """Path of a Chrome, Chromium or Edge on PATH, else of the one playwright downloaded."""
    for name in NAMES:
        if path := shutil.which(name):
            return path
    return _downloaded()


@functools.cache
def _downloaded() -> str | None:
    asked = subprocess.run([sys.executable, "-c", _ASK], capture_output=True, text=True)
    path = asked.stdout.strip()
    return path if not asked.returncode and Path(path).is_file() and _starts(path) else None


def _starts(path: str) -> bool:
    """False where the system lacks the libraries that a downloaded browser leans on."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def download() -> bool:
    """Let playwright fetch its Chromium; True if it is there and starts."""
    command = [sys.executable, "-m", "playwright", "install", "--no-shell", "chromium"]
    try:
        subprocess.run(command, capture_output=True, timeout=600)
    except (OSError, subprocess.TimeoutExpired):
        return False
    _downloaded.cache_clear()
    return _downloaded() is not None


def browser_path() -> str:
    """Path of a browser; CourseError where there is none."""
    if found := find():
        return found
    raise CourseError(
        "PATH에서 Chrome, Chromium, Edge를 찾지 못했습니다. "
        "Debian과 Ubuntu에서는 `sudo apt-get install chromium`으로 설치합니다."
    )
