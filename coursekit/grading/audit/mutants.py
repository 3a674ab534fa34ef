"""Tests of the tests: a right answer with one small mistake must lose points.

``mutants_of(source, function)`` makes the mistakes; `survivors` grades them.  A mutant that keeps
full marks is a hole in the probes, or is equal to the right answer after all; then
``equivalent.txt`` beside the probes says why, one per line: ``mutant | reason``.  The line
``function: * | reason`` leaves out a question with more than one right answer, such as a trained
model, of which a mutant is another.
"""

from __future__ import annotations

import ast
import copy
import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from coursekit.files import write_whole
from coursekit.grading.engine import batch, version
from coursekit.grading.handed_in import syntax
from coursekit.grading.probes import source_digest
from coursekit.grading.probes.questions import Exercise

_MOST = 150  # mutants of one function; of more, this many are taken at even distances
_OPERATORS = {
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Div, ast.Add), ast.Div: (ast.Mult,),
    ast.Pow: (ast.Mult,), ast.BitAnd: (ast.BitOr,), ast.BitOr: (ast.BitAnd,),
    ast.FloorDiv: (ast.Mult,), ast.Mod: (ast.Mult,), ast.MatMult: (ast.Mult,),
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,),
}  # fmt: skip
_ATTRIBUTES = {
    "set": ("add", "min", "multiply"), "add": ("set",), "sum": ("mean", "max"), "mean": ("sum",),
    "minimum": ("maximum",), "maximum": ("minimum",), "max": ("min",), "min": ("max",),
    "normal": ("uniform",), "uniform": ("normal",), "sqrt": ("abs",), "split": (),
    "square": ("abs",), "log": ("exp",), "exp": ("log",),
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """``name`` says what changed, without line numbers, so that it survives edits around it."""

    name: str
    source: str


def mutants_of(source: str, function: str) -> list[Mutant]:
    """All mutants of ``function`` in ``source``, each the whole module with that one change."""
    tree = syntax.tree(source)
    target = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == function)
    found: dict[str, Mutant] = {}
    for change in _changes(target):
        mutated = copy.deepcopy(tree)
        node = next(
            n for n in mutated.body if isinstance(n, ast.FunctionDef) and n.name == function
        )
        before, after = change(node)
        ast.fix_missing_locations(mutated)
        text = ast.unparse(mutated)
        name = f"{function}: {before} -> {after}"
        if before != after and text != ast.unparse(tree) and name not in found:
            found[name] = Mutant(name, text)
    return list(found.values())


Change = Callable[[ast.FunctionDef], tuple[str, str]]


def _changes(function: ast.FunctionDef) -> Iterator[Change]:
    """Each change edits a copy of ``function`` and returns the statement before and after."""
    names = sorted(
        {n.id for n in ast.walk(function) if isinstance(n, ast.Name)} & _locals(function)
    )
    for index, node in enumerate(ast.walk(function)):
        for edit in _edits(node, names):
            yield _at(index, edit)
    for argument in function.args.args:
        yield _returning(ast.Name(argument.arg, ast.Load()))
    yield _returning(ast.Constant(None))
    for number in range(len(function.decorator_list)):
        yield _without_decorator(number)


def _edits(node: ast.AST, names: list[str]) -> Iterator[Callable[[ast.AST], None]]:
    match node:
        case ast.BinOp():
            for other in _OPERATORS.get(type(node.op), ()):
                yield lambda n, other=other: setattr(n, "op", other())
        case ast.Compare(ops=[operator]):
            for other in _OPERATORS.get(type(operator), ()):
                yield lambda n, other=other: setattr(n, "ops", [other()])
        case ast.Constant(value=value) if type(value) in (int, float):
            for other in (value + 1, value - 1, value * 2):
                yield lambda n, other=other: setattr(n, "value", other)
        case ast.UnaryOp(op=ast.USub()):
            yield lambda n: setattr(n, "op", ast.UAdd())
        case ast.Attribute(attr=attribute):
            for other in _ATTRIBUTES.get(attribute, ()):
                yield lambda n, other=other: setattr(n, "attr", other)
        case ast.Name(id=name, ctx=ast.Load()) if name in names:
            for other in names:
                yield lambda n, other=other: setattr(n, "id", other)
        case ast.Call(args=[_, second, _]) if not isinstance(second, ast.Lambda):
            yield lambda n: n.args.__setitem__(slice(1, 3), [n.args[2], n.args[1]])


