"""The verbs that write for other tools, or read what they wrote."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from coursekit.findings import CourseError
from coursekit.grading.commands.shared import Exercise, Grading, explained, questions_of, say


@explained
def export_nbgrader(
    exercise: Exercise,
    out: Annotated[Path, typer.Option(help="nbgrader 과목 폴더")],
    grading: Grading = None,
) -> None:
    """연습을 nbgrader의 source 노트북으로 내보냅니다. 숨은 검사는 들어가지 않습니다."""
    from coursekit.files import write_whole
    from coursekit.grading.interchange import to_nbgrader

    asked = questions_of(exercise, grading)
    path = out / "source" / asked.name / f"{asked.name}.ipynb"
    write_whole(path, to_nbgrader.export(asked))
    say(f"{path}\n눈에 보이는 확인 셀만 시험이 됩니다. 여기의 검사는 옮겨지지 않습니다.")


@explained
def import_nbgrader(
    notebook: Annotated[Path, typer.Argument(help="nbgrader의 source 노트북")],
    name: Annotated[str, typer.Option(help="새 연습의 이름 (예: 08-mine)")],
    out: Annotated[Path, typer.Option(help="쓸 폴더. 안에 source와 grading이 생깁니다")],
) -> None:
    """nbgrader의 source 노트북에서 원고와 채점 폴더를 만듭니다."""
    from coursekit.files import write_whole
    from coursekit.grading.interchange import from_nbgrader

    if not re.fullmatch(r"\d\d-[a-z0-9-]+", name):
        raise CourseError(f"연습의 이름은 08-mine처럼 씁니다: {name}")
    found = from_nbgrader.convert(notebook, name)
    if there := [place for place in found.files if (out / place).exists()]:
        raise CourseError("이미 있습니다. 다른 --name이나 --out을 줍니다.", out / there[0])
    for place, text in found.files.items():
        write_whole(out / place, text.encode())
        say(str(out / place))
    for line in found.to_do:
        say(f"할 일  {line}", "yellow")


@explained
def classroom_workflow(
    out: Annotated[Path, typer.Option(help="학생에게 줄 저장소의 폴더")],
) -> None:
    """GitHub Classroom에서 학생이 스스로 확인하는 워크플로를 씁니다."""
    from coursekit.files import write_whole

    source = Path(__file__).parents[1] / "interchange" / "self-check.yml"
    path = out / ".github" / "workflows" / "self-check.yml"
    write_whole(path, source.read_bytes())
    say(f"{path}\n학생이 올릴 때마다 확인 셀의 판정이 Actions 요약에 나옵니다. 점수가 아닙니다.")
