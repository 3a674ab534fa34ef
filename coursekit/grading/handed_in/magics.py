"""IPython's extra syntax → Python.  Magics and shell lines do nothing when graded.

IPython itself says which lines are magics: a ``%`` that continues a line is arithmetic, and a
``!`` inside a string is text.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field

from coursekit.grading.handed_in import syntax

WHOLE, DEFINITIONS = "whole", "definitions"

_KEEP_BODY = ("time", "timeit", "capture", "prun", "python", "python3", "py", "memit", "mprun",
              "debug", "snakeviz", "pyinstrument")  # fmt: skip
_WRITE = ("writefile", "file")
_TIMED = ("time", "timeit", "prun", "memit")
_SIGNS = re.compile(r"^[ \t]*(?:[%!?]|>>>|In ?\[|.{0,400}[=][ \t]*[%!]|.{0,400}\?[ \t]*$)", re.M)
_LONGEST = 200_000  # characters that IPython is given: it reads a cell once for each magic
_MOST = 200


@dataclass
class Python:
    """``dropped``: what was left out.  ``level``: DEFINITIONS if the notebook would not have run
    this (``%%writefile``).  ``file``: name of the file that it would have written.
    """

    source: str
    dropped: list[str] = field(default_factory=list)
    level: str = WHOLE
    file: str = ""


def prepare(source: str) -> Python:
    """Python text of the same lines.  What no Python could be, such as ``%%bash``, is empty."""
    head, _, body = source.lstrip().partition("\n")
    if head.startswith("%%"):
        words = head[2:].split()
        word = words[0] if words else ""
        found = prepare(body) if word in (*_KEEP_BODY, *_WRITE) else Python("")
        found.dropped.insert(0, f"%%{word}"[:40])
        if found.source:
            found.source = "\n" * (source.count("\n") - body.count("\n")) + found.source
        if word in _WRITE:
            found.level, found.file = DEFINITIONS, words[-1] if len(words) > 1 else ""
        return found
    if (tree := syntax.parse(source)) is not None:
        exported = _exported_cell(tree)
        return prepare(exported) if exported else Python(source)
    if not _SIGNS.search(source) and not source[:1].isspace():
        return Python(source)
    if len(source) > _LONGEST or len(_SIGNS.findall(source)) > _MOST:
        return Python(source)
    return _transformed(source)


def _exported_cell(tree: ast.Module) -> str:
    """The cell that Jupyter's ``.py`` export wrote as one call, or ""."""
    match tree.body:
        case [ast.Expr(ast.Call(ast.Attribute(attr="run_cell_magic"), [
            ast.Constant(str(name)), ast.Constant(str(line)), ast.Constant(str(body)),
        ]))]:  # fmt: skip
            return f"%%{name} {line}\n{body}"
    return ""


def _transformed(source: str) -> Python:
    from IPython.core.inputtransformer2 import TransformerManager

    above = len(source) - len(source.lstrip("\n"))
    try:
        text = TransformerManager().transform_cell(source)
    except (SyntaxError, RuntimeError, ValueError, RecursionError):
        return Python(source)
    before, after = source.strip("\n").split("\n"), text.rstrip("\n").split("\n")
    dropped = []
    for number, line in enumerate(after):
        was = before[number] if number < len(before) else ""
        if line != was and "get_ipython()." in line:
            after[number], kept = _without_timing(line)
            if not kept:
                dropped.append((was.split() or ["%"])[0][:40])
    found = "\n" * above + "\n".join(after)
    # if it still is no Python, the student's own text gives the clearer error
    return Python(found, dropped) if syntax.parse(found) is not None else Python(source)


def _without_timing(line: str) -> tuple[str, bool]:
    """``%time f(x)`` is ``f(x)``; whether the line was one."""
    tree = syntax.parse(line.strip())
    match tree.body if tree else []:
        case [ast.Expr(call) | ast.Assign(value=call)]:
            match call:
                case ast.Call(ast.Attribute(attr="run_line_magic"), [
                    ast.Constant(str(name)), ast.Constant(str(statement)),
                ]) if name in _TIMED and syntax.parse(statement) is not None:  # fmt: skip
                    start = line.index("get_ipython()")
                    return line[:start] + statement, True
    return line, False
