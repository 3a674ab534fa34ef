"""Where a class's files lie: names and work of students do not belong into the repository."""

from __future__ import annotations

from pathlib import Path

from coursekit.project import ROOT


def warning(path: Path, root: Path = ROOT) -> str:
    """What to say (Korean) before names or work are written to ``path``; "" if it lies outside.

    Only a checkout is meant: somebody's own folder with the course unpacked in it has no history
    that could be published.
    """
    if not (root / ".git").exists() or not path.resolve().is_relative_to(root.resolve()):
        return ""
    return (
        f"저장소 안에 씁니다: {path}. 학생의 이름과 제출물이 커밋되어 공개될 수 있으므로, 저장소 "
        "밖의 폴더(예: ~/강의/5주차)를 쓰는 것이 안전합니다."
    )
