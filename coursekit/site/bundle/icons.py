"""The few icons that the pages use, cut out of the theme's 1.5 MB script of all icons."""

from __future__ import annotations

import re
from urllib.parse import quote

from coursekit.findings import CourseError

# the icons that our pages show, by the theme's names
USED = (
    "angle-left angle-right arrow-up bars circle-half-stroke download expand file file-pdf "
    "github lightbulb list magnifying-glass moon outdent rocket sun xmark"
)
_BASE = """
.fa-solid,.fas,.fab,.fa-brands{display:inline-block;line-height:1}
.fa-solid::before,.fas::before,.fab::before,.fa-brands::before{
background:currentColor;content:"";display:inline-block;height:1em;
-webkit-mask:var(--icon) center/contain no-repeat;mask:var(--icon) center/contain no-repeat;
vertical-align:-.125em;width:1.25em}
.fa-lg{font-size:1.25em}
"""


def stylesheet(script: str) -> str:
    """Style rules that draw every used icon; ``script`` is the theme's ``fontawesome.js``.

    Icons: Font Awesome Free, CC BY 4.0. Raises CourseError when the script has lost one.
    """
    rules = ["/* Icons: Font Awesome Free, https://fontawesome.com, CC BY 4.0 */", _BASE]
    for name in USED.split():
        drawings = re.findall(
            rf'"?(?<![\w-]){name}"?:\[(\d+),(\d+),\[[^\]]*\],"\w+","(M[^"]+)"\]', script
        )
        if not drawings:
            raise CourseError(f"테마의 아이콘 파일에 '{name}'이 없습니다.", "fontawesome.js")
        # regular and solid drawings share names; the solid one comes last in the script
        width, height, path = drawings[-1]
        svg = (
            f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}'>"
            f"<path d='{path}'/></svg>"
        )
        rules.append(f'.fa-{name}{{--icon:url("data:image/svg+xml,{quote(svg, safe=" =:/")}")}}')
    return "\n".join(rules)
