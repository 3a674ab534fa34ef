"""What the tests need beside Python's packages: found, installed where that is possible, or named.

Each part that stays missing is one reason to skip, with the line that installs it.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from coursekit import browser
from coursekit.findings import CourseError
from coursekit.project import DEFAULT_LANE

MISSING = "COURSE_MISSING"  # environment variable: keys of the parts that a run goes without
APT = "sudo apt-get install -y"


@dataclass(frozen=True)
class Part:
    """``key`` stands in ``pytest.mark.needs(key)``; ``package`` is Debian's ("" for none)."""

    key: str
    name: str
    package: str
    there: Callable[[], bool]

    @property
    def advice(self) -> str:
        """The line that installs the part."""
        if self.package:
            return f"{APT} {self.package}"
        return "python3 book.py grade doctor"

    @property
    def reason(self) -> str:
        """Why a test that needs the part is skipped; the same words for all of them."""
        return f"{self.name} 없이 테스트했습니다. 설치하는 명령: {self.advice}"


def _has_korean_font() -> bool:
    from coursekit.site.printing import chromium

    if browser.find() is None:
        return False  # nothing could show the letters anyway
    try:
        chromium.require_korean()
    except CourseError:
        return False
    return True


def _sandbox_starts() -> bool:
    from coursekit.grading.sandbox import doctor

    return doctor.can_isolate()


def _on_path(*names: str) -> Callable[[], bool]:
    return lambda: any(shutil.which(name) for name in names)


PARTS = {
    part.key: part
    for part in (
        Part("browser", "브라우저", "chromium", lambda: browser.find() is not None),
        Part("font", "한글 글꼴", "fonts-nanum", _has_korean_font),
        Part("compiler", "C++ 컴파일러", "g++", _on_path("g++", "clang++")),
        Part("sandbox", "샌드박스", "", _sandbox_starts),
    )
}


def of_lanes(lanes: Iterable[str]) -> list[Part]:
    """The parts that these lanes use: notebooks may compile C++, the rest is the default lane's."""
    return list(PARTS.values()) if DEFAULT_LANE in lanes else [PARTS["compiler"]]


@functools.cache
def is_missing(key: str) -> bool:
    """Whether tests that need the part are skipped: as the run decided, else by looking."""
    decided = os.environ.get(MISSING)
    return not PARTS[key].there() if decided is None else key in decided.split()


def prepare(lanes: Iterable[str], say: Callable[[str], None]) -> list[Part]:
    """Install what is missing, saying so first; returns what stays missing.

    With ``CI=true`` a missing part is a CourseError: a machine that tests for others is set up
    before, and must not pass by skipping.
    """
    missing = _missing(of_lanes(lanes))
    if missing and os.environ.get("CI") == "true":
        raise CourseError(explain(missing))
    if PARTS["browser"] in missing:
        say("브라우저가 없어 playwright의 Chromium(약 170 MB)을 내려받습니다.")
        if browser.download():
            missing = _missing(missing)
        else:
            say("  내려받지 못했거나, 받은 것이 이 컴퓨터에서 시작되지 않습니다.")
    packages = [part.package for part in missing if part.package]
    if packages and shutil.which("apt-get") and os.geteuid() == 0:
        say(f"apt-get으로 설치합니다: {' '.join(packages)}")
        _apt(packages)
        missing = _missing(missing)
    for part in missing:
        say(f"{part.name}: 없어서, 쓰는 테스트를 건너뜁니다. 설치하는 명령: {part.advice}")
    return missing


def _missing(parts: list[Part]) -> list[Part]:
    return [part for part in parts if not part.there()]


def explain(missing: list[Part]) -> str:
    """Three lines: what happened, what is missing, what to run."""
    packages = " ".join(part.package for part in missing if part.package)
    advice = [f"{APT} {packages}"] if packages else []
    advice += [part.advice for part in missing if not part.package]
    return (
        "CI=true에서는 빠진 것이 있으면 테스트를 시작하지 않습니다.\n"
        f"없는 것: {', '.join(part.name for part in missing)}\n"
        f"설치하는 명령: {' && '.join(advice)}"
    )


def _apt(packages: list[str]) -> None:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
    for command in (["apt-get", "update", "-qq"], install):
        subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, check=False, **quiet)
