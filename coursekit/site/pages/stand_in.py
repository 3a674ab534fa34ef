"""No page leads to a repository whose address is only a stand-in: its links would all be dead."""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging

from coursekit.project import Project
from coursekit.site.pages import lanes

_log = logging.getLogger(__name__)


def configure(app: Sphinx, config: Config) -> None:
    """Leave out the theme's buttons to it, and say so (config-inited)."""
    if not Project(Path(app.srcdir)).stand_in:
        return
    options = config.html_theme_options
    options |= {"use_repository_button": False, "use_issues_button": False, "launch_buttons": {}}
    _log.info(
        "_config.yml의 repository.url이 아직 자리만 채운 주소라서 Colab과 저장소로 가는 단추를 뺐습니다."
    )


def rewrite(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Leave out the badges (html-page-context)."""
    if "body" in context and Project(Path(app.srcdir)).stand_in:
        context["body"] = lanes.BADGE.sub("", context["body"])
