"""The strip under each page: what the reader has read, where to say that something is unclear."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

from sphinx.application import Sphinx

from coursekit.project import Project
from coursekit.site.build import PDF_COMES
from coursekit.site.bundle.offline import NAME as ZIP
from coursekit.site.bundle.offline import PDF
from coursekit.site.pages import rewrite

_STRIP = """
<div class="course-strip course-only-screen">
<p class="course-progress" hidden></p>
<p>{stuck}<span class="course-downloads">
<a href="{root}{zip}" download>책 전체 내려받기(zip)</a>{pdf}</span></p>
</div>
"""
STUCK = '<a class="course-stuck" rel="nofollow" href="{issue}">이 설명이 막혔어요</a>\n'
_PDF = '\n<a href="{root}{pdf}">책 전체(PDF)</a>'
_CONTINUE = '<p class="course-continue course-only-screen" hidden></p>'


def setup(app: Sphinx) -> None:
    """Pages follow the PDF that comes or goes."""
    rewrite.follow(app, "pdf", lambda app, name: pdf_link(app))


def add(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Add the strip to a page that has a source; ``static/reading.js`` brings it to life."""
    if doctree is None:
        return
    project = Project(Path(app.srcdir))
    issue = issue_address(project, pagename).replace("&", "&amp;")
    context["body"] += _STRIP.format(
        stuck="" if project.stand_in else STUCK.format(issue=issue),
        root=context["content_root"],
        zip=ZIP,
        pdf=pdf_link(app, context["content_root"]),
    )
    if pagename == app.config.root_doc:
        context["body"] = context["body"].replace("</h1>", f"</h1>{_CONTINUE}", 1)


def pdf_link(app: Sphinx, root: str = "") -> str:
    """HTML of the link to the book's PDF, or "" where there is none and none is coming."""
    if PDF_COMES in os.environ or Path(app.outdir, PDF).is_file():
        return _PDF.format(root=root, pdf=PDF)
    return ""


def issue_address(project: Project, pagename: str) -> str:
    """Address of a new issue that already says which page it is about."""
    title = f"막힌 설명: {pagename}"
    body = f"쪽: {pagename}\n절: \n\n어디까지 이해했고 무엇이 막혔나요?\n\n"
    return (
        f"https://github.com/{project.repository}/issues/new"
        f"?title={quote(title)}&body={quote(body)}"
    )
