"""Read a MyST text notebook into cells that remember their file and line.

jupytext is used as a reader only. What is added here: snippets pasted in place of
``# include: name.py``, diagrams as PNG data URIs, Colab badges, and, for exercise sets,
the blank made by cutting the regions between ``### BEGIN SOLUTION`` and
``### END SOLUTION``.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from jupytext.myst import MystMetadataParsingError, myst_to_notebook

from coursekit.findings import CourseError
from coursekit.project import BLANK, Project

METADATA_KEYS = ("kernelspec", "accelerator", "colab")
BLANK_LINE = f'raise NotImplementedError("{BLANK}")'
BADGE_IMAGE = "https://colab.research.google.com/assets/colab-badge.svg"

_BADGE = re.compile(r"^<!-- colab-badge(?:: (?P<target>\S+))? -->$", re.M)
_INCLUDE = re.compile(r"^# include: (?P<name>[\w.-]+\.py)$")
_DIAGRAM = re.compile(r"!\[(?P<alt>[^\]]*)\]\((?P<path>[^)]*diagrams/(?P<name>[\w-]+)\.svg)\)")
# how to fill in an exercise, which its solution does not need
_TO_FILL = re.compile(r"^빈칸은 `raise NotImplementedError`가 .*?(?=\n\n|\Z)", re.S)
_SOLVED = (
    "이 쪽은 풀이입니다.\n"
    "[연습](../exercises/{name}.ipynb)을 먼저 풀고 나서 견주어 봅니다.\n"
    "답은 하나가 아니어서, 확인 셀이 맞았다고 하는 답이면 아래와 달라도 맞은 답입니다."
)


@dataclass(frozen=True)
class Cell:
    """A cell; ``origin`` gives (file, 1-based line) for each line of ``source``."""

    kind: str  # "markdown" or "code"
    source: str
    origin: tuple[tuple[Path, int], ...]
    tags: tuple[str, ...] = ()

    @property
    def line(self) -> int:
        return self.origin[0][1] if self.origin else 0

    def place(self, line: int) -> tuple[Path, int]:
        """File and line of the 1-based ``line`` of this cell's source."""
        return self.origin[min(max(line, 1), len(self.origin)) - 1]

    def tag_value(self, name: str) -> str | None:
        """``"P07-01"`` for the tag ``pitfall=P07-01`` and the name ``pitfall``."""
        prefix = f"{name}="
        return next((t[len(prefix) :] for t in self.tags if t.startswith(prefix)), None)


@dataclass(frozen=True)
class Document:
    """A source notebook before it is published anywhere."""

    path: Path
    cells: tuple[Cell, ...]
    metadata: dict = field(default_factory=dict)


def read(path: Path, project: Project) -> Document:
    """Read ``path``; raises CourseError with file and line for text that cannot be read."""
    text = path.read_text(encoding="utf-8")
    try:
        notebook = myst_to_notebook(text, add_source_map=True)
    except (MystMetadataParsingError, AssertionError) as error:
        raise CourseError(f"머리말이나 셀의 태그(YAML)를 읽지 못했습니다. {error}", path) from error
    lines = text.splitlines()
    starts = notebook.metadata.pop("source_map")
    cells = []
    for raw, start in zip(notebook.cells, starts, strict=True):
        if raw.cell_type == "raw":
            raise CourseError("raw 셀은 쓰지 않습니다. 코드 셀이나 글로 바꿉니다.", path, start)
        first = _first_line(lines, start, raw)
        count = raw.source.count("\n") + 1
        origin = tuple((path, first + i) for i in range(count))
        cell = Cell(raw.cell_type, raw.source, origin, tuple(raw.metadata.get("tags", ())))
        if cell.kind == "code":
            cell = _paste_snippets(cell, project)
        cells.append(cell)
    metadata = {k: notebook.metadata[k] for k in METADATA_KEYS if k in notebook.metadata}
    if "kernelspec" not in metadata:
        raise CourseError("머리말에 kernelspec이 없습니다.", path, 1)
    return Document(path, tuple(cells), metadata)


