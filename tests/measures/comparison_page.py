"""The page that tells what ``compare_books.py`` found: the default book, ours, and what we aim at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

MISSED = "## 목표에 못 미친 것"  # written by a person; from here on the page is kept as it is
SETS = {"own": "우리가 쓴 질의", "independent": "남이 쓴 질의", "problems": "공개된 문제"}
# told, but not held to a target: see judged.apart()
APART = {"unseen": "처음 보는 질의", "second": "일부러 어렵게 쓴 질의"}
PART_NAMES = {"build": "빌드", "weight": "무게", "search": "검색", "lighthouse": "Lighthouse"}
BOOK_NAMES = {"default": "기본", "ours": "이 책"}

Row = tuple[str, str, str, str]


def page_of(measured: dict, old: Path) -> str:
    """Markdown of the measures, then what a person wrote below them in ``old``."""
    rows = [*_weight(measured), *_lighthouse(measured), *_search(measured), *_build(measured)]
    kept = ""
    if old.is_file() and MISSED in (text := old.read_text(encoding="utf-8")):
        kept = text[text.index(MISSED) :]
    lines = [
        "# 책의 측정",
        "",
        "`python tests/measures/compare_books.py`로 쟀습니다.",
        "기본은 같은 글을 확장 없이 빌드한 Jupyter Book입니다.",
        "기본 검색은 맞는 쪽만 찾아도 맞은 것으로, 우리 검색은 맞는 절을 찾아야 맞은 것으로 셉니다.",
        "기본의 첫 화면에는 밖에서 받는 파일(MathJax)의 크기가 빠져 있습니다.",
        "axe는 같은 색의 코드 조각을 둘씩만 남기고 쟀습니다.",
        "",
        "| 부분 | 책 | 잰 날 | CPU | 1분 평균 부하, 앞과 뒤 |",
        "|---|---|---|---|---|",
        *_when(measured),
        "",
        "부하가 CPU의 수보다 크면 시간과 성능 점수는 믿을 수 없습니다.",
        "",
        "| 잰 것 | 기본 | 이 책 | 목표 |",
        "|---|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in rows),
        "",
    ]
    return "\n".join(lines) + (f"\n{kept}" if kept else "")


def _when(measured: dict) -> Iterator[str]:
    for part, name in PART_NAMES.items():
        label = " ".join(filter(None, (name, measured.get(part))))
        for which, book in BOOK_NAMES.items():
            if when := measured[which].get("when", {}).get(part):
                loads = ", ".join(map(str, when["load"]))
                yield f"| {label} | {book} | {when['date']} | {when['cpus']}개 | {loads} |"


def _both(measured: dict, key: str) -> list[dict]:
    return [measured[which].get(key) or {} for which in ("default", "ours")]


def _weight(measured: dict) -> list[Row]:
    pages = _both(measured, "pages")
    if not all(pages):
        return []
    rows = []
    for name in pages[1]:
        cells = [f"{p[name]['kilobytes']} KB, {p[name]['requests']}개" for p in pages]
        rows.append((f"첫 화면(휴대 전화) {name}", *cells, "≤ 500 KB, ≤ 25개"))
    for key, label, target in (
        ("outside", "밖으로 나가는 요청", "0"),
        ("shift", "배치 이동(CLS)", "≤ 0.02"),
        ("errors", "콘솔 오류", "0"),
        ("axe", "axe 위반", "0"),
    ):
        worst = [_worst([row[key] for row in p.values()]) for p in pages]
        rows.append((f"{label}, 가장 나쁜 장", *worst, target))
    return rows


def _worst(found: list) -> str:
    return "재지 않음" if None in found else str(max(found))


def _lighthouse(measured: dict) -> list[Row]:
    both = _both(measured, "lighthouse")
    if not all(both):
        return [("Lighthouse", "재지 않음", "재지 않음", "")]
    rows = [("Lighthouse로 잰 장", *(f"{len(found)}개" for found in both), "모든 장")]
    for name in (name for name in both[1] if name in both[0]):
        cells = [_performance(found[name]) for found in both]
        rows.append((f"Lighthouse 성능, {name}", *cells, "≥ 90, 기본의 두 배"))
    for key, label, target, worst in (
        ("performance", "성능, 가장 나쁜 장", "≥ 90", min),
        ("accessibility", "접근성, 가장 나쁜 장", "100", min),
        ("best-practices", "권장 사항, 가장 나쁜 장", "100", min),
        ("seo", "SEO, 가장 나쁜 장", "–", min),
        ("kilobytes", "받은 KB, 가장 큰 장", "≤ 500", max),
        ("requests", "요청, 가장 많은 장", "≤ 25", max),
        ("shift", "CLS, 가장 나쁜 장", "≤ 0.02", max),
        ("errors", "콘솔 오류, 가장 나쁜 장", "0", max),
    ):
        cells = [
            str(worst([page[key] for page in b.values() if page[key] is not None], default="–"))
            for b in both
        ]
        rows.append((f"Lighthouse {label}", *cells, target))
    failed = [sorted({name for page in b.values() for name in page["failed"]}) for b in both]
    rows.append(("Lighthouse에서 감점된 검사", *(", ".join(f) or "없음" for f in failed), "없음"))
    return rows


def _performance(page: dict) -> str:
    """The median and, where there were several, all visits."""
    visits = page["performances"]
    return f"{page['performance']}" + (f" ({', '.join(map(str, visits))})" if visits[1:] else "")


def _search(measured: dict) -> list[Row]:
    both = _both(measured, "search")
    if not all(both):
        return []

    def share(found: dict, key: str, names=tuple(SETS)) -> str:
        n = sum(found[name].get("n", 0) for name in names)
        return f"{100 * sum(found[name].get(key, 0) for name in names) / n:.1f} %" if n else "–"

    rows = []
    for key, label, target in (
        ("first", "검색: 첫째가 맞음", "≥ 88 %"),
        ("three", "검색: 셋 안에 맞음", "≥ 97 %"),
    ):
        rows.append((f"{label}, 모두", *(share(found, key) for found in both), target))
        for name, korean in SETS.items():
            cells = [share(found, key, (name,)) for found in both]
            rows.append((f"{label}, {korean}", *cells, target))
        for name, korean in APART.items():
            if all(name in found for found in both):
                cells = [share(found, key, (name,)) for found in both]
                n = both[1][name]["n"]
                rows.append((f"{label}, {korean} {n}개(위의 모두에 없음)", *cells, "–"))
    none = [str(sum(found[name].get("none", 0) for name in SETS)) for found in both]
    rows.append(("검색: 결과 없음", *none, "0"))
    times = [f"{found['milliseconds']} ms" for found in both]
    rows.append(("검색: 한 질의(중앙값)", *times, "≤ 5 ms"))
    sizes = [f"{found['index_kilobytes']} KB" for found in both]
    rows.append(("검색 색인(gzip)", *sizes, "≤ 200 KB"))
    return rows


def _build(measured: dict) -> list[Row]:
    both = [measured[which].get("seconds") for which in ("default", "ours")]
    return [
        (label, *(_seconds(found, key) for found in both), target)
        for key, label, target in (
            ("cold", "처음부터 빌드", "≤ 20 s"),
            ("one", "한 장을 고친 뒤 빌드", "≤ 8 s"),
            ("same", "바뀐 것이 없는 빌드", "–"),
        )
    ]


def _seconds(found: dict | None, key: str) -> str:
    if not isinstance(found, dict):
        return "재지 않음"
    return f"{found[key]['wall']} s (CPU {found[key]['cpu']} s, 부하 {found[key]['load']})"
