"""What was handed in → answers by question.

An answer is found by the name of the function it defines, or for free text by its Korean
heading; never by cell id, metadata, file name or position, all of which Colab, copying and
renaming change.  Python is only parsed here, never run.
"""

from __future__ import annotations

import ast
import difflib
import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from coursekit.grading.handed_in import magics, syntax
from coursekit.grading.handed_in.notebook import Cell, Unreadable, read_cells

__all__ = ["CodeCell", "Submission", "Unreadable", "definitions", "read"]


@dataclass(frozen=True)
class CodeCell:
    """A cell as it will run: Python text, and the names it binds at top level.

    ``blanks`` are functions whose body is still the stub of the exercise.
    """

    index: int
    source: str
    names: frozenset[str] = frozenset()
    blanks: frozenset[str] = frozenset()


@dataclass
class Submission:
    """``texts``: free text by heading, as asked for in `read`."""

    cells: list[CodeCell]
    texts: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def defining(self, name: str) -> list[CodeCell]:
        return [cell for cell in self.cells if name in cell.names]

    def is_blank(self, name: str) -> bool:
        """True if the only definitions of ``name`` are stubs, or there are none."""
        return all(name in cell.blanks for cell in self.defining(name))

    def similar(self, name: str) -> str | None:
        """A defined name that looks like ``name`` (other case, a Cyrillic letter, a typo)."""
        names = sorted({found for cell in self.cells for found in cell.names} - {name})
        return next(iter(difflib.get_close_matches(name, names, 1, 0.8)), None)

    def stray(self, known: Collection[str]) -> list[CodeCell]:
        """Cells that define functions, and only ones outside ``known``: answers by other names?"""
        found = []
        for cell in self.cells:
            tree = syntax.parse(cell.source)
            defined = {n.name for n in tree.body if isinstance(n, ast.FunctionDef)} if tree else ()
            if defined and not defined & {*known, "_"}:
                found.append(cell)
        return found


def read(path: Path, functions: Sequence[str], headings: Sequence[str] = ()) -> Submission:
    """Read the notebook at ``path``.  Raises `notebook.Unreadable` and nothing else."""
    raw = read_cells(path)
    notes: list[str] = []
    cells = [_prepare(cell, functions, notes) for cell in raw if cell.kind == "code"]
    cells = _without_late_stubs([cell for cell in cells if cell is not None], functions, notes)
    texts = {heading: text for heading in headings if (text := _text_under(heading, raw))}
    return Submission(cells, texts, notes)


def definitions(source: str) -> str:
    """Only the imports, functions and classes at the top level of a cell."""
    kinds = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
    if (tree := syntax.parse(source)) is None:
        return ""
    return ast.unparse(ast.Module([node for node in tree.body if isinstance(node, kinds)], []))


def _prepare(cell: Cell, functions: Sequence[str], notes: list[str]) -> CodeCell | None:
    source, dropped = magics.prepare(cell.source.replace("\x00", ""))
    if dropped:
        notes.append(f"셀 {cell.index + 1}: 실행하지 않은 줄이 있습니다: {', '.join(dropped[:5])}")
    if not source.strip():
        return None
    if (tree := syntax.parse(source)) is None:
        # it still runs, so that the error is reported; a name in it counts as attempted
        names = frozenset(
            n for n in functions if re.search(rf"\bdef\s+{n}\b|^{n}\s*=", source, re.M)
        )
        return CodeCell(cell.index, source, names)
    if _is_check(tree):
        return None
    return CodeCell(cell.index, source, _bound(tree), _blank_functions(tree))


def _is_check(tree: ast.Module) -> bool:
    """A visible check cell: only functions named ``_`` under ``@check(…)``.

    Whatever it says now is no business of the grader, and running it takes time.
    """
    return bool(tree.body) and all(
        isinstance(node, ast.FunctionDef)
        and node.name == "_"
        and any(isinstance(d, ast.Call) and getattr(d.func, "id", "") == "check"
                for d in node.decorator_list)
        for node in tree.body
    )  # fmt: skip


def _bound(tree: ast.Module) -> frozenset[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.add(node.name)
            case ast.Name(ctx=ast.Store()):
                names.add(node.id)
            case ast.alias():
                names.add((node.asname or node.name).split(".")[0])
    return frozenset(names)


def _blank_functions(tree: ast.Module) -> frozenset[str]:
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return frozenset(node.name for node in functions if _is_stub(node))


def _is_stub(function: ast.FunctionDef) -> bool:
    """True if nothing is done: only a docstring and ``pass``, or ``raise NotImplementedError``
    is reached before any ``return`` (lines that the exercise itself gives may stand above it).
    """
    for node in function.body:
        if isinstance(node, ast.Raise) and "NotImplementedError" in ast.dump(node):
            return True
        if isinstance(node, ast.Return):
            return False
    return all(
        isinstance(node, ast.Pass)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for node in function.body
    )


def _without_late_stubs(
    cells: list[CodeCell], functions: Sequence[str], notes: list[str]
) -> list[CodeCell]:
    """Take a stub out of a cell if an earlier cell holds the answer: a copied blank cell."""
    result = []
    answered: set[str] = set()
    for cell in cells:
        if again := cell.blanks & answered & set(functions):
            tree = syntax.parse(cell.source)
            for node in tree.body:
                if isinstance(node, ast.FunctionDef) and node.name in again:
                    node.decorator_list, node.name = [], "_"
            notes.append(f"셀 {cell.index + 1}: 답이 이미 있어 빈 함수를 무시했습니다")
            cell = CodeCell(cell.index, ast.unparse(tree), cell.names - again, cell.blanks - again)
        answered |= cell.names - cell.blanks
        result.append(cell)
    return result


def _text_under(heading: str, cells: list[Cell]) -> str:
    """Markdown from ``heading`` to the next heading of the same or a higher level."""
    wanted = _fold(heading)
    level, found = 0, []
    for line in "\n".join(c.source for c in cells if c.kind == "markdown").splitlines():
        mark = re.match(r"\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$", line)
        if mark and level and len(mark[1]) <= level:
            level = 0
        if mark and not level and wanted in _fold(mark[2]):
            level = len(mark[1])
        elif level:
            found.append(line)
    return unicodedata.normalize("NFC", "\n".join(found)).strip()


def _fold(text: str) -> str:
    return re.sub(r"\s+", "", unicodedata.normalize("NFC", text)).casefold()
