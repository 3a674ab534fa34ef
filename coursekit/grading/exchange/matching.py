"""Whose file is it?  Sure, or a question for a person; never a guess.

Evidence in a path: the student's number, mail address or GitHub account, or the name as a word of
its own.  In the notebook: the lines ``학번:`` and ``이름:``.  A match is sure only if all evidence
names the same one student.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from coursekit.folding import fold
from coursekit.grading.records.roster import Roster, Student

# what stands directly before or behind a name: "김민수의 사본", "이름김민수", "김민수과제"
_BEHIND = {
    "의", "의사본", "사본", "님", "씨", "학생", "과제", "숙제", "제출", "최종", "연습", "노트북", "제출함",
    "과제제출", "의과제", "의노트북", "재제출", "수정", "학우", "복사본", "의복사본",
}  # fmt: skip
_BEFORE = {"이름", "성명", "학생", "제출자", "과제", "학번", "작성자", "제출", "연습", "최종"}
UNKNOWN = "명단에서 찾지 못했습니다"
_LONG_ID = 5  # a shorter number may be a date, a week or a "(1)"


@dataclass(frozen=True)
class Match:
    """``student`` is None where a person has to decide; ``why`` says so in Korean."""

    student: Student | None
    candidates: tuple[Student, ...] = ()
    why: str = ""


@dataclass
class _Evidence:
    strong: dict[Student, str]
    short: set[Student]
    named: dict[Student, str]
    weak: set[Student]


class Matcher:
    def __init__(self, roster: Roster) -> None:
        self.roster = roster
        self.ids = roster.by_id()
        self.names: dict[str, list[Student]] = {}
        self.keys: dict[str, Student] = {}  # mail addresses and accounts
        for student in roster.students:
            if student.name:
                self.names.setdefault(_letters(student.name), []).append(student)
            for key in (student.email, student.account):
                if key:
                    self.keys[key.casefold()] = student
        self.longest = max(map(len, self.names), default=0)

    def match(self, path: str, said: Callable[[], str] = lambda: "") -> Match:
        """``path`` without what all files share; ``said``: text of the notebook, if need be."""
        found = _Evidence({}, set(), {}, set())
        for part in path.casefold().split("/"):
            self._numbers(part, found)
            self._words(part, found)
        inside = self._said(said())
        return self._decide(found, inside) or self._unknown(path)

    def _numbers(self, part: str, found: _Evidence) -> None:
        joined = re.sub(r"(?<=[0-9a-z])-(?=[0-9a-z])", "", part)
        tokens = set(re.findall(r"[0-9a-z]+", part)) | set(re.findall(r"[0-9a-z]+", joined))
        tokens |= {run for run in re.findall(r"\d+", part) if len(run) >= _LONG_ID}
        for token in tokens & self.ids.keys():
            student = self.ids[token]
            if len(token) >= _LONG_ID:
                found.strong[student] = f"학번 {student.id}"
            else:
                found.short.add(student)
        for address in re.findall(r"[\w.+-]+@[\w.-]+", part):
            while "@" in address:  # "an@u.kr.ipynb" ends in more than an address
                if student := self.keys.get(address):
                    found.strong[student] = f"메일 {student.email}"
                address = address.rpartition(".")[0]
        for key, student in self.keys.items():
            if "@" not in key and (part == key or part.endswith("-" + key)):
                found.strong[student] = f"계정 {student.account}"

    def _words(self, part: str, found: _Evidence) -> None:
        # a name may be written with a blank: 김 민수
        spellings = {part, re.sub(r"(?<=[가-힣]) +(?=[가-힣])", "", part)}
        for spelling in spellings:
            for run in re.findall("[가-힣]+", spelling):
                self._hangul(run, found)
        tokens = re.findall(r"[^\W\d_가-힣]+", part)
        for size in range(1, 6):
            for start in range(len(tokens) - size + 1):
                for student in self.names.get("".join(tokens[start : start + size]), ()):
                    found.named.setdefault(student, f"이름 {student.name}")

    def _hangul(self, run: str, found: _Evidence) -> None:
        hits: list[tuple[int, int, bool]] = []
        for start in range(len(run)):
            for end in range(start + 2, min(len(run), start + self.longest) + 1):
                name = run[start:end]
                if name in self.names:
                    alone = (not run[:start] or run[:start] in _BEFORE) and (
                        not run[end:] or run[end:] in _BEHIND
                    )
                    word = name in _BEHIND or name in _BEFORE  # "최종" may be a name or a word
                    hits.append((start, end, alone and not word))
        for start, end, sure in hits:
            if any(s <= start and end <= e and (s, e) != (start, end) for s, e, _ in hits):
                continue  # 김민 inside 김민수
            for student in self.names[run[start:end]]:
                if sure:
                    found.named.setdefault(student, f"이름 {student.name}")
                else:
                    found.weak.add(student)

    def _said(self, text: str) -> dict[Student, str]:
        text = unicodedata.normalize("NFC", text[:20_000]).replace("*", "")
        found: dict[Student, str] = {}
        if number := re.search(r"학번[ \t]*[:：=][ \t]*[\"']?([0-9A-Za-z-]+)", text):
            student = self.ids.get(fold(number[1]))
            if student:
                found[student] = f"노트북 안의 학번 {student.id}"
        if name := re.search(r"이름[ \t]*[:：=][ \t]*[\"']?([가-힣A-Za-z][가-힣A-Za-z \t]*)", text):
            same = self.names.get(_letters(name[1]), [])
            if not (found.keys() & set(same)):  # the number has settled which namesake
                for student in same:
                    found[student] = f"노트북 안의 이름 {student.name}"
        return found

    def _decide(self, found: _Evidence, inside: dict[Student, str]) -> Match | None:
        path = found.strong | {s: w for s, w in found.named.items() if s not in found.strong}
        if len(found.strong) == 1:
            student = next(iter(found.strong))
            if found.named and student not in found.named:
                return _ask(path, "학번과 이름이 서로 다른 학생입니다")
            return _checked(student, inside)
        if len(found.strong) > 1:
            return _ask(found.strong, "두 학생을 가리킵니다")
        if found.named:
            left = set(found.named)
            for hint in (found.short, set(inside)):
                left = left & hint if len(left) > 1 and left & hint else left
            if len(left) == 1:
                student = left.pop()
                if found.short and student not in found.short:
                    return _ask(found.named | dict.fromkeys(found.short, "짧은 학번"),
                                "학번과 이름이 서로 다른 학생입니다")  # fmt: skip
                others = [s for s in found.named if s.name != student.name]
                if others:
                    return _ask(found.named, "두 학생의 이름이 있습니다")
                return _checked(student, inside)
            if len({student.name for student in left}) == 1:
                return _namesakes(left)
            return _ask(found.named, "두 학생의 이름이 있습니다")
        if len(inside) == 1:
            student, why = next(iter(inside.items()))
            if "학번" in why or not (found.weak - {student}):
                return Match(student, (student,), why)
        if inside or found.weak or found.short:
            candidates = inside | dict.fromkeys(found.weak | found.short, "이름이나 학번의 일부")
            return _ask(candidates, "확실하지 않습니다")
        return None

    def _unknown(self, path: str) -> Match:
        """Nobody; who is spelled nearly so is offered, not taken."""
        words = re.findall(r"[가-힣]{2,}|[0-9a-z]{4,}", path.casefold())
        near: list[Student] = []
        for word in words:
            for name in difflib.get_close_matches(word, self.names, 2, 0.6):
                near += self.names[name]
            near += [self.ids[i] for i in difflib.get_close_matches(word, self.ids, 2, 0.85)]
        return Match(None, tuple(dict.fromkeys(near))[:4], UNKNOWN)


def _namesakes(students: set[Student]) -> Match:
    found = sorted(students, key=lambda student: student.id)
    # by number: their names say nothing
    return Match(None, tuple(found), f"이름이 같은 학생이 있습니다: {', '.join(map(str, found))}")


def _checked(student: Student, inside: dict[Student, str]) -> Match:
    if inside and student not in inside:
        return _ask({student: "파일 이름"} | inside, "파일 이름과 노트북 안의 이름이 다릅니다")
    return Match(student, (student,))


def _ask(candidates: dict[Student, str], why: str) -> Match:
    students = sorted(candidates, key=lambda student: student.id)
    shown = ", ".join(f"{candidates[student]}" for student in students[:4])
    return Match(None, tuple(students), f"{why}: {shown}")


def _letters(name: str) -> str:
    folded = unicodedata.normalize("NFC", name).casefold()
    return "".join(c for c in folded if c.isalpha())


def without_common(paths: Sequence[str]) -> dict[str, str]:
    """Path → path without the folders at the top that all notebooks share.

    They say nothing about who, even where they bear a name: the one who downloaded it all.
    """
    split = [path.split("/")[:-1] for path in paths if ".ipynb" in path.casefold()]
    shared = 0
    if len(split) > 1:
        while all(len(p) > shared for p in split) and len({p[shared] for p in split}) == 1:
            shared += 1
    common = split[0][:shared] if split else []
    return {p: "/".join(p.split("/")[shared:]) if p.split("/")[:shared] == common else p
            for p in paths}  # fmt: skip
