"""Reading what was handed in: parsing only, nothing is run."""

from __future__ import annotations

import json
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest

from coursekit.grading.course import published
from coursekit.grading.engine import batch
from coursekit.grading.handed_in import magics, submission, syntax
from coursekit.grading.handed_in.notebook import MAX_FILE, Unreadable, read_cells

from . import handed_in

NAMES = handed_in.FUNCTIONS


@pytest.fixture
def read(tmp_path):
    def read(*cells: str, headings=(), markdown=()):
        document = handed_in.notebook(list(cells))
        document["cells"] += [{"cell_type": "markdown", "source": text} for text in markdown]
        path = tmp_path / "a.ipynb"
        path.write_text(json.dumps(document), encoding="utf-8")
        return submission.read(path, NAMES, headings)

    return read


def test_odd_files_are_read_or_refused_with_a_korean_reason(tmp_path):
    for name, want in handed_in.odd_files(tmp_path).items():
        items = {item.name: item.path for item in batch.find(tmp_path)}
        if want.status == "unreadable":
            with pytest.raises(Unreadable, match="[가-힣]{2}"):
                submission.read(items[name], NAMES)
        else:
            submission.read(items[name], NAMES)


def test_a_truncated_notebook_never_raises_anything_else(tmp_path):
    whole = json.dumps(handed_in.notebook([handed_in.right(1)])).encode()
    path = tmp_path / "a.ipynb"
    for end in range(0, len(whole), 7):
        path.write_bytes(whole[:end])
        with pytest.raises(Unreadable):
            read_cells(path)


def test_a_file_over_the_limit_is_refused_without_reading_it(tmp_path):
    path = tmp_path / "a.ipynb"
    with open(path, "wb") as file:
        file.truncate(MAX_FILE + 1)
    with pytest.raises(Unreadable, match="MB"):
        read_cells(path)


@pytest.mark.parametrize(
    ("body", "blank"),
    [
        ('raise NotImplementedError("아직 빈칸입니다")', True),
        ('"""문서"""\n    raise NotImplementedError', True),
        ("count, mean = state\n    raise NotImplementedError()", False),
        ("pass", True),
        ("...", True),
        ("return state", False),
        ("return state\n    raise NotImplementedError", False),
        ("if x is None:\n        raise NotImplementedError\n    return x", False),
        ("print(state)", False),
    ],
)
def test_blank(read, body, blank):
    found = read(f"def running_mean(state, x):\n    {body}")
    assert found.is_blank("running_mean") is blank


def test_a_stub_below_the_answer_does_not_replace_it(read):
    found = read(handed_in.right(1), "# 복사한 셀\n" + handed_in.blank(1) + "\nz = 1")
    assert not found.is_blank("running_mean")
    assert [cell.index for cell in found.defining("running_mean")] == [1]
    assert "z = 1" in found.cells[1].source and found.notes


def test_an_answer_below_the_stub_counts(read):
    assert not read(handed_in.blank(1), handed_in.right(1)).is_blank("running_mean")


def test_a_check_cell_is_not_run_but_code_beside_it_is(read):
    check = '@check("문제 1")\ndef _():\n    assert running_mean'
    assert read(check).cells == []
    assert len(read(check + "\n\nx = 1").cells) == 1
    assert len(read("@check('문제')\ndef running_mean(state, x):\n    return 1").cells) == 1


@pytest.mark.parametrize(
    "source",
    ["running_mean = jit(f)", "from x import running_mean", "if 1:\n    def running_mean(): return 1",
     "def ｒunning_mean(): return 1", "class running_mean: pass", "running_mean: int = 3",
     "def running_mean(:\n  return 1"],
)  # fmt: skip
def test_other_ways_to_define_a_function(read, source):
    assert read(source).defining("running_mean")


def test_a_look_alike_name_is_named(read):
    found = read("def running_m\u0435an(): pass")
    assert not found.defining("running_mean")
    assert found.similar("running_mean") == "running_m\u0435an"


