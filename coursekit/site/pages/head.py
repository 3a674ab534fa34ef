"""What stands around each page's text: its language, landmarks and description."""

from __future__ import annotations

import html as markup
import json
import re
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.jinja2glue import BuiltinTemplateLoader

from coursekit.files import write_whole
from coursekit.project import Project
from coursekit.site.pages import korean

DESCRIPTION = 150  # characters that search engines show
_OPENING = ("Colab에서 열기", "배우는 것", "필요한 것")
# the title and the search button of the book stand in no landmark of the theme
_SIDEBAR = '<div id="pst-primary-sidebar" class='
_SIDEBAR_NAMED = '<div id="pst-primary-sidebar" role="complementary" aria-label="책" class='

_SOURCE_FILE = re.compile(r'(<a href="[^"]*_sources/[^"]*\.ipynb")\s*target="_blank"')
_SECOND_VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1" />'


class Pages(BuiltinTemplateLoader):
    """Sphinx's templates, with the finished page put right."""

    def render(self, template: str, context: dict) -> str:
        """The page as Sphinx makes it, in Korean and with every part in a landmark."""
        page = super().render(template, context)
        if not template.endswith(".html"):
            return page
        return finish(page)


def finish(page: str) -> str:
    """Translate the labels of a whole page and name its landmarks."""
    page = page.replace(_SIDEBAR, _SIDEBAR_NAMED).replace("&copy; Copyright ", "&copy; ")
    page = page.replace("© Copyright ", "© ").replace(_SECOND_VIEWPORT, "", 1)
    page = _SOURCE_FILE.sub(r"\1 download", page)  # a browser would show its JSON
    # without scripts the page is light; "auto" is no theme that the style sheet knows
    page = page.replace(' data-theme="auto"', "", 1)
    return korean.translate(page)


def setup(app: Sphinx) -> None:
    """Use our template bridge."""
    app.connect("config-inited", _configure)
    app.connect("html-collect-pages", collect)


def _configure(app: Sphinx, config: Config) -> None:
    config.template_bridge = f"{__name__}.Pages"
    config.html_theme_options["search_bar_text"] = "책에서 찾기"
    config.html_theme_options["article_header_start"] = [
        "toggle-primary-sidebar.html",
        "home-link.html",
    ]
    if version := Project(Path(app.srcdir)).version:
        edition = f"{version.partition('.')[0]}판(버전 {version})"
        config.html_theme_options["extra_footer"] = f'<p class="edition">{edition}</p>'
    config.nb_code_prompt_show, config.nb_code_prompt_hide = "코드 펼치기", "코드 접기"


def describe(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Tell the template of a page what the page is about (html-page-context)."""
    sections = getattr(app.env, "course_sections", {}).get(pagename, [])
    lines = [line for section in sections[:2] for line in section.text.split("\n")]
    text = " ".join(line for line in lines if line not in _OPENING) or app.config.html_title
    title = markup.unescape(str(context.get("title", "")))
    context["course_description"] = shorten(f"{title}. {text}")
    context["course_data"] = json.dumps(structured(app, pagename, context), ensure_ascii=False)


def shorten(text: str, limit: int = DESCRIPTION) -> str:
    """The first words of ``text``, at most ``limit`` characters."""
    if len(text) <= limit:
        return text
    return text[:limit].rsplit(" ", 1)[0] + " …"


def structured(app: Sphinx, pagename: str, context: dict) -> dict:
    """schema.org data: the book is a course, a page is a part of it."""
    course = {
        "@context": "https://schema.org",
        "@type": "Course",
        "name": app.config.html_title,
        "description": "PyTorch를 아는 사람이 JAX를 배우는 한국어 강의입니다.",
        "inLanguage": "ko",
        "isAccessibleForFree": True,
        "provider": {"@type": "Organization", "name": app.config.author},
    }
    if pagename == app.config.root_doc:
        return course
    return {
        "@context": "https://schema.org",
        "@type": "LearningResource",
        "name": markup.unescape(str(context.get("title", ""))),
        "inLanguage": "ko",
        "isPartOf": {"@type": "Course", "name": app.config.html_title},
    }


def write_sitemap(app: Sphinx, error: Exception | None) -> None:
    """Map the site for robots, once it has an address (build-finished)."""
    base = (app.config.html_baseurl or "").rstrip("/")
    if error or app.builder.format != "html" or not base:
        return  # a map needs the address at which the site will be
    addresses = "".join(
        f"  <url><loc>{markup.escape(f'{base}/{name}.html')}</loc></url>\n"
        for name in sorted(app.env.found_docs)
    )
    write_whole(
        Path(app.outdir) / "sitemap.xml",
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{addresses}</urlset>\n',
    )
    write_whole(
        Path(app.outdir) / "robots.txt", f"User-agent: *\nAllow: /\nSitemap: {base}/sitemap.xml\n"
    )


def write_front(app: Sphinx, error: Exception | None) -> None:
    """The address of the book itself shows its first page (build-finished)."""
    if error or app.builder.format != "html":
        return
    out = Path(app.outdir)
    write_whole(out / "index.html", (out / f"{app.config.root_doc}.html").read_bytes())


def collect(app: Sphinx) -> list[tuple[str, dict, str]]:
    """A page for wrong addresses, once the site has an address (html-collect-pages)."""
    base = (app.config.html_baseurl or "").rstrip("/")
    if not base:
        return []
    return [("404", {"title": "없는 쪽", "course_base": f"{base}/"}, "404.html")]
