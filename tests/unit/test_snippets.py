"""The snippets that notebooks paste in: what they print, and when they refuse."""

from __future__ import annotations

import pytest


@pytest.fixture
def snippet(checkout):
    def load(name):
        scope = {}
        exec((checkout.source / "snippets" / f"{name}.py").read_text(encoding="utf-8"), scope)
        return scope[name]

    return load


def test_expect_error_prints_class_and_phrase(snippet, capsys):
    with snippet("expect_error")((TypeError, KeyError), match="빠른"):
        raise KeyError("빠른 여우")
    assert capsys.readouterr().out == "KeyError: 빠른\n"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (None, "나지 않았습니다"),
        (ValueError("x"), "다른 예외가"),
        (TypeError("y"), "'x'가 없습니다"),
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
