"""One style sheet and one script for every page, in place of the theme's two dozen files.

Thebe is left out on purpose: Jupyter Book adds its script twice to each page, which is a script
error, and the book offers no live cells.
"""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

from coursekit.files import write_whole
from coursekit.site.bundle import icons, styles

STATIC = Path(__file__).parents[1] / "static"
TEMPLATES = Path(__file__).parents[1] / "templates"
STYLE, SCRIPT = "course-bundle.css", "course-bundle.js"
STYLES = (
    "basic.css",
    "styles/pydata-sphinx-theme.css",
    "pygments.css",
    "styles/sphinx-book-theme.css",
    "copybutton.css",
    "mystnb.*.css",
    "course.css",
    "search.css",
)
SCRIPTS = (
    "documentation_options.js",
    "clipboard.min.js",
    "copybutton.js",
    "scripts/bootstrap.js",
    "scripts/pydata-sphinx-theme.js",
    "scripts/sphinx-book-theme.js",
    "search.js",
    "reading.js",
    "filter.js",
)
# what the theme and its extensions copy and no page asks for
IDLE = (
    "**/*.map",
    "**/*.LICENSE.txt",
    "locales/**/*",
    "vendor/**/*",
    "images/logo_[bdj]*",
    "scripts/fontawesome.js",
    "sphinx-thebe.*",
    "sphinx-design.min.css",
    "design-tabs.js",
    "doctools.js",
    "language_data.js",
    "searchtools.js",
    "sphinx_highlight.js",
    "togglebutton.*",
    "translations.js",
    "*webpack-macros.html",
    "*.png",
    "copybutton_funcs.js",
    "play-solid.svg",
)
_KOREAN_COPY = (
    "const messages = {",
    "const messages = {\n  'ko': {'copy': '복사', 'copy_to_clipboard': '복사', "
    "'copy_success': '복사했습니다', 'copy_failure': '복사하지 못했습니다'},",
)


def setup(app: Sphinx) -> None:
    """Our static files and templates stand beside the theme's."""
    app.connect("config-inited", _configure)


def _configure(app: Sphinx, config: Config) -> None:
    config.html_static_path.append(str(STATIC))
    config.templates_path.append(str(TEMPLATES))
    config.html_use_index = False
    config.html_context["default_mode"] = "auto"


def only_bundles(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Leave the two bundles alone on a page, whatever was added to it (html-page-context)."""
    # templates/layout.html links the bundles
    context["css_files"], context["script_files"] = [], []


def write(app: Sphinx, error: Exception | None) -> None:
    """Write the two bundles from the pages and what they use (build-finished)."""
    if error or app.builder.format != "html":
        return
    out = Path(app.outdir)
    static = out / "_static"
    scripts = [_read(static, name) for name in SCRIPTS]
    write_whole(static / SCRIPT, "\n;\n".join(_without_map(text) for text in scripts))
    # the engine is loaded on demand, but it may set classes too
    used = styles.used_classes(out.rglob("*.html"), [*scripts, "highlight"])
    sheets = [styles.prune(_read(static, name), used) for name in STYLES]
    all_icons = static / "scripts" / "fontawesome.js"
    icon_file = static / "course-icons.css"
    if all_icons.is_file():  # a build in which nothing changed does not copy it again
        write_whole(icon_file, icons.stylesheet(all_icons.read_text(encoding="utf-8")))
    sheets.insert(2, icon_file.read_text(encoding="utf-8"))
    write_whole(static / STYLE, "\n".join(sheets))
    for pattern in IDLE:
        for path in static.glob(pattern):
            if path.is_file() and not (STATIC / path.relative_to(static)).exists():
                path.unlink()


def _read(static: Path, name: str) -> str:
    """Text of a static file; ours is read at its source, which may be newer than the copy."""
    if (STATIC / name).is_file():
        return (STATIC / name).read_text(encoding="utf-8")
    path = next(iter(sorted(static.glob(name))))
    text = path.read_text(encoding="utf-8")
    if name == "copybutton.js":
        assert _KOREAN_COPY[0] in text, "sphinx-copybutton은 이제 글을 다른 곳에 둡니다."
        text = text.replace(*_KOREAN_COPY, 1)
    return text


def _without_map(text: str) -> str:
    return "\n".join(x for x in text.splitlines() if not x.startswith("//# sourceMappingURL"))
