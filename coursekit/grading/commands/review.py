"""``grade review``: the desk at which people read answers."""

from __future__ import annotations

from typing import Annotated

import typer

from coursekit.findings import CourseError
from coursekit.grading.commands.shared import Book, explained, say
from coursekit.grading.gradebook.book import Gradebook


@explained
def review(
    book: Book,
    grader: Annotated[
        list[str] | None, typer.Option(help="채점자의 이름. 여러 번 주면 링크도 그만큼")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="포트. 0이면 빈 포트")] = 0,
) -> None:
    """답을 읽고 점수를 정하는 쪽을 이 컴퓨터에서 엽니다. Ctrl-C로 끝냅니다."""
    import asyncio

    from coursekit.grading.review.server import Server

    async def serve(grades: Gradebook) -> None:
        try:
            server = Server(grades, grader or ["채점자"], port)
        except OSError as error:
            raise CourseError(f"{port}번 포트를 열지 못했습니다. ({error.strerror})") from None
        say("링크마다 브라우저 하나에서 한 번만 열립니다. Ctrl-C로 끝냅니다.")
        for name, link in server.links.items():
            say(f"{name}: {link}")
        await asyncio.Event().wait()

    with Gradebook(book, create=False) as grades:
        grades.exercise(grades.exercises()[0]["name"] if grades.exercises() else "")
        try:
            asyncio.run(serve(grades))
        except KeyboardInterrupt:
            say("끝냈습니다. 저장한 점수는 성적부에 있습니다.")
