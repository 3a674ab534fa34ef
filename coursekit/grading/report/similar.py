"""Answers that resemble each other more than the task explains, for a person to look at.

Compared is the syntax tree with the student's own names, comments and layout taken away.  Pieces
that many wrote, or that the published answers hold, say nothing and are left out.  What remains
is a reason to read two answers side by side, not a finding about anyone.
"""

from __future__ import annotations

import ast
import math
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from coursekit.grading.handed_in import syntax

_PIECE = 10  # nodes in a row
_FEW = 5  # a piece in more answers than this (or 2 % of a large class) is common
_LONG = 100  # nodes of a submission; shorter ones are equal by chance
_ENOUGH = 25.0  # weight that two answers must share before it is worth a look


@dataclass(frozen=True)
class Pair:
    """``share``: 0–1, how much of the rarer part of the smaller answer is in the other."""

    first: str
    second: str
    share: float
    questions: list[str] = field(default_factory=list)


def groups(
    answers: Mapping[str, Mapping[str, str]],
    published: Mapping[str, Iterable[str]] | None = None,
) -> list[list[str]]:
    """Submissions that are the same program throughout, but for names, comments and layout.

    However many share it: `pairs` takes what many wrote for common.  Answers that are published
    count neither way.
    """
    public = {(q, form(code)) for q, codes in (published or {}).items() for code in codes}
    found: dict[tuple, list[str]] = defaultdict(list)
    for item, written in answers.items():
        forms = {(q, form(code)) for q, code in written.items() if code.strip()} - public
        if sum(len(nodes) for _, nodes in forms) >= _LONG:
            found[tuple(sorted(forms))].append(item)
    return sorted((items for items in found.values() if len(items) > 1), key=lambda g: -len(g))


def form(source: str) -> tuple[str, ...]:
    """All nodes of ``source`` in order, without what a student chose freely."""
    try:
        tree = syntax.tree(source)
        return tuple(_nodes(tree, _own_names(tree), {}))
    except syntax.UNREADABLE:
        return ()


def pieces(source: str) -> set[int]:
    """Hashes of the runs of nodes of ``source``."""
    nodes = form(source)
    runs = ("\0".join(nodes[i : i + _PIECE]) for i in range(max(1, len(nodes) - _PIECE + 1)))
    return {zlib.crc32(run.encode("utf-8", "replace")) for run in runs} if nodes else set()


def pairs(
    answers: Mapping[str, Mapping[str, str]],
    published: Mapping[str, Iterable[str]] | None = None,
    *,
    least: float = 0.6,
) -> list[Pair]:
    """The most alike first.  ``answers``: item → question → code; ``published``: question → code."""
    found: dict[str, dict[str, set[int]]] = {
        item: {question: pieces(code) for question, code in written.items() if code.strip()}
        for item, written in answers.items()
    }
    spread: Counter = Counter(
        (question, piece) for written in found.values() for question, all_ in written.items()
        for piece in all_
    )  # fmt: skip
    public = {
        (q, piece) for q, codes in (published or {}).items() for c in codes for piece in pieces(c)
    }
    limit = max(_FEW, len(found) // 50)
    holders: dict[tuple[str, int], list[str]] = defaultdict(list)
    weights: dict[str, float] = defaultdict(float)
    for item, written in found.items():
        for question, all_ in written.items():
            for piece in all_:
                key = (question, piece)
                if spread[key] <= limit and key not in public:
                    weights[item] += _weight(len(found), spread[key])
                    if spread[key] > 1:
                        holders[key].append(item)
    shared: dict[tuple[str, str], Counter] = defaultdict(Counter)
    for (question, piece), items in holders.items():
        for two in combinations(sorted(items), 2):
            shared[two][question] += _weight(len(found), spread[question, piece])
    result = []
    for (first, second), by_question in shared.items():
        total = sum(by_question.values())
        share = total / min(weights[first], weights[second])
        if share >= least and total >= _ENOUGH:
            names = [q for q, weight in by_question.items() if weight >= total / 10]
            result.append(Pair(first, second, min(share, 1.0), sorted(names)))
    return sorted(result, key=lambda pair: (-pair.share, pair.first, pair.second))


def _weight(size: int, spread: int) -> float:
    return math.log(1 + size / spread)


def _own_names(tree: ast.AST) -> set[str]:
    """Names that the student chose: arguments, variables, inner functions."""
    names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.arg():
                names.add(node.arg)
            case ast.Name(ctx=ast.Store()):
                names.add(node.id)
            case ast.FunctionDef() | ast.ClassDef():
                names.add(node.name)
    return names


def _nodes(node: ast.AST, own: set[str], seen: dict[str, str]):
    """The tree in reading order as words; own names become their order of appearance."""

    def word(name: str) -> str:
        return seen.setdefault(name, f"v{len(seen)}") if name in own else name

    match node:
        case ast.Import() | ast.ImportFrom() | ast.Load() | ast.Store():
            return
        case ast.Expr(value=ast.Constant(value=str())):  # a docstring
            return
        case ast.Name():
            yield word(node.id)
        case ast.arg():
            yield word(node.arg)
            return  # an annotation changes nothing
        case ast.Attribute():
            yield "." + node.attr
        case ast.Constant():
            yield repr(node.value)[:40]
        case ast.FunctionDef() | ast.ClassDef():
            yield type(node).__name__ + word(node.name)
        case ast.keyword():
            yield f"{node.arg}="
        case _:
            yield type(node).__name__
    for child in ast.iter_child_nodes(node):
        if child is not getattr(node, "returns", None):
            yield from _nodes(child, own, seen)
