"""The build: what is published, what runs again, and what a failure leaves behind."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from coursekit.findings import CourseError
from coursekit.notebooks import execute, publish, source

PUBLISHED = ["chapters/01-sample.ipynb", "exercises/01-sample.ipynb", "solutions/01-sample.ipynb"]


def build(project, **options):
    return {str(o.path): o for o in publish.build(project.sources(), project, **options)}


def actions(project, **options):
    return {path: outcome.action for path, outcome in build(project, **options).items()}


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def published(project):
    return {name: (project.root / name).read_bytes() for name in PUBLISHED}


def test_second_build_runs_nothing_and_changes_nothing(sample):
    before = published(sample)
    assert set(actions(sample).values()) == {"same"}
    assert published(sample) == before


def test_forced_build_changes_only_ignored_outputs(sample):
    before = {name: nbformat.reads(text, 4) for name, text in published(sample).items()}
    assert actions(sample, force=True)["chapters/01-sample.ipynb"] == "executed"
    changed = 0
    for name, text in published(sample).items():
        after = nbformat.reads(text, 4)
        for old, new in zip(before[name].cells, after.cells, strict=True):
            if "nbval-ignore-output" in old.metadata.get("tags", []):
                changed += old.outputs != new.outputs
                old.outputs = new.outputs
        assert after == before[name]
    assert changed == 1


def test_prose_change_runs_no_kernel(sample, monkeypatch):
    monkeypatch.setattr(publish, "execute", lambda *args: pytest.fail("a kernel was started"))
    edit(sample.source / "chapters/01-sample.md", "`TypeError`가 났습니다.", "오류가 났습니다.")
    assert actions(sample) == dict(zip(PUBLISHED, ["written", "same", "same"], strict=True))
    assert "오류가 났습니다." in (sample.root / PUBLISHED[0]).read_text(encoding="utf-8")


def test_code_change_runs_that_notebook_only(sample):
    edit(sample.source / "chapters/01-sample.md", "point = (1, 2)", "point = (3, 2)")
    assert actions(sample) == dict(zip(PUBLISHED, ["executed", "same", "same"], strict=True))


@pytest.mark.parametrize("what", ["snippets/expect_error.py", "../requirements/course.txt"])
def test_snippet_or_pin_change_runs_what_depends_on_it(sample, what):
    path = sample.source / what
    path.write_text(path.read_text(encoding="utf-8") + "# 바뀜\n", encoding="utf-8")
    expected = ["executed", "same", "same" if "snippets" in what else "executed"]
    assert actions(sample) == dict(zip(PUBLISHED, expected, strict=True))


def test_without_kernels_a_code_change_is_reported_and_nothing_is_written(sample):
    before = published(sample)
    edit(sample.source / "chapters/01-sample.md", "point = (1, 2)", "point = (3, 2)")
    assert actions(sample, run=False)["chapters/01-sample.ipynb"] == "must-run"
    assert published(sample) == before


def test_failing_cell_names_md_line_shows_cell_and_leaves_the_rest_built(sample):
    path = sample.source / "chapters/01-sample.md"
    edit(path, "point = (5, *point[1:])", "point = (5, *point[1:])\n1 / 0")
    edit(sample.source / "exercises/01-sample.md", "y = x + x", "y = 2 * x")
    before = published(sample)
    outcomes = build(sample)
    error = outcomes["chapters/01-sample.ipynb"].error
    line = path.read_text(encoding="utf-8").split("\n").index("1 / 0") + 1
    assert (error.file, error.line) == (str(path), line)
    assert "ZeroDivisionError" in str(error) and "point = (5" in str(error)
    assert outcomes["solutions/01-sample.ipynb"].action == "executed"
    assert published(sample)[PUBLISHED[0]] == before[PUBLISHED[0]]


def test_error_inside_a_snippet_names_the_snippet(sample):
    snippet = sample.source / "snippets/expect_error.py"
    snippet.write_text("x = 1\nraise RuntimeError('x')\n", encoding="utf-8")
    error = build(sample)["chapters/01-sample.ipynb"].error
    assert (error.file, error.line) == (str(snippet), 2)


def test_crash_while_writing_leaves_the_old_notebook(sample, monkeypatch):
    before = published(sample)
    edit(sample.source / "chapters/01-sample.md", "# 작은 장", "# 다른 장")

    def crash(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", crash)
    with pytest.raises(KeyboardInterrupt):
        build(sample)
    assert published(sample) == before
    assert not list((sample.root / "chapters").glob(".*"))


def test_dead_kernel_is_noticed_and_reported(sample):
    code = "import os\n\nos._exit(1)"
    edit(sample.source / "chapters/01-sample.md", "point = (5, *point[1:])", code)
    assert "커널이 죽었습니다" in str(build(sample)["chapters/01-sample.ipynb"].error)


INTERRUPTED = """
import os, signal, sys, threading, time
from pathlib import Path
from coursekit.notebooks import publish
from coursekit.project import Project

def interrupt():
    while not (Path(sys.argv[1]) / "started").exists():
        time.sleep(0.05)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
