#!/usr/bin/env python3
"""강의의 모든 명령은 여기서 시작합니다: python3 book.py serve, python3 book.py test …

Standard library only, so that it runs on a machine with nothing but Python. It makes
``.venv``, installs what the verb needs, and hands over to ``coursekit``. Tested on Linux;
written for Windows and macOS too, not tested there. The syntax stays readable for older
Pythons, which must get as far as the message that names the Pythons we support.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from glob import glob

ROOT = os.path.dirname(os.path.abspath(__file__))
SUPPORTED = ((3, 11), (3, 12), (3, 13))
# the environments of a lane, .venv-NAME from requirements/NAME.txt, and their Python. Colab's
# torch cells run on 3.11, where the default lane's CPU wheel of torch serves both
LANE_PYTHON = {
    "colab": {"colab": (3, 13), "colab-torch": (3, 11)},
    "current": {"current": (3, 13)},
}
TORCH_CPU_INDEX = "https://download.pytorch.org/whl/cpu"
HELP = {
    "serve": (
        "[--port 8000]",
        "책을 빌드해 127.0.0.1에서 보여 주고, 원고가 바뀌면 다시 빌드합니다.",
    ),
    "site": (
        "[--pdf]",
        "노트북을 실행하지 않고 책만 빌드합니다. --pdf는 책 전체를 PDF로도 만듭니다.",
    ),
    "build": (
        "[장 번호 …] [--force] [--no-book]",
        "바뀐 노트북을 실행하고 책을 빌드합니다. --force는 바뀌지 않은 것도 하나씩 실행합니다.",
    ),
    "check": ("", "실행하지 않고 확인합니다: 원고와 노트북의 일치, 함정 단위, 문체, 링크."),
    "audit": (
        "[장 번호 …]",
        "단언하는 셀을 조금씩 망가뜨려, 확인이 그것을 알아차리는지 봅니다. 멈추면 이어서 합니다.",
    ),
    "draw": ("[--force]", "source/diagrams의 SVG에서 PNG를 그립니다."),
    "test": (
        "[--lane default|colab|current …] [--record] [--no-torch]",
        "테스트합니다. 기본 레인은 도구와 책의 테스트도 실행합니다.",
    ),
    "lab": (
        "[장 번호] [--exercise] [--no-browser …]",
        "장이나 연습의 사본을 my-notebooks에 두고 JupyterLab에서 엽니다. 있던 사본은 그대로 엽니다.",
    ),
    "grade": (
        "release|collect|run|review|report|audit|doctor …",
        "과제를 나누어 주고, 걷고, 채점하고, 성적을 냅니다. 자세한 설명: grade run --help",
    ),
}
# what each verb installs; every other verb needs all of requirements.txt
SITE_VERBS = ("serve", "site", "check")
TORCH_VERBS = ("build", "test", "audit", "lab")
SIZES = {
    "site": "약 50 MB",
    "full": "약 350 MB",
    "torch": "약 190 MB",
    "lane": "약 210 MB",
    "lab": "약 30 MB",
}
IN_TERMINAL = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


class Stop(Exception):
    """A message for the person; nothing more can be done."""


def say(message):
    print(message, flush=True)


def requirement_files(path):
    """``path`` and all files it refers to with -r or -c."""
    found = [path]
    with open(path, encoding="utf-8") as file:
        for line in file:
            match = re.match(r"-[rc]\s+(\S+)", line)
            if match:
                found += requirement_files(os.path.join(os.path.dirname(path), match.group(1)))
    return found


def digest(path):
    """Digest of a requirement file and of everything it refers to."""
    result = hashlib.sha256()
    for name in requirement_files(path):
        with open(name, "rb") as file:
            result.update(file.read())
    return result.hexdigest()


def find_python(versions):
    """Path of an installed Python of one of ``versions``, or None."""
    if sys.version_info[:2] in versions:
        return sys.executable
    for major, minor in versions:
        name = "python%d.%d" % (major, minor)
        candidates = [shutil.which(name)]
        candidates += sorted(
            glob(os.path.expanduser("~/.pyenv/versions/%d.%d.*/bin/python" % (major, minor)))
        )
        candidates += glob("/opt/homebrew/bin/" + name)
        candidates += glob(
            os.path.expandvars(
                r"%%LOCALAPPDATA%%\Programs\Python\Python%d%d\python.exe" % (major, minor)
            )
        )
        for candidate in candidates:
            # a pyenv shim exists for versions that are not active, and then fails
            if candidate and _version(candidate) == (major, minor):
                return candidate
    return None


def _version(python):
    try:
        out = subprocess.run(
            [python, "-c", "import sys; print(*sys.version_info[:2])"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=30,
        ).stdout
        return tuple(int(number) for number in out.split())
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


class Environment:
    """A virtual environment under the root and the record of what it holds."""

    def __init__(self, name):
        self.folder = os.path.join(ROOT, name)
        sub = "Scripts" if os.name == "nt" else "bin"
        self.python = os.path.join(self.folder, sub, "python.exe" if os.name == "nt" else "python")
        self.record_path = os.path.join(self.folder, "installed.json")

    def record(self):
        try:
            with open(self.record_path, encoding="utf-8") as file:
                return json.load(file)
        except (OSError, ValueError):
            return {}

    def write(self, **entries):
        record = dict(self.record(), **entries)
        temporary = self.record_path + ".new"
        with open(temporary, "w", encoding="utf-8") as file:
            json.dump(record, file)
        os.replace(temporary, self.record_path)

    def make(self, versions):
        """Create the environment unless a working one is there."""
        if os.path.exists(self.python) and (self.record() or _version(self.python) in versions):
            return
        if os.path.exists(self.folder):
            say("가상 환경 %s: 온전하지 않아 다시 만듭니다." % os.path.basename(self.folder))
            shutil.rmtree(self.folder)
        python = find_python(versions)
        if python is None:
            raise Stop(
                "%s 환경을 만들 Python을 찾지 못했습니다. 필요한 버전은 %s입니다.\n"
                "python.org의 설치 파일이나 pyenv로 설치한 뒤 다시 실행합니다."
                % (os.path.basename(self.folder), _names(versions))
            )
        say("가상 환경 %s: 새로 만듭니다 (%s)." % (os.path.basename(self.folder), python))
        done = subprocess.run(
            [python, "-m", "venv", self.folder],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode:
            shutil.rmtree(self.folder, ignore_errors=True)
            if "ensurepip" in done.stdout or "No module named venv" in done.stdout:
                raise Stop(
                    "Python에 venv 모듈이 없어서 가상 환경을 만들지 못했습니다.\n"
                    "Debian과 Ubuntu에서는 `sudo apt-get install python3-venv`로 설치한 뒤 "
                    "다시 실행합니다."
                )
            raise Stop(explain(done.stdout))

    def install(self, title, path, without=()):
        """Install a requirement file, showing what pip is doing; Stop explains a failure."""
        say("%s 설치합니다. 다음부터는 건너뜁니다." % title)
        temporary = None
        if without:
            # pip has no "all but": hand it the same lines without the package
            temporary = os.path.join(self.folder, "requirements.txt")
            with open(temporary, "w", encoding="utf-8") as file:
                file.write("\n".join(flatten(path, without)))
        command = [self.python, "-m", "pip", "install", "-r", temporary or path]
        command += ["--disable-pip-version-check", "--no-input", "--progress-bar", "off"]
        try:
            lines = _follow(command)
        finally:
            if temporary:
                os.remove(temporary)
        if lines is not None:
            raise Stop(explain("\n".join(lines)))


def flatten(path, without):
    """The lines of a requirement file and those it refers to, less some packages."""
    lines = []
    folder = os.path.dirname(path)
    with open(path, encoding="utf-8") as file:
        for line in file.read().splitlines():
            refers = re.match(r"-r\s+(\S+)", line)
            if refers:
                lines += flatten(os.path.join(folder, refers.group(1)), without)
            elif line.startswith("-c"):
                lines.append("-c " + os.path.abspath(os.path.join(folder, line[2:].strip())))
            elif re.split(r"[=<>;\[ ]", line)[0] not in without:
                lines.append(line)
    return lines


def _follow(command):
    """Run pip, show its steps on one line (or many, off a terminal); its output on failure."""
    environment = dict(os.environ, PYTHONUTF8="1", PYTHONUNBUFFERED="1")
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        encoding="utf-8",
        errors="replace",
    )
    lines = []
    try:
        for line in process.stdout:
            line = line.strip()
            lines.append(line)
            step = _step(line)
            if step and IN_TERMINAL:
                width = shutil.get_terminal_size().columns - 1
                print("\r\033[K" + step[: width // 2], end="", flush=True)
            elif step:
                say("  " + step)
    except BaseException:
        process.terminate()
        process.wait()
        raise
    if IN_TERMINAL:
        print("\r\033[K", end="", flush=True)
    return lines if process.wait() else None


def _step(line):
    if line.startswith("Downloading "):
        name = re.sub(r"^Downloading (?:.*/)?([^/ ]+)(.*)$", r"\1\2", line)
        return "내려받습니다: " + name
    if line.startswith("Installing collected packages"):
        return "패키지 %d개를 설치합니다" % (line.count(",") + 1)
    return None


def explain(output):
    """What a person can do about a failed command, then the last lines of its output."""
    tail = "\n".join("  " + line for line in output.splitlines()[-12:])
    causes = (
        (
            r"No space left on device|Errno 28",
            "디스크가 가득 찼습니다. 공간을 비운 뒤 다시 실행하면 이어서 설치합니다.",
        ),
        (
            r"name resolution|getaddrinfo|Network is unreachable|NewConnectionError"
            r"|ConnectTimeout|Read timed out|ProxyError|Max retries",
            "네트워크에 연결하지 못했습니다. 연결과 프록시(HTTPS_PROXY)를 확인한 뒤 다시 실행하면 "
            "이어서 설치합니다.",
        ),
        (
            r"CERTIFICATE_VERIFY_FAILED",
            "인증서를 확인하지 못했습니다. 회사 인증서를 쓴다면 PIP_CERT에 그 파일의 경로를 줍니다.",
        ),
        (
            r"Permission denied|Errno 13",
            "폴더에 쓸 권한이 없습니다. 권한이 있는 곳으로 저장소를 옮긴 뒤 다시 실행합니다.",
        ),
        (
            r"No matching distribution|Could not find a version|ResolutionImpossible",
            "이 컴퓨터에 맞는 패키지를 찾지 못했습니다. 64비트 Python %s인지 확인합니다."
            % _names(SUPPORTED),
        ),
    )
    for pattern, advice in causes:
        if re.search(pattern, output):
            return advice + "\n" + tail
    return "설치하지 못했습니다. 다시 실행하면 이어서 설치합니다.\n" + tail


def _names(versions):
    return ", ".join("%d.%d" % version for version in versions)


def prepare(verb, lanes, flag):
    """Bring ``.venv`` and the lanes' environments up to what ``verb`` needs."""
    main = Environment(".venv")
    main.make(SUPPORTED)
    record = main.record()
    site = os.path.join(ROOT, "requirements", "site.txt")
    full = os.path.join(ROOT, "requirements.txt")
    only_lanes = bool(lanes) and "default" not in lanes
    if verb in SITE_VERBS or only_lanes:
        if digest(site) not in (record.get("site"), None) and record.get("full") != digest(full):
            say("책을 빌드하는 패키지 %s를 내려받습니다." % SIZES["site"])
            main.install("책을 빌드하는 패키지를", site)
            main.write(site=digest(site))
    else:
        prepare_full(main, full, wants_torch(verb, flag, record))
    for lane in lanes:
        for name, python in LANE_PYTHON.get(lane, {}).items():
            prepare_lane(name, python, flag)
    if verb == "lab":
        prepare_lab(main)
    return main