def publish_markdown(document: Document, notebook: str, project: Project) -> Document:
    """Fill in what depends on where the notebook goes: its badge and its diagrams.

    ``notebook`` is the path from the root, such as ``chapters/07-from-pytorch.ipynb``.
    """

    def badge(match: re.Match) -> str:
        target = match["target"] or notebook.removesuffix(".ipynb")
        url = project.colab_url(f"{target}.ipynb")
        return f"[![Colab에서 열기]({BADGE_IMAGE})]({url})"

    def embed(cell: Cell) -> Cell:
        if cell.kind != "markdown":
            return cell
        text = _BADGE.sub(badge, cell.source)
        text = _DIAGRAM.sub(lambda m: _embed_png(m, cell, project), text)
        return replace(cell, source=text)

    return replace(document, cells=tuple(embed(cell) for cell in document.cells))


def diagrams(document: Document) -> dict[str, int]:
    """Names of the diagrams a document shows, with the line of the first use."""
    found: dict[str, int] = {}
    for cell in document.cells:
        if cell.kind == "markdown":
            for match in _DIAGRAM.finditer(cell.source):
                line = cell.source[: match.start()].count("\n") + 1
                found.setdefault(match["name"], cell.place(line)[1])
    return found


def blank(document: Document) -> Document:
    """The exercise as the student gets it: each solution region replaced by a blank."""
    return replace(document, cells=tuple(_cut(cell, keep=False) for cell in document.cells))


def solved(document: Document) -> Document:
    """The exercise with its solutions: region markers taken out, titled 풀이 for 연습."""
    first, *rest = (_cut(cell, keep=True) for cell in document.cells)
    title = re.sub(r"^# 연습", "# 풀이", first.source, count=1)
    said = _SOLVED.format(name=document.path.stem)
    rest = [replace(cell, source=_TO_FILL.sub(said, cell.source, count=1)) for cell in rest]
    return replace(document, cells=(replace(first, source=title), *rest))


def _first_line(lines: list[str], start: int, raw) -> int:
    """1-based line where the text of a cell begins (the map points at its fence or gap)."""
    first = raw.source.split("\n", 1)[0]
    for number in range(start, len(lines)):
        if lines[number] == first:
            return number + 1
    return start + 1


def _paste_snippets(cell: Cell, project: Project) -> Cell:
    lines: list[str] = []
    origin: list[tuple[Path, int]] = []
    for text, place in zip(cell.source.split("\n"), cell.origin, strict=True):
        match = _INCLUDE.match(text)
        if not match:
            lines.append(text)
            origin.append(place)
            continue
        snippet = project.source / "snippets" / match["name"]
        if not snippet.is_file():
            raise CourseError(f"source/snippets에 {match['name']} 파일이 없습니다.", *place)
        pasted = snippet.read_text(encoding="utf-8").rstrip("\n").split("\n")
        lines += pasted
        origin += [(snippet, i + 1) for i in range(len(pasted))]
    return replace(cell, source="\n".join(lines), origin=tuple(origin))


def _embed_png(match: re.Match, cell: Cell, project: Project) -> str:
    png = project.source / "diagrams" / f"{match['name']}.png"
    if not png.is_file():
        line = cell.source[: match.start()].count("\n") + 1
        raise CourseError(
            f"{png.name} 그림이 없습니다. `python3 book.py draw`로 만듭니다.",
            *cell.place(line),
        )
    return f"![{match['alt']}]({png_uri(png)})"


def png_uri(png: Path) -> str:
    """The data URI under which the build embeds ``png``."""
    return "data:image/png;base64," + base64.b64encode(png.read_bytes()).decode("ascii")


def _cut(cell: Cell, keep: bool) -> Cell:
    if cell.kind != "code":
        return cell
    lines: list[str] = []
    origin: list[tuple[Path, int]] = []
    inside = None
    for text, place in zip(cell.source.split("\n"), cell.origin, strict=True):
        mark = text.strip()
        if mark == "### BEGIN SOLUTION":
            if inside:
                raise CourseError("BEGIN SOLUTION 안에 또 BEGIN SOLUTION이 있습니다.", *place)
            inside = place
            if not keep:
                lines.append(text[: len(text) - len(text.lstrip())] + BLANK_LINE)
                origin.append(place)
        elif mark == "### END SOLUTION":
            if not inside:
                raise CourseError("END SOLUTION 앞에 BEGIN SOLUTION이 없습니다.", *place)
            inside = None
        elif keep or not inside:
            lines.append(text)
            origin.append(place)
    if inside:
        raise CourseError("BEGIN SOLUTION을 닫는 END SOLUTION이 없습니다.", *inside)
    return replace(cell, source="\n".join(lines), origin=tuple(origin))
