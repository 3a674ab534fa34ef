"""book.py on a machine that has nothing: a scratch root, a wheel of our own, no network."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import book

FAKE_MAIN = "import sys\n\ndef main():\n    import tiny\n    print('동사:', *sys.argv[1:])\n"


def wheel(folder: Path, name: str) -> None:
    info = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{name}.py", "")
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")


@pytest.fixture
def bare(tmp_path):
    """A root with book.py, requirement files that want our wheels, and a stub coursekit."""
    root = tmp_path / "root"
    (root / "requirements/constraints").mkdir(parents=True)
    (root / "coursekit").mkdir()
    (root / "wheels").mkdir()
    shutil.copy(book.__file__, root / "book.py")
    (root / "coursekit/__init__.py").touch()
    (root / "coursekit/__main__.py").write_text(FAKE_MAIN, encoding="utf-8")
    (root / "requirements/constraints/default.txt").write_text("tiny==1.0\n")
    (root / "requirements/site.txt").write_text("-c constraints/default.txt\ntiny==1.0\n")
    (root / "requirements/course.txt").write_text("torch==1.0\nnumpyish==1.0\n")
    (root / "requirements.txt").write_text("-r requirements/site.txt\n-r requirements/course.txt\n")
    for name in ("tiny", "torch", "numpyish"):
        wheel(root / "wheels", name)
    return root


def run(root: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("PIP_")}
    pip = {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(root / "wheels"),
    }
    return subprocess.run(
        [sys.executable, str(root / "book.py"), *arguments],
        env=clean | pip | {"PYTHONUTF8": "1"} | environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
    )


def installed(root: Path) -> set[str]:
    packages = next((root / ".venv/lib").glob("python*/site-packages"))
    return {path.name.split("-")[0] for path in packages.glob("*-1.0.dist-info")}


def test_serve_installs_the_site_alone_and_the_second_run_installs_nothing(bare):
    first = run(bare, "serve", "--port", "9000")
    assert first.returncode == 0, first.stderr
    assert first.stdout.splitlines()[-1] == "동사: serve --port 9000"
    assert installed(bare) == {"tiny"}
    shutil.rmtree(bare / "wheels")
    second = run(bare, "serve")
    assert second.stdout == "동사: serve\n", second.stdout + second.stderr


def test_test_installs_everything_and_no_torch_is_remembered(bare):
    first = run(bare, "test", "--no-torch")
    assert first.returncode == 0, first.stderr
    assert installed(bare) == {"tiny", "numpyish"}
    assert run(bare, "test").stdout == "동사: test\n"
    assert run(bare, "test", "--torch").returncode == 0
    assert installed(bare) == {"tiny", "numpyish", "torch"}
    assert not list(bare.glob("*.part"))


@pytest.mark.parametrize(
    ("verb", "file", "before", "after"),
    [
        ("serve", "requirements/site.txt", {"tiny"}, {"tiny", "more"}),
        ("draw", "requirements/course.txt", {"tiny", "numpyish"}, {"tiny", "numpyish", "more"}),
        ("draw", "requirements.txt", {"tiny", "numpyish"}, {"tiny", "numpyish", "more"}),
    ],
)
def test_changed_pins_install_again(bare, verb, file, before, after):
    wheel(bare / "wheels", "more")
    run(bare, verb, *(["--no-torch"] if verb == "draw" else []))
    assert installed(bare) == before
    with (bare / file).open("a", encoding="utf-8") as pins:
        pins.write("more==1.0\n")
    assert "설치합니다" in run(bare, verb).stdout
    assert installed(bare) == after
    assert run(bare, verb).stdout == f"동사: {verb}\n"


def test_failed_install_is_repaired_by_the_next_run(bare):
    wheels = bare / "wheels"
    wheels.rename(bare / "away")
    failed = run(bare, "serve")
    assert failed.returncode == 1 and "패키지를 찾지 못했습니다" in failed.stderr
    (bare / "away").rename(wheels)
    assert run(bare, "serve").returncode == 0


def test_broken_environment_is_made_again(bare):
    run(bare, "serve")
    python = bare / ".venv/bin/python"
    python.unlink()
    python.symlink_to("/nowhere/python")
    again = run(bare, "serve")
    assert again.returncode == 0 and "다시 만듭니다" in again.stdout


def test_no_network_is_explained(bare):
    shutil.rmtree(bare / "wheels")
    done = run(
        bare,
        "serve",
        PIP_NO_INDEX="0",
        PIP_INDEX_URL="http://127.0.0.1:9/simple",
        PIP_RETRIES="1",
        PIP_DEFAULT_TIMEOUT="2",
    )
    assert done.returncode == 1
    assert "네트워크에 연결하지 못했습니다" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("ERROR: [Errno 28] No space left on device", "디스크가 가득 찼습니다"),
        ("socket.gaierror: Temporary failure in name resolution", "네트워크에 연결하지"),
        ("SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]'", "인증서를"),
        ("PermissionError: [Errno 13] Permission denied: '/srv'", "쓸 권한이 없습니다"),
        ("something else", "다시 실행하면 이어서"),
    ],
)
def test_failures_say_what_to_do(output, words):
    assert words in book.explain(output) and output in book.explain(output)


def test_missing_venv_module_is_explained(tmp_path, monkeypatch):
    python = tmp_path / "python3"
    python.write_text("#!/bin/sh\necho 'because ensurepip is not available.'\nexit 1\n")
    python.chmod(0o755)
    monkeypatch.setattr(book, "find_python", lambda versions: str(python))
    monkeypatch.setattr(book, "ROOT", str(tmp_path))
    with pytest.raises(book.Stop, match="apt-get install python3-venv"):
        book.Environment(".venv").make(book.SUPPORTED)


def test_unsupported_python_looks_for_another_and_otherwise_explains(monkeypatch):
    monkeypatch.setattr(book.sys, "version_info", (3, 9, 1))
    calls = []
    monkeypatch.setattr(book.subprocess, "call", lambda command: calls.append(command) or 0)
    monkeypatch.setattr(book, "find_python", lambda versions: "/opt/python3.12")
    with pytest.raises(SystemExit):
        book.main(["check"])
    assert calls == [["/opt/python3.12", os.path.abspath(book.__file__), "check"]]
    monkeypatch.setattr(book, "find_python", lambda versions: None)
    with pytest.raises(book.Stop, match="Python 3.11, 3.12, 3.13에서 돌아갑니다. 지금은 3.9입니다"):
        book.main(["check"])


def test_old_pythons_can_read_book_py():
    ast.parse(Path(book.__file__).read_text(encoding="utf-8"), feature_version=(3, 7))


def test_missing_lane_python_is_explained(monkeypatch, tmp_path):
    monkeypatch.setattr(book, "find_python", lambda versions: None)
    monkeypatch.setattr(book, "ROOT", str(tmp_path))
    with pytest.raises(book.Stop, match=".venv-colab 환경을 만들 Python을 .* 3.13입니다"):
        book.Environment(".venv-colab").make(((3, 13),))


@pytest.mark.parametrize(
    ("flag", "answers", "left_out", "torch"),
    [
        (None, [True], (), True),
        (None, [False], ("torch",), False),
        (False, [], ("torch",), False),
        (True, [], (), True),
    ],
)
def test_lane_with_torch_asks_once_before_it_fetches_it(
    monkeypatch, tmp_path, flag, answers, left_out, torch
):
    """Plain torch is a CUDA build of several GB on Linux, in a lane as in the main environment."""
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements/colab.txt").write_text("numpyish==1.0\n")
    (tmp_path / "requirements/colab-torch.txt").write_text("-r colab.txt\ntorch==1.0\n")
    (tmp_path / ".venv-colab-torch").mkdir()
    monkeypatch.setattr(book, "ROOT", str(tmp_path))
    monkeypatch.setattr(book.Environment, "make", lambda self, versions: None)
    monkeypatch.setattr(book, "ask_about_torch", lambda environment: answers.pop())
    installed = []
    monkeypatch.setattr(
        book.Environment, "install", lambda self, title, path, without=(): installed.append(without)
    )
    for _ in range(2):
        book.prepare_lane("colab-torch", (3, 11), flag)
    assert installed == [left_out] and answers == []
    assert book.Environment(".venv-colab-torch").record()["torch"] is torch


def test_lane_without_torch_never_asks(monkeypatch, tmp_path):
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements/current.txt").write_text("numpyish==1.0\n")
    (tmp_path / ".venv-current").mkdir()
    monkeypatch.setattr(book, "ROOT", str(tmp_path))
    monkeypatch.setattr(book.Environment, "make", lambda self, versions: None)
    monkeypatch.setattr(book, "ask_about_torch", lambda environment: pytest.fail("물었습니다"))
    installed = []
    monkeypatch.setattr(
        book.Environment, "install", lambda self, title, path, without=(): installed.append(without)
    )
    for _ in range(2):
        book.prepare_lane("current", (3, 13), None)
    assert installed == [()]


def test_lanes_and_flags_are_read_from_the_arguments():
    split = book.split_arguments
    assert split(["test", "--lane", "colab", "--lane=current"])[1] == ["colab", "current"]
    assert split(["test", "--no-torch"]) == (["test"], [], False)
    assert split(["grade", "run", "--lane", "x"])[1] == []


@pytest.mark.parametrize(
    ("answer", "torch", "index"),
    [
        ("1", True, None),
        ("2", False, None),
        ("3", True, book.TORCH_CPU_INDEX),
        ("", True, book.TORCH_CPU_INDEX),
    ],
)
def test_torch_question(monkeypatch, answer, torch, index):
    monkeypatch.setattr(book, "IN_TERMINAL", True)
    monkeypatch.setattr(book.sys, "platform", "linux")
    monkeypatch.setattr(book, "_finds_cpu_wheel", lambda main: False)
    monkeypatch.setattr("builtins.input", lambda prompt: answer)
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    monkeypatch.delenv("PIP_INDEX_URL", raising=False)
    assert book.ask_about_torch(None) is torch
    assert os.environ.get("PIP_EXTRA_INDEX_URL") == index


def test_torch_question_is_not_asked_where_a_cpu_wheel_is_found_or_nobody_can_answer(monkeypatch):
    monkeypatch.setattr("builtins.input", lambda prompt: pytest.fail("asked"))
    monkeypatch.setattr(book, "IN_TERMINAL", False)
    assert book.ask_about_torch(None) is True
    monkeypatch.setattr(book, "IN_TERMINAL", True)
    monkeypatch.setattr(book, "_finds_cpu_wheel", lambda main: True)
    assert book.ask_about_torch(None) is True


@pytest.mark.parametrize("arguments", [[], ["--help"], ["build", "--help"], ["test", "-h"]])
def test_help_needs_nothing_installed(bare, arguments):
    done = run(bare, *arguments)
    assert done.returncode == 0 and not (bare / ".venv").exists()
    shown = arguments[:1] if arguments and arguments[0] in book.HELP else list(book.HELP)
    for verb in shown:
        assert f"python3 book.py {verb}" in done.stdout and book.HELP[verb][1] in done.stdout


def test_help_knows_every_verb():
    from coursekit.__main__ import app

    verbs = {command.name or command.callback.__name__ for command in app.registered_commands}
    assert verbs == set(book.HELP)


def test_unknown_verb_is_explained(bare):
    done = run(bare, "sevre")
    assert done.returncode == 1 and "'sevre' 명령은 없습니다" in done.stderr


def test_record_is_json_and_survives_a_bad_one(bare):
    run(bare, "serve")
    record = bare / ".venv/installed.json"
    assert set(json.loads(record.read_text())) == {"site"}
    record.write_text("{")
    assert run(bare, "serve").returncode == 0
