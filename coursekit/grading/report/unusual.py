"""What an answer uses that its question does not call for, for a person to read.

Files, processes, the network, or a library changed in place.  There are harmless reasons for each
(a print to a file, a leftover of debugging): this finds nothing out and changes no grade.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable

from coursekit.grading.handed_in import syntax

_MODULES = {
    "builtins", "ctypes", "gc", "importlib", "inspect", "multiprocessing", "os", "pathlib",
    "requests", "shutil", "signal", "socket", "subprocess", "sys", "threading", "urllib",
}  # fmt: skip
_CALLS = {"__import__", "compile", "eval", "exec", "globals", "open"}
_LIBRARIES = {"jax", "jnp", "np", "numpy"}


def uses(source: str) -> set[str]:
    """Names of such modules and calls in ``source``; ``jax.jit = …`` for a library that is changed."""
    if (tree := syntax.parse(source)) is None:
        return set()
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found |= {alias.name.split(".")[0] for alias in names} & _MODULES
            case ast.ImportFrom(module=str(module)):
                found |= {module.split(".")[0]} & _MODULES
            case ast.Attribute(value=ast.Name(id=name), ctx=ast.Load()) if name in _MODULES:
                found.add(name)
            case ast.Call(func=ast.Name(id=name)) if name in _CALLS:
                found.add(name)
            case ast.Attribute(ctx=ast.Store()) if _root(node) in _LIBRARIES:
                found.add(f"{_dotted(node)} = …")
    return found


def of(answers: dict[str, str], published: dict[str, Iterable[str]]) -> dict[str, list[str]]:
    """Question → what its answer uses and no published answer does."""
    found = {}
    for question, code in answers.items():
        usual = _usual(tuple(published.get(question, ())))
        if more := sorted(uses(code) - usual):
            found[question] = more
    return found


@functools.lru_cache(maxsize=64)
def _usual(sources: tuple[str, ...]) -> frozenset[str]:
    return frozenset().union(*map(uses, sources))


def _dotted(node: ast.expr) -> str:
    """``jax.tree.map`` from its outermost attribute, however long the chain."""
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join([_root(node), *reversed(names)])[:100]


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
