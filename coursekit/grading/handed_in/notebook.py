"""A file that someone handed in → the text of its cells, whatever state the file is in.

Reads nbformat 3 and 4 without validating (a damaged id or a missing field costs no one a mark),
plain ``.py`` downloads and a zip with one notebook in it.  The only exception is `Unreadable`,
whose text is Korean and goes to the student.
"""

from __future__ import annotations

import io
import json
import os
import re
import stat
import zipfile
from dataclasses import dataclass
from pathlib import Path

MAX_FILE = 256 << 20
MAX_CELLS = 5_000
MAX_SOURCE = 4 << 20  # of one notebook without its outputs


class Unreadable(Exception):
    """The file can't be read as a notebook."""


@dataclass(frozen=True)
class Cell:
    """One cell; ``index`` counts all cells from 0, as a reader would count them."""

    index: int
    kind: str  # "code", "markdown" or another word from the file
    source: str


def read_cells(path: Path) -> list[Cell]:
    """Cells of the notebook at ``path``; raises `Unreadable` and nothing else."""
    try:
        data = read_bytes(path)
        if data[:4] == b"PK\x03\x04":
            data = _only_notebook(data)
        if not data.strip(b"\x00 \t\r\n"):
            raise Unreadable("빈 파일입니다. 노트북을 다시 저장해서 내세요.")
        text = _decode(data)
        cells = _script(text) if path.suffix.lower() == ".py" else _notebook(text)
    except Unreadable:
        raise
    except (MemoryError, RecursionError):
        raise Unreadable("파일의 구조가 너무 깊거나 커서 읽지 못했습니다.") from None
    except OSError as error:
        raise Unreadable(f"파일을 열지 못했습니다. ({type(error).__name__})") from None
    if len(cells) > MAX_CELLS or sum(len(cell.source) for cell in cells) > MAX_SOURCE:
        raise Unreadable("셀이 너무 많거나 너무 깁니다.")
    return cells


def read_bytes(path: Path) -> bytes:
    """Contents of a regular file.  Symlinks are refused: they could name someone else's work."""
    # O_NONBLOCK: opening a named pipe would otherwise wait for a writer for ever
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags)
    except OSError as error:
        if path.is_symlink():
            raise Unreadable("바로 가기(심볼릭 링크)입니다. 노트북 파일 자체를 내세요.") from None
        raise Unreadable(f"파일을 열지 못했습니다. ({error.strerror})") from None
    try:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise Unreadable("노트북이 없는 폴더입니다. 노트북 파일(.ipynb)을 내세요.")
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable("보통 파일이 아닙니다. 노트북 파일을 내세요.")
        if status.st_size > MAX_FILE:
            raise Unreadable(f"파일이 {status.st_size >> 20} MB입니다. 출력을 지우고 다시 내세요.")
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(MAX_FILE + 1)
    except OSError as error:
        raise Unreadable(f"파일을 읽지 못했습니다. ({error.strerror})") from None
    finally:
        os.close(descriptor)


def _only_notebook(data: bytes) -> bytes:
    """The one notebook in a zip, read without trusting the sizes that the zip states."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = [
                entry
                for entry in archive.infolist()[:10_000]
                if entry.filename.endswith(".ipynb") and "__MACOSX" not in entry.filename
            ]
            if len(names) != 1:
                raise Unreadable(f"zip 안에 노트북이 {len(names)}개 있습니다. 하나만 내세요.")
            with archive.open(names[0]) as member:
                unpacked = member.read(MAX_FILE + 1)
    except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError, RuntimeError) as error:
        raise Unreadable(f"zip을 풀지 못했습니다. ({type(error).__name__})") from None
    except Exception as error:  # zlib, lzma and bz2 each raise their own
        if isinstance(error, Unreadable):
            raise
        raise Unreadable(f"zip을 풀지 못했습니다. ({type(error).__name__})") from None
    if len(unpacked) > MAX_FILE:
        raise Unreadable("zip을 풀면 너무 큽니다.")
    return unpacked


def _decode(data: bytes) -> str:
    marked = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    encodings = ["utf-16"] if marked else ["utf-8-sig", "cp949"]
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise Unreadable("글자로 된 파일이 아닙니다. 노트북(.ipynb)을 내세요.")


def _notebook(text: str) -> list[Cell]:
    try:
        document = json.loads(text)
    except ValueError as error:
        line = getattr(error, "lineno", None)
        where = f" {line}번째 줄에서" if line else ""
        raise Unreadable(
            f"노트북 형식(JSON)이{where} 끊겼거나 깨졌습니다. 다시 내려받아서 내세요."
        ) from None
    if not isinstance(document, dict):
        raise Unreadable("노트북 형식이 아닙니다.")
    found = document.get("cells")
    if found is None and isinstance(document.get("worksheets"), list):  # nbformat 3
        sheets = [sheet for sheet in document["worksheets"] if isinstance(sheet, dict)]
        found = [
            cell
            for sheet in sheets
            if isinstance(sheet.get("cells"), list)
            for cell in sheet["cells"]
        ]
    if not isinstance(found, list):
        raise Unreadable("노트북 형식이 아닙니다. 셀이 들어 있지 않습니다.")
    return [
        Cell(index, str(cell.get("cell_type", "code")), _source(cell))
        for index, cell in enumerate(found)
        if isinstance(cell, dict)
    ]


def _source(cell: dict) -> str:
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    if not isinstance(source, str):
        return ""
    # half of a surrogate pair can stand in JSON, but not in a program
    return source.encode("utf-8", "replace").decode("utf-8").replace("\r\n", "\n")


def _script(text: str) -> list[Cell]:
    """Colab's and Jupyter's "download as .py": cells begin with ``# %%`` or ``# In[…]``."""
    parts = re.split(r"^# ?(?:%%|In\[[\d ]*\]).*$", text, flags=re.MULTILINE)
    return [Cell(i, "code", part) for i, part in enumerate(parts)]
