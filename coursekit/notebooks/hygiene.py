"""Style rules that a machine can judge: tags, prose, code shape, and clean outputs."""

from __future__ import annotations

import ast
import re

from markdown_it import MarkdownIt

from coursekit.findings import CourseError, Finding
from coursekit.notebooks import publish, source
from coursekit.notebooks.freshness import PUBLISHED
from coursekit.notebooks.source import Cell, Document
from coursekit.project import LANES, Project

TAGS = {
    "wrong",
    "right",
    "hide-input",
    "hide-output",
    "nbval-ignore-output",
    "needs-torch",
    "needs-equinox",
    "needs-onnx",
    "solution",
    "check",
    *(f"differs={lane}" for lane in LANES[1:]),
}
CELL_LINES, COLUMNS = 25, 88
NOTEBOOK_BYTES, IMAGE_BYTES = 2_000_000, 300_000
DUPLICATE_LINES = 4  # shorter functions may repeat: a one-line loss is no duplicate

BANNED = {
    r"우리는|여러분|당신": "독자를 부르지 않고 동사로 말합니다.",
    r"간단히|단지|매우": "뜻을 더하지 않는 말은 뺍니다.",
    r"에 의해|[을를] 가지고 있|되어[진지]": "번역투를 쓰지 않습니다.",
    r"[가-힣](?:어요|아요|해요|예요|에요|네요|거예요|죠)(?=[.?!\s]|$)": "합니다체로 씁니다.",
    r"\d\s?~\s?\d": "범위는 1–3처럼 –로 씁니다.",
    r"부작용|매개변수|그래디언트|그라디언트": "용어집의 말(부수 효과, 인자나 파라미터, 기울기)을 씁니다.",
    r"[\U0001F300-\U0001FAFF\u2705\u274C\u26A0]": "이모지를 쓰지 않습니다.",
}
_TWO_SENTENCES = re.compile(r"[가-힣]다\. +(?=[가-힣A-Z`(])")
_NO_PROSE = re.compile(r"\s*(?:[>|*#-]|\d)")  # quotes, tables, lists and headings
CODE = re.compile(r"```.*?^```|`[^`\n]*`|\$[^$\n]*\$", re.S | re.M)
_LINK_TARGET = re.compile(r"\]\([^)]*\)")
_DIRTY = {
    r"(?<![\w.:/])/(?:home|root|Users|tmp|work|opt|usr|var|mnt|private)/": "절대 경로",
    r"\b0x[0-9a-fA-F]{6,}": "메모리 주소",
    r"ipykernel_\d+|\bpid[ =:]\d+": "프로세스 번호",
    r"\x1b\[": "색 코드",
}


def check(project: Project) -> list[Finding]:
    """Findings on tags, prose and code of the sources and on the outputs as committed."""
    findings: list[Finding] = []
    functions: dict[str, tuple[str, str]] = {}
    for path in project.sources():
        try:
            document = source.read(path, project)
        except CourseError:
            continue  # freshness reports what cannot be read
        for cell in document.cells:
            messages = _tags(cell)
            messages += prose(cell.source) if cell.kind == "markdown" else code(cell.source)
            for line, message in messages:
                file, number = cell.place(line)
                findings.append(Finding(str(file.relative_to(project.root)), number, message))
        findings += _duplicates(document, functions, project)
    for folder in PUBLISHED:
        for path in sorted((project.root / folder).glob("*.ipynb")):
            findings += _outputs(path, project)
    return findings


def prose(text: str) -> list[tuple[int, str]]:
    """(1-based line, message) for each breach of the style rules in markdown ``text``."""
    found = []
    bare = CODE.sub(lambda m: re.sub(r"[^\n]", "·", m[0]), text)
    bare = _LINK_TARGET.sub(lambda m: "]" + "·" * (len(m[0]) - 1), bare)
    for number, line in enumerate(bare.split("\n"), 1):
        for pattern, reason in BANNED.items():
            if match := re.search(pattern, line):
                found.append((number, f"'{match[0]}': {reason}"))
        if _TWO_SENTENCES.search(line) and not _NO_PROSE.match(line):
            found.append((number, "한 줄에 한 문장만 씁니다."))
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        for child in token.children or ():
            if child.type == "text" and "**" in child.content:
                line = (token.map or [0])[0] + 1
                found.append(
                    (line, "굵은 글씨가 되지 않습니다. 괄호, 따옴표, 백틱 앞에서 **를 닫습니다.")
                )
    return found


