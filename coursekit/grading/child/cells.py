"""In the child: one cell, run as a notebook would, or as much of it as can be.

``WHOLE`` runs the cell as it stands; if a line fails, what is below it and can be defined is
defined all the same.  ``DEFINITIONS`` runs only what defines: for a cell that would end the
process, and for processes of their own.
"""

from __future__ import annotations

import ast
import asyncio
import contextlib
import inspect
from collections.abc import Callable

from coursekit.grading.child import stand_ins

_DEFINING = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
# kept from before any cell ran
_compile, _exec, _parse, _iscoroutine = compile, exec, ast.parse, inspect.iscoroutine


def run(source: str, number: int, space: dict, *, whole: bool = True) -> None:
    """Run cell ``number`` in ``space``.  Raises what the student's code raised first, after all
    that could be defined is defined.
    """
    name = f"<셀 {number}>"
    tree = _parse(source, name)
    stand_ins.import_names(tree)
    if not whole:
        _apart(tree.body, name, space, _defines)
        return
    try:
        _run(tree, name, space)
    except BaseException as error:  # SystemExit too: a notebook goes on with the next cell
        line = _line_of(error, name)
        rest = tree.body if line is None else [n for n in tree.body if n.lineno > line]
        _apart(rest, name, space, _defines_or_assigns)
        raise


def write(name: str, source: str) -> None:
    """The file that a ``%%writefile`` cell writes, for a later cell that imports it."""
    with contextlib.suppress(OSError, ValueError), open(name, "w", encoding="utf-8") as file:
        file.write(source)


def _apart(
    statements: list[ast.stmt], name: str, space: dict, wanted: Callable[[ast.stmt], bool]
) -> None:
    """Each of the ``wanted`` statements for itself; one that fails leaves its name undefined."""
    for node in statements:
        if wanted(node):
            try:
                _run(ast.Module([node], []), name, space)
            except Exception:
                continue


def _run(tree: ast.Module, name: str, space: dict) -> None:
    code = _compile(tree, name, "exec", flags=_FLAGS, dont_inherit=True)
    if code.co_flags & inspect.CO_COROUTINE:
        asyncio.run(eval(code, space))
    else:
        _exec(code, space)


def _defines(node: ast.stmt) -> bool:
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        return not any(isinstance(part, (ast.Call, ast.Await)) for part in ast.walk(node))
    return isinstance(node, _DEFINING)


def _defines_or_assigns(node: ast.stmt) -> bool:
    if isinstance(node, (ast.If, ast.Try)):  # around an import or a definition
        return any(isinstance(part, _DEFINING) for part in ast.walk(node))
    return isinstance(node, (*_DEFINING, ast.Assign, ast.AnnAssign))


def _line_of(error: BaseException, name: str) -> int | None:
    """Line of the cell's top level at which it stopped; None if none of it ran."""
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename == name and code.co_name == "<module>":
            return trace.tb_lineno
        trace = trace.tb_next
    return None
