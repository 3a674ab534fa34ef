"""Planted faults: `check` must name the file and say what is wrong with each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from coursekit.notebooks import checks, publish
from coursekit.notebooks.checks import hygiene, links, prose
from coursekit.notebooks.source import Cell
from coursekit.project import Project

CHAPTER = "source/chapters/01-sample.md"
EXERCISE = "source/exercises/01-sample.md"
NOTEBOOK = "chapters/01-sample.ipynb"
RIGHT_CELL = """```{code-cell}
:tags: [pitfall=P01-01, right]

point = (5, *point[1:])
assert point == (5, 2)
point
```
"""


def edit(project, name, old, new):
    path = project.root / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def edit_notebook(project, name, change):
    path = project.root / name
    notebook = json.loads(path.read_text(encoding="utf-8"))
    change(notebook)
    path.write_text(json.dumps(notebook), encoding="utf-8")


def code_cells(notebook):
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def findings(project):
    return [str(finding) for finding in checks.run(project)]


def test_sample_is_clean(sample):
    assert findings(sample) == []


def test_checkout_is_clean(checkout):
    assert findings(checkout) == []


# (file to spoil, old text, new text, rebuild before the check, what the finding says)
SOURCE_FAULTS = {
    "stale prose": (
        CHAPTER,
        "바뀌지 않습니다",
        "그대로입니다",
        False,
        f"{NOTEBOOK}: 글이나 태그가",
    ),
    "stale code": (
        CHAPTER,
        "point = (1, 2)",
        "point = (1, 3)",
        False,
        f"{NOTEBOOK}: 실행한 뒤에 코드",
    ),
    "no right cell": (CHAPTER, RIGHT_CELL, "", True, "P01-01: wrong 셀 뒤에 right 셀이 없습니다"),
    "no assert": (CHAPTER, "assert point == (5, 2)\n", "", True, "확인(assert)이 없습니다"),
    "no cause": (CHAPTER, "**왜 그럴까요?**\n", "", True, "`**왜`로 시작하는 문단이 없습니다"),
    "nothing happened": (CHAPTER, "`TypeError`가 났습니다.\n", "", True, "무슨 일이 일어났는지"),
    "no expectation": (CHAPTER, "PyTorch라면", "보통은", True, "PyTorch 사용자가 기대하는"),
    "foreign pitfall": (
        CHAPTER,
        "pitfall=P01-01, wrong",
        "pitfall=P02-01, wrong",
        True,
        "P01-01 꼴",
    ),
    "unknown tag": (
        CHAPTER,
        "nbval-ignore-output",
        "ignore-output",
        True,
        "모르는 태그 'ignore-output'",
    ),
    "dead link": (
        CHAPTER,
        "exercises/01-sample.ipynb",
        "exercises/02.ipynb",
        True,
        "없는 파일입니다",
    ),
    "dead anchor": (
        CHAPTER,
        "## 연습",
        "[없는 절](#없는-절)로 갑니다.\n\n## 연습",
        True,
        "없는-절: 그 쪽에 이런 제목의 절이 없습니다",
    ),
    "dead anchor of another page": (
        CHAPTER,
        "exercises/01-sample.ipynb",
        "exercises/01-sample.ipynb#없는-절",
        True,
        "이런 제목의 절이 없습니다",
    ),
    "a figure that nothing asserts": (
        CHAPTER,
        "## 연습",
        "이 기계에서는 수십 배 빨랐습니다.\n\n## 연습",
        True,
        "'수십 배': 앞 셀의 출력은 실행마다 다르고",
    ),
    "choices in a row": (
        CHAPTER,
        "시간은 실행할 때마다 다릅니다.",
        "① 하나 ② 둘 ③ 셋",
        True,
        "선택지는 한 줄에 하나씩",
    ),
    "helper not folded": (
        CHAPTER,
        ":tags: [hide-input]\n",
        "",
        True,
        "hide-input 태그를 답니다",
    ),
    "no badge": (CHAPTER, "<!-- colab-badge -->", "", True, "Colab 배지"),
    "wrong badge": (
        CHAPTER,
        "<!-- colab-badge -->",
        "[열기](https://colab.research.google.com/github/who/what/blob/main/chapters/01-sample.ipynb)",
        True,
        "_config.yml의 저장소와 다릅니다",
    ),
    "badge of nothing": (
        CHAPTER,
        "## 연습",
        "<!-- colab-badge: chapters/09 -->",
        True,
        "노트북이 없습니다",
    ),
    "stderr": (
        CHAPTER,
        "import time\n",
        "import sys\nimport time\n\nsys.stderr.write('x')\n",
        True,
        "stderr가 있습니다",
    ),
    "path": (
        CHAPTER,
        "import time\n",
        "import time\n\nprint('/home/kim/a.py')\n",
        True,
        "절대 경로가 있습니다",
    ),
    "silent wrong cell": (
        CHAPTER,
        'with expect_error(TypeError, match="does not support item assignment"):\n    point[0] = 5',
        "x = 5",
        True,
        "wrong 셀에 출력이 없습니다",
    ),
    "failing solution": (
        EXERCISE,
        "y = x + x",
        "y = x",
        True,
        "풀이가 확인 셀을 통과하지 못했습니다",
    ),
    "no hint": (EXERCISE, "<summary>힌트 3", "<summary>도움말", True, "힌트가 3개가 아닙니다"),
    "no check": (EXERCISE, ":tags: [check]\n", "", True, "check 셀이 없습니다"),
    "no region": (EXERCISE, ":tags: [solution]\n", "", True, "solution 셀이 없습니다"),
    "we": (CHAPTER, "PyTorch라면", "PyTorch라면 우리는", True, "'우리는'"),
    "field word": (CHAPTER, "바뀌지 않습니다.", "바퀴마다 바뀌지 않습니다.", True, "분야에서"),
    "haeyo": (CHAPTER, "바뀌지 않습니다.", "안 바뀌어요.", True, "합니다체로"),
    "tilde": (CHAPTER, "## 연습", "1~3장\n\n## 연습", True, "범위는 1–3처럼"),
    "two sentences": (
        CHAPTER,
        "`TypeError`가 났습니다.",
        "났습니다. 그렇습니다.",
        True,
        "한 문장만",
    ),
    "dead bold": (
        CHAPTER,
        "`TypeError`가 났습니다.",
        "**오류(error)**가 났습니다.",
        True,
        "굵은 글씨가",
    ),
    "wide line": (
        CHAPTER,
        "import time\n",
        f"import time\n\nx = '{'가' * 45}'\n",
        True,
        "칸 이하로 줄입니다",
    ),
    "shell": (CHAPTER, "import time\n", "!echo\nimport time\n", True, "매직은 %timeit만"),
    "merge marks": (CHAPTER, "## 연습", "<<<<<<< HEAD\n\n## 연습", True, "합치다 남은 표시"),
    "merge marks in a page": ("intro.md", "[첫", "=======\n\n[첫", False, "intro.md:3: 합치다"),
    "handa": (CHAPTER, "바뀌지 않습니다.", "바뀌지 않는다.", True, "합니다체로"),
    "hyphen range": (CHAPTER, "## 연습", "1-3장\n\n## 연습", True, "범위는 1–3처럼"),
    "banned word in a page": ("intro.md", "[첫", "매우 [첫", False, "intro.md:3: '매우'"),
    "directive": (CHAPTER, "## 연습", "```{note}\n```\n\n## 연습", True, "MyST 지시자"),
    "role": (CHAPTER, "## 연습", "{ref}`a`\n\n## 연습", True, "MyST 역할"),
    "no alt": (CHAPTER, "![상자 하나]", "![]", True, "대체 글이 없습니다"),
    "open details": (EXERCISE, "</details>", "", True, "<details>와 </details>"),
    "open fence": (CHAPTER, "## 연습", "## 연습\n\n```python\nx", True, "울타리(```)가 닫히지"),
    "two titles": (CHAPTER, "## 연습", "# 연습", True, "제목(#)이 2개입니다"),
    "assert True": (CHAPTER, "assert point == (5, 2)", "assert True", True, "확인(assert)이"),
    "two wrongs": (CHAPTER, "[nbval-ignore-output]", "['pitfall=P01-01', wrong]", True, "둘 이상"),
    "unknown pitfall": (
        CHAPTER,
        "## 연습",
        "P01-09\n\n## 연습",
        True,
        "없는 함정의 이름입니다: P01-09",
    ),
    "untagged torch": (
        CHAPTER,
        "import time\n",
        "import torch\nimport time\n",
        False,
        "needs-torch 태그가 없습니다",
    ),
    "untagged device": (
        CHAPTER,
        "import time\n",
        'import time\nplatform = "tpu"\n',
        False,
        "for=tpu 태그가 없습니다. tpu이(가) 나오는",
    ),
    "syntax": (CHAPTER, "point = (1, 2)", "point = (1, 2", False, "파이썬 문법에 맞지 않습니다"),
    "question number": (EXERCISE, "## 문제 1", "## 문제 2", True, "1번째 문제인데 문제 2"),
    "lost check tag": (EXERCISE, ":tags: [check]\n", "", True, "확인 셀에 check 태그가"),
    "accelerator": (CHAPTER, "accelerator: TPU", "accelerator: TPUU", True, "GPU나 TPU입니다"),
    "broken toc": ("_toc.yml", "root: intro", "root: [intro", False, "YAML 문법에"),
    "off the toc": (
        "_toc.yml",
        "  - file: solutions/01-sample\n",
        "",
        False,
        "_toc.yml: 빠진 파일이 있습니다: solutions/01-sample",
    ),
    "dead toc entry": (
        "_toc.yml",
        "chapters/01-sample",
        "chapters/02",
        False,
        "없는 파일입니다: chapters/02",
    ),
    "dead page link": (
        "intro.md",
        "chapters/01-sample.ipynb",
        "a.md",
        False,
        "intro.md:3: 링크 a.md",
    ),
    "stale drawing": (
        "source/diagrams/box.svg",
        "#4477aa",
        "#aa4477",
        False,
        "지금의 SVG와 다릅니다",
    ),
}


@pytest.mark.parametrize("fault", SOURCE_FAULTS)
def test_fault_in_a_source_is_found(sample, fault):
    file, old, new, rebuild, message = SOURCE_FAULTS[fault]
    edit(sample, file, old, new)
    if rebuild:
        publish.build(sample.sources(), sample)
    assert any(message in finding for finding in findings(sample)), findings(sample)


@pytest.mark.parametrize(
    ("tags", "sizes", "told"),
    [
        ([], [25], False),
        ([], [26], True),
        ([], [20, 20], True),  # a reader sees all of it
        (["hide-input"], [20, 20], False),  # two snippets under one fold
        (["hide-input"], [5, 26], True),
    ],
)
def test_long_cells_are_told_and_a_fold_may_hold_several_snippets(tags, sizes, told):
    origin = [(Path(f"{i}.py"), n) for i, size in enumerate(sizes) for n in range(1, size + 1)]
    cell = Cell("code", "\n".join("x = 1" for _ in origin), tuple(origin), tuple(tags))
    assert bool(hygiene.length(cell)) is told


def test_finding_names_file_and_line(sample):
    edit(sample, CHAPTER, "PyTorch라면", "PyTorch라면 매우")
    lines = (sample.root / CHAPTER).read_text(encoding="utf-8").split("\n")
    number = next(i for i, line in enumerate(lines, 1) if "매우" in line)
    assert any(f.startswith(f"{CHAPTER}:{number}: '매우'") for f in findings(sample))


def test_edited_output_is_found(sample):
    def change(notebook):
        code_cells(notebook)[1]["outputs"][0]["text"] = ["TypeError: …다른 말…\n"]

    edit_notebook(sample, NOTEBOOK, change)
    assert any("손으로 고친 출력" in f for f in findings(sample))


def test_unexecuted_cell_is_found(sample):
    edit_notebook(
        sample, NOTEBOOK, lambda nb: code_cells(nb)[1].update(execution_count=None, outputs=[])
    )
    assert any("실행하지 않은 셀" in f for f in findings(sample))


def test_error_output_is_found(sample):
    error = {"output_type": "error", "ename": "E", "evalue": "", "traceback": []}
    edit_notebook(sample, NOTEBOOK, lambda nb: code_cells(nb)[3].update(outputs=[error]))
    assert any("셀이 오류로 끝났습니다" in f for f in findings(sample))


def test_missing_unreadable_and_orphaned_notebooks_are_found(sample):
    (sample.root / NOTEBOOK).unlink()
    (sample.root / "solutions/01-sample.ipynb").write_text("{", encoding="utf-8")
    (sample.root / "chapters/02-old.ipynb").write_text("{}", encoding="utf-8")
    found = "\n".join(findings(sample))
    assert f"{NOTEBOOK}: 노트북이 없습니다" in found
    assert "solutions/01-sample.ipynb: 노트북을 읽지 못했습니다" in found
    assert "chapters/02-old.ipynb: 원고가 없는 노트북" in found


def test_function_in_two_notebooks_belongs_in_a_snippet(sample):
    function = "\n```{code-cell}\ndef f(x):\n    y = x\n    z = y\n    return z\n```\n"
    for name in (CHAPTER, EXERCISE):
        path = sample.root / name
        path.write_text(path.read_text(encoding="utf-8") + function, encoding="utf-8")
    assert any("같은 f 정의가 source/chapters/01-sample.md:" in f for f in findings(sample))


def test_large_notebook_and_image_are_found(sample):
    def change(notebook):
        data = {"image/png": "A" * (hygiene.NOTEBOOK_BYTES + 1)}
        output = {"output_type": "display_data", "data": data, "metadata": {}}
        code_cells(notebook)[3]["outputs"] = [output]

    edit_notebook(sample, NOTEBOOK, change)
    found = "\n".join(findings(sample))
    assert "2 MB 이하로 줄입니다" in found and "그림이" in found


@pytest.mark.parametrize(
    "text",
    [
        "**순수 함수**(pure function)는 그대로입니다.",
        "`~` 연산자와 `1~3`은 코드입니다.",
        "[글](../exercises/우리는.ipynb)",
        "아파트 단지 안에서 값을 키우리는 뜻은 아닙니다.",
        "2025-10-03에 나온 GPT-2와 v5e-1입니다.",
        "3-1은 2입니다.",
        "> 첫 문장입니다. 둘째 문장입니다.",
        "| 매개 | 변수 |\n|---|---|\n| **굵게** | `**kwargs` |",
        "```python\nx = '우리는'\n```",
    ],
)
def test_good_prose_is_left_alone(text):
    assert prose.cell(text) == []


def test_new_repository_address_reaches_notebooks_and_pages(sample):
    (sample.root / "README.md").write_text(
        f"[열기]({sample.colab_url(NOTEBOOK)})", encoding="utf-8"
    )
    assert findings(sample) == []
    edit(sample, "_config.yml", sample.repository, "kim/jax")
    moved = Project(sample.root)
    assert any("README.md:1: Colab 주소" in f for f in findings(moved))
    publish.build(moved.sources(), moved)
    assert links.update_addresses(moved) == [sample.root / "README.md"]
    assert findings(moved) == []
    assert "github/kim/jax/blob" in (sample.root / "README.md").read_text(encoding="utf-8")


def test_source_that_cannot_be_read_is_the_only_finding(sample):
    edit(sample, EXERCISE, "    ### END SOLUTION\n", "")
    lines = (sample.root / EXERCISE).read_text(encoding="utf-8").split("\n")
    number = lines.index("    ### BEGIN SOLUTION") + 1
    assert [f.split(": ")[0] for f in findings(sample)] == [f"{EXERCISE}:{number}"]


def test_windows_line_ends_are_read(sample):
    for path in sample.source.glob("**/*.md"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert findings(sample) == []


def test_anchors_are_made_from_the_words_of_headings():
    texts = [
        "# 쪽 안의 링크\n\n## 둘째 절\n\n```\n## 주석\n```",
        "## `vmap`은 반복문이 아닙니다\n\n## 둘째 절\n\n### [1장](a.ipynb)의 표, 그림",
    ]
    assert links.anchors(texts) == {
        "쪽-안의-링크",
        "둘째-절",
        "둘째-절-1",
        "vmap은-반복문이-아닙니다",
        "1장의-표-그림",
    }
