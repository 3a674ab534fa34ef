"""The versions with which a notebook has passed: a line under its title, a table of all."""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

from coursekit.notebooks.lanes import records, runner
from coursekit.notebooks.lanes.records import Passed
from coursekit.project import LANES, Project
from coursekit.site.pages import rewrite

MEANING = "reference/lanes"  # the page that says what it means to have passed
PLACEHOLDER = "<!-- lanes -->"
_AFTER = {"colab": "(Colab)"}
_FOLDERS = {"chapters": "장", "exercises": "연습", "solutions": "풀이"}
_BADGE = re.compile(r'<p><a\b[^>]*href="https://colab\.research\.google\.com/.*?</p>', re.S)


def setup(app: Sphinx) -> None:
    """Put the table on the page that explains it; pages follow the records."""
    app.connect("source-read", _table)
    rewrite.follow(app, "lanes", _told)


def line(passed: list[Passed], meaning: str = "") -> str:
    """HTML of the line, or "" where nothing passed; ``meaning`` is the address that explains it."""
    if not passed:
        return ""
    versions = [f"{p.versions.get('jax', '?')}{_AFTER.get(p.lane, '')}" for p in passed]
    link = f' <a href="{meaning}">무슨 뜻인지 보기</a>' if meaning else ""
    return f'<p class="course-lanes">통과한 환경: jax {" · ".join(versions)}{link}</p>'


def tables(project: Project) -> str:
    """Markdown: the versions of each lane, then what every notebook did in each."""
    results = {
        path: {p.lane: p for p in records.lanes_passed(path, project)}
        for path in runner.notebooks(project)
    }
    ran = {lane: p for passed in results.values() for lane, p in passed.items()}
    names = [lane for lane in LANES if lane in ran]
    if not names:
        return "아직 기록이 없습니다."
    lines = ["| 레인 | 실행한 날 | " + " | ".join(records.PACKAGES) + " | Python |"]
    lines.append("|---" * (len(records.PACKAGES) + 3) + "|")
    for lane in names:
        told_versions = [ran[lane].versions.get(name, "–") for name in records.PACKAGES]
        cells = [lane, ran[lane].date, *told_versions, ran[lane].versions["python"]]
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", f"| 노트북 | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    for path, passed in results.items():
        place = path.relative_to(project.root)
        title = f"{_FOLDERS.get(place.parts[0], place.parts[0])} {path.stem[:2]}"
        cells = [_cell(passed.get(lane)) for lane in names]
        lines.append(f"| [{title}](../{place.as_posix()}) | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(passed: Passed | None) -> str:
    if passed is None:
        return "–"
    left_out = f", 건너뜀 {passed.skipped}" if passed.skipped else ""
    return f"셀 {passed.cells}개{left_out}"


def _passed(app: Sphinx, name: str) -> list[Passed]:
    project = Project(Path(app.srcdir))
    try:
        return records.lanes_passed(project.root / f"{name}.ipynb", project)
    except (OSError, ValueError, KeyError):
        return []  # a notebook that cannot be read: Sphinx says so itself


def _told(app: Sphinx, name: str) -> str:
    if name == MEANING:
        return tables(Project(Path(app.srcdir)))
    explained = MEANING in app.env.found_docs
    return line(_passed(app, name), MEANING if explained else "")


def add(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Add the line to the page of a notebook (html-page-context)."""
    if doctree is None:
        return
    explained = MEANING in app.env.found_docs
    meaning = app.builder.get_relative_uri(pagename, MEANING) if explained else ""
    if html := line(_passed(app, pagename), meaning):
        body = context["body"]
        badge = _BADGE.search(body)
        place = badge.end() if badge else body.find("</h1>") + len("</h1>")
        context["body"] = body[:place] + html + body[place:]


def _table(app: Sphinx, name: str, content: list[str]) -> None:
    if name == MEANING and PLACEHOLDER in content[0]:
        content[0] = content[0].replace(PLACEHOLDER, tables(Project(Path(app.srcdir))))
