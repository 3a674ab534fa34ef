"""The Korean word for every status, once: tables, pages and the desk all say the same."""

from __future__ import annotations

# of a submission
SUBMISSION = {
    "graded": "채점함", "unreadable": "읽지 못함", "unmatched": "다른 노트북", "missing": "제출 없음",
}  # fmt: skip
# of a question; one that was graded to its end needs no word
QUESTION = {
    "graded": "", "partial": "일부만 실행", "blank": "빈칸", "absent": "이름 없음",
    "timeout": "시간 초과", "crashed": "실행 중 멈춤", "review": "사람이 채점",
    "unreadable": "채점하지 못함",
}  # fmt: skip
# of a question, in a column as narrow as a number
MARK = {
    "blank": "·", "absent": "이름", "timeout": "시간", "crashed": "멈춤", "review": "글",
    "unreadable": "–",
}  # fmt: skip
# of a probe
PROBE = {
    "pass": "통과", "fail": "틀림", "timeout": "시간 초과", "crashed": "멈춤", "skipped": "하지 않음",
}  # fmt: skip
# of a question, where a person should look before the points stand
DOUBTFUL = ("partial", "absent", "timeout", "crashed")


def legend(used: set[str]) -> str:
    """What the marks of these statuses mean, in the order of `MARK`; "" for none."""
    told = {"absent": "그 이름의 함수가 없음"}
    return ", ".join(
        f"{mark} = {told.get(status, QUESTION[status])}"
        for status, mark in MARK.items()
        if status in used
    )
