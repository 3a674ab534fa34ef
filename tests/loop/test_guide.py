"""The instructor's guide: every command and option in it is one that there is."""

from __future__ import annotations

import re

import click
import pytest
import typer
from typer.testing import CliRunner

from coursekit.grading.commands import cli

from .classroom import ROOT

GUIDE = (ROOT / "docs" / "instructor-guide.md").read_text(encoding="utf-8")
COMMANDS = typer.main.get_command(cli.app).commands
LINES = re.findall(r"grade ([a-z]+(?:-[a-z]+)*)([^`\n]*)", GUIDE)


def options(command: click.Command) -> set[str]:
    return {name for parameter in command.params for name in parameter.opts}


@pytest.mark.parametrize(("name", "rest"), LINES, ids=[f"{n}{r}" for n, r in LINES])
def test_a_command_of_the_guide_has_the_options_it_is_given(name, rest):
    assert name in COMMANDS
    assert set(re.findall(r"--[a-z-]+", rest)) <= options(COMMANDS[name])


def test_an_option_that_stands_alone_belongs_to_some_command():
    alone = set(re.findall(r"`(--[a-z-]+)[^`]*`", GUIDE))
    elsewhere = {"--security-opt"}  # of the container's program
    assert alone - elsewhere <= set().union(*map(options, COMMANDS.values()))


def test_the_guide_writes_no_file_of_a_class_into_the_repository():
    """Its commands run in the repository; what they write lies below another folder."""
    places = [place for line in re.findall(r"^\$ python3 book.py grade (?!doctor).*$", GUIDE, re.M)
              for place in re.findall(r"--(?:out|gradebook|submissions|roster|release) (\S+)", line)]  # fmt: skip
    assert len(places) > 8
    assert [place for place in places if not place.startswith("~/")] == []


def test_nbgrader_finds_what_is_exported_under_the_name_of_the_guide(small_set, tmp_path):
    names = re.findall(r"^\$ nbgrader (\w+) (\S+)$", GUIDE, re.M)
    assert [command for command, _ in names] == ["generate_assignment", "autograde"]
    line = ["export-nbgrader", "exercises/02-jit-and-xla", "--grading", str(small_set),
            "--out", str(tmp_path)]  # fmt: skip
    assert CliRunner().invoke(cli.app, line).exit_code == 0
    for _, name in names:
        assert (tmp_path / "source" / name / f"{name}.ipynb").is_file()
        assert f"submitted/학번/{name}/{name}.ipynb" in GUIDE


@pytest.mark.parametrize("line", [[], *([name] for name in COMMANDS)], ids=str)
def test_help_is_korean_throughout(line):
    shown = CliRunner().invoke(cli.app, [*line, "--help"], prog_name="book.py grade").output
    english = set(re.findall(r"\b[A-Z][a-z]+ [a-z]+\b.*", shown))
    assert {text for text in english if not text.startswith(("Usage", "GitHub", "Dask"))} == set()
    assert "설명을 보여 주고" in shown and "completion" not in shown
