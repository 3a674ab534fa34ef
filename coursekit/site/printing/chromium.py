"""An installed Chrome, Chromium or Edge that prints a page and exits."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from urllib.parse import quote

from coursekit.browser import browser_path
from coursekit.findings import CourseError

SECONDS = 900  # a whole book on a busy machine
_FLAGS = (
    "--headless",
    "--no-sandbox",  # it opens nothing but our own pages; root could not start it otherwise
    "--disable-gpu",
    "--disable-dev-shm-usage",  # containers have little of it
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
)
# without a Korean font every syllable is drawn as the same box
_PROBE = """<title>?</title><script>
const draw = (text) => {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = "32px sans-serif";
  pen.fillText(text, 5, 40);
  return pen.canvas.toDataURL();
};
document.title = draw("가") === draw("힣") ? "boxes" : "letters";
</script>"""


def require_korean() -> None:
    """Raise CourseError where the browser has no font for Hangul."""
    page = _run(["--dump-dom", f"data:text/html;charset=utf-8,{quote(_PROBE)}"], 120)
    if "<title>boxes</title>" in page:
        raise CourseError(
            "한국어 글꼴을 찾지 못해 PDF의 글자가 네모로 나옵니다. "
            "Debian과 Ubuntu에서는 `sudo apt-get install fonts-nanum`으로 설치합니다."
        )
    if "<title>letters</title>" not in page:
        raise CourseError(f"브라우저가 쪽을 열지 못했습니다.\n{_tail(page)}")


def print_page(page: Path, target: Path) -> None:
    """Print the HTML file ``page`` to ``target``, with outline and tags; CourseError if it fails."""
    told = _run(
        [
            f"--print-to-pdf={target}",
            "--no-pdf-header-footer",
            "--generate-pdf-document-outline",
            page.as_uri(),
        ],
        SECONDS,
        target.parent,
    )
    if not target.is_file():
        raise CourseError(f"브라우저가 PDF를 만들지 못했습니다.\n{_tail(told)}")


def _run(arguments: list[str], seconds: int, folder: Path | None = None) -> str:
    """What a fresh browser with a profile of its own says, from start to exit."""
    with tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as profile:
        command = [browser_path(), *_FLAGS, f"--user-data-dir={profile}", *arguments]
        try:
            done = subprocess.run(
                command,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                errors="replace",
                timeout=seconds,
            )
        except subprocess.TimeoutExpired as error:
            raise CourseError(
                f"브라우저가 {seconds}초 안에 끝나지 않았습니다. 메모리가 모자라지 않는지 보고 "
                "다시 실행합니다."
            ) from error
    return done.stdout


def _tail(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines()[-8:])
