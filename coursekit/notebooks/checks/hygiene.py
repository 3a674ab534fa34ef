"""Rules on cells and outputs: tags, the shape of code, packages, clean outputs."""

from __future__ import annotations

import ast
import re
from collections import Counter

from coursekit.findings import Finding
from coursekit.notebooks import publish
from coursekit.notebooks.checks import prose
from coursekit.notebooks.source import Cell, Document
from coursekit.project import DEVICES, LANES, PAGES, PUBLISHED, Project

TAGS = {
    "wrong",
    "right",
    "hide-input",
    "hide-output",
    "nbval-ignore-output",
    "figures=not-measured-here",
    "needs-torch",
    "optional-equinox",
    "optional-onnx",
    "needs-compiler",
    "solution",
    "check",
    *(f"differs={lane}" for lane in LANES[1:]),
    *(f"for={device}" for device in DEVICES),
}
OPTIONAL = {
    "torch": "needs-torch",
    "equinox": "optional-equinox",
    "onnx": "optional-onnx",
    "onnxruntime": "optional-onnx",
    "jax2onnx": "optional-onnx",
}
_DEVICE_WORDS = {  # in code, strings too: child processes get theirs as text
    "gpu": re.compile(r"\b(cuda|gpu|nvidia-smi|pallas_call)\b", re.I),
    "tpu": re.compile(r"\b(tpu|libtpu|pallas_call)\b", re.I),
}
CELL_LINES, COLUMNS = 25, 88
NOTEBOOK_BYTES, IMAGE_BYTES = 2_000_000, 300_000
DUPLICATE_LINES = 4  # shorter functions may repeat: a one-line loss is no duplicate

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
    for document in publish.documents(project):
        aliases = _aliases(document)
        for cell in document.cells:
            breaches = _tags(cell)
            if cell.kind == "markdown":
                breaches += prose.cell(cell.source)
            else:
                breaches += length(cell) + code(cell.source)
                breaches += _packages(cell, aliases) + _devices(cell)
            for line, message in breaches:
                file, number = cell.place(line)
                findings.append(Finding(str(file.relative_to(project.root)), number, message))
        findings += _duplicates(document, functions, project)
        findings += _whole_document(document, project)
    for name in PAGES:
        path = project.root / name
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            findings += [Finding(name, line, message) for line, message in prose.style(text)]
    for folder in PUBLISHED:
        for path in sorted((project.root / folder).glob("*.ipynb")):
            findings += _outputs(path, project)
    return findings


def length(cell: Cell) -> list[prose.Breach]:
    """A cell is short; one that is folded may paste several short snippets."""
    lines = cell.source.split("\n")
    parts = Counter(file for line, (file, _) in zip(lines, cell.origin, strict=True) if line)
    count = max(parts.values(), default=0) if "hide-input" in cell.tags else len(lines)
    if count <= CELL_LINES:
        return []
    return [(1, f"셀이 {count}줄입니다. {CELL_LINES}줄 이하로 나눕니다.")]


