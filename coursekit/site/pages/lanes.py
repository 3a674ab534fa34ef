"""Where a notebook has passed: a line under its title, a word in cells for devices that no lane
has, a table of all."""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

from coursekit.notebooks.lanes import records, runner
from coursekit.notebooks.lanes.records import Passed
from coursekit.project import DEEPER, DEVICES, LANES, Project
from coursekit.site.pages import rewrite

MEANING = "reference/lanes"  # the page that says what it means to have passed
PLACEHOLDER = "<!-- lanes -->"
_AFTER = {"colab": "(Colab)"}
_FOLDERS = {"chapters": "장", "exercises": "연습", "solutions": "풀이"}
_CELL = re.compile(r'<div class="cell [^"]*">')
_ANY_CELL = f'<div class="cell {" ".join(f"tag_for={d}" for d in DEVICES)}">'
BADGE = re.compile(r'<p><a\b[^>]*href="https://colab\.research\.google\.com/.*?</p>', re.S)


def setup(app: Sphinx) -> None:
    """Put the table on the page that explains it; pages follow the records."""
    app.connect("source-read", _table)
    rewrite.follow(app, "lanes", _told)


def line(passed: list[Passed], meaning: str = "") -> str:
    """HTML of the line, or "" where nothing passed; ``meaning`` is the address that explains it.

    A lane that left cells out is named only together with what it left out.
    """
    if not passed:
        return ""
    whole = [_version(p) for p in passed if p.whole]
    less = [_version(p) for p in passed if not p.whole]
    parts = [f"jax {' · '.join(whole)}"] if whole else []
    parts += [f"PyTorch 셀을 빼고 jax {' · '.join(less)}"] if less else []
    link = f' <a href="{meaning}">무슨 뜻인지 보기</a>' if meaning else ""
    return f'<p class="course-lanes">통과한 환경: {", ".join(parts)}{link}</p>'


def _version(passed: Passed) -> str:
    return f"{passed.versions.get('jax', '?')}{_AFTER.get(passed.lane, '')}"


def devices(html: str, passed: list[Passed]) -> str:
    """``html`` with a sentence in every cell for a device on which no run has passed."""
    seen = {p.versions.get("device") for p in passed}

    def told(cell: re.Match) -> str:
        lacking = [d.upper() for d in DEVICES if f"tag_for={d}" in cell[0] and d not in seen]
        if not lacking:
            return cell[0]
        where = "와 ".join(lacking)
        return f'{cell[0]}<p class="course-device">이 셀은 {where}에서 확인하지 않았습니다.</p>'

    return _CELL.sub(told, html)


def tables(project: Project) -> str:
    """Markdown: the versions of each lane, then what every notebook did in each."""
    results = {
        path: {p.lane: p for p in records.lanes_passed(path, project)}
        for path in runner.notebooks(project)
    }
    ran = {
        (lane, p.versions.get("python", "?")): p
        for passed in results.values()
        for lane, p in passed.items()
    }
    names = [lane for lane in LANES if any(lane == name for name, _ in ran)]
    if not names:
        return "아직 기록이 없습니다."
    lines = ["| 레인 | 실행한 날 | " + " | ".join(records.PACKAGES) + " | Python |"]
    lines.append("|---" * (len(records.PACKAGES) + 3) + "|")
    for lane, python in sorted(ran, key=lambda pair: (LANES.index(pair[0]), pair[1])):
        one = ran[lane, python]
        told_versions = [one.versions.get(name, "–") for name in records.PACKAGES]
        lines.append(f"| {' | '.join([lane, one.date, *told_versions, python])} |")
    lines += ["", f"| 노트북 | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    for path, passed in results.items():
        place = path.relative_to(project.root)
        title = f"{_FOLDERS.get(place.parts[0], place.parts[0])} {path.stem[:2]}"
        title += " 더 깊이" * path.stem.endswith(DEEPER)
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
    passed = _passed(app, name)
    return line(passed, MEANING if explained else "") + devices(_ANY_CELL, passed)


def add(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Add the line to the page of a notebook (html-page-context)."""
    if doctree is None:
        return
    explained = MEANING in app.env.found_docs
    meaning = app.builder.get_relative_uri(pagename, MEANING) if explained else ""
    passed = _passed(app, pagename)
    body = context["body"] = devices(context["body"], passed)
    if html := line(passed, meaning):
        badge = BADGE.search(body)
        place = badge.end() if badge else body.find("</h1>") + len("</h1>")
        context["body"] = body[:place] + html + body[place:]


def _table(app: Sphinx, name: str, content: list[str]) -> None:
    if name == MEANING and PLACEHOLDER in content[0]:
        content[0] = content[0].replace(PLACEHOLDER, tables(Project(Path(app.srcdir))))
