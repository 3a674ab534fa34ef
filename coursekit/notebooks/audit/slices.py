"""Which earlier cells a cell needs, so that a mutant need not run the whole notebook.

A guess from the names: wrong where an object is changed in a way that the text does not show.
The unchanged cell is therefore run first; if it does not do what it does in the notebook, all
earlier cells are run.
"""

from __future__ import annotations

import ast
import re
import symtable
from dataclasses import dataclass
from functools import lru_cache

WIDTHS = ("names", "all")
_SETTINGS = re.compile(
    r"^(?:jax\.config|os\.environ|warnings\.|sys\.path|torch\.set_|nnx\.set_)", re.M
)
_ONLY_LOOKS = re.compile(r"^(?:print|display|len|expect_\w+)$|(?:^|\.)assert_|^(?:plt|ax|np|jnp)\.")


@dataclass(frozen=True)
class Uses:
    """What one cell does with global names: ``reads``, ``binds`` anew, ``changes`` in place."""

    reads: frozenset[str] = frozenset()
    binds: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()
    effects: tuple[tuple[str, frozenset[str]], ...] = ()  # function → what calling it changes
    settings: bool = False


def needed(sources: list[str], index: int, width: str = "names") -> list[int]:
    """Indices of the cells to run before cell ``index``, in order."""
    if width == "all":
        return list(range(index))
    cells = [uses(source) for source in sources[: index + 1]]
    changed, effects = [], {}
    for cell in cells:
        effects |= {name: found - {name} for name, found in cell.effects}
        called = (effects.get(name, frozenset()) for name in cell.reads)
        changed.append(cell.changes.union(*called))
    wanted, found = set(cells[index].reads), []
    for number in range(index - 1, -1, -1):
        cell = cells[number]
        if cell.settings or (cell.binds | changed[number]) & wanted:
            found.append(number)
            wanted = (wanted - cell.binds) | cell.reads
    return found[::-1]


@lru_cache(maxsize=4096)
def uses(source: str) -> Uses:
    """The uses of one cell."""
    try:
        tree, top = ast.parse(source), symtable.symtable(source, "cell", "exec")
    except SyntaxError:  # a magic
        return Uses(settings=True)
    reads = _globals(top)
    binds = {s.get_name() for s in top.get_symbols() if s.is_assigned() or s.is_imported()}
    effects: dict[str, frozenset[str]] = {}
    for node in tree.body:
        name, inside = "", node
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            name = node.name
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name, inside = node.targets[0].id, node.value
        if name:  # a wrapped function has the effects of the function
            names = {n.id for n in ast.walk(inside) if isinstance(n, ast.Name)}
            own = _changes(inside) if isinstance(node, ast.FunctionDef | ast.ClassDef) else set()
            own |= set().union(*(effects.get(n, set()) for n in names))
            effects[name] = frozenset(own & (reads | binds))
    return Uses(
        frozenset(reads),
        frozenset(binds),
        frozenset(_changes(tree) & reads),
        tuple(effects.items()),
        bool(_SETTINGS.search(source)),
    )


def _globals(scope: symtable.SymbolTable) -> set[str]:
    top = scope.get_type() == "module"
    found = {
        s.get_name() for s in scope.get_symbols() if s.is_referenced() and (top or s.is_global())
    }
    return found.union(*(_globals(child) for child in scope.get_children()))


def _changes(tree: ast.AST) -> set[str]:
    """Roots of what is assigned to in place, augmented, deleted, or told to do something."""
    found = set()
    for node in ast.walk(tree):
        targets: list[ast.AST] = []
        if isinstance(node, ast.Assign):
            targets = [target for target in node.targets if not isinstance(target, ast.Name)]
        elif isinstance(node, ast.AugAssign):
            targets = [node.target]
        elif isinstance(node, ast.Delete):
            targets = list(node.targets)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            call = node.value
            if not _ONLY_LOOKS.search(ast.unparse(call.func)):
                targets = [
                    *call.args,
                    *([call.func] if isinstance(call.func, ast.Attribute) else []),
                ]
        found |= {_root(target) for target in targets}
    return found - {""}


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
