"""One browser for the whole group; without one, the group fails and says how to get one."""

from __future__ import annotations

import pytest
from playwright.sync_api import sync_playwright

from coursekit.browser import browser_path


@pytest.fixture(scope="session")
def chrome():
    """An installed Chrome, Chromium or Edge, started once."""
    path = browser_path()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()
