"""Write a page again when what our parts add to it changed, though its own text did not."""

from __future__ import annotations

from collections.abc import Callable

from sphinx.application import Sphinx


def follow(app: Sphinx, part: str, text: Callable[[Sphinx, str], str]) -> None:
    """Have every page written again whose ``text(app, name)`` is not what it was last time."""

    def outdated(app: Sphinx, env, added: set, changed: set, removed: set) -> list[str]:
        told = getattr(env, "course_told", {})
        before = told.get(part, {})
        now = {name: text(app, name) for name in env.found_docs}
        env.course_told = {**told, part: now}
        return [name for name in now if before.get(name) != now[name]]

    app.connect("env-get-outdated", outdated)
