"""Does each notebook do what its tags promise? Read from sources and stored outputs."""

from __future__ import annotations

import re

from coursekit.findings import Finding
from coursekit.notebooks import publish, reading_time
from coursekit.notebooks.audit import mutants
from coursekit.notebooks.checks import prose
from coursekit.notebooks.checks.pitfalls import Pitfall, pitfalls
from coursekit.notebooks.source import Cell, Document
from coursekit.project import DEEPER, Project

RIGHT_LINE = "맞았습니다"
HINTS = 3
MINUTES, CODE_CELLS = 70, 80  # at most, in a chapter with a deeper page
LONG = {"06": 90, "07": 90}  # training and porting take longer
FIGURES_TAG = "figures=not-measured-here"
_FIGURE = re.compile(
    r"(?:\d[\d,.]*|[수몇]?[십백천만]|두|세|네|열|몇)\s?"
    r"(?:배(?![가-힣]*[치열])|ms|µs|ns|%|[KMG]i?B|초(?![기과]))"
)
_EXPECTS = re.compile(r"\bexpect_(error|warning)\(")
_QUESTION = re.compile(r"^## 문제 (\d+)", re.M)


def check(project: Project) -> list[Finding]:
    """Findings on pitfall units, execution, exercise questions and their stored verdicts."""
    findings: list[Finding] = []
    seen: dict[str, str] = {}
    documents = publish.documents(project)
    # a chapter may name the pitfalls of its deeper page, and the reverse
    known = {unit.name for document in documents for unit in pitfalls(document)}
    for document in documents:
        path = document.path
        name = str(path.relative_to(project.root))
        for unit in pitfalls(document):
            for message in _unit_defects(unit, path.name[:2]):
                findings.append(Finding(name, unit.line, f"{unit.name}: {message}"))
            if unit.name in seen:
                findings.append(
                    Finding(name, unit.line, f"{unit.name} 함정이 {seen[unit.name]}에도 있습니다.")
                )
            seen.setdefault(unit.name, name)
        findings += _unknown_names(document, known, name)
        findings += _too_long(document, name)
        findings += _loose_figures(document, name)
        if path.parent.name == "exercises":
            findings += _question_defects(document, name)
    for target in publish.plan(project)[0]:
        if target.executed:
            findings += _output_defects(target, project)
    return findings


def _unit_defects(unit: Pitfall, chapter: str) -> list[str]:
    defects = []
    if not re.fullmatch(rf"P{chapter}-\d\d", unit.name):
        defects.append(f"이름을 P{chapter}-01 꼴로 씁니다.")
    if unit.wrong is None:
        defects.append("wrong 셀이 없습니다.")
    if unit.wrongs > 1:
        defects.append("wrong 셀이 둘 이상입니다. 한 단위에 하나만 둡니다.")
    if "PyTorch" not in unit.expectation:
        defects.append("wrong 셀 앞에 PyTorch 사용자가 기대하는 것을 적지 않았습니다.")
    if not unit.what_happened:
        defects.append("wrong 셀과 `**왜` 사이에 무슨 일이 일어났는지 적지 않았습니다.")
    if not unit.cause:
        defects.append("`**왜`로 시작하는 문단이 없습니다. 그 문단에 원인을 적습니다.")
    if unit.right is None:
        defects.append("wrong 셀 뒤에 right 셀이 없습니다.")
    elif not re.search(r"^\s*assert (?!True\b)|assert_", unit.right.source, re.M):
        defects.append("right 셀에 확인(assert)이 없습니다.")
    return defects


def _loose_figures(document: Document, name: str) -> list[Finding]:
    """Figures in the text after a cell whose output nobody compares and which asserts nothing."""
    findings = []
    measured = False
    for cell in document.cells:
        if cell.kind == "code":
            measured = (
                "nbval-ignore-output" in cell.tags
                and FIGURES_TAG not in cell.tags
                and not mutants.asserts(cell.source)
            )
        elif measured:
            text = prose.CODE.sub(lambda m: re.sub(r"[^\n]", "·", m[0]), cell.source)
            if heading := re.search(r"^#", text, re.M):
                text, measured = text[: heading.start()], False
            for match in _FIGURE.finditer(text):
                line = cell.place(text[: match.start()].count("\n") + 1)[1]
                message = (
                    f"'{match[0]}': 앞 셀의 출력은 실행마다 다르고 확인하는 assert도 없습니다. "
                    f"assert를 쓰거나, 숫자를 빼거나, 셀에 {FIGURES_TAG} 태그를 답니다."
                )
                findings.append(Finding(name, line, message))
    return findings


