"""Honest notebooks that are not as they were given: no point is lost, and nothing goes unsaid."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from coursekit.grading.engine import grade
from coursekit.grading.probes import questions
from coursekit.grading.probes.questions import call
from coursekit.grading.probes.verdict import require

from .conftest import LIMITS

DOUBLE = "def double(x):\n    return 2 * x"
TRIPLE = "def triple(x):\n    return 3 * x"
NAME = "def greet():\n    return '안녕'"
STUB = '{}\n    raise NotImplementedError("아직 빈칸입니다")'
FULL = 9


@pytest.fixture(scope="module")
def grader(tmp_path_factory):
    folder = tmp_path_factory.mktemp("odd")
    (folder / "right").mkdir()
    (folder / "right" / "1.py").write_text(
        f"{DOUBLE}\n\n\n{TRIPLE}\n\n\n{NAME}\n", encoding="utf-8"
    )
    exercise = questions.Exercise("93-odd", "보기", folder=folder)

    @exercise.function("문제 1", "double", "두 배").probe(2, "2를 곱함", show=True)
    def doubled(draw):
        x = draw.integer(1, 9)
        require((yield call(x)) == 2 * x, "두 배가 아닙니다.")

    @exercise.function("문제 2", "triple", "세 배").probe(3, "3을 곱함")
    def tripled(draw):
        x = draw.integer(1, 9)
        require((yield call(x)) == 3 * x, "세 배가 아닙니다.")

    @exercise.function("문제 3", "greet", "인사").probe(4, "‘안녕’을 돌려줌", show=True)
    def greeted(draw):
        answer = yield call()
        require(isinstance(answer, str) and answer == "안녕", f"인사가 아닙니다: {answer!r}")

    with grade.Grader(exercise, seed="odd", limits=LIMITS) as grader:
        yield grader


def cell(source: str, kind: str = "code") -> dict:
    more = {"outputs": [], "execution_count": None} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {}, "source": source, **more}


def notebook(*cells: str | dict) -> bytes:
    written = [cell(one) if isinstance(one, str) else one for one in cells]
    document = {"nbformat": 4, "nbformat_minor": 2, "metadata": {}, "cells": written}
    return json.dumps(document, ensure_ascii=False).encode()


@pytest.fixture
def judge(grader, tmp_path):
    def judge(data: bytes, name: str = "a.ipynb"):
        (tmp_path / name).write_bytes(data)
        return grader.grade(tmp_path / name, name)

    return judge


def markdown(source: str) -> dict:
    return cell(source, "markdown")


HONEST = {
    # lines that prepare something the grader has not
    "package": [f"import pandas as pd\n{DOUBLE}"],
    "package, used in an annotation": [f"import pandas as pd\ndef show(df: pd.DataFrame): ...\n{DOUBLE}"],
    "package, derived from": [f"import lightning as L\nclass M(L.LightningModule): pass\n{DOUBLE}"],
    "package, submodule": [f"from seaborn.objects import Plot\nimport wandb.sdk as w\n{DOUBLE}"],
    "package, called": [f"import seaborn as sns\nsns.set_theme()\n{DOUBLE}"],
    "package, in a try": [f"try:\n    import cupy\nexcept ImportError:\n    cupy = None\n{DOUBLE}\nassert cupy is None"],
    "version of a missing package": [f"import pandas as pd\nprint(pd.__version__)\n{DOUBLE}"],
    "drive": [f"from google.colab import drive\ndrive.mount('/content/drive')\n{DOUBLE}"],
    "drive path": [f"data = open('/content/drive/MyDrive/a.csv').read()\n{DOUBLE}"],
    "drive folder": [f"%cd /content/drive/MyDrive\nimport os; os.chdir('/content/drive')\n{DOUBLE}"],
    "upload": [f"from google.colab import files\nup = files.upload()\nname = list(up)[0]\n{DOUBLE}"],
    "input": [f"name = input('이름? ')\nage = int(input())\n{DOUBLE}"],
    "a constant below the line that fails": ["x = input()\nTWO = 2\ndef double(x):\n    return TWO * x"],
    "assertion above": [f"assert 1 == 2, '확인'\n{DOUBLE}"],
    "exit above": [f"exit()\n{DOUBLE}"],
    "quit above": [f"import sys\nsys.exit('끝')\n{DOUBLE}"],
    "endless loop below": [f"{DOUBLE}\nwhile True:\n    pass"],
    "kills the kernel": [f"{DOUBLE}\nimport os\nos.kill(os.getpid(), 9)"],
    "widget": [f"import ipywidgets as widgets\nout = widgets.Output()\nout.show()\n{DOUBLE}"],
    "plot that shows": [f"import matplotlib.pyplot as plt\nplt.plot([1])\nplt.show()\nout.show()\n{DOUBLE}"],
    "await": [f"import asyncio\nawait asyncio.sleep(0)\n{DOUBLE}"],
    "async for": [f"async def g():\n    yield 1\nasync for v in g():\n    pass\n{DOUBLE}"],
    "return outside": [f"{DOUBLE}\nreturn 3"],
    "needs the cell above that fails": ["from numpy import nothing\nimport math\ndef one(): return 2", "def double(x):\n    return one() * x + math.floor(0.5)"],
    # magics
    "magic": [f"%matplotlib inline\n{DOUBLE}"],
    "percent that goes on": [f"%matplotlib inline\nleft = (7\n% 4)\n{DOUBLE}\nassert left == 3"],
    "shell in a string": [f"!ls\ntext = '''\n!아님\n%아님\n'''\n{DOUBLE}\nassert '!아님' in text"],
    "time": [f"%%time\n{DOUBLE}"],
    "two magics": [f"%%capture out\n%%time\n{DOUBLE}"],
    "writefile": [f"%%writefile answer.py\n{DOUBLE}"],
    "shell with lines": [f"!pip install \\\n  optax -q\n{DOUBLE}"],
    "help": [f"{DOUBLE}\ndouble?"],
    "magic in a function": [f"{DOUBLE}\ndef more():\n    %time double(3)\n    !ls"],
    "indented": ["    " + DOUBLE.replace("\n", "\n    ")],
    "prompts": [">>> def double(x):\n...     return 2 * x"],
    "loop over a shell": [f"names = !ls\nfor name in names:\n    print(name)\n{DOUBLE}"],
    # names
    "deleted at the end": [DOUBLE, "x = double(2)\ndel x, double"],
    "written over": [DOUBLE, "double = double(4)"],
    "below the stub": [STUB.format("def double(x):") + f"\n\n{DOUBLE}"],
    "copied stub below": [DOUBLE, STUB.format("def double(x):")],
    "stub filled by a decorator": [
        "import functools\n@functools.singledispatch\ndef double(x):\n    raise NotImplementedError",
        "@double.register\ndef _(x: int):\n    return 2 * x",
    ],
    "stub filled by its name": [STUB.format("def double(x):"), "def mine(x):\n    return x + x\nglobals()['double'] = mine"],
    "lambda": ["double = lambda x: 2 * x"],
    "imported": ["%%writefile own.py\ndef twice(x):\n    return 2 * x", "from own import twice as double"],
    "under if": ["if True:\n    def double(x):\n        return 2 * x"],
    "class with call": ["class D:\n    def __call__(self, x):\n        return 2 * x\ndouble = D()"],
    "raises for what it does not know": ["def double(x):\n    if isinstance(x, int):\n        return 2 * x\n    raise NotImplementedError(x)"],
    # cells of another kind
    "markdown": [markdown(DOUBLE)],
    "markdown, fenced": [markdown(f"제 답입니다.\n\n```python\n{DOUBLE}\n```")],
    "markdown, words above": [markdown(f"제 답입니다.\n\n{DOUBLE}")],
    "raw": [cell(DOUBLE, "raw")],
    "html magic": [f"%%html\n{DOUBLE}"],
}  # fmt: skip


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_notebook_keeps_its_points(judge, name):
    result = judge(notebook(*HONEST[name], TRIPLE, NAME))
    assert (result.status, result.points) == ("graded", FULL), result


FAILS = {
    "missing file": ("x = open('a.csv')\n" + DOUBLE, "셀 1의 1번째 줄", "FileNotFoundError"),
    "input": ("import math\n\nx = input()\n" + DOUBLE, "셀 1의 3번째 줄", "input()에 답할 사람"),
    "package": ("import pandas\npandas.read_csv('a')\n" + DOUBLE, "2번째 줄", "pandas 패키지가 없습니다"),
    "in a function": ("def load():\n    return 1 / 0\nload()\n" + DOUBLE, "셀 1", "ZeroDivisionError"),
    "endless": (DOUBLE + "\nwhile True: pass", "셀 1", "초 안에 끝나지"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAILS)
def test_the_line_that_stopped_a_cell_is_told(judge, name):
    source, where, what = FAILS[name]
    result = judge(notebook(source, TRIPLE, NAME))
    assert result.points == FULL
    assert any(where in note and what in note for note in result.notes), result.notes


def test_a_package_that_is_not_there_says_so_where_it_is_used_and_earns_nothing(judge):
    use = "import pandas as pd\ndef double(x):\n    return pd.Series([x]).mul(2)[0]"
    result = judge(notebook(use, TRIPLE, NAME))
    assert result.points == FULL - 2
    assert "pandas 패키지가 없습니다" in result.questions[0].reason
    late = "def double(x):\n    import pandas\n    return 2 * x"
    assert "pandas 패키지가 없습니다" in judge(notebook(late)).questions[0].reason
    # whatever part of a stand-in is taken for an answer
    for source in ("double = pd.DataFrame", "double = pd", "def double(x): return pd.x",
                   "def double(x): return pd"):  # fmt: skip
        assert judge(notebook(f"import pandas as pd\n{source}")).points == 0


@pytest.mark.parametrize(
    "answer",
    [
        "np.str_('안녕')",
        "np.array(['안녕'])[0]",
        "type('S', (str,), {})('안녕')",
        "'안' + np.str_('녕')",
    ],
)
def test_what_is_a_string_for_python_is_one_here(judge, answer):
    result = judge(notebook(f"import numpy as np\ndef greet():\n    return {answer}"))
    assert result.questions[2].points == 4, result.questions[2]


LOOKED_AT = {
    "markdown": ([markdown(DOUBLE)], "글 셀"),
    "markdown that is no code": ([markdown("def double(x):\n    돌려줍니다 2 * x")], "코드로 읽을 수 없습니다"),
    "raw": ([cell(DOUBLE, "raw")], "raw"),
    "bash": ([f"%%bash\n{DOUBLE}"], "%%bash"),
    "one import that costs all": (
        ["import nopackage.a\nnp = nopackage.a.thing()", "def double(x): return np.two * x",
         "def triple(x): return np.three * x", "def greet(): return np.hello"], "같은 까닭"),
    "the same mistake everywhere": (
        ["def double(x): return jnp.add(x, x)", "def triple(x): return jnp.add(x, x)"], "같은 까닭"),
    "merge marks in a cell": (
        [DOUBLE, "<<<<<<< local\nx = 1\n=======\nx = 2\n>>>>>>> remote"], "병합"),
}  # fmt: skip


@pytest.mark.parametrize("name", LOOKED_AT)
def test_what_a_person_should_see_is_listed(judge, name):
    cells, why = LOOKED_AT[name]
    result = judge(notebook(*cells))
    assert any(why in line for line in result.look), (result.look, result.notes)


def test_an_ordinary_submission_is_not_listed(judge):
    for cells in ([DOUBLE, TRIPLE, NAME], [DOUBLE, "def triple(x):\n    return x"],
                  [DOUBLE, "assert double(1) == 3"]):  # fmt: skip
        assert judge(notebook(*cells)).look == []


def test_the_answer_in_a_text_cell_loses_to_the_one_in_a_code_cell(judge):
    result = judge(notebook(markdown("def double(x):\n    return 0"), DOUBLE, TRIPLE, NAME))
    assert result.points == FULL and result.look == []


@pytest.mark.parametrize("body", ["raise NotImplementedError", "pass", "..."])
def test_a_blank_is_a_blank_also_where_it_is_called(judge, body):
    stub = f"def double(x):\n    {body}"
    assert judge(notebook(stub, TRIPLE)).questions[0].status == "blank"
    if "raise" in body:
        called = judge(notebook(stub, "print(double(3))", TRIPLE))
        assert called.questions[0].status == "blank" and called.points == 3


def test_a_hidden_check_tells_the_requirement_and_no_input(judge):
    result = judge(notebook(DOUBLE, "def triple(x):\n    raise KeyError(f'secret {x}')", NAME))
    told = result.questions[1].reason
    assert told == "3을 곱함: 이 요구를 여러 입력으로 확인하다가 오류로 멈췄습니다."
    wrong = judge(notebook(DOUBLE, "def triple(x):\n    return 7")).questions[1].reason
    assert wrong.startswith("3을 곱함: ") and "세 배가 아닙니다" not in wrong


# files of another form

JUPYTER = """#!/usr/bin/env python
# coding: utf-8

