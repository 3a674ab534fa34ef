"""Rules on the files of the repository as a whole."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

TEXT = {
    ".md",
    ".py",
    ".txt",
    ".yml",
    ".toml",
    ".cfg",
    ".ini",
    ".sh",
    ".css",
    ".js",
    ".svg",
    ".ipynb",
    ".json",
    "",
}
# pieces, so that this file does not hold what it looks for
HOSTS = [
    "pypi" + ".org",
    "files." + "pythonhosted",
    "deb." + "debian",
    "npmjs" + ".org",
]
MACHINE = re.compile(r"(?<![\w.])/(?:root|work|home/\w+)/" + r"[\w.-]+")


def tracked(checkout):
    out = subprocess.run(
        ["git", "ls-files", "-z"], cwd=checkout.root, capture_output=True, text=True
    )
    names = [name for name in out.stdout.split("\0") if name]
    if not names:
        pytest.fail("git이 파일 목록을 주지 않았습니다. 저장소를 복제한 폴더에서 시험합니다.")
    return [checkout.root / name for name in names]


def test_no_file_names_a_registry_or_a_path_of_one_machine(checkout):
    found = []
    for path in tracked(checkout):
        if path.suffix not in TEXT or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        name = str(path.relative_to(checkout.root))
        found += [f"{name}: {host}" for host in HOSTS if host in text]
        if "tests" not in path.parts:  # tests plant such paths
            found += [f"{name}: {match[0]}" for match in MACHINE.finditer(text)]
    assert found == []


def test_every_pin_is_exact(checkout):
    files = [checkout.root / "requirements.txt", *(checkout.root / "requirements").glob("**/*.txt")]
    loose = [
        f"{path.name}: {line}"
        for path in files
        for line in path.read_text(encoding="utf-8").splitlines()
        if line
        and not line.startswith(("#", "-"))
        and not re.match(r"[\w.\[\]-]+==[\w.]+( ;|$)", line)
    ]
    assert loose == []


def test_pins_agree_with_their_constraints(checkout):
    """A pin that its constraints contradict cannot be installed."""
    folder = checkout.root / "requirements"
    pairs = {
        "default": [
            "site.txt",
            "course.txt",
            "grading.txt",
            "scheduler.txt",
            "../requirements.txt",
        ],
        "colab": ["colab.txt"],
        "current": ["current.txt"],
    }
    for lane, names in pairs.items():
        pinned = set((folder / "constraints" / f"{lane}.txt").read_text().splitlines())
        pinned = {line.split(" ;")[0].lower().replace("_", "-") for line in pinned}
        for name in names:
            for line in (folder / name).read_text(encoding="utf-8").splitlines():
                if re.match(r"\w", line):
                    assert line.lower().replace("_", "-") in pinned, f"{name}: {line}"


def test_course_names_the_lanes_it_is_tested_in(checkout):
    readme = (checkout.root / "README.md").read_text(encoding="utf-8")
    for name in ("course", "colab", "current"):
        text = (checkout.root / f"requirements/{name}.txt").read_text(encoding="utf-8")
        jax = re.search(r"^jax==(\S+)", text, re.M)[1]
        flax = re.search(r"^flax==(\S+)", text, re.M)[1]
        assert f"{jax} / {flax}" in readme


@pytest.mark.parametrize("tool", ["ruff check", "ruff format --check"])
def test_code_is_clean(checkout, tool):
    names = [] if "format" not in tool else ["coursekit", "tests", "book.py"]
    done = subprocess.run(
        [sys.executable, "-m", *tool.split(), "--no-cache", *names],
        cwd=checkout.root,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:]


def test_workflows_are_valid(checkout):
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"]
        + sorted(map(str, (checkout.root / ".github/workflows").glob("*.yml"))),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def test_readme_shows_every_verb_that_a_reader_needs(checkout):
    readme = (checkout.root / "README.md").read_text(encoding="utf-8")
    for verb in ("serve", "test", "build", "grade doctor", "grade run"):
        assert f"python3 book.py {verb}" in readme


def test_modules_depend_one_way(checkout):
    """Of the rooms only notebooks is shared; grading and site do not know each other."""
    allowed = {"notebooks": set(), "site": {"notebooks"}, "grading": {"notebooks"}}
    for room, may_use in allowed.items():
        for path in (checkout.root / "coursekit" / room).glob("**/*.py"):
            used = set(re.findall(r"coursekit\.(notebooks|site|grading)", path.read_text("utf-8")))
            assert used - {room} <= may_use, path.name
