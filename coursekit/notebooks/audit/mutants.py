"""Small mistakes that a reader or an author could make in a cell.

Data, plots, messages and the asserts' own comparisons are left alone. Code that stands inside
``with expect_error`` is wrong on purpose: its mutants are its repair and another error, and both
must be noticed.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass

VERSION = 1  # of the mutants and of how they are judged; a change makes every ledger stale
MOST = 10  # mutants of one cell; of more, this many are taken at even distances

_OPERATORS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.Pow: ast.Mult,
    ast.MatMult: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Lt: ast.GtE,
    ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
}  # fmt: skip
_NEIGHBOURS = {
    "sum": "mean", "mean": "sum", "max": "min", "min": "max", "argmax": "argmin",
    "argmin": "argmax", "maximum": "minimum", "minimum": "maximum", "exp": "log1p", "log": "exp",
    "sin": "cos", "cos": "sin", "tanh": "sin", "sqrt": "abs", "square": "abs", "zeros_like": "ones_like", "ones_like": "zeros_like", "set": "add",
    "add": "set", "cumsum": "cumprod", "var": "std",
    "std": "var", "jacfwd": "grad", "jacrev": "grad", "psum": "pmean", "pmean": "psum",
    "cond": "switch", "sort": "flip", "argsort": "argmax", "concatenate": "hstack",
    "relu": "tanh", "softmax": "log_softmax", "log_softmax": "softmax", "train": "eval",
    "eval": "train",
}  # fmt: skip
_TAKEN_OFF = {
    "jit", "vmap", "pmap", "grad", "stop_gradient", "checkpoint", "remat", "device_put",
    "with_sharding_constraint", "shard_map", "custom_jvp", "custom_vjp", "value_and_grad",
    "filter_jit", "filter_vmap", "filter_grad", "lax_map", "deepcopy", "copy",
}  # fmt: skip
_FREE = {  # keywords of messages, plots and tolerances
    "rtol", "atol", "err_msg", "match", "label", "figsize", "title", "file", "end", "sep",
    "number", "repeat", "color", "alpha", "capture_output", "text", "check", "timeout",
}  # fmt: skip
_AXES = {"in_axes", "out_axes", "axis", "argnums", "donate_argnums", "axis_name"}
_PLOTS = ("plt", "ax", "axes", "fig", "left", "right_ax")


@dataclass(frozen=True)
class Mutant:
    """``name`` says what changed, without line numbers, so that it survives edits around it."""

    name: str
    source: str


def asserts(source: str) -> bool:
    """Does the cell check something when it runs (not only in functions it defines)?"""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return False
    return any(_is_assert(node) or _expects(node) for node in _outside_functions(tree))


def mutants_of(source: str, twin: str = "", twin_is: str = "") -> list[Mutant]:
    """Mutants of one cell; ``twin`` is the other cell of its pitfall, ``twin_is`` its tag."""
    tree = ast.parse(source)
    found = {m.name: m for m in _single(tree)}
    names = list(found)
    taken = {names[int(i * max(1.0, len(names) / MOST))] for i in range(min(len(names), MOST))}
    chosen = [m for name, m in found.items() if name in taken]
    if twin and (swapped := _swapped(tree, ast.parse(twin))) not in (None, ast.unparse(tree)):
        chosen.append(Mutant(f"몸통 -> {twin_is} 셀의 몸통", swapped))
    return chosen


def _single(tree: ast.Module) -> Iterator[Mutant]:
    whole = ast.unparse(tree)
    before_names: set[str] = set()
    for index, statement in enumerate(tree.body):
        for change in _changes(statement, before_names):
            mutated = copy.deepcopy(tree)
            old = _text(mutated.body[index])
            change(mutated, index)
            new = _text(mutated.body[index]) if len(mutated.body) == len(tree.body) else "(없음)"
            text = ast.unparse(ast.fix_missing_locations(mutated)) if mutated.body else "pass"
            if text != whole:
                yield Mutant(_difference(old, new), text)
        before_names |= {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}


Change = Callable[[ast.Module, int], None]


def _changes(statement: ast.stmt, known: set[str]) -> Iterator[Change]:
    if _expects(statement):
        yield from _other_errors(statement)
        return
    if _is_plot(statement) or isinstance(statement, ast.Import | ast.ImportFrom):
        return
    if _may_be_dropped(statement, known):
        yield lambda tree, index: tree.body.pop(index)
    nodes = list(ast.walk(statement))
    skipped = {id(n) for e in nodes if _expects(e) for n in ast.walk(e)}
    skipped |= {
        id(n) for e in nodes if isinstance(e, ast.stmt) and _is_plot(e) for n in ast.walk(e)
    }
    judged = {id(n) for e in nodes if _is_assert(e) for n in ast.walk(e)}
    for number, node in enumerate(nodes):
        if id(node) not in skipped:
            for edit in _edits(node, id(node) in judged):
                yield _at(number, edit)


def _at(number: int, edit: Callable[[ast.AST, ast.stmt], None]) -> Change:
    def change(tree: ast.Module, index: int) -> None:
        top = tree.body[index]
        edit(list(ast.walk(top))[number], top)

    return change


def _edits(node: ast.AST, judged: bool) -> Iterator[Callable[[ast.AST, ast.stmt], None]]:
    """Edits of one node; in an assert only of the functions that it calls."""
    match node:
        case ast.BinOp() if not judged and type(node.op) in _OPERATORS and not _is_text(node):
            yield lambda n, _: setattr(n, "op", _OPERATORS[type(n.op)]())
        case ast.Compare(ops=[operator]) if not judged and type(operator) in _OPERATORS:
            yield lambda n, _: setattr(n, "ops", [_OPERATORS[type(n.ops[0])]()])
        case ast.Call():
            yield from _edits_of_call(node, judged)
        case ast.FunctionDef():
            for number in range(len(node.decorator_list)):
                yield lambda n, _, number=number: n.decorator_list.pop(number)
            yield from _dropped(node)
        case ast.For() | ast.While():
            yield from _dropped(node)


def _edits_of_call(node: ast.Call, judged: bool) -> Iterator[Callable]:
    name = _last_name(node.func)
    if name == "range" and not judged:
        yield lambda n, _: n.args.__setitem__(
            -1 if len(n.args) < 3 else 1,
            ast.BinOp(n.args[-1 if len(n.args) < 3 else 1], ast.Sub(), ast.Constant(1)),
        )
    if isinstance(node.func, ast.Attribute) and name in _NEIGHBOURS:
        yield lambda n, _: setattr(n.func, "attr", _NEIGHBOURS[n.func.attr])
    if name in _TAKEN_OFF and node.args:
        yield lambda n, top: _replace(top, n, n.args[0])
    for number, keyword in enumerate(node.keywords):
        if not keyword.arg or keyword.arg in _FREE or name in ("print", "dict"):
            continue
        yield lambda n, _, number=number: n.keywords.pop(number)
        if keyword.arg in _AXES and type(getattr(keyword.value, "value", None)) is int:
            other = ast.Constant(0 if keyword.value.value else 1)
            yield lambda n, _, number=number, other=other: setattr(
                n.keywords[number], "value", other
            )


def _dropped(node) -> Iterator[Callable]:
    """One statement of a body less; a name that is bound nowhere else is no mutant."""
    known = {
        a.arg for a in getattr(node, "args", ast.arguments([], [], None, [], [], None, [])).args
    }
    for number, statement in enumerate(node.body):
        if len(node.body) > 1 and _may_be_dropped(statement, known):
            yield lambda n, _, number=number: n.body.pop(number)
        known |= {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}


def _may_be_dropped(statement: ast.stmt, known: set[str]) -> bool:
    """True for what is done for its effect, and for a name that had a value before."""
    match statement:
        case ast.Expr(value=ast.Call() as call):
            return _last_name(call.func) not in ("print", "display", "show") and not _is_assert(
                statement
            )
        case ast.AugAssign():
            return True
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return name in known and name in {
                n.id for n in ast.walk(value) if isinstance(n, ast.Name)
            }
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            return True
    return False


def _other_errors(statement: ast.With) -> Iterator[Change]:
    """The code in ``with expect_error`` raises nothing, or an error that was not meant."""
    kind = _expectation(statement)
    if kind is None:
        return
    if _last_name(kind.func) == "expect_error":
        types = kind.args[0] if kind.args else ast.Name("Exception", ast.Load())
        first = types.elts[0] if isinstance(types, ast.Tuple) else types
        for raised in ("NameError", ast.unparse(first)):
            yield lambda tree, index, raised=raised: setattr(
                tree.body[index], "body", ast.parse(f"raise {raised}('다른 오류')").body
            )
    if len(statement.body) > 1:
        yield lambda tree, index: tree.body[index].body.pop()


def _swapped(tree: ast.Module, other: ast.Module) -> str | None:
    """The body of ``other`` with what ``tree`` asserts and shows; in its ``expect_error``, if any."""
    body = [s for s in _unwrapped(other) if not _is_assert(s) and not _shows(s)]
    for node in tree.body:
        if _expects(node):
            mutated = copy.deepcopy(tree)
            mutated.body[tree.body.index(node)].body = copy.deepcopy(body) or [ast.Pass()]
            return ast.unparse(ast.fix_missing_locations(mutated))
    kept = [s for s in tree.body if _is_assert(s) or _shows(s)]
    return ast.unparse(ast.Module([*body, *kept], [])) if body and kept else None


def _unwrapped(tree: ast.Module) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for statement in tree.body:
        found += statement.body if _expects(statement) else [statement]
    return found


def _shows(statement: ast.stmt) -> bool:
    """``print(…)`` or a bare value at the end of a cell."""
    if not isinstance(statement, ast.Expr):
        return False
    value = statement.value
    return not isinstance(value, ast.Call) or _last_name(value.func) in ("print", "display")


def _outside_functions(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda):
            yield node
            yield from _outside_functions(node)


def _is_assert(node: ast.AST) -> bool:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return _last_name(node.value.func).startswith(("assert_", "check_grads"))
    return isinstance(node, ast.Assert)


def _expectation(node: ast.AST) -> ast.Call | None:
    if isinstance(node, ast.With):
        for item in node.items:
            call = item.context_expr
            if isinstance(call, ast.Call) and _last_name(call.func).startswith("expect_"):
                return call
    return None


def _expects(node: ast.AST) -> bool:
    return _expectation(node) is not None


def _is_plot(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Expr | ast.Assign):
        return False
    call = statement.value
    while isinstance(call, ast.Call | ast.Attribute | ast.Subscript):
        call = call.func if isinstance(call, ast.Call) else call.value
    return isinstance(call, ast.Name) and call.id in _PLOTS


def _is_text(node: ast.BinOp) -> bool:
    sides = (node.left, node.right)
    return any(isinstance(s, ast.JoinedStr | ast.Constant) and not _number(s) for s in sides)


def _number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float | complex)


def _last_name(node: ast.AST) -> str:
    return getattr(node, "attr", getattr(node, "id", ""))


def _replace(top: ast.AST, old: ast.AST, new: ast.AST) -> None:
    for parent in ast.walk(top):
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, new)
            elif isinstance(value, list):
                value[:] = [new if item is old else item for item in value]


def _text(node: ast.AST) -> str:
    return ast.unparse(ast.fix_missing_locations(copy.deepcopy(node)))


def _difference(old: str, new: str) -> str:
    """The lines that differ, joined: ``before -> after``."""
    if new == "(없음)":
        return f"{' '.join(old.split())} -> (없음)"
    left, right = old.split("\n"), new.split("\n")
    while left and right and left[0] == right[0]:
        left, right = left[1:], right[1:]
    while left and right and left[-1] == right[-1]:
        left, right = left[:-1], right[:-1]
    tell = " ".join(" ".join(right).split()) or "(없음)"
    return f"{' '.join(' '.join(left).split()) or '(없음)'} -> {tell}"
