"""The process in which files from outside are read; `bounded` talks to it.

One JSON line in, one out.  It may use `_MEMORY` of memory and, for each request, so many CPU
seconds; over the memory the request fails, over the time the kernel ends the process.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path
from typing import Any

_MEMORY = 1 << 30  # a notebook of 100 MB with pictures and Hangul takes 500 MB
_STALE = 128 << 20  # a reader that holds more than this makes way for a new one


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    replies, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        request = json.loads(line)
        _allow(request["cpu"])
        try:
            reply = {"answer": OPERATIONS[request["operation"]](**request["arguments"])}
            text = json.dumps(reply)[1:-1]
        except (MemoryError, RecursionError) as error:
            text = f'"failed": "{type(error).__name__}"'
        except Exception as error:
            text = json.dumps({"failed": f"{type(error).__name__}: {error}"[:300]})[1:-1]
        last = json.dumps(_resident() > _STALE)
        replies.write(f'{{{text}, "last": {last}}}\n')
        replies.flush()
        del text


def _resident() -> int:
    """Bytes in memory now.  (``ru_maxrss`` begins with that of the process that started this.)"""
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * resource.getpagesize()


def _allow(seconds: int) -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    total = int(used.ru_utime + used.ru_stime) + 1 + seconds
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (total, hard))


def _cells(path: str) -> dict:
    from coursekit.grading.handed_in import notebook

    try:
        cells, _ = notebook.parse_file(Path(path))
    except notebook.Unreadable as error:
        return {"unreadable": str(error)}
    return {"cells": [[cell.index, cell.kind, cell.source] for cell in cells]}


def _read(path: str, functions: list[str], headings: list[str], exercise: str) -> dict:
    from coursekit.grading.handed_in import notebook, submission

    try:
        return submission.parse(Path(path), functions, headings, exercise).plain()
    except notebook.Unreadable as error:
        return {"unreadable": str(error)}


def _markdown(text: str) -> str:
    from markdown_it import MarkdownIt

    # raw HTML in a text is shown, not obeyed; images would ask another server for something
    return MarkdownIt("commonmark", {"html": False}).disable("image").render(text)


OPERATIONS: dict[str, Any] = {"cells": _cells, "read": _read, "markdown": _markdown}

if __name__ == "__main__":
    main()
