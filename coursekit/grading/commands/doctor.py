"""``grade doctor``: can this machine grade safely?"""

from __future__ import annotations

import typer
from rich.text import Text

from coursekit.grading.commands import overview
from coursekit.grading.commands.shared import console, say
from coursekit.grading.sandbox import doctor as checking


def doctor() -> None:
    """이 컴퓨터에서 안전하게 채점할 수 있는지 실제로 해 봅니다."""
    findings = checking.examine()
    marks = {"ok": ("좋음", "green"), "warning": ("주의", "yellow"), "error": ("고칠 것", "red")}
    for finding in findings:
        mark, style = marks[finding.level]
        line = Text.assemble((mark, style), " ", overview.plain(finding.text))
        console.print(line, soft_wrap=True)
        if finding.fix:
            say(finding.fix)
    if any(finding.level == "error" for finding in findings):
        raise typer.Exit(1)
