"""What was handed in → answers by question.

An answer is found by the name of the function it defines, or for free text by its Korean
heading; never by cell id, metadata, file name or position, all of which Colab, copying and
renaming change.  Python is only parsed here, never run, and in a process of its own (`bounded`).
"""

from __future__ import annotations

import ast
import difflib
import re
import textwrap
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from coursekit.grading.handed_in import given, magics, notebook, syntax
from coursekit.grading.handed_in.cell import Cell
from coursekit.grading.handed_in.notebook import Unreadable
from coursekit.grading.handed_in.origin import Origin, recognise

__all__ = ["CodeCell", "Submission", "Unreadable", "read"]

_SMALL = 40  # nodes of the syntax tree; answers below this are equal by chance
_FEW_LOOKS = 6
# blanks and brackets that come with text from a web page or a Korean keyboard
_UNSEEN = re.compile("[\u00a0\u200b-\u200f\u2028-\u202f\u2060\u3000\ufeff（）［］：，]")


@dataclass(frozen=True)
class CodeCell:
    """A cell as it will run: Python text, and the names it binds at top level.

    ``blanks`` are functions whose last definition here is still the stub of the exercise;
    ``functions`` those that the cell defines with ``def``.  ``level``, ``file``: see
    `magics.Python`.
    """

    index: int
    source: str
    names: frozenset[str] = frozenset()
    blanks: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()
    level: str = magics.WHOLE
    file: str = ""


@dataclass
class Submission:
    """``texts``: free text by heading, as asked for in `read`.  ``notes`` are for the student,
    ``look`` says why a person should look at it.  ``hints``: function → what was found of it in
    places where no code is.  ``forms``: function → `given.form` of its last definition, of those
    that are not equal by chance.  ``touched``: stubs that other code of the student speaks of.
    """

    cells: list[CodeCell]
    texts: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    look: list[str] = field(default_factory=list)
    hints: dict[str, str] = field(default_factory=dict)
    forms: dict[str, str] = field(default_factory=dict)
    touched: frozenset[str] = frozenset()
    origin: Origin = field(default_factory=Origin)

    def defining(self, name: str) -> list[CodeCell]:
        return [cell for cell in self.cells if name in cell.names]

    def is_blank(self, name: str) -> bool:
        """True if the only definitions of ``name`` are stubs, or there are none."""
        return all(name in cell.blanks for cell in self.defining(name))

    def similar(self, name: str) -> str | None:
        """A defined name that looks like ``name`` (other case, a Cyrillic letter, a typo)."""
        names = sorted({found for cell in self.cells for found in cell.names} - {name})
        names = [found for found in names if len(found) < 80][:500]
        return next(iter(difflib.get_close_matches(name, names, 1, 0.8)), None)

    def stray(self, known: Collection[str]) -> list[CodeCell]:
        """Cells that define functions, and only ones outside ``known``: answers by other names?"""
        usual = {*known, "_"}
        return [cell for cell in self.cells if cell.functions and not cell.functions & usual]

    def plain(self) -> dict:
        """As JSON can carry it; `of_plain` undoes it."""
        sets = ("names", "blanks", "functions")
        cells = [vars(cell) | {name: sorted(vars(cell)[name]) for name in sets}
                 for cell in self.cells]  # fmt: skip
        return vars(self) | {"cells": cells, "touched": sorted(self.touched),
                             "origin": vars(self.origin)}  # fmt: skip

    @classmethod
    def of_plain(cls, plain: dict) -> Submission:
        sets = ("names", "blanks", "functions")
        cells = [CodeCell(**cell | {name: frozenset(cell[name]) for name in sets})
                 for cell in plain["cells"]]  # fmt: skip
        return cls(**plain | {"cells": cells, "touched": frozenset(plain["touched"]),
                              "origin": Origin(**plain["origin"])})  # fmt: skip


