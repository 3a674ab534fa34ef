"""What an LMS's download says of when something was handed in, and what it does not say.

Moodle and Canvas put the moment of the download beside every file of their zips, so those times
say nothing about the students.  Canvas writes ``_LATE_`` into the names of what it calls late, and
Blackboard the time of the attempt.  (Moodle: files/classes/local/archive_writer/zip_writer.php;
Canvas: lib/content_zipper.rb; both read in November 2026.)
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

_MOODLE = re.compile(r"(?:^|/)[^/]+_\d+_assignsubmission_(?:file|onlinetext)", re.I)
_CANVAS = re.compile(r"(?:^|/)[^/_]+(?P<late>_late)?_\d+_\d+_[^/]+", re.I)
_BLACKBOARD = re.compile(r"_attempt_(\d{4})-(\d\d)-(\d\d)-(\d\d)-(\d\d)-(\d\d)(?=[_.]|$)", re.I)
# how long a server takes to pack: to begin with, and for each file
_PACKING, _PACKING_A_FILE = timedelta(seconds=10), timedelta(seconds=0.1)

MOODLE = (
    "Moodle이 만든 zip에는 제출 시각이 아니라 내려받은 시각이 적혀 있어서, 늦었는지 적지 않았습니다. "
    "Moodle의 채점 워크시트 CSV를 --roster로 주면 제출 시각을 거기에서 읽습니다."
)
CANVAS = (
    "Canvas가 만든 zip에는 내려받은 시각이 적혀 있어서, 늦었는지는 Canvas가 파일 이름에 적은 LATE로 "
    "정했습니다."
)
CANVAS_SILENT = (
    "Canvas가 만든 zip에는 내려받은 시각이 적혀 있고 LATE라고 적힌 이름도 없어서, 늦었는지 적지 "
    "않았습니다. Canvas의 과제에 마감이 있었다면 모두 제때 낸 것입니다."
)
SAME_TIME = (
    "모든 파일의 시각이 거의 같아서, 제출한 때가 아니라 묶거나 내려받은 때로 보고 늦었는지 적지 "
    "않았습니다."
)


@dataclass(frozen=True)
class Told:
    """``time`` of handing in, None if nothing tells it; ``late``: the LMS's own word on it.

    ``why`` (Korean) says what the times of this download mean, where they are not taken.
    """

    time: datetime | None
    late: bool | None = None
    why: str = ""


def told(files: Iterable[tuple[str, datetime | None]], zone: tzinfo) -> dict[str, Told]:
    """Name → what is known of its time, for all ``files`` of one download: (path, stored time).

    A download is an LMS's only if it named every file: a name that one student chose decides
    nothing.  ``zone`` is that of the times which Blackboard writes into names.
    """
    stored = dict(files)
    for pattern, read in ((_MOODLE, _moodle), (_CANVAS, _canvas), (_BLACKBOARD, _blackboard)):
        matches = {name: pattern.search(name) for name in stored}
        if matches and all(matches.values()):
            return read(matches, zone)
    times = list(stored.values())
    together = len(times) > 1 and all(times)
    if together and max(times) - min(times) <= _PACKING + _PACKING_A_FILE * len(times):
        return {name: Told(None, why=SAME_TIME) for name in stored}
    return {name: Told(time) for name, time in stored.items()}


def _moodle(matches: dict[str, re.Match], zone: tzinfo) -> dict[str, Told]:
    return {name: Told(None, why=MOODLE) for name in matches}


def _canvas(matches: dict[str, re.Match], zone: tzinfo) -> dict[str, Told]:
    if not any(match["late"] for match in matches.values()):
        return {name: Told(None, why=CANVAS_SILENT) for name in matches}
    return {name: Told(None, bool(match["late"]), CANVAS) for name, match in matches.items()}


def _blackboard(matches: dict[str, re.Match], zone: tzinfo) -> dict[str, Told]:
    found = {}
    for name, match in matches.items():
        try:
            found[name] = Told(datetime(*map(int, match.groups()), tzinfo=zone))
        except ValueError:
            found[name] = Told(None)
    return found
