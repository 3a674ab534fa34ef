"""What an LMS zip, a folder of downloads or a folder of repositories holds.

Nothing is extracted and nothing in the original is changed: files are listed with the names they
had, and the notebooks among them are read on request, within limits.
"""

from __future__ import annotations

import io
import os
import stat
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from coursekit.findings import CourseError
from coursekit.grading.exchange import lms, names
from coursekit.grading.handed_in import notebook
from coursekit.grading.handed_in.notebook import Unreadable

MAX_MEMBERS = 50_000
MAX_INNER_ZIP = 512 << 20


@dataclass(frozen=True)
class Incoming:
    """``name``: path below the source, NFC.  ``modified``: when it was handed in, None where
    nothing tells it, and then ``untimed`` (Korean) may say why.  ``late``: the LMS's own word.

    ``read`` gives the bytes of a notebook or raises `notebook.Unreadable`; a file that can't be
    taken at all has a ``problem`` (Korean) instead.
    """

    name: str
    modified: datetime | None
    read: Callable[[], bytes]
    problem: str = ""
    late: bool | None = None
    untimed: str = ""

    @property
    def is_notebook(self) -> bool:
        base = self.name.rsplit("/", 1)[-1].casefold()
        # Drive puts its words behind the suffix: "과제.ipynb의 사본"
        return ".ipynb" in base or base.endswith(".py")


def find(source: Path, zone: tzinfo) -> list[Incoming]:
    """All files below ``source`` but litter.  ``zone``: of the times in zips, which name none."""
    if not source.exists():
        raise CourseError("없는 파일입니다. zip이나 폴더의 경로를 확인하세요.", source)
    if source.is_dir():
        found = list(_folder(source, zone))
    elif zipfile.is_zipfile(source):
        found = list(_zip(source, lambda: source.open("rb"), "", zone))
    else:
        raise CourseError("zip도 폴더도 아닙니다. LMS에서 받은 zip을 다시 내려받으세요.", source)
    if not found:
        raise CourseError("안에 파일이 없습니다.", source)
    return sorted(_timed(found, zone), key=lambda item: item.name)


def _timed(found: list[Incoming], zone: tzinfo) -> Iterator[Incoming]:
    """The times that files bear, less those which are not of handing in."""
    papers = [(item.name, item.modified) for item in found if item.is_notebook]
    known = lms.told(papers, zone)
    for item in found:
        if told := known.get(item.name):
            item = replace(item, modified=told.time, late=told.late, untimed=told.why)
        yield item


def _folder(folder: Path, zone: tzinfo) -> Iterator[Incoming]:
    repositories: set[Path] = set()
    for base, folders, files in os.walk(folder):
        here = Path(base)
        if ".git" in folders or ".git" in files or here.parent in repositories:
            repositories.add(here)  # a clone's times are those of the cloning
        folders[:] = sorted(name for name in folders if not notebook.is_litter(name))
        for link in [name for name in folders if (here / name).is_symlink()]:
            folders.remove(link)
            yield _refused(_below(folder, here / link), "폴더를 가리키는 바로 가기입니다.")
        for file in sorted(files):
            if notebook.is_litter(file):
                continue
            path = here / file
            name = _below(folder, path)
            stamp = None if here in repositories else path.lstat().st_mtime
            when = None if stamp is None else datetime.fromtimestamp(stamp, UTC)
            if path.is_symlink():
                yield _refused(name, "바로 가기(심볼릭 링크)입니다. 파일 자체가 필요합니다.")
            elif path.suffix.casefold() == ".zip" and zipfile.is_zipfile(path):
                yield from _zip(path, _opener(path), name + "/", zone, nested=True, time=when)
            else:
                yield Incoming(name, when, lambda path=path: notebook.read_bytes(path))


def _opener(path: Path) -> Callable[[], io.BufferedIOBase]:
    return lambda: path.open("rb")


def _below(folder: Path, path: Path) -> str:
    return "/".join(names.of_path(part) for part in path.relative_to(folder).parts)


