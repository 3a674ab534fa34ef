"""The verbs of the course: ``python3 book.py VERB`` ends up here."""

from __future__ import annotations

from typing import Annotated

import typer

from coursekit.console import build_notebooks, console, show_findings, working
from coursekit.findings import CourseError
from coursekit.project import LANES, here

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="강의를 빌드하고, 확인하고, 테스트하고, 채점합니다.",
)
UsageError = typer.BadParameter.__base__  # typer has no public name for it
Numbers = Annotated[list[str] | None, typer.Argument(help="장 번호(예: 07). 없으면 모든 장")]


@app.command()
def serve(
    port: Annotated[int, typer.Option(min=1, max=65535, help="처음 시도할 포트")] = 8000,
) -> None:
    """책을 빌드해 127.0.0.1에서 보여 주고, 원고가 바뀌면 다시 빌드합니다."""
    from coursekit.site import serve

    serve.serve(here(), port)


@app.command()
def site(
    pdf: Annotated[bool, typer.Option("--pdf", help="책 전체를 PDF 하나로도 만들기")] = False,
) -> None:
    """노트북을 실행하지 않고 책만 빌드합니다."""
    from coursekit.site import build as book
    from coursekit.site import printing, serve

    project = here()
    if pdf:
        printing.require()  # before the minutes of a build, not after them
    serve.refresh(project, pdf)
    folder = book.output_folder(project)
    console.print(f"{folder.relative_to(project.root)}/index.html")
    if pdf:
        with working("PDF를 만듭니다"):
            file = printing.make(project, folder)
        console.print(f"{file.relative_to(project.root)} ({file.stat().st_size / 1e6:.1f} MB)")


@app.command()
def build(
    numbers: Numbers = None,
    force: Annotated[bool, typer.Option(help="바뀌지 않은 노트북도 실행")] = False,
    book_too: Annotated[bool, typer.Option("--book/--no-book", help="책도 빌드")] = True,
) -> None:
    """바뀐 노트북을 실행하고 책을 빌드합니다."""
    from coursekit.notebooks import tables
    from coursekit.notebooks.checks import links
    from coursekit.site import build as book

    project = here()
    outcomes = build_notebooks(project, tuple(numbers or ()), force=force)
    if failed := sum(outcome.action == "failed" for outcome in outcomes):
        raise CourseError(f"노트북 {failed}개를 만들지 못했습니다. 옛 노트북은 그대로 두었습니다.")
    for page in tables.write():
        console.print(f"표를 다시 씀  {page.name}")
    for page in links.update_addresses(project):
        console.print(f"저장소 주소를 고침  {page.name}")
    if not book_too:
        return
    with working("책을 빌드합니다"):
        folder = book.build(project)
    console.print(f"{folder.relative_to(project.root)}/index.html")


@app.command()
def check() -> None:
    """노트북을 실행하지 않고 확인합니다: 원고와 노트북의 일치, 함정 단위, 문체, 링크."""
    from coursekit.notebooks import checks

    findings = checks.run(here())
    show_findings(findings)
    if findings:
        console.print(f"{len(findings)}곳을 고쳐야 합니다.")
        raise typer.Exit(1)
    console.print("고칠 곳이 없습니다.")


@app.command()
def audit(numbers: Numbers = None) -> None:
    """단언하는 셀을 조금씩 망가뜨려, 확인이 그것을 알아차리는지 봅니다."""
    from coursekit.notebooks.audit import ledger, report

    project = here()
    chosen = {path.stem for path in project.sources(tuple(numbers or ()))}
    targets = [target for target in ledger.audited(project) if target.path.stem in chosen]
    if report.run(project, targets):
        raise typer.Exit(1)


@app.command()
def draw(force: Annotated[bool, typer.Option(help="바뀌지 않은 그림도 만들기")] = False) -> None:
    """source/diagrams의 SVG로 PNG를 만듭니다."""
    from coursekit.notebooks import diagrams

    for png in diagrams.draw(here(), force):
        console.print(f"{png.name}  {png.stat().st_size:,}바이트")


@app.command()
def test(
    lane: Annotated[list[str], typer.Option(help=f"{', '.join(LANES)}. 여러 번 줄 수 있음")] = [
        "default"
    ],
    record: Annotated[
        bool, typer.Option("--record", help="통과한 노트북을 기록해 책에 보여 주기")
    ] = False,
) -> None:
    """노트북을 테스트합니다. default 레인에서는 도구와 책도 테스트합니다."""
    from coursekit import testing

    if unknown := [name for name in lane if name not in LANES]:
        raise CourseError(
            f"없는 레인입니다: {', '.join(unknown)}. {', '.join(LANES)} 가운데 하나를 씁니다."
        )
    if not testing.run(here(), lane, record):
        raise typer.Exit(1)


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def lab(
    context: typer.Context,
    number: Annotated[str, typer.Argument(help="장 번호(예: 03). 없으면 사본이 든 폴더")] = "",
    exercise: Annotated[bool, typer.Option("--exercise", help="장 대신 연습을 열기")] = False,
) -> None:
    """장이나 연습의 사본을 JupyterLab에서 엽니다. 이미 있는 사본은 그대로 엽니다."""
    from coursekit import lab as jupyter

    if code := jupyter.open_lab(here(), number, exercise, context.args):
        raise typer.Exit(code)


@app.command(
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    add_help_option=False,
)
def grade(context: typer.Context) -> None:
    """과제를 나누어 주고, 걷고, 채점하고, 성적을 냅니다."""
    # imported here: the other verbs run without numpy and jax
    from coursekit.grading.commands.cli import app as grading

    grading(args=context.args, prog_name="book.py grade")


def main() -> None:
    """Run a verb; an error that a person can mend is one Korean message, no traceback."""
    try:
        code = app(standalone_mode=False, prog_name="python3 book.py")
    except UsageError as error:
        console.print(
            f"명령을 이해하지 못했습니다. `python3 book.py --help`로 쓰는 법을 봅니다.\n"
            f"  {error.format_message()}",
            style="red",
            markup=False,
        )
        raise SystemExit(2) from None
    except CourseError as error:
        console.print(str(error), style="red", markup=False)
        raise SystemExit(1) from None
    except (KeyboardInterrupt, typer.Abort):
        console.print("멈췄습니다. 끝나지 않은 노트북은 옛것 그대로입니다.")
        raise SystemExit(130) from None
    raise SystemExit(code or 0)


if __name__ == "__main__":
    main()