def _locals(function: ast.FunctionDef) -> set[str]:
    arguments = {argument.arg for argument in function.args.args}
    stored = {
        n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    return arguments | stored


def _at(index: int, edit: Callable[[ast.AST], None]) -> Change:
    def change(function: ast.FunctionDef) -> tuple[str, str]:
        node = list(ast.walk(function))[index]
        statement = next(
            (s for s in function.body if any(n is node for n in ast.walk(s))), function
        )
        before = _text(statement)
        edit(node)
        return before, _text(statement)

    return change


def _returning(value: ast.expr) -> Change:
    def change(function: ast.FunctionDef) -> tuple[str, str]:
        before = _text(function.body[-1])
        function.body[-1] = ast.Return(value)
        return before, _text(function.body[-1])

    return change


def _without_decorator(number: int) -> Change:
    def change(function: ast.FunctionDef) -> tuple[str, str]:
        dropped = function.decorator_list.pop(number)
        return f"@{_text(dropped)}", "(없음)"

    return change


def _text(node: ast.AST) -> str:
    return " ".join(ast.unparse(ast.fix_missing_locations(copy.deepcopy(node))).split())


def equivalents(exercise: Exercise) -> dict[str, str]:
    """Mutant name → reason why it is as good as the right answer."""
    path = exercise.folder / "equivalent.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    pairs = [line.rpartition(" | ") for line in lines if line.strip() and line[0] != "#"]
    return {name.strip(): reason.strip() for name, _, reason in pairs}


def ledger_key(exercise: Exercise) -> str:
    """Changes when the mutants would have to be run again."""
    texts = (Path(__file__), exercise.right_answers[0])
    code = [source_digest.of(path.read_text(encoding="utf-8")) for path in texts]
    left_out = sorted(name for name in equivalents(exercise) if name.endswith(": *"))
    return source_digest.digest(version.of_grading(), exercise.version, *code, *left_out)


def run(exercise: Exercise, **options) -> dict[str, int]:
    """Points of every mutant of the reference answer, by mutant name.

    A mutant answers one question only; its points are compared with that question's.
    """
    source = exercise.right_answers[0].read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        items = []
        for question in exercise.questions:
            for mutant in _chosen(exercise, source, question.function):
                path = Path(folder) / f"{len(items)}.py"
                path.write_text(mutant.source, encoding="utf-8")
                items.append(batch.Item(mutant.name, path))
        results = batch.run(exercise, items, **options)
    return {result.submission: result.points for result in results}


def _chosen(exercise: Exercise, source: str, function: str) -> list[Mutant]:
    known = equivalents(exercise)
    if f"{function}: *" in known:
        return []
    found = mutants_of(_only(source, function, exercise), function)
    step = max(1.0, len(found) / _MOST)
    taken = {int(i * step) for i in range(min(len(found), _MOST))}
    return [m for i, m in enumerate(found) if i in taken or m.name in known]


def survivors(exercise: Exercise, points: dict[str, int]) -> list[str]:
    """Mutants with full marks for which ``equivalent.txt`` has no reason."""
    full = {question.function: question.points for question in exercise.questions}
    known = equivalents(exercise)
    return [
        name
        for name, earned in points.items()
        if earned >= full[name.partition(":")[0]] and name not in known
    ]


def unused(exercise: Exercise, points: dict[str, int]) -> list[str]:
    """Names in ``equivalent.txt`` that no mutant bears."""
    return sorted(
        name for name in equivalents(exercise) if name not in points and not name.endswith(": *")
    )


def load_ledger(exercise: Exercise) -> dict[str, int] | None:
    """Points of a former run, if nothing that matters has changed since."""
    path = exercise.folder / "mutants.json"
    if not path.exists():
        return None
    data = json.loads(path.read_text(encoding="utf-8"))
    return data["mutants"] if data["key"] == ledger_key(exercise) else None


def save_ledger(exercise: Exercise, points: dict[str, int]) -> Path:
    path = exercise.folder / "mutants.json"
    data = {"key": ledger_key(exercise), "mutants": dict(sorted(points.items()))}
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    write_whole(path, text.encode("utf-8"))
    return path


def _only(source: str, function: str, exercise: Exercise) -> str:
    """``source`` without the functions that answer other questions."""
    others = {q.function for q in exercise.questions} - {function}
    tree = syntax.tree(source)
    tree.body = [n for n in tree.body if getattr(n, "name", None) not in others]
    return ast.unparse(tree)
