"""Are the committed notebooks and diagrams what the sources say? Nothing is executed."""

from __future__ import annotations

from pathlib import Path

from coursekit.findings import Finding
from coursekit.notebooks import diagrams, publish
from coursekit.project import PUBLISHED, Project


def check(project: Project) -> list[Finding]:
    """Findings for stale, edited, unexecuted, missing and orphaned notebooks and PNGs."""
    targets, errors = publish.plan(project)
    findings = [
        Finding(str(Path(error.file).relative_to(project.root)), error.line, error.reason)
        for error in errors
    ]
    for target in targets:
        if message := _stale(target, project):
            command = f"`python3 book.py build {target.path.name[:2]}`"
            findings.append(Finding(str(target.path), 0, f"{message} 실행할 명령: {command}"))
    known = {name for path in project.sources() for name in publish.names(path)}
    for folder in PUBLISHED:
        for path in sorted((project.root / folder).glob("*.ipynb")):
            relative = path.relative_to(project.root)
            if relative not in known:
                findings.append(
                    Finding(str(relative), 0, "원고가 없는 노트북입니다. 지우거나 원고를 씁니다.")
                )
    return findings + diagrams.check(project)


def _stale(target: publish.Target, project: Project) -> str:
    path = project.root / target.path
    if not path.is_file():
        return "노트북이 없습니다."
    old = publish.load(path)
    if old is None:
        return "노트북을 읽지 못했습니다."
    wanted = publish.expected(target, project)
    if wanted is None:
        return _why_it_must_run(old, target, project)
    if path.read_bytes() != publish.serialize(wanted):
        return "글이나 태그가 원고와 다릅니다."
    return ""


def _why_it_must_run(old, target: publish.Target, project: Project) -> str:
    record = old.metadata.get(publish.KEY, {})
    code = [cell for cell in old.cells if cell.cell_type == "code"]
    if record.get("inputs") != publish.inputs_digest(target.document, project):
        return "실행한 뒤에 코드나 패키지의 버전이 바뀌었습니다."
    if [cell.execution_count for cell in code] != list(range(1, len(code) + 1)):
        return "실행하지 않은 셀이 있거나 실행 번호가 1부터 차례로 이어지지 않습니다."
    if record.get("outputs") != publish.outputs_digest(old):
        return "출력이 실행한 결과와 다릅니다. 손으로 고친 출력입니다."
    return "코드 셀이 원고와 다릅니다."
