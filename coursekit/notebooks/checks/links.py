"""The table of contents, Colab badges and links inside the course."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote

import yaml

from coursekit.files import write_whole
from coursekit.findings import Finding
from coursekit.notebooks import publish
from coursekit.notebooks.checks.prose import CODE
from coursekit.project import PAGES, Project

_LINK = re.compile(r"(?<!!)\[[^\]]*\]\((?P<target>[^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.M)
_FENCE = re.compile(r"^```.*?^```", re.S | re.M)
_COLAB = re.compile(r"https://colab\.research\.google\.com/github/[^)\s]+")
_COLAB_PREFIX = re.compile(
    r"https://colab\.research\.google\.com/github/[\w.-]+/[\w.-]+/blob/[\w.-]+/"
)


def check(project: Project) -> list[Finding]:
    """Findings on ``_toc.yml``, on badges and on relative links to files that do not exist."""
    findings = _toc(project)
    for target in publish.plan(project)[0]:
        name = str(target.document.path.relative_to(project.root))
        if project.colab_url(str(target.path)) not in target.document.cells[0].source:
            message = "첫 셀에 이 노트북의 Colab 배지(`<!-- colab-badge -->`)가 없습니다."
            findings.append(Finding(name, 1, message))
        findings += _links_of_cells(target, project)
    for page in [*PAGES, *sorted(p.relative_to(project.root) for p in _reference(project))]:
        path = project.root / page
        if path.is_file():
            findings += _links(path.read_text(encoding="utf-8"), path, project)
    return findings


def update_addresses(project: Project) -> list[Path]:
    """Point the Colab badges of hand-written pages at the configured repository."""
    written = []
    for page in PAGES:
        path = project.root / page
        if not path.is_file():
            continue
        text = path.read_text(encoding="utf-8")
        new = _COLAB_PREFIX.sub(lambda match: project.colab_url(""), text)
        if write_whole(path, new):
            written.append(path)
    return written


def toc_files(project: Project) -> list[str]:
    """Every file named in ``_toc.yml``, in order, as written there."""
    toc = yaml.safe_load((project.root / "_toc.yml").read_text(encoding="utf-8"))
    files: list[str] = []

    def walk(node) -> None:
        if isinstance(node, dict):
            for key, value in node.items():
                if key in ("root", "file"):
                    files.append(value)
                else:
                    walk(value)
        elif isinstance(node, list):
            for item in node:
                walk(item)

    walk(toc)
    return files


def _reference(project: Project) -> list[Path]:
    return [p for p in (project.root / "reference").glob("*") if p.suffix in (".md", ".ipynb")]


def _guides(project: Project) -> list[Path]:
    """Pages that the book may show: guides for learners and teachers."""
    return sorted((project.root / "docs").glob("*.md"))


def _toc(project: Project) -> list[Finding]:
    try:
        listed = {str(Path(name).with_suffix("")) for name in toc_files(project)}
    except yaml.YAMLError as error:
        line = error.problem_mark.line + 1 if getattr(error, "problem_mark", None) else 0
        return [Finding("_toc.yml", line, "YAML 문법에 맞지 않습니다.")]
    there = {
        str(name.with_suffix("")) for path in project.sources() for name in publish.names(path)
    }
    there |= {str(p.relative_to(project.root).with_suffix("")) for p in _reference(project)}
    there.add("intro")
    missing = [Finding("_toc.yml", 0, f"빠진 파일이 있습니다: {name}") for name in there - listed]
    there |= {str(p.relative_to(project.root).with_suffix("")) for p in _guides(project)}
    dead = [Finding("_toc.yml", 0, f"없는 파일입니다: {name}") for name in listed - there]
    return sorted(missing + dead)


def _links_of_cells(target: publish.Target, project: Project) -> list[Finding]:
    """Relative links and Colab addresses in one notebook, with lines of its source."""
    path = project.root / target.path
    own = anchors(c.source for c in target.document.cells if c.kind == "markdown")
    findings = []
    for cell in target.document.cells:
        if cell.kind == "markdown":
            for number, message in _breaches(cell.source, path, own, project):
                file, line = cell.place(number)
                findings.append(Finding(str(file.relative_to(project.root)), line, message))
    return findings


def _links(text: str, path: Path, project: Project) -> list[Finding]:
    name = str(path.relative_to(project.root))
    own = anchors(_texts(path))
    found = _breaches(text, path, own, project)
    return [Finding(name, line, message) for line, message in found]


def anchors(texts: Iterable[str]) -> set[str]:
    """The anchors that the headings of a page get, as GitHub and MyST make them."""
    found: list[str] = []
    for text in texts:
        for heading in _HEADING.findall(_FENCE.sub("", text)):
            bare = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
            slug = re.sub(r"[^\w\u4e00-\u9fff\- ]", "", bare.strip().lower().replace(" ", "-"))
            number = 1
            while slug in found:
                slug, number = f"{slug}-{number}", number + 1
            found.append(slug)
    return set(found)


def _texts(path: Path) -> list[str]:
    """The markdown of a page or of a notebook."""
    if path.suffix != ".ipynb":
        return [path.read_text(encoding="utf-8")]
    notebook = publish.load(path)
    return [c.source for c in notebook.cells if c.cell_type == "markdown"] if notebook else []


def _breaches(text: str, path: Path, own: set[str], project: Project) -> list[tuple[int, str]]:
    """(1-based line, message) for dead links and wrong badges outside of code."""
    text = CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    found = [(match, _dead(match["target"], path, own)) for match in _LINK.finditer(text)]
    found += [(match, _wrong_badge(match[0], project)) for match in _COLAB.finditer(text)]
    return [(text[: m.start()].count("\n") + 1, message) for m, message in found if message]


def _dead(target: str, path: Path, own: set[str]) -> str:
    if re.match(r"[a-z]+:", target):
        return ""
    name, _, anchor = target.partition("#")
    there = path.parent / name if name else path
    if name and not there.exists():
        return f"링크 {target}: 없는 파일입니다."
    if anchor and there.suffix in (".ipynb", ".md"):
        known = anchors(_texts(there)) if name else own
        if unquote(anchor) not in known:
            return f"링크 {target}: 그 쪽에 이런 제목의 절이 없습니다."
    return ""


def _wrong_badge(url: str, project: Project) -> str:
    prefix = project.colab_url("")
    if not url.startswith(prefix):
        return f"Colab 주소가 _config.yml의 저장소와 다릅니다. {prefix}…로 시작해야 합니다."
    return (
        ""
        if (project.root / url.removeprefix(prefix)).is_file()
        else f"Colab 주소가 가리키는 노트북이 없습니다: {url}"
    )
