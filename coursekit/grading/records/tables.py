"""CSV as Excel in Korea writes and reads it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from coursekit.files import write_whole
from coursekit.findings import CourseError

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_DELIMITERS = ",;\t"


def read(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    """Header and rows of a CSV in UTF-8 (with or without BOM), UTF-16 or CP949.

    Every row is a dict over the header, with surrounding blanks removed.  Raises `CourseError`.
    """
    (_, header), *body = cells(path)
    return header, [row for _, row in under(header, body, path)]


def cells(path: Path) -> list[tuple[int, list[str]]]:
    """(number of the row from 1, its cells) of all rows that are not empty; at least one."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CourseError(f"파일을 열지 못했습니다. ({error.strerror})", path) from None
    text = decode(data, path)
    head = text.split("\n")[:20]  # a title above the table has no delimiters
    delimiter = max(_DELIMITERS, key=lambda mark: max(line.count(mark) for line in head))
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error as error:
        raise CourseError(f"CSV를 읽지 못했습니다. ({error})", path) from None
    found = [(number, [cell.strip() for cell in row]) for number, row in enumerate(rows, 1)]
    found = [(number, row) for number, row in found if any(row)]
    if not found:
        raise CourseError("빈 표입니다.", path)
    return found


def under(
    header: list[str], body: Iterable[tuple[int, list[str]]], path: Path
) -> list[tuple[int, dict[str, str]]]:
    """Rows as dicts over ``header``, with their numbers."""
    if twice := {name for name in header if name and header.count(name) > 1}:
        raise CourseError(f"같은 이름의 열이 있습니다: {', '.join(sorted(twice))}", path)
    found = []
    for number, row in body:
        if len(row) > len(header) and any(row[len(header) :]):
            raise CourseError(f"칸이 머리글보다 많습니다({len(row)}개).", path, number)
        found.append((number, dict(zip(header, row + [""] * len(header), strict=False))))
    return found


def decode(data: bytes, path: Path) -> str:
    marked = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "cp949"):
        try:
            return data.decode(encoding).replace("\r\n", "\n")
        except UnicodeDecodeError:
            continue
    raise CourseError("글자를 읽지 못했습니다. UTF-8이나 CP949로 저장하세요.", path)


def write(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Whole or not at all.  UTF-8 with BOM: without it Excel in Korea reads CP949."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([plain(cell) for cell in header])
    writer.writerows([plain(cell) for cell in row] for row in rows)
    write_whole(path, out.getvalue().encode("utf-8-sig"))


def plain(value: object) -> str:
    """Text of a cell; what a spreadsheet would take for a formula becomes text."""
    text = "" if value is None else str(value)
    text = text.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, str) and text.startswith(_FORMULA) and not _is_number(text):
        return "'" + text
    return text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