def read(
    path: Path, functions: Sequence[str], headings: Sequence[str] = (), exercise: str = ""
) -> Submission:
    """Read the notebook at ``path``.  Raises `Unreadable` and nothing else.

    ``exercise``: name of the set, if its blank notebook is to tell what is an answer.
    """
    arguments = {"functions": list(functions), "headings": list(headings), "exercise": exercise}
    return Submission.of_plain(notebook.asked("read", path, **arguments))


def parse(
    path: Path, functions: Sequence[str], headings: Sequence[str], exercise: str
) -> Submission:
    """`read`, in this process: raises `Unreadable`, and whatever a hostile file provokes."""
    raw, odd = notebook.parse_file(path)
    blank = given.blank(exercise) if exercise else given.Given("", "")
    found = Submission([], notes=odd, look=list(odd))
    reading = _Reading(functions, blank, found)
    cells = [cell for one in raw if (cell := reading.cell(one))]
    cells = reading.without_late_stubs(cells)
    found.cells = sorted([*cells, *reading.elsewhere(cells)], key=lambda cell: cell.index)
    found.texts = {h: text for h in headings if (text := _text_under(h, raw, blank.headings))}
    found.touched = frozenset(n for n in reading.spoken if found.is_blank(n))
    found.forms = {n: f for n, f in reading.forms.items() if f}
    found.look += reading.beside_blanks(raw)
    found.look = found.look[:_FEW_LOOKS]
    if exercise:
        found.origin = recognise(
            exercise, functions, title=given.title_of(raw),
            defined={name for cell in found.cells for name in cell.names},
            texts={given.fold(cell.source) for cell in raw if len(cell.source) < 20_000},
        )  # fmt: skip
    return found


