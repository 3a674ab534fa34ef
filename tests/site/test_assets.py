"""The one style sheet, the icons and the formulas, each made by one function."""

from __future__ import annotations

import struct

import pytest

from coursekit.findings import CourseError
from coursekit.site.bundle import icons, styles
from coursekit.site.pages import images, markup, maths


def test_prune_keeps_what_can_match_and_only_that():
    css = (
        "@import '../basic.css';@font-face{src:url(a.woff2)}/* a { */"
        ".used,.idle>a{color:red}.idle:hover{x:y}a[href='}']{b:c}"
        "@media (min-width:9px){.idle{a:b}}@media print{.used::after{content:';}'}}"
        ".used:not(.idle){d:e}@keyframes k{from{a:b}to{c:d}}"
    )
    assert styles.prune(css, {"used"}) == (
        ".used{color:red}a[href='}']{b:c}@media print{.used::after{content:';}'}}"
        ".used:not(.idle){d:e}@keyframes k{from{a:b}to{c:d}}"
    )


def test_used_classes_come_from_pages_and_scripts(tmp_path):
    page = tmp_path / "a.html"
    page.write_text('<p class="one two-three"></p>', encoding="utf-8")
    assert {"one", "two-three", "four"} <= styles.used_classes([page], ["x.add('four')"])


def test_lost_icon_is_named():
    with pytest.raises(CourseError, match="angle-left"):
        icons.stylesheet("{}")


@pytest.mark.parametrize("latex", [r"\frac12", r"\|x\|^2", r"f:\mathbb{R}^n\to\mathbb{R}^m"])
def test_formula_becomes_mathml(latex):
    made = maths.mathml(latex)
    assert made.startswith("<math alttext=") and made.endswith("</math>")


def test_unknown_command_of_a_formula_is_refused():
    with pytest.raises(ValueError, match="nosuch"):
        maths.mathml(r"\nosuch{x}")


def test_dimensions_of_images(tmp_path):
    svg, png = tmp_path / "a.svg", tmp_path / "a.png"
    svg.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="680" height="300.4"/>'
    )
    png.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 40, 20) + bytes(40))
    assert images.dimensions(svg) == (680, 300) and images.dimensions(png) == (40, 20)
    assert images.dimensions(tmp_path / "none.png") is None


def test_empty_heading_becomes_a_cell_and_a_diagram_can_be_focused():
    mended = markup.mend('<th class="head"><p></p></th><p><img src="../_images/a.svg" /></p>')
    assert mended.startswith("<td></td><p") and 'tabindex="0"' in mended
    assert markup.mend("<th><p>이름</p></th>") == "<th><p>이름</p></th>"
    formula = markup.mend('<th class="head"><p><math alttext="x"><mi>x</mi></math></p></th>')
    assert '<span class="visually-hidden">x</span><math aria-hidden="true"' in formula
