"""The snippets that notebooks paste in: what they print, and when they refuse."""

from __future__ import annotations

import re

import pytest
from nbval.plugin import get_sanitize_patterns

from coursekit.notebooks.lanes import runner
from coursekit.project import ROOT, Project


@pytest.fixture
def snippet(checkout):
    def load(name):
        scope = {}
        exec((checkout.source / "snippets" / f"{name}.py").read_text(encoding="utf-8"), scope)
        return scope[name]

    return load


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("", "ValueError"),
        ("빠른 여우", "ValueError: 빠른 여우"),
        ("첫 줄\n\n  둘째 줄\n셋째 줄", "ValueError: 첫 줄 둘째 줄 …"),
        ("at /tmp/a/ipykernel_12/34.py:5 (f)", "ValueError: at 34.py:5 (f)"),
        ("\x1b[31m붉은\x1b[0m 말", "ValueError: 붉은 말"),
        ("see https://docs.jax.dev/a.html", "ValueError: see https://docs.jax.dev/a.html"),
    ],
)
def test_expect_error_prints_what_the_error_itself_says(snippet, capsys, message, said):
    with snippet("expect_error")((ValueError, KeyError)):
        raise ValueError(message)
    assert capsys.readouterr().out == said + "\n"


def test_a_long_message_of_an_error_is_cut_after_three_lines(snippet, capsys):
    with snippet("expect_error")(ValueError, match="word 99"):
        raise ValueError(" ".join(f"word {n}" for n in range(100)))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3 and lines[-1].endswith(" …") and max(map(len, lines)) <= 94


def test_other_lanes_compare_the_class_of_an_error_and_not_its_words(tmp_path):
    rules = runner.sanitize_rules(Project(ROOT), "colab", tmp_path)
    patterns = get_sanitize_patterns(rules.read_text(encoding="utf-8"))

    def plain(text: str) -> str:
        for regex, replace in patterns:
            text = re.sub(regex, replace, text)
        return text

    said = "1\nTypeError: old words\n    of two lines …\n2\n"
    assert plain(said) == plain("1\nTypeError: new\n2\n") != plain("1\nValueError: new\n2\n")
    assert plain(said) != plain("1\nTypeError: new\n3\n")
    assert plain("Exception: Leaked <a>\n") == plain("Exception: Leaked (b)\n")
    assert runner.sanitize_rules(Project(ROOT), "default", tmp_path) == Project(ROOT).sanitize_rules


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (None, "나지 않았습니다"),
        (ValueError("x"), "TypeError.*아닌 예외: ValueError: x"),
        (TypeError("y"), "'x'이\\(가\\) 아닌 예외: TypeError: y"),
    ],
)
def test_expect_error_refuses_a_rotten_pitfall(snippet, error, words):
    with pytest.raises(AssertionError, match=words), snippet("expect_error")(TypeError, match="x"):
        if error:
            raise error


@pytest.mark.parametrize(
    ("test", "line"),
    [
        ("pass", "맞았습니다"),
        ("assert 1 == 2, '둘이 아닙니다'", "아닙니다. 둘이 아닙니다"),
        ("raise NotImplementedError('아직 빈칸입니다')", "아직 빈칸입니다"),
        ("not_yet_run()", "답 셀이 실행되지 않았습니다"),
        ("raise ValueError('첫 줄\\n둘째 줄')", "실행하다 멈췄습니다. ValueError: 첫 줄"),
    ],
)
def test_check_says_one_line_and_never_raises(snippet, capsys, test, line):
    scope = {"check": snippet("check")}
    exec(f"@check('문제 1')\ndef _():\n    {test}\n", scope)
    assert capsys.readouterr().out == f"문제 1: {line}\n"


def test_check_shows_a_name_error_inside_the_answer(snippet, capsys):
    code = "def answer():\n    return typo\n\n@check('문제 1')\ndef _():\n    answer()\n"
    exec(code, {"check": snippet("check")})
    assert capsys.readouterr().out.startswith("문제 1: 실행하다 멈췄습니다. NameError")