def wants_torch(verb, flag, record):
    """True, False, or None where nobody decided yet."""
    if flag is not None:
        return flag
    if verb not in TORCH_VERBS:
        return bool(record.get("torch"))
    return record.get("torch")


def prepare_full(main, path, torch):
    record = main.record()
    if record.get("full") == digest(path) and torch is not None and torch == record.get("torch"):
        return
    say("노트북을 실행하는 패키지 %s를 내려받습니다(torch 제외)." % SIZES["full"])
    if torch is None:
        torch = ask_about_torch(main)
    main.install("노트북을 실행하는 패키지를", path, without=() if torch else ("torch",))
    main.write(full=digest(path), torch=torch)


def prepare_lab(main):
    """JupyterLab goes into the same environment, but only for those who ask for it."""
    path = os.path.join(ROOT, "requirements", "lab.txt")
    if main.record().get("lab") != digest(path):
        say("JupyterLab %s를 내려받습니다." % SIZES["lab"])
        main.install("JupyterLab을", path)
        main.write(lab=digest(path))


def prepare_lane(name, python, torch):
    """Bring ``.venv-NAME`` up to date; ``torch`` is the person's word, or None."""
    environment = Environment(".venv-" + name)
    path = os.path.join(ROOT, "requirements", name + ".txt")
    environment.make((python,))
    record = environment.record()
    torch = record.get("torch") if torch is None else torch
    has_torch = any(line.startswith("torch==") for line in flatten(path, ()))
    if record.get("lane") == digest(path) and (not has_torch or torch == record.get("torch")):
        return
    say("%s 환경의 패키지 %s를 내려받습니다(torch 제외)." % (name, SIZES["lane"]))
    if has_torch and torch is None:
        torch = ask_about_torch(environment)
    left_out = () if torch or not has_torch else ("torch",)
    environment.install("%s 환경의 패키지를" % name, path, without=left_out)
    environment.write(lane=digest(path), torch=has_torch and torch)


