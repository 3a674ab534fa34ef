"""Files that are whole at every moment: written beside their place and renamed into it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """An empty file beside ``path`` to be filled: it takes its place when the block ends well.

    A block that fails, or a crash in it, leaves the old file as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    new = Path(name)
    try:
        yield new
        with new.open("rb+") as file:  # on the disk before its name is
            os.fsync(file.fileno())
        new.chmod(0o644)
        os.replace(new, path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def write_whole(path: Path, content: bytes | str) -> bool:
    """Write ``content`` (text as UTF-8) to ``path``; an equal file stays as it is.

    True if the file was written.
    """
    data = content.encode() if isinstance(content, str) else content
    if path.is_file() and path.read_bytes() == data:
        return False
    with whole(path) as new:
        new.write_bytes(data)
    return True


def clear_halves(folder: Path, names: str) -> None:
    """Remove what writers of ``names`` (a glob) that were killed left half done in ``folder``."""
    for half in folder.glob(f".{names}.????????"):
        half.unlink(missing_ok=True)
