"""A class on paper: a roster, notebooks as students write them, zips as systems make them."""

from __future__ import annotations

import io
import json
import struct
import unicodedata
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SET = ROOT / "grading" / "02-jit-and-xla"


def notebook(*cells: str, text: str = "") -> bytes:
    """A notebook with these code cells, below a markdown cell with ``text``."""
    head = [{"cell_type": "markdown", "metadata": {}, "source": text}] if text else []
    code = [
        {
            "cell_type": "code",
            "metadata": {},
            "outputs": [],
            "execution_count": None,
            "source": cell,
        }
        for cell in cells
    ]
    document = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": head + code}
    return json.dumps(document, ensure_ascii=False).encode()


def answer(number: int = 0) -> bytes:
    """A short answer to the first question of set 02; each number gives other bytes."""
    return notebook(f"# {number}\ndef predict_traces():\n    return [1, 1, 1, 2, 3, 4, 5, 6, 7, 7]")


def roster_text(students: list[tuple[str, str]]) -> str:
    return "학번,이름,분반\n" + "".join(f"{number},{name},1\n" for number, name in students)


def write_roster(path: Path, students: list[tuple[str, str]]) -> Path:
    path.write_text(roster_text(students), encoding="utf-8-sig")
    return path


def zip_of(members, encoding: str = "utf-8", flag: bool = True, form: str = "NFC") -> bytes:
    """A zip whose names are encoded as a system would: ``members`` is name → bytes, or
    name → (bytes, date_time).  ``flag``: whether the UTF-8 bit is set.
    """
    out = io.BytesIO()
    raw_names = []
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (name, data) in enumerate(members.items()):
            data, when = data if isinstance(data, tuple) else (data, (2026, 12, 1, 12, 0, 0))
            raw = unicodedata.normalize(form, name).encode(encoding)
            # written under an ASCII name of the same length, which is replaced below
            alias = f"{number:04d}".ljust(len(raw), "x")[: len(raw)]
            assert len(alias) == len(raw) >= 4
            raw_names.append((alias.encode(), raw))
            archive.writestr(zipfile.ZipInfo(alias, when), data, zipfile.ZIP_DEFLATED)
    data = bytearray(out.getvalue())
    for alias, raw in raw_names:
        for signature, flags, start in ((b"PK\x03\x04", 6, 30), (b"PK\x01\x02", 8, 46)):
            at = -1
            while (at := data.find(signature, at + 1)) >= 0:
                if data[at + start : at + start + len(alias)] == alias:
                    data[at + start : at + start + len(alias)] = raw
                    if flag:
                        (bits,) = struct.unpack_from("<H", data, at + flags)
                        struct.pack_into("<H", data, at + flags, bits | 0x800)
    return bytes(data)


RIGHT_1 = "def predict_traces():\n    return [1, 1, 1, 2, 3, 4, 5, 6, 7, 7]"
WRONG_1 = "def predict_traces():\n    return [1] * 10"
RIGHT_2 = """import jax.numpy as jnp

def robust_loss(error, delta, step):
    late = jnp.where(jnp.abs(error) <= delta, error**2, delta * (2 * jnp.abs(error) - delta))
    return jnp.where(step < 10, error**2, late)"""
WRONG_2 = "def robust_loss(error, delta, step):\n    return error**2"
LOOP_2 = "def robust_loss(error, delta, step):\n    while True:\n        pass"
BLANK_2 = 'def robust_loss(error, delta, step):\n    raise NotImplementedError("아직 빈칸입니다")'


def essay(text: str) -> str:
    """Markdown of the free-text question of the small set."""
    return f"## 생각해 보기\n\n{text}"
