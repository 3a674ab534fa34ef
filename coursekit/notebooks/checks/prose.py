"""Style rules on Korean markdown text that a machine can judge."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt

BANNED = {
    r"(?<![가-힣])(?:우리는|여러분|당신)": "독자를 부르지 않고 동사로 말합니다.",
    r"(?<![가-힣])(?:간단히|매우|단지(?! 안| 밖| 마다))(?![가-힣])": "뜻을 더하지 않는 말은 뺍니다.",
    r"에 의해|[을를] 가지고 있|되어[진지]": "번역투를 쓰지 않습니다.",
    r"[가-힣](?:어요|아요|해요|예요|에요|네요|거예요|죠)(?=[.?!\s]|$)": "합니다체로 씁니다.",
    r"\d\s?~\s?\d|(?<![\w.-])\d{1,2}-\d{1,2}(?=장|개|번|분|초|배|명|회|줄)": "범위는 1–3처럼 –로 씁니다.",
    r"부작용|매개변수|그래디언트|그라디언트": "용어집의 말(부수 효과, 인자나 파라미터, 기울기)을 씁니다.",
    r"되풀이|가리개|더할 값|나누어 모으|다음 바퀴|바퀴마다|걸음(?:마다|이 \d)|(?<![첫])머리 (?:수|축)": "분야에서 쓰는 말(반복, 마스크, 업데이트, 기울기 누적, 스텝, 스트라이드, 헤드)을 씁니다.",
    r"[\U0001F300-\U0001FAFF\u2705\u274C\u26A0]": "이모지를 쓰지 않습니다.",
}
MYST_ONLY = {
    r"^\s*(?:```+|~~~+|:::+)\s*\{": "MyST 지시자는 Colab에서 글자 그대로 보입니다. CommonMark로 씁니다.",
    r"(?<![\w`])\{[a-z:-]+\}`": "MyST 역할은 Colab에서 글자 그대로 보입니다. CommonMark로 씁니다.",
}
MERGE_MARKS = re.compile(r"^(?:<{7}|={7}|>{7})(?: |$)", re.M)
CODE = re.compile(r"```.*?^```|`[^`\n]*`|\$[^$\n]*\$", re.S | re.M)
_TWO_SENTENCES = re.compile(r"[가-힣]다\. +(?=[가-힣A-Z`(])")
_PLAIN_ENDING = re.compile(r"[가-힣]+(?<!니)다\.(?=\s|$)")
_NO_PROSE = re.compile(r"\s*(?:[>|*#-]|\d)")  # quotes, tables, lists and headings
_LINK_TARGET = re.compile(r"\]\([^)]*\)")
_CHOICES_IN_A_ROW = re.compile(r"^(?:[-*] )?① .*\s② ", re.M)
_NO_ALT = re.compile(r"!\[\s*\]\(")

Breach = tuple[int, str]  # 1-based line and a Korean sentence


def style(text: str) -> list[Breach]:
    """Breaches of wording, sentence and markup rules in a whole page or one cell."""
    found = []
    bare = _without_code(text)
    for number, line in enumerate(bare.split("\n"), 1):
        for pattern, reason in BANNED.items():
            found += [(number, f"'{m[0].strip()}': {reason}") for m in re.finditer(pattern, line)]
        if _NO_PROSE.match(line):
            continue  # statements to judge, captions and quotations may be short or plain
        if _TWO_SENTENCES.search(line):
            found.append((number, "한 줄에 한 문장만 씁니다."))
        if match := _PLAIN_ENDING.search(line):
            found.append((number, f"'{match[0]}': 합니다체로 씁니다."))
    for match in MERGE_MARKS.finditer(text):
        found.append((_line(text, match), "합치다 남은 표시가 있습니다."))
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        for child in token.children or ():
            if child.type == "text" and "**" in child.content:
                line = (token.map or [0])[0] + 1
                found.append(
                    (line, "굵은 글씨가 풀리지 않습니다. 괄호, 따옴표, 백틱 앞에서 **를 닫습니다.")
                )
    return found


def cell(text: str) -> list[Breach]:
    """Breaches in one markdown cell of a notebook, which Colab must show too."""
    found = style(text)
    for pattern, reason in MYST_ONLY.items():
        found += [(_line(text, m), reason) for m in re.finditer(pattern, text, re.M)]
    found += [(_line(text, m), "그림에 대체 글이 없습니다.") for m in _NO_ALT.finditer(text)]
    found += [
        (_line(text, m), "선택지는 한 줄에 하나씩 목록으로 씁니다.")
        for m in _CHOICES_IN_A_ROW.finditer(text)
    ]
    if text.count("<details>") != text.count("</details>"):
        found.append((1, "<details>와 </details>의 수가 다릅니다."))
    if len(re.findall(r"^```", text, re.M)) % 2:
        found.append((1, "코드 울타리(```)가 닫히지 않았습니다."))
    return found


def _without_code(text: str) -> str:
    """``text`` of the same shape, with code, maths and link targets blotted out."""
    text = CODE.sub(lambda m: re.sub(r"[^\n]", "·", m[0]), text)
    return _LINK_TARGET.sub(lambda m: "]" + "·" * (len(m[0]) - 1), text)


def _line(text: str, match: re.Match) -> int:
    return text[: match.start()].count("\n") + 1
