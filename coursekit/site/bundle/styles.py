"""Make one small style sheet: the theme's rules that can match something, then ours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

_COMMENT = re.compile(r"/\*.*?\*/", re.S)
_CLASS_ATTRIBUTE = re.compile(r'\bclass="([^"]*)"')
_CLASS = re.compile(r"\.(-?[A-Za-z_](?:[\w-]|\\.)*)")
_WORD = re.compile(r"[A-Za-z_][\w-]*")
_IMPORT = re.compile(r"@import[^;]+;")


def used_classes(pages: Iterable[Path], scripts: Iterable[str]) -> set[str]:
    """Every class of the pages, and every word of the scripts, which may set classes."""
    used: set[str] = set()
    for page in pages:
        for value in set(_CLASS_ATTRIBUTE.findall(page.read_text(encoding="utf-8"))):
            used.update(value.split())
    for script in scripts:
        used.update(_WORD.findall(script))
    return used


def prune(css: str, used: set[str]) -> str:
    """``css`` without the rules that need a class which is not in ``used``."""
    return "".join(_rules(_IMPORT.sub("", _COMMENT.sub("", css)), used))


def _rules(css: str, used: set[str]) -> Iterator[str]:
    for head, body in _blocks(css):
        name = head.lstrip()
        if name.startswith(("@media", "@supports", "@layer", "@container")):
            if inner := "".join(_rules(body, used)):
                yield f"{head}{{{inner}}}"
        elif name.startswith("@font-face"):
            continue  # the book uses the fonts of the reader's system
        elif name.startswith("@"):
            yield f"{head}{{{body}}}" if body else f"{head};"
        elif kept := [s for s in _selectors(head) if _possible(s, used)]:
            yield f"{','.join(kept)}{{{body}}}"


def _possible(selector: str, used: set[str]) -> bool:
    # what stands in :not() need not exist
    positive = re.sub(r":not\([^)]*\)", "", selector)
    return all(name.replace("\\", "") in used for name in _CLASS.findall(positive))


def _selectors(head: str) -> list[str]:
    """Split at the commas outside brackets."""
    parts, depth, start = [], 0, 0
    for place, character in enumerate(head):
        if character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
        elif character == "," and not depth:
            parts.append(head[start:place].strip())
            start = place + 1
    return [*parts, head[start:].strip()]


_STEP = re.compile(r"""[{};]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|url\([^)"']*\)""")


def _blocks(css: str) -> Iterator[tuple[str, str]]:
    """(what stands before a brace, what stands inside it) for each block of the top level."""
    depth = start = opened = 0
    for step in _STEP.finditer(css):
        mark = step[0]
        if mark == "{":
            if not depth:
                opened = step.start()
            depth += 1
        elif mark == "}":
            depth -= 1
            if not depth:
                yield css[start:opened], css[opened + 1 : step.start()]
                start = step.end()
        elif mark == ";" and not depth:
            yield css[start : step.start()], ""
            start = step.end()
