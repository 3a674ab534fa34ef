"""How fast the review page is with a thousand students.  Not part of the tests.

    .venv/bin/python -m tests.measures.review_speed

Opens the page in a real browser, takes the time to the first paint and until an answer can be
read, then walks through answers by keyboard and takes the time of each step.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from coursekit.browser import browser_path
from tests.loop.desks import fill, serving
from tests.measures.thousand import RESULTS

STEP = """
() => new Promise((done) => {
  const before = document.querySelector('#list [aria-current]').dataset.item;
  const start = performance.now();
  const seen = new MutationObserver(() => {
    const now = document.querySelector('#list [aria-current]')?.dataset.item;
    const shown = document.querySelector('#answer .name')?.textContent;
    if (now && now !== before && shown?.includes(now)) {
      seen.disconnect();
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - start), 0));
    }
  });
  seen.observe(document.body, { subtree: true, childList: true, attributes: true });
  document.body.dispatchEvent(new KeyboardEvent('keydown', { code: 'KeyJ', bubbles: true }));
})
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--no-save", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as base, sync_playwright() as playwright:
        path = fill(Path(base) / "gradebook.db", options.count)
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        with serving(path, "조교") as server:
            page = browser.new_page()
            page.goto(server.links["조교"])
            page.wait_for_selector("#form:not([hidden])")
            page.reload()
            page.wait_for_selector("#form:not([hidden])")
            ready = page.evaluate("performance.now()")
            paint = page.evaluate(
                "performance.getEntriesByName('first-contentful-paint')[0].startTime"
            )
            steps = [page.evaluate(STEP) for _ in range(options.steps)]
        browser.close()
    report = {
        "date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        "cores": len(os.sched_getaffinity(0)), "load": os.getloadavg()[0],
        "students": options.count, "first_paint_ms": round(paint),
        "first_answer_readable_ms_at_most": round(ready),
        "next_answer_ms_median": round(statistics.median(steps), 1),
        "next_answer_ms_95_percent": round(sorted(steps)[int(0.95 * len(steps)) - 1], 1),
        "next_answer_ms_max": round(max(steps), 1),
    }  # fmt: skip
    text = json.dumps(report, ensure_ascii=False, indent=1) + "\n"
    print(text)
    if not options.no_save:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"{report['date'][:10]}-review.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
