"""What grading one submission gives: plain data, JSON both ways.

Question status: ``graded`` every probe has a verdict; ``partial`` some have, the rest ended in
a crash or ran out of time; ``timeout`` or ``crashed`` none has; ``blank`` nothing was written;
``absent`` nothing has the function's name, so that a person should look for it; ``review`` free
text for a person.  Submission status: ``graded``, ``unreadable`` (no notebook)
or ``unmatched`` (a notebook, but of no question of this set).

``reason`` is for the student.  ``detail`` may hold hidden inputs and right values, and stays
with the instructor, as do ``copied`` and ``look``: `Result.public` leaves them out.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class ProbeResult:
    name: str
    title: str
    points: int
    earned: int
    verdict: str  # pass, fail, timeout, crashed, skipped
    reason: str = ""
    detail: str = ""


@dataclass(frozen=True)
class QuestionResult:
    name: str
    function: str
    points: int
    possible: int
    status: str
    reason: str = ""
    detail: str = ""
    probes: list[ProbeResult] = field(default_factory=list)


@dataclass(frozen=True)
class Result:
    submission: str
    exercise: str
    status: str
    points: int
    possible: int
    reason: str = ""
    questions: list[QuestionResult] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    copied: list[str] = field(default_factory=list)  # functions equal to the published solution
    look: list[str] = field(default_factory=list)  # why a person should look at it
    digest: str = ""  # of the file handed in, the probes and this program
    seed: str = ""
    probes_version: str = ""
    seconds: float = 0.0
    cpu_seconds: float = 0.0

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Result:
        data: dict[str, Any] = json.loads(text)
        questions = [
            QuestionResult(**{**q, "probes": [ProbeResult(**p) for p in q["probes"]]})
            for q in data["questions"]
        ]
        return cls(**{**data, "questions": questions})

    def public(self) -> Result:
        """What the student may see."""
        questions = [
            replace(q, detail="", probes=[replace(p, detail="") for p in q.probes])
            for q in self.questions
        ]
        # a function can take its time over a hidden input
        return replace(
            self, questions=questions, seed="", copied=[], look=[], seconds=0.0, cpu_seconds=0.0
        )

    def same_verdict(self, other: Result) -> bool:
        """Equal but for the time it took."""
        zero = {"seconds": 0.0, "cpu_seconds": 0.0}
        return replace(self, **zero) == replace(other, **zero)
