"""The mapping tables: every row runs on both sides, and the pages are what the tables make."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections import Counter

import pytest

from coursekit.notebooks import tables
from coursekit.notebooks.checks import prose
from coursekit.project import here

FOLDER = here().source / "data"

MAPPING = tables.read(FOLDER / "mapping.csv")
DEFAULTS = tables.read(FOLDER / "defaults.csv")
ROWS = [
    *(("mapping.csv", i, row["torch"].split("\n")[-1]) for i, row in enumerate(MAPPING)),
    *(("defaults.csv", i, row["topic"]) for i, row in enumerate(DEFAULTS)),
]


ROW = {"group": "텐서", "torch": "t", "jax": "x", "note": "", "setup": "", "check": "equal"}
WRONG = [
    {"jax": "x + 1"},
    {"check": "a + nothing"},
    {"torch": "t.no_such_method()"},
    {
        "torch": "bool(t.sum())",
        "jax": "bool(x.sum())",
        "check": "a in (True, False) and b in (True, False)",
    },
    {"check": "b.sum() == 21"},
    {"torch": "t.no_such_method()", "check": "isinstance(a, Exception) and b.sum() == 21"},
]


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory) -> dict[str, list[str]]:
    """Of all tables and of rows that are wrong, from one process that may fork."""
    wrong = tmp_path_factory.mktemp("rows") / "wrong.csv"
    with wrong.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ROW)
        writer.writeheader()
        writer.writerows(ROW | change for change in [*WRONG, {}])
    files = [FOLDER / "mapping.csv", FOLDER / "defaults.csv", wrong]
    done = subprocess.run(
        [sys.executable, "-m", "coursekit.notebooks.tables", "run", *map(str, files)],
        cwd=here().root,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.strip().splitlines()[-1])
    return {path.name: part for path, part in zip(files, found, strict=True)}


@pytest.mark.parametrize(("name", "index", "shown"), ROWS, ids=[f"{r[0]}-{r[1]}" for r in ROWS])
def test_row_is_as_it_says(verdicts, name, index, shown):
    assert verdicts[name][index] == "", shown


def test_tables_are_as_long_as_promised():
    assert len(MAPPING) >= 80 and len(DEFAULTS) >= 20
    counts = Counter(row["group"] for row in MAPPING)
    assert tuple(counts) == tables.GROUPS and min(counts.values()) >= 8


def test_no_row_stands_twice():
    for rows, name in ((MAPPING, "torch"), (DEFAULTS, "topic")):
        seen = Counter((row.get("group"), row[name], row["jax"]) for row in rows)
        assert [key for key, count in seen.items() if count > 1] == []


@pytest.mark.parametrize("name", tables.PAGES)
def test_page_is_made_from_its_table(checkout, name):
    made = tables.pages()[name]
    written = (checkout.root / "reference" / name).read_text(encoding="utf-8")
    assert written == made, "`python3 book.py build`로 다시 만듭니다."
    assert prose.style(made) == []


def test_bars_in_code_do_not_split_a_table_cell():
    assert tables._code("a | b\nc") == "`a \\| b`<br>`c`"


def test_wrong_rows_are_found(verdicts):
    value, check, code, any_bool, ignores, any_error, right = verdicts["wrong.csv"]
    assert value.startswith("a=") and "NameError" in check and "AttributeError" in code
    assert any_bool == ignores == any_error == "a가 다른 값이어도 check가 통과합니다."
    assert right == ""
