"""``grade release``: a bundle to hand out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from coursekit.grading.commands.shared import (
    Exercise,
    Grading,
    explained,
    questions_of,
    say,
    warn_of,
)
from coursekit.grading.exchange import collect as collecting
from coursekit.grading.exchange import release as releasing
from coursekit.grading.records import roster


@explained
def release(
    exercise: Exercise,
    out: Annotated[Path, typer.Option(help="묶음을 쓸 폴더")],
    due: Annotated[str, typer.Option(help="마감 (예: '2026-12-10 23:59', 한국 시각)")],
    notebook: Annotated[
        Path | None, typer.Option(help="나누어 줄 빈칸 노트북 (없으면 exercises/의 것)")
    ] = None,
    class_list: Annotated[
        Path | None, typer.Option("--roster", help="명단 CSV. 학번과 이름을 적은 노트북을 학생마다")
    ] = None,
    grading: Grading = None,
) -> None:
    """나누어 줄 과제를 묶습니다. 풀이와 검사는 들어가지 않습니다."""
    asked = questions_of(exercise, grading)
    students = roster.read(class_list) if class_list else None
    if students:
        warn_of(out)
    written = releasing.release(
        asked, out, due=collecting.parse_due(due), notebook=notebook, roster=students
    )
    for path in written[:4]:
        say(str(path))
    if students:
        say(f"{out / '학생별'}: {len(written) - 4}개")
    say(f"'{releasing.NOTICE}'를 LMS에 붙이고 zip이나 노트북을 나누어 줍니다. "
        f"걷을 때는 grade collect에 --release {out}를 줍니다.")  # fmt: skip
