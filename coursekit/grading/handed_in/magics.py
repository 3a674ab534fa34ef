"""IPython's extra syntax → Python.  Magics and shell lines are dropped, never run.

``prepare(source)`` returns Python text of the same number of lines (so that line numbers in
messages stay right) and the dropped lines.
"""

from __future__ import annotations

import re

from coursekit.grading.handed_in import syntax

_KEEP_BODY = ("time", "timeit", "capture", "prun", "python", "python3", "py")
_LINE = re.compile(r"^(\s*)(?:([\w, .\[\]]+?)\s*=\s*)?([%!?].*)$")
_TIMED = re.compile(r"^%time\s+(.+)$")
_HELP = re.compile(r"^(\s*)([\w.]+\?{1,2})\s*$")


def prepare(source: str) -> tuple[str, list[str]]:
    """Python text without magics, and what was left out (first words only)."""
    first = source.lstrip()
    if first.startswith("%%"):
        head, _, body = first.partition("\n")
        word = head[2:].split()[0] if head[2:].split() else ""
        if word not in _KEEP_BODY:
            return "", [f"%%{word}"]
        text, dropped = prepare(body)
        return "\n" * (source.count("\n") - body.count("\n")) + text, [f"%%{word}", *dropped]
    if _parses(source):  # a % at the start of a continued line is arithmetic
        return source, []
    lines, dropped = [], []
    for line in source.split("\n"):
        lines.append(_without_magic(line, dropped))
    cleaned = "\n".join(lines)
    # if it still does not parse, the student's own text gives the clearer error
    return (cleaned, dropped) if dropped else (source, [])


def _without_magic(line: str, dropped: list[str]) -> str:
    if help_line := _HELP.match(line):
        dropped.append(help_line[2])
        return help_line[1] + "pass"
    match = _LINE.match(line)
    if not match:
        return line
    indent, target, command = match.groups()
    dropped.append(command.split()[0][:40])
    if timed := _TIMED.match(command):
        statement = f"{target} = {timed[1]}" if target else timed[1]
        if _parses(statement):
            return indent + statement
    return f"{indent}{target} = None" if target else f"{indent}pass"


def _parses(text: str) -> bool:
    return syntax.parse(text) is not None