class _Reading:
    """Goes through the cells of one notebook, and remembers what stands where no code is."""

    def __init__(self, functions: Sequence[str], blank: given.Given, found: Submission) -> None:
        self.functions, self.given, self.found = functions, blank, found
        self.out_of_place: list[tuple[Cell, str]] = []  # text that may be an answer, and where
        self.spoken: set[str] = set()
        self.forms: dict[str, str] = {}
        self.own: list[Cell] = []  # what the student wrote besides the answers

    def cell(self, cell: Cell) -> CodeCell | None:
        if cell.kind != "code":
            where = "글 셀" if cell.kind == "markdown" else "원시(raw) 셀"
            self.out_of_place.append((cell, where))
            if not self._is_given(cell.source):
                self.own.append(cell)
            return None
        python = magics.prepare(cell.source.replace("\x00", "").lstrip("\ufeff"))
        if python.dropped:
            self.found.notes.append(
                f"셀 {cell.index + 1}: 실행하지 않은 줄이 있습니다: {', '.join(python.dropped[:5])}"
            )
        if not python.source.strip():
            if python.dropped:
                self.out_of_place.append((cell, f"{python.dropped[0]} 셀"))
            return None
        if (tree := syntax.parse(python.source)) is None:
            return self._broken(cell, python)
        if _is_check(tree):
            return None
        last = syntax.last_bindings(tree)
        blanks = {n for n, node in last.items() if n in self.functions and self._is_blank(n, node)}
        is_given = self._is_given(cell.source)
        for name, node in last.items():
            if isinstance(node, ast.FunctionDef) and name not in blanks:
                self.forms[name] = _form_of_answer(node)
        if not is_given:
            self.spoken |= _spoken_of(tree, self.functions)
            if not any(n in self.functions for n in last):
                self.own.append(cell)
        functions = frozenset(n.name for n in tree.body if isinstance(n, ast.FunctionDef))
        if python.level == magics.DEFINITIONS:
            self.found.notes.append(
                f"셀 {cell.index + 1}: 파일로 쓰는 셀이지만, 안의 함수와 클래스도 정의했습니다."
            )
        return CodeCell(cell.index, python.source, frozenset(last), frozenset(blanks), functions,
                        python.level, python.file)  # fmt: skip

    def _broken(self, cell: Cell, python: magics.Python) -> CodeCell:
        """It still runs, so that the error is reported; a name in it counts as attempted."""
        names = frozenset(
            n for n in self.functions
            if re.search(rf"\bdef\s+{n}\b|^{n}[ \t]*=", python.source, re.M)
        )  # fmt: skip
        if re.search(r"^(<{7}|>{7})( |$)", python.source, re.M):
            self.found.look.append(
                f"셀 {cell.index + 1}에 git이 병합하다 남긴 표시(<<<<<<<)가 있습니다. "
                "충돌을 풀고 다시 내야 합니다."
            )
            self.found.notes.append(self.found.look[-1])
        if odd := _UNSEEN.search(python.source):
            line = python.source.count("\n", 0, odd.start()) + 1
            self.found.notes.append(
                f"셀 {cell.index + 1}의 {line}번째 줄에 파이썬이 읽지 못하는 글자 "
                f"U+{ord(odd[0]):04X}가 있습니다. 그 줄의 빈칸과 괄호를 지우고 다시 칩니다."
            )
        if not names:
            self.own.append(cell)
        return CodeCell(cell.index, python.source, names)

    def _is_given(self, source: str) -> bool:
        return len(source) < 100_000 and given.fold(source) in self.given.texts

    def _is_blank(self, name: str, node: ast.stmt) -> bool:
        if not isinstance(node, ast.FunctionDef) or node.name != name:
            return False
        return _does_nothing(node) or given.form(node) == self.given.forms.get(name)

    def without_late_stubs(self, cells: list[CodeCell]) -> list[CodeCell]:
        """Take a stub out of a cell if an earlier cell holds the answer: a copied blank cell."""
        result = []
        answered: set[str] = set()
        for cell in cells:
            if again := cell.blanks & answered:
                self.found.notes.append(
                    f"셀 {cell.index + 1}: 답이 이미 있어 빈 함수를 무시했습니다"
                )
                cell = CodeCell(
                    cell.index, _without(cell.source, again), cell.names - again,
                    cell.blanks - again, cell.functions - again, cell.level, cell.file,
                )  # fmt: skip
            answered |= (cell.names - cell.blanks) & set(self.functions)
            result.append(cell)
        return result

    def elsewhere(self, cells: list[CodeCell]) -> Iterator[CodeCell]:
        """Answers in cells that are no code: what a wrong click makes of an answer."""
        answered = {n for cell in cells for n in cell.names - cell.blanks}
        for cell, where in self.out_of_place:
            pieces = [cell.source, *given.fenced(cell.source), _from_first_definition(cell.source)]
            pieces = [textwrap.dedent(p) for p in pieces if p and not self._is_given(p)]
            missing = [n for n in self.functions if n not in answered
                       and any(_defines(n, piece) for piece in pieces)]  # fmt: skip
            if not missing or self._is_given(cell.source):
                continue
            place = f"셀 {cell.index + 1}({where})"
            for piece in pieces:
                tree = syntax.parse(piece)
                last = syntax.last_bindings(tree) if tree else {}
                names = {n for n in missing if n in last and not self._is_blank(n, last[n])}
                if names:
                    said = f"{', '.join(sorted(names))}의 답이 {place}에 있어 코드로 읽었습니다."
                    self.found.notes.append(said)
                    self.found.look.append(said)
                    answered |= names
                    yield CodeCell(cell.index, piece, frozenset(last), level=magics.DEFINITIONS,
                                   functions=frozenset(names))  # fmt: skip
                    break
            for name in missing:
                if name not in answered and not (_stub_only(pieces, name)):
                    said = f"{place}에 {name}의 답으로 보이는 글이 있지만 코드로 읽을 수 없습니다."
                    self.found.hints.setdefault(name, said)
                    self.found.look.append(said)

    def beside_blanks(self, raw: list[Cell]) -> list[str]:
        """Blank questions under whose heading the student wrote cells of their own."""
        wrote = {id(cell) for cell in self.own}
        section, under = "", {}
        for cell in raw:
            if cell.kind == "markdown":
                for line in cell.source.split("\n")[:200]:
                    head = given.heading(line)
                    if head and given.fold(head[1]) in self.given.headings and head[0] == 2:
                        section = given.fold(head[1])
            if id(cell) in wrote and len(cell.source.strip()) >= 10:
                under.setdefault(section, []).append(cell.index + 1)
        said = []
        for name in self.functions:
            cells = under.get(self.given.sections.get(name, "?"), [])
            if cells and self.found.is_blank(name):
                numbers = ", ".join(map(str, cells[:4]))
                said.append(f"{name}은 빈칸이지만 그 문제에 따로 쓴 셀이 있습니다: 셀 {numbers}")
        return said


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


