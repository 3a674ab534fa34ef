"""A pytest plugin that gives nbval the course's tags. It runs inside a lane's own Python,
so it imports nothing but pytest, nbval and the names in ``coursekit.project``.

``needs-torch`` and the like: skipped by name where the lane lacks the package, and
``needs-compiler`` where the machine has no C++ compiler.
``optional-equinox`` and the like: where the lane lacks the package, the output may be another
one, but the cell must still run to its end, as it does for a reader who runs all cells.
``differs=LANE``: in that lane the output must differ from the stored one, and the cell
must still run to its end. ``check``: the stored verdict of a solution is compared by nbval
as any output; a blank (a notebook that was never executed) must say that it is blank.
"""

from __future__ import annotations

import importlib.util
import os
import shutil

import pytest
from nbval.plugin import IPyNbCell, NbCellError

from coursekit.project import BLANK

LANE = os.environ.get("COURSE_LANE", "default")
NO_COMPILER = "C++ 컴파일러 없이 테스트했습니다. 설치하는 명령: sudo apt-get install -y g++"


def _tags(item: IPyNbCell) -> list[str]:
    return item.cell.metadata.get("tags", [])


def _lacks(tag: str, kind: str) -> bool:
    """Whether ``tag`` is of ``kind`` and names a package that is not installed here."""
    return tag.startswith(kind) and importlib.util.find_spec(tag.removeprefix(kind)) is None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, IPyNbCell):
            for tag in _tags(item):
                if tag == "needs-compiler":
                    if not (shutil.which("g++") or shutil.which("clang++")):
                        item.add_marker(pytest.mark.skip(reason=NO_COMPILER))
                elif _lacks(tag, "needs-"):
                    item.add_marker(pytest.mark.skip(reason=f"{tag}: 이 레인에 없는 패키지"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item):
    if not isinstance(item, IPyNbCell):
        return (yield)
    executed = item.cell.execution_count is not None
    differs = executed and f"differs={LANE}" in _tags(item)
    try:
        result = yield
    except NbCellError as error:
        may_differ = differs or any(_lacks(tag, "optional-") for tag in _tags(item))
        if may_differ and str(error) == "Cell outputs differ":
            return None
        raise
    if differs:
        pytest.fail(f"differs={LANE} 태그가 있지만 출력이 저장된 것과 같습니다. 태그를 지웁니다.")
    if not executed and "check" in _tags(item):
        text = "".join(output.get("text", "") for output in item.test_outputs or ())
        lines = [line for line in text.split("\n") if line.strip()]
        if not lines or not all(BLANK in line for line in lines):
            pytest.fail(f"빈칸의 확인 셀이 '{BLANK}' 말고 다른 것을 출력했습니다. {text!r}")
    return result
