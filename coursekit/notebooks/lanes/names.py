"""Names that notebooks use and the packages installed here lack.

Runs inside a lane's own Python (``python -m coursekit.notebooks.lanes.names NOTEBOOK …`` prints them as
JSON), so it imports nothing but the standard library. Nothing of a notebook is executed: names
are read from the syntax of its code cells, and from code that a cell hands to another process
as text. A name may be absent where the code says so itself: in a ``try`` that catches its
absence, in an ``expect_error`` of it, beside a ``hasattr`` of it or a question for the version,
and, where the whole package is absent, in a cell whose tag names a package.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import json
import re
import sys
from pathlib import Path
from types import ModuleType

ABSENCE = {"AttributeError", "ImportError", "ModuleNotFoundError", "Exception"}


def missing(notebook: Path) -> list[tuple[int, str]]:
    """(number of the code cell, dotted name) for each name that cannot be found here."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    cells = [cell for cell in cells if cell["cell_type"] == "code"]
    texts = ["".join(cell["source"]) for cell in cells]
    trees = [parsed(text) for text in texts]
    aliases = {}
    for tree in trees:
        aliases |= _aliases(tree)
    found = []
    for number, (cell, text, tree) in enumerate(zip(cells, texts, trees, strict=True)):
        tags = cell["metadata"].get("tags", ())
        copes = "find_spec" in text or any(t.startswith(("needs-", "optional-")) for t in tags)
        inner = {name for code in _programs(tree) for name in _used(code, _aliases(code))}
        names = dict.fromkeys(inner, True)  # another cell starts that code, and has the tag
        names |= dict.fromkeys(_used(tree, aliases), copes)
        for name, may_lack_package in sorted(names.items()):
            if not (_exists(name) if _installed(name.split(".")[0]) else may_lack_package):
                found.append((number, name))
    return found


def parsed(text: str) -> ast.Module:
    """Syntax of a cell; magics are no names of a package."""
    return ast.parse(re.sub(r"^[%!].*$", "pass", text, flags=re.M))


def _aliases(tree: ast.AST) -> dict[str, str]:
    """Name in the code → dotted name of what was imported under it."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                root = alias.name.split(".")[0]
                found[alias.asname or root] = alias.name if alias.asname else root
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                found[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return found


def _programs(tree: ast.AST) -> list[ast.Module]:
    """Code that the cell keeps as text: lines with an import that are Python."""
    found = []
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and re.search(r"^(import|from) \w.*\n", text, re.M):
            try:
                found.append(ast.parse(text))
            except SyntaxError:
                continue  # prose, or code with places to fill in
    return found


def _used(tree: ast.AST, aliases: dict[str, str]) -> set[str]:
    """Dotted names that the code takes from imported packages, less those it guards."""
    own = {
        node.id if isinstance(node, ast.Name) else node.arg
        for node in ast.walk(tree)
        if isinstance(node, ast.arg)
        or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    }
    imported = {name for name in _aliases(tree)}
    aliases = {name: to for name, to in aliases.items() if name not in own - imported}
    asked = {
        f"{aliases.get(_dotted(node.args[0]), _dotted(node.args[0]))}.{node.args[1].value}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and _dotted(node.func) in ("hasattr", "getattr")
        and isinstance(node.args[1], ast.Constant)
    }
    names: set[str] = set()

    def visit(node: ast.AST) -> None:
        for child in _unguarded(node):
            if isinstance(child, ast.ImportFrom) and not child.level:
                names.update(f"{child.module}.{alias.name}" for alias in child.names)
            elif isinstance(child, ast.Import):
                names.update(alias.name for alias in child.names)
            elif isinstance(child, ast.Attribute):
                root, _, rest = _dotted(child).partition(".")
                if root in aliases and rest:
                    names.add(f"{aliases[root]}.{rest}")
                    continue
            visit(child)

    visit(tree)
    return {name for name in names if name not in asked and not name.startswith("__future__")}


def _unguarded(node: ast.AST) -> list[ast.AST]:
    """Children of ``node``, less the statements that run only where the names are there."""
    children = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.Try):
        caught = [h for h in node.handlers if h.type is None or ABSENCE & _words(h.type)]
        guarded = node.body if caught else []
    elif isinstance(node, ast.With):
        calls = [item.context_expr for item in node.items]
        expects = [c for c in calls if isinstance(c, ast.Call) and c.args]
        guarded = node.body if any(ABSENCE & _words(c.args[0]) for c in expects) else []
    elif isinstance(node, ast.If):
        asks = "__version" in ast.unparse(node.test)
        guarded = [*node.body, *node.orelse] if asks else []
    else:
        guarded = []
    return [child for child in children if child not in guarded]


def _words(node: ast.AST) -> set[str]:
    return {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}


def _dotted(node: ast.AST) -> str:
    """``a.b.c`` as text; "" for anything that is no plain chain of names."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def _installed(package: str) -> bool:
    return package in sys.builtin_module_names or importlib.util.find_spec(package) is not None


def _exists(name: str) -> bool:
    """Follow ``name`` as far as modules and classes go; what an object holds is not known."""
    root, *rest = name.split(".")
    found = importlib.import_module(root)
    for part in rest:
        if not isinstance(found, ModuleType) and not inspect.isclass(found):
            return True
        try:
            found = getattr(found, part)
        except AttributeError:
            if not isinstance(found, ModuleType):
                return part in getattr(found, "__annotations__", {})
            try:
                found = importlib.import_module(f"{found.__name__}.{part}")
            except ModuleNotFoundError:
                return False
    return True


if __name__ == "__main__":
    print(json.dumps({path: missing(Path(path)) for path in sys.argv[1:]}))
