"""What a file was called before a zip, a browser or an operating system wrote it down.

Zips made on Korean Windows hold CP949 without saying so, those of macOS decomposed UTF-8 without
saying so, and some servers have read one as the other once already.
"""

from __future__ import annotations

import contextlib
import os
import re
import struct
import unicodedata
import zipfile
from urllib.parse import unquote

_HANGUL = re.compile("[가-힣ㄱ-ㅎㅏ-ㅣ]")
_UTF8_FLAG = 0x800
_UNICODE_PATH = 0x7075  # Info-ZIP's extra field


def of_member(info: zipfile.ZipInfo) -> str:
    """Name of a member of a zip, in NFC and with ``/``."""
    if info.flag_bits & _UTF8_FLAG:
        name = _repaired(info.orig_filename)
    elif (extra := _extra(info.extra, _UNICODE_PATH)) and len(extra) > 5:
        name = extra[5:].decode("utf-8", "replace")
    else:
        name = of_bytes(info.orig_filename.encode("cp437", "replace"))
    return clean(name.replace("\\", "/"))


def of_path(name: str) -> str:
    """Name of a file on disk, which need not be UTF-8."""
    return clean(of_bytes(os.fsencode(name)))


def of_bytes(raw: bytes) -> str:
    for encoding in ("utf-8", "cp949"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return raw.decode("utf-8", "replace")


def clean(name: str) -> str:
    """NFC; ``%EA%B9%80`` back to 김; control characters become ``�``."""
    if "%" in name and not re.search("%(2f|5c|00)", name, re.I):
        with contextlib.suppress(UnicodeDecodeError):
            plain = unquote(name, errors="strict")
            name = plain if _HANGUL.search(plain) else name
    name = unicodedata.normalize("NFC", name)
    return "".join(c if c.isprintable() else "�" for c in name)


def modified(info: zipfile.ZipInfo) -> tuple[float | None, tuple[int, ...]]:
    """(seconds since 1970 if the member tells them, else None; local date and time of the zip)."""
    stamp = _extra(info.extra, 0x5455)
    if len(stamp) >= 5 and stamp[0] & 1:
        return float(struct.unpack("<i", stamp[1:5])[0]), info.date_time
    return None, info.date_time


def _repaired(name: str) -> str:
    """Undo one wrong decoding, if that turns a name without Hangul into one with."""
    if name.isascii() or _HANGUL.search(unicodedata.normalize("NFC", name)):
        return name
    for wrong in ("cp437", "latin-1", "cp1252"):
        try:
            raw = name.encode(wrong)
        except UnicodeEncodeError:
            continue
        for right in ("utf-8", "cp949"):
            try:
                fixed = unicodedata.normalize("NFC", raw.decode(right))
            except UnicodeDecodeError:
                continue
            if _HANGUL.search(fixed):
                return fixed
    return name


def _extra(data: bytes, wanted: int) -> bytes:
    while len(data) >= 4:
        kind, size = struct.unpack("<HH", data[:4])
        if kind == wanted:
            return data[4 : 4 + size]
        data = data[4 + size :]
    return b""