def _does_nothing(function: ast.FunctionDef) -> bool:
    """True if there is nothing but a docstring, ``pass`` or ``raise NotImplementedError``."""
    if function.decorator_list:
        return False
    return all(
        isinstance(node, ast.Pass)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        or (isinstance(node, ast.Raise) and "NotImplementedError" in ast.dump(node))
        for node in function.body
    )


def _form_of_answer(node: ast.FunctionDef) -> str:
    """ "" where being equal says nothing: a short answer, or a list of facts that has one form."""
    body = [part for part in node.body if not isinstance(part, ast.Expr)]
    closed = len(body) == 1 and isinstance(body[0], ast.Return) and not any(
        isinstance(part, (ast.Call, ast.BinOp)) for part in ast.walk(body[0])
    )  # fmt: skip
    if closed or sum(1 for _ in ast.walk(node)) < _SMALL:
        return ""
    return given.form(node)


def _spoken_of(tree: ast.Module, functions: Collection[str]) -> set[str]:
    """Those of ``functions`` that the code names besides defining them: it may replace them."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str(name)):
                found |= {name} & set(functions)
    return found


def _without(source: str, names: Collection[str]) -> str:
    """``source`` with the definitions of ``names`` at its top level as empty lines."""
    lines = source.split("\n")
    tree = syntax.parse(source)
    for node in tree.body if tree else ():
        if isinstance(node, ast.FunctionDef) and node.name in names:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            for number in range(first - 1, node.end_lineno):
                lines[number] = ""
    return "\n".join(lines)


def _defines(name: str, text: str) -> bool:
    pattern = (
        rf"^[ \t]*(?:async[ \t]+)?def[ \t]+{re.escape(name)}[ \t]*\(|^{re.escape(name)}[ \t]*="
    )
    return re.search(pattern, text, re.M) is not None


def _stub_only(pieces: list[str], name: str) -> bool:
    """Whether ``name`` stands there only as a stub."""
    trees = [tree for piece in pieces if (tree := syntax.parse(piece))]
    nodes = [node for tree in trees if (node := syntax.last_bindings(tree).get(name))]
    return bool(nodes) and all(isinstance(n, ast.FunctionDef) and _does_nothing(n) for n in nodes)


def _from_first_definition(text: str) -> str:
    """A text from its first line of code on: words may stand above it."""
    found = re.search(r"^(?:import |from |@|def |async def |class )", text, re.M)
    return text[found.start() :] if found and found.start() else ""


def _text_under(heading: str, cells: list[Cell], known: Collection[str]) -> str:
    """Text from ``heading`` to the next heading of the exercise, or without ``known`` to the next
    one of the same or a higher level.  What stands in a code cell and is no code is text as well.
    """
    wanted = given.fold(heading)
    level, found = 0, []
    for cell in cells:
        if cell.kind == "code":
            if level and (words := _words(cell.source)):
                found.append(words)
            continue
        for line in cell.source.split("\n"):
            mark = given.heading(line)
            if mark and level:
                ends = given.fold(mark[1]) in known if known else mark[0] <= level
                level = 0 if ends else level
            if mark and not level and wanted in given.fold(mark[1]):
                level = mark[0]
            elif level:
                found.append(line)
    return unicodedata.normalize("NFC", "\n".join(found)).strip()


def _words(source: str) -> str:
    """What a code cell says if it is no program: a text that was typed into the wrong cell."""
    tree = syntax.parse(source)
    if tree is None:
        return source if re.search("[가-힣]", source) else ""
    if all(isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant) for n in tree.body):
        return source.strip()
    return ""
