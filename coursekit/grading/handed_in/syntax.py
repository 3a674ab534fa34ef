"""Python text that anybody wrote → syntax tree; nothing is run, and nothing is raised."""

from __future__ import annotations

import ast
import threading
import warnings

# CPython 3.11 keeps the depth of the parser's recursion once for all threads: two that parse at
# the same time can end in "SystemError: AST constructor recursion depth mismatch"
_one_at_a_time = threading.Lock()


def parse(source: str) -> ast.Module | None:
    """The tree, or None if ``source`` is not Python or too deep for the parser."""
    with _one_at_a_time, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "\d" in a string is not worth a word here
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
