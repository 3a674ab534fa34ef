"""Korean for what the theme says in English, or says poorly in Korean."""

from __future__ import annotations

import re

# the theme's text → ours. A test finds every English label that is missing here.
KOREAN = {
    "Search this book...": "책에서 찾기",
    "Color mode": "밝기 바꾸기",
    "Light": "밝게",
    "Dark": "어둡게",
    "System Settings": "시스템 설정대로",
    "Site navigation": "책의 차례 열기",
    "Toggle primary sidebar": "책의 차례 여닫기",
    "Toggle secondary sidebar": "이 쪽의 차례 여닫기",
    "On this page": "이 쪽의 차례",
    "Main": "책의 차례",
    "Page": "이 쪽의 차례",
    "Source repositories": "저장소",
    "Repository": "저장소 보기",
    "Open issue": "의견 남기기",
    "이슈 열기": "의견 남기기",
    "Skip to main content": "본문으로 건너뛰기",
    "Back to top": "맨 위로",
    "next page": "다음 쪽",
    "previous page": "앞 쪽",
    "이전": "앞",
    "Launch interactive content": "노트북으로 열기",
    "Launch on Colab": "Colab에서 열기",
    "Colab logo": "",
    "소스 파일 다운로드": "노트북 내려받기",
    "이 페이지 다운로드": "이 쪽 내려받기",
    ".ipynb": "노트북(.ipynb)",
    ".md": "원고(.md)",
    ".pdf": "인쇄(PDF)",
    "전체 화면으로보기": "전체 화면으로 보기",
    "내용": "이 쪽의 차례",
    "Version warning": "버전 알림",
    "Click to show": "펼치기",
}
_ATTRIBUTE = re.compile(r'\b(title|aria-label|data-bs-title|placeholder|alt)="([^"]*)"')
_TEXT = re.compile(r">(\s*)([^<>]+?)(\s*)<")
_SCRIPT = re.compile(r"(<(script|style)\b.*?</\2>|<article\b.*</article>)", re.S)


def translate(page: str) -> str:
    """A page with every label of the theme in Korean; the article itself stays as it is."""
    parts = _SCRIPT.split(page)
    # split() gives text, the piece left alone, its tag name, text, …
    return "".join(
        _labels(part) if place % 3 == 0 else part
        for place, part in enumerate(parts)
        if place % 3 != 2
    )


def _labels(html: str) -> str:
    html = _ATTRIBUTE.sub(lambda m: f'{m[1]}="{KOREAN.get(m[2], m[2])}"', html)
    return _TEXT.sub(lambda m: f">{m[1]}{KOREAN.get(m[2], m[2])}{m[3]}<", html)