# # 과제

# In[1]:


get_ipython().run_line_magic('matplotlib', 'inline')
import math


# In[2]:


get_ipython().run_cell_magic('time', '', 'def double(x):\\n    return 2 * x\\n')


# In[ ]:


def triple(x):
    return 3 * x


# In[5]:


get_ipython().run_cell_magic('writefile', 'g.py', "def greet():\\n    return '안녕'\\n")
"""
COLAB = '''# -*- coding: utf-8 -*-
"""Untitled3.ipynb

Automatically generated by Colab.

Original file is located at
    https://colab.research.google.com/drive/1abc
"""

# Commented out IPython magic to ensure Python compatibility.
# %matplotlib inline
import math

"""## 문제 1"""

# Commented out IPython magic to ensure Python compatibility.
# %%time
# def double(x):
#     return 2 * x
#

"""## 문제 2

다음을 풉니다.
"""

def triple(x):
    return 3 * x

!pip install optax

# Commented out IPython magic to ensure Python compatibility.
# %%capture
# def greet():
#     # 인사
#     return '안녕'
'''
PERCENT = f"# %% [markdown]\n# ## 문제 1\n\n# %%\n{DOUBLE}\n\n# %%\n# %%time\n{TRIPLE}\n\n#%% 셋째\n{NAME}\n"


@pytest.mark.parametrize("text", [JUPYTER, COLAB, PERCENT, f"{DOUBLE}\n{TRIPLE}\n{NAME}"])
def test_a_download_as_python(judge, text):
    for changed in (text, text.replace("\n", "\r\n"), "\ufeff" + text):
        result = judge(changed.encode(), "a.py")
        assert result.points == FULL, (result, changed)


def zipped(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__dot__", ".").replace("__in__", "/"), data)
    return out.getvalue()


GOOD = notebook(DOUBLE, TRIPLE, NAME)


@pytest.mark.parametrize(
    "members",
    [
        {"a__dot__ipynb": GOOD, "__dot__ipynb_checkpoints__in__a-checkpoint__dot__ipynb": b"{}"},
        {"과제__in__A__dot__IPYNB": GOOD},
        {"a__dot__ipynb": GOOD, "__MACOSX__in____dot___a__dot__ipynb": b"junk"},
        {"a__dot__ipynb": GOOD, "x__in____dot___a__dot__ipynb": b"junk", "__dot__DS_Store": b""},
        {"과제__in__a__dot__py": f"{DOUBLE}\n{TRIPLE}\n{NAME}".encode(), "자료__dot__csv": b"1"},
        {"__dot__ipynb": GOOD},
    ],
)
def test_a_zip_with_what_systems_leave_in_it(judge, members):
    assert judge(zipped(**members), "a.zip").points == FULL


def test_two_notebooks_in_a_zip_are_named(judge):
    result = judge(zipped(a__dot__ipynb=GOOD, b__dot__ipynb=GOOD), "a.zip")
    assert result.status == "unreadable" and "a.ipynb, b.ipynb" in result.reason


def test_text_behind_the_last_brace(judge):
    for tail in (b"\n\x00\x00", b"\n</body>", b"}", b"\n% jupyter nbconvert"):
        result = judge(GOOD + tail)
        assert result.points == FULL
        assert bool(result.look) is bool(tail.strip(b"\n\x00"))


def test_marks_of_a_merge_are_named_with_their_line(judge):
    text = json.dumps(json.loads(GOOD), indent=1, ensure_ascii=False)
    lines = text.split("\n")
    for sign, at in (("<<<<<<< HEAD", 4), (">>>>>>> 3f2a", 9), ("=======", 6)):
        broken = "\n".join([*lines[:at], sign, *lines[at:]]).encode()
        reason = judge(broken).reason
        assert f"{at + 1}번째 줄" in reason and "병합" in reason and "다시 내려받" not in reason


NO_NOTEBOOK = {
    "html": (b"<!DOCTYPE html>\n<html><body>def double(x)</body></html>", "HTML 페이지"),
    "pdf": (b"%PDF-1.4\n1 0 obj", "PDF"),
    "address": (b"https://colab.research.google.com/drive/1abc", "주소"),
    "shortcut": (
        json.dumps({"url": "https://drive.google.com", "doc_id": "1"}).encode(),
        "바로 가기",
    ),
}


@pytest.mark.parametrize("name", NO_NOTEBOOK)
def test_what_is_no_notebook_is_called_what_it_is(judge, name):
    data, what = NO_NOTEBOOK[name]
    result = judge(data)
    assert result.status == "unreadable" and what in result.reason
    assert "다운로드" in result.reason


def test_a_program_with_the_suffix_of_a_notebook_is_read_and_listed(judge):
    result = judge(f"{DOUBLE}\n{TRIPLE}\n{NAME}\n".encode())
    assert result.points == FULL and result.look
    assert judge(notebook(DOUBLE, TRIPLE, NAME), "a.py").points == FULL


@pytest.mark.parametrize("letter", ["\u00a0", "\u200b", "\u3000", "（"])
def test_letters_that_python_cannot_read_are_named(judge, letter):
    broken = f"def double(x):\n    y = 2{letter}* x\n    return y"
    result = judge(notebook(broken, TRIPLE, NAME))
    assert result.points == FULL - 2
    assert any(
        f"U+{ord(letter):04X}" in note and "셀 1의 2번째 줄" in note for note in result.notes
    )


def test_a_name_that_is_no_function_is_listed(judge):
    for source in (
        "double = [2]",
        "double = 3",
        "for _ in []:\n    def double(x):\n        return 2 * x",
    ):
        question = judge(notebook(source, TRIPLE)).questions[0]
        assert question.status == "absent" and "부를 수 있는 double" in question.reason


@pytest.mark.parametrize(
    "source", ["\ufeff" + DOUBLE, "\x00" + DOUBLE, DOUBLE.replace("\n", "\r\n")]
)
def test_marks_of_an_editor_cost_nothing(judge, source):
    assert judge(notebook(source, TRIPLE, NAME)).points == FULL


def test_an_indented_answer_in_a_text_cell_is_read(judge):
    indented = "    " + DOUBLE.replace("\n", "\n    ")
    assert judge(notebook(markdown(indented), TRIPLE, NAME)).points == FULL


def test_words_of_the_statement_reach_the_student_and_no_value():
    from coursekit.grading.engine.grade import _told
    from coursekit.grading.probes.questions import Draw, Probe
    from coursekit.grading.probes.verdict import Raised, judge

    def check(draw):
        require((yield call(3)) == 6, "6이어야 하는데 5입니다.", told="두 배를 돌려주지 않습니다.")

    probe = Probe("check", "2를 곱함", 1, False, (), check)
    assert _told(probe, judge(probe, Draw("s"), lambda request: 5)) == "두 배를 돌려주지 않습니다."

    def raises(request):
        raise Raised("Secret41", "secret 41")

    told = _told(probe, judge(probe, Draw("s"), raises))
    assert "41" not in told and "오류로 멈췄습니다" in told