def code(text: str) -> list[prose.Breach]:
    """(1-based line, message) for each breach of the code rules in one cell."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        width = sum(2 if ord(letter) > 0x1100 else 1 for letter in line)
        if width > COLUMNS:
            found.append((number, f"줄이 {width}칸입니다. {COLUMNS}칸 이하로 줄입니다."))
        if line.startswith(("!", "%")) and not line.startswith("%timeit"):
            found.append((number, "셸 명령은 쓰지 않고, 매직은 %timeit만 씁니다."))
    try:
        ast.parse(_without_magics(text))
    except SyntaxError as error:
        found.append((error.lineno or 1, f"파이썬 문법에 맞지 않습니다. {error.msg}"))
    return found


def _without_magics(text: str) -> str:
    return re.sub(r"^[%!].*$", "pass", text, flags=re.M)


def _packages(cell: Cell, aliases: dict[str, str]) -> list[prose.Breach]:
    """Packages that some lane lacks are used only under the tag that says so.

    A cell that asks ``find_spec`` first looks after itself.
    """
    try:
        tree = ast.parse(_without_magics(cell.source))
    except SyntaxError:
        return []
    if "find_spec" in cell.source:
        return []
    used = {name.id: name.lineno for name in ast.walk(tree) if isinstance(name, ast.Name)}
    used |= {name: line for name, line in _imports(tree)}
    return [
        (line, f"{aliases[name]} 태그가 없습니다. {name}을 쓰는 셀에는 이 태그를 답니다.")
        for name, line in used.items()
        if name in aliases and aliases[name] not in cell.tags
    ]


def _devices(cell: Cell) -> list[prose.Breach]:
    """A cell that knows a GPU or a TPU carries the tag by which its page and its test find it."""
    code = re.sub(r"#.*", "", cell.source)
    return [
        (
            code.count("\n", 0, found.start()) + 1,
            f"for={device} 태그가 없습니다. {found[0]}이(가) 나오는 셀에는 이 태그를 답니다.",
        )
        for device, words in _DEVICE_WORDS.items()
        if f"for={device}" not in cell.tags and (found := words.search(code))
    ]


def _aliases(document: Document) -> dict[str, str]:
    """Names that stand for an optional package in this document → the tag they need."""
    found = {}
    for cell in document.cells:
        if cell.kind == "code":
            try:
                tree = ast.parse(_without_magics(cell.source))
            except SyntaxError:
                continue
            for node in ast.walk(tree):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    root = (getattr(node, "module", None) or node.names[0].name).split(".")[0]
                    if root in OPTIONAL:
                        for alias in node.names:
                            name = alias.asname or alias.name.split(".")[0]
                            found[name] = OPTIONAL[root]
    return found


def _imports(tree: ast.Module) -> list[tuple[str, int]]:
    return [
        (alias.asname or alias.name.split(".")[0], node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    ]


def _whole_document(document: Document, project: Project) -> list[Finding]:
    name = str(document.path.relative_to(project.root))
    findings = []
    accelerator = document.metadata.get("accelerator", "GPU")
    if accelerator not in ("GPU", "TPU"):
        findings.append(Finding(name, 1, f"accelerator는 GPU나 TPU입니다: {accelerator}"))
    text = "\n".join(cell.source for cell in document.cells if cell.kind == "markdown")
    titles = len(re.findall(r"^# ", prose.CODE.sub("", text), re.M))
    if titles != 1:
        findings.append(Finding(name, 1, f"제목(#)이 {titles}개입니다. 하나만 둡니다."))
    for cell in _first_screen(document):
        if "hide-input" not in cell.tags and _is_setup(cell):
            message = "첫 절 앞의 불러오기와 도우미 셀에는 hide-input 태그를 답니다."
            findings.append(Finding(name, cell.line, message))
    return findings


def _first_screen(document: Document) -> list[Cell]:
    """The code cells above the first section."""
    found = []
    for cell in document.cells:
        if cell.kind == "code":
            found.append(cell)
        elif re.search(r"^## ", prose.CODE.sub("", cell.source), re.M):
            break
    return found


def _is_setup(cell: Cell) -> bool:
    """Only imports and settings, or only pasted snippets."""
    if all("snippets" in file.parts for file, _ in cell.origin):
        return True
    try:
        body = ast.parse(_without_magics(cell.source)).body
    except SyntaxError:
        return False
    kinds = (ast.Import, ast.ImportFrom)
    calls = [n for n in body if isinstance(n, ast.Expr) and isinstance(n.value, ast.Call)]
    imports = [n for n in body if isinstance(n, kinds)]
    return bool(imports) and len(imports) + len(calls) == len(body)


def _tags(cell: Cell) -> list[prose.Breach]:
    found = [
        (1, f"모르는 태그 '{tag}'입니다. 쓸 수 있는 태그는 CONTRIBUTING.md에 있습니다.")
        for tag in cell.tags
        if tag not in TAGS and not re.fullmatch(r"pitfall=P\d\d-\d\d", tag)
    ]
    if cell.source.startswith("@check(") and "check" not in cell.tags:
        found.append((1, "확인 셀에 check 태그가 없습니다."))
    return found


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
