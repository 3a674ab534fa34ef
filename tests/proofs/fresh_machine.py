"""The two commands of the README on a machine that has Python and nothing else.

A long proof, not part of the ordinary run::

    python3 tests/proofs/fresh_machine.py [--keep FOLDER] [--also PATH …] [-- arguments of test]

The machine is a bubblewrap around a copy of the committed files: PATH holds this Python and
the few programs of a minimal Debian, so there is no git, no browser, no bwrap, no compiler and
no font. Once ``serve`` answers with a page it is stopped, then ``test`` runs to its end. Times
and megabytes go to ``results/``, dated. ``--also`` shows further folders inside, such as one
that holds wheels; pip's cache and configuration are shown anyway.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(__file__).parent / "results"
PROGRAMS = ("sh", "cat", "true", "env", "uname", "ls", "mkdir", "rm", "cp", "mv", "id", "sleep")
HIDDEN = ("/usr/lib/chromium", "/usr/lib/git-core")
PORT_SECONDS = 3600


def copy_of_checkout(folder: Path) -> None:
    """The committed files, as a download of the repository would hold them."""
    packed = subprocess.run(
        ["git", "archive", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE, check=True
    )
    subprocess.run(["tar", "-x", "-C", str(folder)], input=packed.stdout, check=True)


def machine(home: Path, checkout: Path, also: list[str]) -> list[str]:
    """The words for bwrap; everything that is not named here does not exist inside."""
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise SystemExit(
            "이 증명은 bubblewrap(bwrap)으로 빈 컴퓨터를 흉내 냅니다. 먼저 설치합니다."
        )
    python = Path(sys.base_prefix) / "bin" / "python3"
    words = [bwrap, "--die-with-parent", "--clearenv", "--dev", "/dev", "--proc", "/proc"]
    if os.geteuid() == 0:
        words += ["--cap-add", "ALL"]  # root on the fresh machine is root
    words += ["--tmpfs", "/tmp", "--tmpfs", "/dev/shm"]
    for name in ("/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/usr/share/ca-certificates"):
        words += ["--ro-bind-try", name, name]
    for name in HIDDEN:
        if Path(name).exists():
            words += ["--tmpfs", name]
    for name in ("/lib", "/lib64", "/bin"):
        words += ["--symlink", "usr" + name, name]
    for name in PROGRAMS:
        found = shutil.which(name, path="/usr/bin:/bin")
        words += ["--ro-bind", os.path.realpath(str(found)), f"/usr/bin/{name}"]
    for name in ("passwd", "group", "hosts", "resolv.conf", "nsswitch.conf", "ssl", "ld.so.cache"):
        words += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    words += ["--ro-bind-try", "/etc/pip.conf", "/etc/pip.conf", "--ro-bind-try", "/etc/xdg/pip"]
    words += ["/etc/xdg/pip", "--bind", str(home), "/home/reader"]
    words += ["--bind", str(checkout), "/home/reader/course", "--chdir", "/home/reader/course"]
    cache = subprocess.run(
        [sys.executable, "-m", "pip", "cache", "dir"], capture_output=True, text=True
    ).stdout.strip()
    if cache and Path(cache).is_dir():
        words += ["--bind", cache, "/home/reader/.cache/pip"]
    for path in [*also, *([] if sys.base_prefix == "/usr" else [sys.base_prefix])]:
        words += ["--ro-bind", path, path]
    inside = {"HOME": "/home/reader", "LANG": "C.UTF-8", "USER": "reader"}
    inside |= {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    inside["PATH"] = "/usr/bin"
    if sys.base_prefix != "/usr":
        inside["PATH"] += f":{python.parent}"
    else:
        words += ["--ro-bind", os.path.realpath(python), "/usr/bin/python3"]
    for name, value in inside.items():
        words += ["--setenv", name, value]
    return words


def megabytes(folder: Path) -> int:
    """Disk that a folder takes, links not followed."""
    sizes = [path.lstat().st_blocks * 512 for path in folder.rglob("*")]
    return round(sum(sizes) / 1e6)


def served(words: list[str], log: Path) -> float:
    """Seconds from the command until the first page is there."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    began = time.monotonic()
    command = [*words, "python3", "book.py", "serve", "--port", str(port)]
    with log.open("w", encoding="utf-8") as file:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, start_new_session=True
        )
        try:
            while time.monotonic() - began < PORT_SECONDS:
                if process.poll() is not None:
                    raise SystemExit(f"serve가 멈췄습니다. {log}를 봅니다.")
                try:
                    address = f"http://127.0.0.1:{port}/intro.html"
                    with urllib.request.urlopen(address, timeout=5) as page:
                        if "JAX" in page.read().decode("utf-8"):
                            return time.monotonic() - began
                except (urllib.error.URLError, OSError):
                    time.sleep(1)
            raise SystemExit("첫 쪽이 나오지 않았습니다.")
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()


def tested(words: list[str], log: Path, arguments: list[str]) -> dict:
    """Exit code, seconds, summary and size of what ``test`` printed."""
    began = time.monotonic()
    with log.open("w", encoding="utf-8") as file:
        done = subprocess.run(
            [*words, "python3", "book.py", "test", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    lines = log.read_text(encoding="utf-8").splitlines()
    table = next((i for i, line in enumerate(lines) if "테스트 결과" in line), 0)
    return {
        "exit_code": done.returncode,
        "seconds": round(time.monotonic() - began),
        "summary": lines[-1] if lines else "",
        "skipped": [line for line in lines if re.search(r"\d+개 건너뜀", line)],
        "lines_from_the_table_on": len(lines) - table,
    }


def main() -> None:
    """Run both commands and write the result; ends with the exit code of ``test``."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--also", action="append", default=[])
    parser.add_argument("--keep", type=Path, help="폴더를 남겨 로그를 봅니다")
    parser.add_argument("arguments", nargs="*", help="book.py test의 인자(-- 뒤에)")
    options = parser.parse_args()
    base = options.keep or Path(tempfile.mkdtemp())
    home, checkout = base / "home", base / "checkout"
    for folder in (home, checkout):
        folder.mkdir(parents=True)
    copy_of_checkout(checkout)
    words = machine(home, checkout, options.also)
    result = {
        "date": date.today().isoformat(),
        "commit": subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True
        ).stdout.strip(),
        "python": platform.python_version(),
        "cpus": os.cpu_count(),
        "load_at_start": round(os.getloadavg()[0], 1),
        "user": "root" if os.geteuid() == 0 else "ordinary",
    }
    result["first_page"] = {
        "seconds": round(served(words, base / "serve.log")),
        "megabytes": megabytes(checkout / ".venv") + megabytes(checkout / "_build"),
    }
    print(json.dumps(result, ensure_ascii=False), flush=True)
    result["test"] = tested(words, base / "test.log", options.arguments)
    result["test"]["megabytes"] = megabytes(checkout / ".venv") + megabytes(checkout / "_build")
    RESULTS.mkdir(exist_ok=True)
    target = RESULTS / f"fresh-machine-{result['date']}.json"
    target.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(result, ensure_ascii=False, indent=1))
    if not options.keep:
        shutil.rmtree(base)
    sys.exit(result["test"]["exit_code"])


if __name__ == "__main__":
    main()
