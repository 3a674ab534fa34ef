"""What a Python text means, as a digest: equal for texts that can only do the same.

Comments, layout, docstrings, and the spelling and order of imports do not count.  Where our own
modules lie does not count either, only what is in them.  The digest is the same
in every Python that the course supports.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Callable, Iterator

from coursekit.grading.handed_in import syntax

_OURS = re.compile(r"\bcoursekit(\.\w+)+")  # in texts such as the one that starts the zygote
_IDLE = ("ctx", "kind", "type_ignores", "type_comment")  # fields without a meaning of their own
_TITLE_OF_EXERCISE, _TITLE_OF_QUESTION, _TITLE_OF_PROBE = 1, 2, 1  # places among the arguments


def digest(*parts: str) -> str:
    """Digest of any texts; each counts to the letter."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def of(source: str, without: Callable[[ast.Module], None] = lambda tree: None) -> str:
    """Digest of the Python text ``source``; "" if it does nothing.

    ``without`` may take more out of the syntax tree than comments and docstrings.
    """
    tree = syntax.tree(source)
    without(tree)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    imports = sorted({line for line, name in _imports(tree) if name in used or name == "*"})
    body = _plain(tree)
    return digest(repr(body), *imports) if body != _plain(ast.Module([], [])) else ""


def of_probes(source: str) -> str:
    """Digest of ``probes.py``: titles, which only people read, do not count."""
    return of(source, _without_titles)


def _without_titles(tree: ast.Module) -> None:
    """Take the title out of ``Exercise(…)``, ``….function(…)`` and ``@….probe(…)``."""
    for statement in tree.body:
        match statement:
            case ast.Assign(value=ast.Call(func=ast.Name(id="Exercise")) as call):
                _forget(call, _TITLE_OF_EXERCISE)
            case ast.Assign(value=ast.Call(func=ast.Attribute(attr="function")) as call):
                _forget(call, _TITLE_OF_QUESTION)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                match decorator:
                    case ast.Call(func=ast.Attribute(attr="probe")) as call:
                        _forget(call, _TITLE_OF_PROBE)


def _forget(call: ast.Call, place: int) -> None:
    nothing = ast.Constant("")
    if len(call.args) > place:
        call.args[place] = nothing
    for keyword in call.keywords:
        if keyword.arg == "title":
            keyword.value = nothing


def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Each import in one spelling, and the name that it binds; of ours without the place."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                yield f"{name} = {alias.name}" + " whole" * (alias.asname is None), name
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                name = alias.asname or alias.name
                yield f"{name} = {_OURS.sub('coursekit', node.module or '')} {alias.name}", name


def _plain(value: object) -> object:
    """The tree as lists and texts, without what differs between Pythons or has no meaning."""
    if isinstance(value, ast.AST):
        fields = [(name, _plain(found)) for name, found in ast.iter_fields(value)]
        # a field that holds nothing may not exist in another Python
        return [type(value).__name__, *(f for f in fields if f[0] not in _IDLE and f[1] != [])]
    if value is None:
        return []
    if isinstance(value, list):
        return [_plain(one) for one in value if not _is_idle(one)]
    return repr(_OURS.sub("coursekit", value) if isinstance(value, str) else value)


def _is_idle(node: object) -> bool:
    """Whether a statement is an import, which `of` adds in its own spelling, or a docstring."""
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant(value=str())):
            return True
    return False