def ask_about_torch(main):
    """On Linux plain torch is a CUDA build of several GB: let the person choose.

    Off a terminal it goes on with what pip is configured to find.
    """
    if not sys.platform.startswith("linux") or not IN_TERMINAL:
        return True
    if any(
        "whl/cpu" in os.environ.get(name, "") for name in ("PIP_EXTRA_INDEX_URL", "PIP_INDEX_URL")
    ):
        return True
    if _finds_cpu_wheel(main):
        return True
    say("")
    say("Linux의 torch는 CUDA가 든 빌드라서 수 GB를 내려받습니다.")
    say("  1) 그대로 내려받습니다")
    say("  2) torch를 설치하지 않습니다(--no-torch). torch를 쓰는 셀은 건너뜁니다")
    say("  3) PyTorch의 CPU 색인에서 CPU 빌드(%s)를 내려받습니다" % SIZES["torch"])
    while True:
        answer = input("번호를 고릅니다 [3]: ").strip() or "3"
        if answer in ("1", "2"):
            return answer == "1"
        if answer == "3":
            configured = os.environ.get("PIP_EXTRA_INDEX_URL", "")
            os.environ["PIP_EXTRA_INDEX_URL"] = (configured + " " + TORCH_CPU_INDEX).strip()
            return True


def _finds_cpu_wheel(main):
    """True if pip, as configured here, would take a CPU build (a wheel on disk, a mirror)."""
    with open(os.path.join(ROOT, "requirements", "course.txt"), encoding="utf-8") as file:
        pin = re.search(r"^torch==\S+", file.read(), re.M).group(0)
    command = [main.python, "-m", "pip", "install", "--dry-run", "--no-deps", "--ignore-installed"]
    done = subprocess.run(
        command + ["--quiet", "--report", "-", pin],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    return "+cpu" in done.stdout


def split_arguments(arguments):
    """(arguments for coursekit, lanes, torch flag): the flags that concern installing."""
    rest = [a for a in arguments if a not in ("--no-torch", "--torch")]
    flag = None
    if "--no-torch" in arguments:
        flag = False
    elif "--torch" in arguments:
        flag = True
    lanes = re.findall(r"--lane[= ](\w+)", " ".join(rest)) if rest[:1] == ["test"] else []
    return rest, lanes, flag


START = """
import sys
sys.path.insert(0, %r)
try:
    from coursekit.__main__ import main
except KeyboardInterrupt:
    sys.exit("\\n멈췄습니다.")
main()
"""


def show_help(verb):
    """Usage of one verb, or of all; needs nothing installed."""
    for name in (verb,) if verb in HELP else HELP:
        options, what = HELP[name]
        say("python3 book.py %s %s" % (name, options))
        say("    " + what)


def hand_over(main, arguments):
    """Become coursekit, with the caller's folder as working folder."""
    command = [main.python, "-c", START % ROOT] + arguments
    os.environ["PYTHONUTF8"] = "1"
    if os.name == "nt":
        sys.exit(subprocess.call(command))
    sys.stdout.flush()
    os.execv(main.python, command)


def main(arguments):
    if sys.version_info[:2] not in SUPPORTED:
        python = find_python(SUPPORTED)
        if python is None:
            raise Stop(
                "Python %s에서 돌아갑니다. 지금은 %d.%d입니다. "
                "python.org의 설치 파일이나 pyenv로 설치한 뒤 다시 실행합니다."
                % ((_names(SUPPORTED),) + sys.version_info[:2])
            )
        sys.exit(subprocess.call([python, os.path.abspath(__file__)] + arguments))
    rest, lanes, flag = split_arguments(arguments)
    verb = rest[0] if rest else ""
    # the verbs of grade explain themselves; their help needs what grading needs
    if verb in ("", "-h", "--help") or (verb != "grade" and set(rest) & {"-h", "--help"}):
        return show_help(verb)
    if verb not in HELP:
        raise Stop("'%s' 명령은 없습니다. %s 가운데 하나를 씁니다." % (verb, ", ".join(HELP)))
    hand_over(prepare(verb, lanes, flag), rest)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Stop as stop:
        sys.exit(str(stop))
    except KeyboardInterrupt:
        sys.exit("\n멈췄습니다. 다시 실행하면 이어서 합니다.")
