"""Rules on the files of the repository as a whole."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest
import yaml

from coursekit import parts
from coursekit.project import Project

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
    names = []
    if shutil.which("git"):
        out = subprocess.run(
            ["git", "ls-files", "-z"], cwd=checkout.root, capture_output=True, text=True
        )
        names = [name for name in out.stdout.split("\0") if name]
    if not names:  # no git, or a download without its history: everything but what we make
        made = {".venv", ".venv-colab", ".venv-current", "_build", "__pycache__", ".git"}
        found = [path.relative_to(checkout.root) for path in checkout.root.rglob("*")]
        names = [str(path) for path in found if not made & set(path.parts)]
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
        "lab": ["lab.txt"],
        "colab": ["colab.txt", "colab-torch.txt"],
        "current": ["current.txt"],
    }
    for lane, names in pairs.items():
        pinned = set((folder / "constraints" / f"{lane}.txt").read_text().splitlines())
        pinned = {line.split(" ;")[0].lower().replace("_", "-") for line in pinned}
        for name in names:
            for line in (folder / name).read_text(encoding="utf-8").splitlines():
                if re.match(r"\w", line):
                    pin = line.split(" ;")[0].lower().replace("_", "-")
                    assert pin in pinned, f"{name}: {line}"


def test_course_names_the_lanes_it_is_tested_in(checkout):
    readme = (checkout.root / "README.md").read_text(encoding="utf-8")
    for name in ("course", "colab", "current"):
        text = (checkout.root / f"requirements/{name}.txt").read_text(encoding="utf-8")
        jax = re.search(r"^jax==(\S+)", text, re.M)[1]
        flax = re.search(r"^flax==(\S+)", text, re.M)[1]
        assert f"{jax} / {flax}" in readme


def test_types_agree(checkout):
    done = subprocess.run(
        [sys.executable, "-m", "mypy"], cwd=checkout.root, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-3000:]


def test_workflows_have_no_more_rights_than_their_jobs_need_and_pin_what_they_use(checkout):
    for path in (checkout.root / ".github/workflows").glob("*.yml"):
        flow = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert flow["permissions"] == {}, path.name
        for name, job in flow["jobs"].items():
            assert isinstance(job["permissions"], dict) and job["timeout-minutes"], name
            for step in job["steps"]:
                used = step.get("uses", "x@" + "0" * 40)
                assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", used), used


def test_book_goes_online_only_after_the_tests(checkout):
    flows = [p.read_text("utf-8") for p in (checkout.root / ".github/workflows").glob("*.yml")]
    (flow,) = [yaml.safe_load(text) for text in flows if "deploy-pages" in text]
    assert flow["jobs"]["pages"]["needs"] == "test"


def test_machine_is_set_up_by_one_script(checkout):
    """What .ci/run, the workflows and `parts` install must not drift apart."""
    script = (checkout.root / ".ci/setup").read_text(encoding="utf-8")
    for part in parts.PARTS.values():
        assert part.package in script
    for name in (".ci/run", ".github/workflows/test.yml", ".github/workflows/weekly.yml"):
        text = (checkout.root / name).read_text(encoding="utf-8")
        assert ".ci/setup" in text and "apt-get install" not in text


def test_edition_has_an_entry_in_the_changelog(checkout):
    edition = Project(checkout.root).version.partition(".")[0]
    text = (checkout.root / "reference/changelog.md").read_text(encoding="utf-8")
    assert re.search(r"^## (\d+)판", text, re.M)[1] == edition


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


def lint_imports(folder):
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    return subprocess.run(
        [sys.executable, "-c", code, "--no-cache"], cwd=folder, capture_output=True, text=True
    )


def test_packages_depend_one_way(checkout):
    done = lint_imports(checkout.root)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def test_the_walls_between_packages_hold(checkout, tmp_path):
    """Each import planted here breaks one contract of pyproject.toml."""
    shutil.copy(checkout.root / "pyproject.toml", tmp_path)
    shutil.copytree(checkout.root / "coursekit", tmp_path / "coursekit",
                    ignore=shutil.ignore_patterns("__pycache__", "static"))  # fmt: skip
    planted = {
        "grading/wire/trees.py": "coursekit.grading.records.result",
        "grading/child/inside.py": "coursekit.grading.probes.verdict",
        "grading/child/confine.py": "coursekit.project",
        "grading/engine/cache.py": "coursekit.grading.exchange.names",
        "grading/report/summary.py": "coursekit.grading.engine.batch",
        "grading/review/desk.py": "coursekit.grading.sandbox.memory",
        "grading/course/about.py": "coursekit.grading.commands.overview",
        "site/icons.py": "coursekit.grading.records.result",
        "notebooks/source.py": "coursekit.site.icons",
    }
    for place, name in planted.items():
        with (tmp_path / "coursekit" / place).open("a", encoding="utf-8") as file:
            file.write(f"\nimport {name}\n")
    done = lint_imports(tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    told = re.findall(r"(coursekit\.[\w.]+) -> (coursekit\.[\w.]+)", done.stdout)
    for place, name in planted.items():
        importer = "coursekit." + place.removesuffix(".py").replace("/", ".")
        assert (importer, name) in told, f"{importer} -> {name}"