def code(text: str) -> list[tuple[int, str]]:
    """(1-based line, message) for each breach of the code rules in one cell."""
    lines = text.split("\n")
    found = []
    if len(lines) > CELL_LINES:
        found.append((1, f"셀이 {len(lines)}줄입니다. {CELL_LINES}줄 이하로 나눕니다."))
    for number, line in enumerate(lines, 1):
        width = sum(2 if ord(letter) > 0x1100 else 1 for letter in line)
        if width > COLUMNS:
            found.append((number, f"줄이 {width}칸입니다. {COLUMNS}칸 이하로 줄입니다."))
        if line.startswith(("!", "%")) and not line.startswith("%timeit"):
            found.append((number, "셸 명령은 쓰지 않고, 매직은 %timeit만 씁니다."))
    return found


def _tags(cell: Cell) -> list[tuple[int, str]]:
    return [
        (1, f"모르는 태그 '{tag}'입니다. 쓸 수 있는 태그는 CONTRIBUTING.md에 있습니다.")
        for tag in cell.tags
        if tag not in TAGS and not re.fullmatch(r"pitfall=P\d\d-\d\d", tag)
    ]


def _duplicates(document: Document, functions: dict, project: Project) -> list[Finding]:
    """Functions that another notebook defines word for word and no snippet holds."""
    findings = []
    here = str(document.path.relative_to(project.root))
    for cell in document.cells:
        if cell.kind != "code":
            continue
        try:
            tree = ast.parse(cell.source)
        except SyntaxError:
            continue  # a magic; execution judges real syntax errors
        for node in tree.body:
            if not isinstance(node, ast.FunctionDef | ast.ClassDef):
                continue
            file, line = cell.place(node.lineno)
            long_enough = (node.end_lineno or 0) - node.lineno + 1 >= DUPLICATE_LINES
            if "snippets" in file.parts or not long_enough:
                continue
            other, place = functions.setdefault(ast.dump(node), (here, f"{here}:{line}"))
            if other != here:
                findings.append(
                    Finding(
                        here,
                        line,
                        f"같은 {node.name} 정의가 {place}에도 있습니다. 조각으로 옮깁니다.",
                    )
                )
    return findings


def _outputs(path, project: Project) -> list[Finding]:
    name = str(path.relative_to(project.root))
    findings = []
    if (size := path.stat().st_size) > NOTEBOOK_BYTES:
        findings.append(Finding(name, 0, f"노트북이 {size:,}바이트입니다. 2 MB 이하로 줄입니다."))
    notebook = publish.load(path)
    for number, cell in enumerate(notebook.cells if notebook else (), 1):
        for output in cell.get("outputs", ()):
            for message in _output_breaches(output):
                findings.append(Finding(name, 0, f"셀 {number}의 출력: {message}"))
    return findings


def _output_breaches(output) -> list[str]:
    breaches = []
    if output.get("name") == "stderr":
        breaches.append(f"stderr가 있습니다. {output.text.strip()[:80]}")
    texts = [output.get("text", "")]
    for kind, value in output.get("data", {}).items():
        if kind.startswith("image/") and len(value) > IMAGE_BYTES:
            breaches.append(
                f"그림이 {len(value):,}바이트입니다. {IMAGE_BYTES:,}바이트 이하로 줄입니다."
            )
        elif kind.startswith("text/"):
            texts.append(value)
    for pattern, reason in _DIRTY.items():
        if match := re.search(pattern, "\n".join(texts)):
            breaches.append(f"{reason}가 있습니다. '{match[0]}'")
    return breaches
