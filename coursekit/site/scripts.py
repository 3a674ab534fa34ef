"""Keep scripts off the pages that the book does not use.

Jupyter Book always loads sphinx-thebe, which adds itself twice to each page; the second
``const THEBE_JS_URL`` is a script error, and the book offers no live cells anyway.
"""

from __future__ import annotations

from sphinx.application import Sphinx


def setup(app: Sphinx) -> None:
    """Filter after all other extensions have added theirs."""
    app.connect("html-page-context", _drop_thebe, priority=900)


def _drop_thebe(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    def is_thebe(script) -> bool:
        body = getattr(script, "attributes", {}).get("body") or ""
        return "THEBE_JS_URL" in body or "sphinx-thebe.js" in str(getattr(script, "filename", ""))

    context["script_files"] = [s for s in context.get("script_files", ()) if not is_thebe(s)]