def _unknown_names(document: Document, known: set[str], name: str) -> list[Finding]:
    """Pitfalls of this chapter that the text names and no cell declares."""
    own = rf"\bP{document.path.name[:2]}-\d\d\b"
    return [
        Finding(name, cell.line, f"없는 함정의 이름입니다: {found}")
        for cell in document.cells
        if cell.kind == "markdown" and document.path.parent.name == "chapters"
        for found in sorted(set(re.findall(own, cell.source)) - known)
    ]


def _too_long(document: Document, name: str) -> list[Finding]:
    """A chapter that has a deeper page keeps to its hour: what is too much moves there."""
    path = document.path
    if not path.with_name(f"{path.stem}{DEEPER}.md").is_file():
        return []
    most, found = LONG.get(path.name[:2], MINUTES), reading_time.minutes(document)
    cells = reading_time.code_cells(document)
    messages = []
    if found > most:
        messages.append(f"읽는 데 {found}분이 걸립니다. {most}분 안에 읽을 수 있게 나눕니다.")
    if cells > CODE_CELLS:
        messages.append(f"코드 셀이 {cells}개입니다. {CODE_CELLS}개까지 둡니다.")
    return [
        Finding(name, 0, f"{message} ({path.stem}{DEEPER}로 옮깁니다.)") for message in messages
    ]


def _question_defects(document: Document, name: str) -> list[Finding]:
    """Each ``## 문제 N`` needs a solution region, a check cell and three hints."""
    findings = []
    question, line, parts, count = "", 0, [], 0

    def close() -> None:
        if not question:
            return
        code = [cell for cell in parts if cell.kind == "code"]
        text = "\n".join(cell.source for cell in parts if cell.kind == "markdown")
        solution = [c for c in code if "solution" in c.tags and "### BEGIN SOLUTION" in c.source]
        for missing, message in (
            (not solution, "BEGIN SOLUTION이 있는 solution 셀이 없습니다."),
            (not any("check" in c.tags for c in code), "check 셀이 없습니다."),
            (text.count("<summary>힌트") != HINTS, f"힌트가 {HINTS}개가 아닙니다."),
        ):
            if missing:
                findings.append(Finding(name, line, f"문제 {question}: {message}"))

    for cell in document.cells:
        if cell.kind == "markdown" and (found := _QUESTION.search(cell.source)):
            close()
            question, line, parts, count = found[1], cell.line, [], count + 1
            if int(question) != count:
                findings.append(Finding(name, line, f"{count}번째 문제인데 문제 {question}입니다."))
        parts.append(cell)
    close()
    if not question:
        findings.append(Finding(name, 0, "`## 문제 1` 꼴의 제목이 없습니다."))
    return findings


def _output_defects(target: publish.Target, project: Project) -> list[Finding]:
    notebook = publish.load(project.root / target.path)
    if notebook is None or len(notebook.cells) != len(target.document.cells):
        return []  # freshness reports it
    findings = []
    for cell, stored in zip(target.document.cells, notebook.cells, strict=True):
        if cell.kind == "code":
            for message in _stored_defects(cell, stored):
                file, line = cell.place(1)
                findings.append(Finding(str(file.relative_to(project.root)), line, message))
    return findings


def _stored_defects(cell: Cell, stored) -> list[str]:
    outputs = stored.get("outputs", [])
    defects = []
    if any(output.output_type == "error" for output in outputs):
        defects.append("셀이 오류로 끝났습니다. 보여 줄 오류는 expect_error 안에 둡니다.")
    if "wrong" in cell.tags and not outputs:
        defects.append(
            "wrong 셀에 출력이 없습니다. expect_error로 오류를 보이거나 틀린 값을 출력합니다."
        )
    if "check" in cell.tags:
        text = "".join(output.get("text", "") for output in outputs)
        if RIGHT_LINE not in text or len(text.strip().split("\n")) != text.count(RIGHT_LINE):
            defects.append(f"풀이가 확인 셀을 통과하지 못했습니다. {text.strip()}")
    return defects
