"""A file that someone handed in → the text of its cells, whatever state the file is in.

Reads nbformat 3 and 4 without validating (a damaged id or a missing field costs no one a mark),
plain ``.py`` downloads and a zip with one notebook in it.  `Unreadable`, whose text is Korean and
goes to the student, says why a file can't be read.
"""

from __future__ import annotations

import io
import json
import os
import re
import stat
import zipfile
from pathlib import Path

from coursekit.grading.handed_in import bounded, scripts, syntax
from coursekit.grading.handed_in.cell import Cell

MAX_FILE = 256 << 20
MAX_CELLS = 5_000
MAX_SOURCE = 4 << 20  # of one notebook without its outputs
_TOO_MUCH = (
    "이 파일을 읽는 데 시간이나 메모리가 너무 많이 듭니다. 출력을 모두 지우고, 답이 아닌 셀을 "
    "지운 노트북을 다시 내세요."
)
_LITTER = {  # folders and files that systems and tools leave beside a notebook
    "__MACOSX", ".ipynb_checkpoints", ".git", "__pycache__", ".Trash-0", ".venv", "node_modules",
    "Thumbs.db", "desktop.ini", ".DS_Store",
}  # fmt: skip


class Unreadable(Exception):
    """The file can't be read as a notebook."""


def read_cells(path: Path) -> list[Cell]:
    """Cells of the notebook at ``path``, all kinds; raises `Unreadable` and nothing else."""
    return [Cell(*cell) for cell in asked("cells", path)["cells"]]


def asked(operation: str, path: Path, **arguments) -> dict:
    try:
        reply = bounded.ask(operation, path=str(path.absolute()), **arguments)
    except bounded.TooMuch:
        raise Unreadable(_TOO_MUCH) from None
    if "unreadable" in reply:
        raise Unreadable(reply["unreadable"])
    return reply


def parse_file(path: Path) -> tuple[list[Cell], list[str]]:
    """Cells of the notebook at ``path``, and what was odd about the file (Korean, for notes).

    Raises `Unreadable`; memory and time are whoever's who calls: see `reader`.
    """
    odd: list[str] = []
    try:
        data = read_bytes(path)
        suffix = path.suffix
        if data[:4] == b"PK\x03\x04":
            data, suffix = _only_notebook(data)
        if not data.strip(b"\x00 \t\r\n"):
            raise Unreadable("빈 파일입니다. 노트북을 다시 저장해서 내세요.")
        text = _decode(data)
        del data
        is_json = text.lstrip("\x00 \t\r\n").startswith(("{", "["))
        if suffix.lower() == ".py":
            is_json = is_json and '"cells"' in text
        elif not is_json:
            _refuse_others(text)
            odd.append("노트북이 아니라 파이썬 코드여서 셀 하나로 읽었습니다.")
        cells = _notebook(text, odd) if is_json else scripts.cells_of(text)
    except (MemoryError, RecursionError):
        raise Unreadable(
            "파일의 구조가 너무 깊거나 커서 읽지 못했습니다. 출력을 모두 지우고 다시 내세요."
        ) from None
    except OSError as error:
        raise Unreadable(f"파일을 열지 못했습니다. ({type(error).__name__})") from None
    if len(cells) > MAX_CELLS or sum(len(cell.source) for cell in cells) > MAX_SOURCE:
        raise Unreadable("셀이 너무 많거나 너무 깁니다. 이 연습의 셀만 남겨 다시 내세요.")
    return cells, odd


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


def is_litter(name: str) -> bool:
    """Whether the path ``name`` is what systems leave beside a notebook: a checkpoint, a shadow."""
    parts = name.replace("\\", "/").split("/")
    return any(part in _LITTER or part.startswith("._") for part in parts)


def _only_notebook(data: bytes) -> tuple[bytes, str]:
    """The one notebook in a zip and its suffix; sizes that the zip states are not trusted."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [e for e in archive.infolist()[:10_000]
                       if not e.is_dir() and not is_litter(e.filename)]  # fmt: skip
            found = [e for e in entries if e.filename.casefold().endswith(".ipynb")]
            found = found or [e for e in entries if e.filename.casefold().endswith(".py")]
            if len(found) != 1:
                named = ", ".join(e.filename.rsplit("/", 1)[-1] for e in found[:4])
                raise Unreadable(
                    f"zip 안에 노트북이 {len(found)}개 있습니다{f' ({named})' if named else ''}. "
                    "이 연습의 노트북 하나만 내세요."
                )
            with archive.open(found[0]) as member:
                unpacked = member.read(MAX_FILE + 1)
    except Unreadable:
        raise
    except Exception as error:  # zlib, lzma and bz2 each raise their own
        raise Unreadable(f"zip을 풀지 못했습니다. ({type(error).__name__})") from None
    if len(unpacked) > MAX_FILE:
        raise Unreadable("zip을 풀면 너무 큽니다. 출력을 지우고 노트북만 다시 내세요.")
    return unpacked, Path(found[0].filename).suffix


def _decode(data: bytes) -> str:
    marked = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    encodings = ["utf-16"] if marked else ["utf-8-sig", "cp949"]
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise Unreadable("글자로 된 파일이 아닙니다. 노트북(.ipynb)을 내세요.")


def _notebook(text: str, odd: list[str]) -> list[Cell]:
    try:
        text = text.strip("\x00 \t\r\n")
        document, end = json.JSONDecoder().raw_decode(text)
        if text[end:].strip("\x00 \t\r\n"):
            odd.append("노트북이 끝난 뒤에 다른 글자가 있어, 그 앞까지만 읽었습니다.")
    except ValueError as error:
        raise Unreadable(_broken(text, getattr(error, "lineno", None))) from None
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
        what = "구글 드라이브의 바로 가기입니다" if "doc_id" in document else "셀이 없습니다"
        raise Unreadable(
            f"노트북 형식이 아닙니다. {what}. Colab의 '파일 → 다운로드 → .ipynb 다운로드'로 받은 "
            "파일을 내세요."
        )
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


def _refuse_others(text: str) -> None:
    """Raises `Unreadable` for what is neither a notebook nor a program, with what it seems to be."""
    head = text[:2000].lstrip().casefold()
    kinds = {"%pdf": "PDF", "<!doctype html": "HTML 페이지", "<html": "HTML 페이지",
             "http": "주소", "{\\rtf": "문서"}  # fmt: skip
    kind = next((kind for start, kind in kinds.items() if head.startswith(start)), "")
    if kind:
        raise Unreadable(
            f"노트북이 아니라 {kind}입니다. Colab의 '파일 → 다운로드 → .ipynb 다운로드'로 받은 파일을 "
            "내세요."
        )
    tree = syntax.parse(text) if len(text) <= MAX_SOURCE else None
    if tree is None or not syntax.last_bindings(tree):
        raise Unreadable(_broken(text, 1))


def _broken(text: str, line: int | None) -> str:
    """Why ``text`` is no JSON, and the way out."""
    if mark := re.search(r"^(<{7}|={7}|>{7})(?: |\r?$)", text, re.M):
        number = text.count("\n", 0, mark.start()) + 1
        return (
            f"{number}번째 줄에 git이 병합하다 남긴 표시({mark[1]})가 있습니다. "
            "병합의 충돌을 풀고 노트북을 다시 저장해서 내세요."
        )
    where = f" {line}번째 줄에서" if line else ""
    return f"노트북 형식(JSON)이{where} 끊겼거나 깨졌습니다. 노트북을 다시 내려받아서 내세요."
