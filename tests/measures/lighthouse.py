"""Lighthouse on pages of a built book: mobile, simulated throttling, a local gzip server."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from coursekit.browser import browser_path
from tests.measures.gzip_server import served

CATEGORIES = ("performance", "accessibility", "best-practices", "seo")


def version(lighthouse: Path) -> str:
    """Version of the Lighthouse installed in the folder ``lighthouse``; exits without one."""
    package = lighthouse / "package.json"
    if not package.is_file():
        sys.exit(f"{lighthouse}: Lighthouse가 없습니다. npm으로 설치한 폴더를 줍니다.")
    return json.loads(package.read_text(encoding="utf-8"))["version"]


def measure(lighthouse: Path, html: Path, pages: list[str], runs: int) -> dict:
    """Per page of the book in ``html``: scores, bytes, requests, CLS, what the console says.

    Every page is visited ``runs`` times and has the median performance, which the noise of a
    shared machine moves.
    """
    found = {}
    with served(html) as address:
        for name in pages:
            visits = []
            for number in range(runs):
                print(f"  {name} ({number + 1})", flush=True)
                visits.append(visit(lighthouse, f"{address}/{name}.html", address))
            found[name] = _joined(visits)
    return found


def visit(lighthouse: Path, page: str, site: str) -> dict:
    """One run on ``page``; errors about files outside of ``site`` are counted apart."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        command = ["node", str(lighthouse / "cli" / "index.js"), page, "--quiet", "--output=json"]
        command += [f"--output-path={report}", f"--only-categories={','.join(CATEGORIES)}"]
        command += ["--disable-full-page-screenshot", "--max-wait-for-load=60000"]
        # without a network the default book would wait a minute for files that never come
        command += ["--blocked-url-patterns=https://*"]
        command += ["--chrome-flags=--headless=new --no-sandbox --disable-dev-shm-usage"]
        done = subprocess.run(
            command,
            env=os.environ | {"CHROME_PATH": browser_path()},
            capture_output=True,
            text=True,
            timeout=400,
        )
        if not report.is_file():
            sys.exit(f"{page}: {done.stdout[-1500:]}{done.stderr[-1500:]}")
        return read(json.loads(report.read_text(encoding="utf-8")), site)


def read(report: dict, site: str) -> dict:
    """What we tell of a Lighthouse report."""
    audits = report["audits"]
    asked = audits["network-requests"]["details"]["items"]
    own = [item for item in asked if item["url"].startswith(site)]
    errors = audits["errors-in-console"].get("details", {}).get("items", [])
    told = [(e.get("sourceLocation") or {}).get("url", "") for e in errors]
    scores = {
        name: None if category["score"] is None else round(100 * category["score"])
        for name, category in report["categories"].items()
    }
    failed = [
        reference["id"]
        for name in ("accessibility", "best-practices", "seo")
        for reference in report["categories"][name]["auditRefs"]
        if reference["weight"] and audits[reference["id"]]["score"] not in (1, None)
    ]
    return {
        **scores,
        "kilobytes": round(sum(item.get("transferSize") or 0 for item in own) / 1000),
        "requests": len(own),
        "outside": len([a for a in asked if a["url"].startswith("http")]) - len(own),
        "shift": round(audits["cumulative-layout-shift"]["numericValue"], 3),
        "first_paint": round(audits["first-contentful-paint"]["numericValue"]),  # ms, simulated
        "errors": len([url for url in told if url.startswith(site) or not url]),
        "outside_errors": len([u for u in told if u and not u.startswith(site)]),
        "failed": failed,
    }


def _joined(runs: list[dict]) -> dict:
    """The worst of each number over ``runs``, but of performance and paint the median."""
    joined = dict(runs[0])
    for key in ("accessibility", "best-practices", "seo"):
        joined[key] = min(run[key] or 0 for run in runs)
    for key in ("kilobytes", "requests", "outside", "shift", "errors", "outside_errors"):
        joined[key] = max(run[key] for run in runs)
    joined["failed"] = sorted({name for run in runs for name in run["failed"]})
    joined["performances"] = [run["performance"] for run in runs]
    for key in ("performance", "first_paint"):
        told = [run[key] for run in runs if run[key] is not None]
        joined[key] = round(statistics.median(told)) if told else None
    return joined