def test_free_text_is_found_by_its_heading_in_any_normal_form(read):
    heading = "문제 4. 까닭을 쓰세요"
    texts = [
        unicodedata.normalize("NFD", f"## {heading}\n\n키를  나눕니다.\n\n### 작은 제목\n둘째\n"),
        "## 다음\n아님",
    ]
    found = read(headings=[heading], markdown=texts)
    assert "둘째" in found.texts[heading] and "아님" not in found.texts[heading]
    assert read(headings=[heading]).texts == {}


@pytest.mark.parametrize(
    ("source", "expected", "dropped"),
    [
        ("x = 1", "x = 1", 0),
        ("!pip install x\nx = 1", "get_ipython().system('pip install x')\nx = 1", 1),
        ("if a:\n    %cd", "if a:\n    get_ipython().run_line_magic('cd', '')", 1),
        ("a = !ls\nb = 2", "a = get_ipython().getoutput('ls')\nb = 2", 1),
        ("%time y = 3", "y = 3", 0),
        ("total = %time f(1)", "total = f(1)", 0),
        ("%%time\nx = 1", "\nx = 1", 1),
        ("%%bash\nrm -rf /", "", 1),
        ("%%time\n%cd\nx = 1", "\nget_ipython().run_line_magic('cd', '')\nx = 1", 2),
        ("y = (7\n% 4)", "y = (7\n% 4)", 0),
        ('"""\n!not a shell line\n"""', '"""\n!not a shell line\n"""', 0),
        ("print?", "get_ipython().run_line_magic('pinfo', 'print')", 1),
        ("def f(:", "def f(:", 0),
    ],
)
def test_magics(source, expected, dropped):
    found = magics.prepare(source)
    assert found.source == expected
    assert len(found.dropped) == dropped


def test_names_in_a_folder(tmp_path):
    nfc = unicodedata.normalize("NFC", "김민수")
    nfd = unicodedata.normalize("NFD", "김민수")
    for name in (f"{nfc}.ipynb", f"{nfd}.ipynb", ".DS_Store", "이/._a.ipynb", "이/b.ipynb"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("{}")
    names = [item.name for item in batch.find(tmp_path)]
    assert set(names) == {f"{nfc}.ipynb", f"{nfc}.ipynb (2)", "이/b.ipynb"}
    assert len({batch.result_path(tmp_path, name) for name in names}) == 3


def test_result_paths_stay_in_the_folder(tmp_path):
    for name in ("../../x", "/etc/passwd", "a/b/c.ipynb", "가" * 500, ".", ""):
        assert batch.result_path(tmp_path, name).parent == tmp_path
        assert len(batch.result_path(tmp_path, name).name.encode()) < 255


def test_an_answer_equal_to_the_published_solution_is_flagged(tmp_path):
    solution = handed_in.ROOT / "solutions" / f"{handed_in.SET.name}.ipynb"
    known = published.solution(solution, handed_in.FUNCTIONS)
    assert set(known) == set(handed_in.FUNCTIONS)
    copy = json.loads(solution.read_text(encoding="utf-8"))
    for cell in copy["cells"]:
        cell.pop("id"), cell.pop("metadata")  # and other comments, spaces and a docstring
        text = "".join(cell["source"]).replace("(state, x):\n", '(state, x):\n    """내 답"""\n\n')
        cell.update(metadata={}, source=text + "\n# 내가 썼습니다")
    path = tmp_path / "copy.ipynb"
    path.write_text(json.dumps(copy), encoding="utf-8")
    handed = submission.read(path, handed_in.FUNCTIONS)
    assert published.copied(handed, known) == sorted(handed_in.FUNCTIONS)
    for own in handed_in.SET.glob("right/*.py"):
        assert published.copied(submission.read(own, handed_in.FUNCTIONS), known) == []
    assert published.solution(tmp_path / "none.ipynb", handed_in.FUNCTIONS) == {}


def test_many_threads_read_at_once():
    """Python 3.11's parser shares its depth between threads, and can fail when two are in it."""
    source = "\n".join(f"def f{n}(x):\n    return [{{x: (x + {n}) * [x]}}]" for n in range(300))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(syntax.parse, [source] * 40))
    assert {len(tree.body) for tree in found} == {300}
