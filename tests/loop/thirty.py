"""Thirty submissions as a class hands them in: right, wrong, odd, broken and hostile."""

from __future__ import annotations

import json
import stat
import zipfile
from pathlib import Path

from .classroom import BLANK_2, RIGHT_1, RIGHT_2, WRONG_1, WRONG_2, essay, notebook

FAMILY = "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남"
STUDENTS = [(f"2026{i:04}", f"{FAMILY[i]}{'하은' if i % 2 else '민수'}") for i in range(30)]
ESSAY = essay("캐시 키가 같으면 컴파일한 프로그램을 다시 씁니다.")
_HOSTILE = [
    "import os\nos._exit(0)",
    "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)",
    "import socket\nsocket.create_connection(('127.0.0.1', 22), 1)",
    "import builtins\nbuiltins.AssertionError = Exception\nraise SystemExit",
    "import subprocess\nsubprocess.Popen(['sleep', '1000'])",
    "open('/home/student/.bashrc', 'w').write('x')\nprint('A' * 10_000_000)",
]


def submissions() -> dict[str, tuple[bytes, dict]]:
    """Path in the zip → (bytes, what must come of it: status, and points of questions 1 and 2)."""
    right, wrong = {"status": "graded", "points": 10}, {"status": "graded", "points": 3}
    files: dict[str, tuple[bytes, dict]] = {}
    for i, (number, name) in enumerate(STUDENTS[:27]):
        data, want = notebook(RIGHT_1, RIGHT_2, text=ESSAY), right
        place = f"{name}_{number}_assignsubmission_file_/02-jit-and-xla.ipynb"
        if i in (3, 4):
            data, want = notebook(WRONG_1, WRONG_2, text=ESSAY), wrong
        elif i in (5, 6):
            data, want = notebook(RIGHT_1, BLANK_2), {"status": "graded", "points": 4}
        elif 7 <= i < 7 + len(_HOSTILE):
            # the answers stand before and after: a crash must not cost them
            data = notebook(RIGHT_1, _HOSTILE[i - 7], RIGHT_2)
        elif i == 14:
            data, want = data[:-200], {"status": "unreadable"}
        elif i == 15:
            data, want = b"", {"status": "unreadable"}
        elif i == 16:
            data, want = notebook("def other(): pass"), {"status": "unmatched"}
        elif i == 17:
            place = f"{name}/02-jit-and-xla.ipynb의 사본"
        elif i == 18:
            place = f"제출/{number}.ipynb"
        elif i == 19:  # whose name stands only in the notebook
            place = "제출/무제12.ipynb"
            data = notebook(RIGHT_1, RIGHT_2, text=f"학번: {number}\n이름: {name}\n\n{ESSAY}")
        elif i == 20:
            place = "제출/숙제.ipynb"  # a person must say whose it is
        elif i == 21:
            place, want = f"../../{name}_{number}.ipynb", {"status": "unreadable"}
        elif i == 22:
            want = {"status": "unreadable", "link": True}
        elif i == 23:
            place, want = f"{name}_{number}/보고서.pdf", {"status": "missing"}
            data = b"%PDF-1.4"
        files[place] = (data, {**want, "student": number})
    return files  # the last three students hand in nothing


def write_zip(path: Path) -> dict[str, dict]:
    """Write the zip; student → what must come of it."""
    wanted = {number: {"status": "missing"} for number, _ in STUDENTS}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for place, (data, want) in submissions().items():
            info = zipfile.ZipInfo(place, (2026, 12, 9, 10, 0, 0))
            if want.get("link"):
                info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, data)
            wanted[want["student"]] = want
        # a second attempt after the deadline must not count
        place = f"{STUDENTS[0][1]}_{STUDENTS[0][0]}_assignsubmission_file_/02-jit-and-xla (1).ipynb"
        archive.writestr(zipfile.ZipInfo(place, (2026, 12, 12, 9, 0, 0)), json.dumps({"cells": []}))
    return wanted
