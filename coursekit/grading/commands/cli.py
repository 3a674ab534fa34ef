"""``grade``: its verbs, one module each, in the order in which a teacher needs them."""

from __future__ import annotations

import typer

from coursekit.grading.commands import korean
from coursekit.grading.commands.audit import audit
from coursekit.grading.commands.collect import collect
from coursekit.grading.commands.doctor import doctor
from coursekit.grading.commands.interchange import (
    classroom_workflow,
    export_nbgrader,
    import_nbgrader,
)
from coursekit.grading.commands.release import release
from coursekit.grading.commands.report import report
from coursekit.grading.commands.review import review
from coursekit.grading.commands.run import run

app = typer.Typer(
    cls=korean.Group,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="과제를 나누어 주고, 걷고, 채점하고, 성적을 냅니다.",
)
for verb in (release, collect, run, review, report, audit, doctor,
             export_nbgrader, import_nbgrader, classroom_workflow):  # fmt: skip
    app.command(cls=korean.Command)(verb)