def _zip(
    where: Path,
    opened: Callable,
    prefix: str,
    zone: tzinfo,
    *,
    nested: bool = False,
    time: datetime | None = None,
) -> Iterator[Incoming]:
    """``nested``: the zip lies in another or in a folder, and has this ``time`` there.  It is that
    of its members too: whoever packed them can have set theirs at will.
    """
    try:
        with opened() as file, zipfile.ZipFile(file) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, UnicodeDecodeError, OSError, NotImplementedError) as error:
        if not prefix:
            raise CourseError(
                f"zip이 깨져 있습니다. 다시 내려받으세요. ({type(error).__name__})", where
            ) from None
        yield _refused(prefix.rstrip("/"), "zip이 깨져 있습니다.")
        return
    if len(members) > MAX_MEMBERS:
        message = f"zip에 파일이 {len(members)}개 있습니다. {MAX_MEMBERS}개까지 읽습니다."
        raise CourseError(message, where)
    for info in members:
        name = names.of_member(info)
        parts = name.split("/")
        if info.is_dir() or name.endswith("/") or notebook.is_litter(name):
            continue
        shown = prefix + name
        if problem := _unsafe(info, name):
            yield _refused(shown, problem)
            continue
        read = _member_reader(opened, info)
        if parts[-1].casefold().endswith(".zip") and not nested:
            if info.file_size > MAX_INNER_ZIP:
                yield _refused(shown, "안에 든 zip이 너무 큽니다.")
                continue
            yield from _zip(where, lambda read=read: _inner(read), shown + "/", zone,
                            nested=True, time=_when(info, zone))  # fmt: skip
        else:
            yield Incoming(shown, time if nested else _when(info, zone), read)


def _inner(read: Callable[[], bytes]) -> io.BytesIO:
    try:
        return io.BytesIO(read())
    except Unreadable as error:
        raise OSError(str(error)) from None


def _unsafe(info: zipfile.ZipInfo, name: str) -> str:
    """Why a member is not taken; its name would never be used as a path, but it is no accident."""
    parts = name.split("/")
    if name.startswith("/") or ":" in parts[0] and len(parts[0]) == 2:
        return "절대 경로입니다. 압축을 만든 쪽을 확인하세요."
    if ".." in parts:
        return "폴더 밖을 가리키는 경로(..)입니다. 압축을 만든 쪽을 확인하세요."
    if stat.S_ISLNK(info.external_attr >> 16):
        return "바로 가기(심볼릭 링크)입니다. 파일 자체가 필요합니다."
    if info.flag_bits & 1:
        return "암호가 걸려 있습니다. 암호 없이 다시 받으세요."
    return ""


def _member_reader(opened: Callable, info: zipfile.ZipInfo) -> Callable[[], bytes]:
    def read() -> bytes:
        # sizes that the zip states are not trusted: a bomb ends at the limit
        try:
            with opened() as file, zipfile.ZipFile(file) as archive, archive.open(info) as member:
                data = member.read(notebook.MAX_FILE + 1)
        except Exception as error:  # zlib, lzma and bz2 each raise their own
            raise Unreadable(f"압축을 풀지 못했습니다. ({type(error).__name__})") from None
        if len(data) > notebook.MAX_FILE:
            raise Unreadable(f"풀면 {notebook.MAX_FILE >> 20} MB가 넘습니다.")
        return data

    return read


def _when(info: zipfile.ZipInfo, zone: tzinfo) -> datetime | None:
    seconds, local = names.modified(info)
    try:
        if seconds is not None:
            return datetime.fromtimestamp(seconds, UTC)
        # 1980-01-01 is what tools write that don't know
        return None if local[0] <= 1980 else datetime(*local, tzinfo=zone)
    except (ValueError, OverflowError, OSError):
        return None


def _refused(name: str, why: str) -> Incoming:
    def read() -> bytes:
        raise Unreadable(why)

    return Incoming(name, None, read, why)