project = Project(Path(sys.argv[1]))
publish.build(project.sources(), project)
"""


def test_ctrl_c_ends_running_kernels_and_leaves_the_old_notebook(sample, checkout):
    before = published(sample)
    endless = "from pathlib import Path\n\nPath('../started').touch()\nwhile True:\n    pass"
    edit(sample.source / "chapters/01-sample.md", "point = (5, *point[1:])", endless)
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(sample.root)],
        env=os.environ | {"PYTHONPATH": str(checkout.root)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "KeyboardInterrupt" in done.stderr
    assert published(sample) == before


def test_chapter_metadata_ids_badge_and_diagram(sample):
    notebook = nbformat.read(sample.root / PUBLISHED[0], 4)
    assert set(notebook.metadata) == {"kernelspec", "accelerator", "colab", "coursekit"}
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)
    first = notebook.cells[0].source
    assert sample.colab_url(PUBLISHED[0]) in first
    assert "![상자 하나](data:image/png;base64," in first
    nbformat.validate(notebook)


def test_equal_cells_get_different_ids(sample):
    path = sample.source / "chapters/01-sample.md"
    cell = "\n```{code-cell}\npoint\n```\n"
    path.write_text(path.read_text(encoding="utf-8") + cell * 2, encoding="utf-8")
    target = publish.targets(path, sample)[0]
    ids = [c.id for c in publish.assemble(target, sample).cells if c.source == "point"]
    assert ids[1] == f"{ids[0]}-2"


def test_blank_and_solution_come_from_one_text(sample):
    blank, solved = (nbformat.read(sample.root / name, 4) for name in PUBLISHED[1:])
    code = [next(c for c in nb.cells if "def double" in c.source) for nb in (blank, solved)]
    assert code[0].source == f"def double(x):\n    {source.BLANK_LINE}"
    assert code[1].source == "def double(x):\n    y = x + x\n    return y"
    assert all(c.outputs == [] and c.execution_count is None for c in blank.cells if "outputs" in c)
    check = next(c for c in solved.cells if "check" in c.metadata.get("tags", []))
    assert check.outputs[0].text == "문제 1: 맞았습니다\n"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("### END SOLUTION", "", "END SOLUTION이 없습니다"),
        ("### BEGIN SOLUTION", "", "BEGIN SOLUTION이 없습니다"),
        (
            "kernelspec: {display_name: Python 3, language: python, name: python3}",
            "a: 1",
            "kernelspec",
        ),
    ],
)
def test_unreadable_exercise_is_reported(sample, old, new, message):
    path = sample.source / "exercises/01-sample.md"
    edit(path, old, new)
    with pytest.raises(CourseError, match=message):
        publish.targets(path, sample)


def test_missing_snippet_names_the_line(sample):
    path = sample.source / "chapters/01-sample.md"
    edit(path, "include: expect_error.py", "include: nothing.py")
    with pytest.raises(CourseError) as caught:
        source.read(path, sample)
    assert (
        caught.value.line
        == path.read_text(encoding="utf-8").split("\n").index("# include: nothing.py") + 1
    )


def test_outputs_are_scrubbed(sample):
    path = sample.source / "chapters/01-sample.md"
    cell = "\n```{code-cell}\nimport jupyter_client\nprint(object(), '\\x1b[31mred\\x1b[0m', __import__('inspect').currentframe().f_code.co_filename)\n```\n"
    path.write_text(path.read_text(encoding="utf-8") + cell, encoding="utf-8")
    assert build(sample)["chapters/01-sample.ipynb"].error is None
    text = nbformat.read(sample.root / PUBLISHED[0], 4).cells[-1].outputs[0].text
    assert text == "<object object at 0x...> red <cell>\n"


def test_every_text_of_an_output_is_scrubbed(sample):
    """A table shown as HTML tells addresses too; pictures stay as they are."""
    dirty = "<b>0x7f00deadbeef</b>"
    data = {"text/plain": dirty, "text/html": dirty, "image/svg+xml": dirty}
    output = new_output("display_data", data=dict(data))
    execute.scrub(new_notebook(cells=[new_code_cell(outputs=[output])]), sample)
    clean = "<b>0x...</b>"
    assert output.data == {"text/plain": clean, "text/html": clean, "image/svg+xml": dirty}


def test_unknown_number_is_explained(sample):
    with pytest.raises(CourseError, match="99번 원고가 없습니다. 있는 번호: 01"):
        sample.sources(("99",))


@pytest.mark.parametrize("force, most", [(True, 1), (False, 2)])
def test_forced_notebooks_have_the_machine_for_themselves(sample, monkeypatch, force, most):
    running, seen, second = [], [], threading.Event()

    def stand_in(target, *rest):
        running.append(target)
        seen.append(len(running))
        if len(running) == most:
            second.set()
        assert second.wait(30)  # the first waits until as many run as may
        running.remove(target)
        return publish.Outcome(target.path, "executed")

    monkeypatch.setattr(publish, "_publish", stand_in)
    outcomes = publish.build(sample.sources(), sample, force=force)
    assert len(outcomes) > 1 and max(seen) == most
