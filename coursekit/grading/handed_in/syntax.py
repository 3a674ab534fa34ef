"""Python text → syntax tree; nothing is run.  Every parser of the grader is this one."""

from __future__ import annotations

import ast
import threading
import warnings

# CPython 3.11 keeps the depth of the parser's recursion once for all threads: two that parse at
# the same time can end in "SystemError: AST constructor recursion depth mismatch"
_one_at_a_time = threading.Lock()
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


def tree(source: str) -> ast.Module:
    """The tree of ``source``; raises one of `UNREADABLE` if it is not Python or too deep."""
    with _one_at_a_time, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "\d" in a string is not worth a word here
        return ast.parse(source)


def parse(source: str) -> ast.Module | None:
    """The tree of what anybody wrote, or None if it is not Python or too deep for the parser."""
    try:
        return tree(source)
    except UNREADABLE:
        return None


def last_bindings(module: ast.Module) -> dict[str, ast.stmt]:
    """Name → the last statement at the top level of a cell that binds it."""
    return {name: node for node in module.body for name in bound(node)}


def bound(statement: ast.stmt) -> set[str]:
    """Names that a statement binds in the module, not those inside functions and classes."""
    names: set[str] = set()
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
                names |= {n for g in ast.walk(node) if isinstance(g, ast.Global) for n in g.names}
                continue
            case ast.ClassDef(name=name):
                names.add(name)
                continue
            case ast.Lambda():
                continue
            case ast.Name(ctx=ast.Store(), id=name):
                names.add(name)
            case ast.alias():
                names.add((node.asname or node.name).split(".")[0])
        stack += ast.iter_child_nodes(node)
    return names
