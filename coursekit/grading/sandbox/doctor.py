"""Can this machine grade safely?  Tries a real sandbox and says in Korean what to do if not."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from coursekit.grading.sandbox import memory
from coursekit.grading.sandbox.boxes import Limits, SandboxError, Zygote
from coursekit.grading.sandbox.bwrap import BWRAP_INSTALL, bwrap_command, find_bwrap
from coursekit.grading.sandbox.session import Child, Clock, Lost
from coursekit.project import ROOT

# what bwrap says → what to do
_FIXES = {
    "setting up uid map": (
        "AppArmor가 user 이름 공간을 막습니다(Ubuntu 23.10 이상과 GitHub Actions의 기본값). "
        "/etc/apparmor.d/bwrap에 다음을 쓰고 `sudo apparmor_parser -r /etc/apparmor.d/bwrap`:\n"
        "abi <abi/4.0>,\ninclude <tunables/global>\n"
        "profile bwrap {path} flags=(unconfined) {{\n  userns,\n}}"
    ),
    "No permissions to creat": (
        "커널이 user 이름 공간을 막습니다. `sudo sysctl kernel.unprivileged_userns_clone=1`로 엽니다. "
        "컨테이너 안이라면 `--security-opt seccomp=unconfined --security-opt apparmor=unconfined`로 "
        "띄우거나, 컨테이너 밖에서 채점하세요."
    ),
    "Creating new namespace failed": (
        "이름 공간을 만들 수 없습니다. 컨테이너라면 `--security-opt seccomp=unconfined`나 "
        "`--privileged`가 필요하고, 이름 공간 수가 0이면 "
        "`sudo sysctl user.max_user_namespaces=10000`으로 늘립니다."
    ),
    "Can't mount proc": (
        "/proc을 새로 붙일 수 없습니다. 컨테이너가 /proc 일부를 가렸기 때문입니다. "
        "`--security-opt systempaths=unconfined`로 띄우세요."
    ),
}


@dataclass(frozen=True)
class Finding:
    """``level``: ``ok``, ``warning`` (grading works) or ``error`` (it does not)."""

    level: str
    text: str
    fix: str = ""


_ATTACK = """
import os, socket
seen = {}
for name in SECRETS:
    try:
        seen[name] = bool(os.listdir(name))
    except OSError:
        seen[name] = False
try:
    socket.create_connection(("127.0.0.1", PORT), 1).close()
    seen["network"] = True
except OSError:
    seen["network"] = False
try:
    open("/usr/coursekit-doctor", "w").close()
    seen["write"] = True
except OSError:
    seen["write"] = False
def report():
    return seen
"""


def examine() -> list[Finding]:
    """All findings, in the order in which they depend on each other."""
    if sys.platform != "linux":
        return [Finding("error", f"채점은 Linux에서만 됩니다. 지금은 {sys.platform}입니다.",
                        "Windows는 WSL2, macOS는 Linux 가상 머신에서 채점하세요.")]  # fmt: skip
    findings = []
    for module, package in (("jax", "jax"), ("flatbuffers", "flatbuffers")):
        if importlib.util.find_spec(module) is None:
            findings.append(
                Finding("error", f"{package} 패키지가 없습니다.", f"pip install {package}")
            )
    bwrap = find_bwrap()
    if bwrap is None:
        fix = BWRAP_INSTALL
        return [*findings, Finding("error", "bubblewrap(bwrap)을 찾지 못했습니다.", fix)]
    findings.append(Finding("ok", f"bubblewrap: {bwrap}"))
    if any(f.level == "error" for f in findings):
        return findings
    findings.append(_try_bwrap(bwrap))
    if findings[-1].level == "ok":
        findings.append(_try_sandbox())
    group = memory.Group.create(1 << 30)
    if group:
        group.remove()
        findings.append(Finding("ok", "cgroup으로 메모리를 묶습니다."))
    else:
        findings.append(Finding(
            "warning", "cgroup을 만들 권한이 없어 메모리를 0.2초마다 재어 막습니다.",
            "정확히 묶으려면 `systemd-run --user --scope -p Delegate=yes`로 실행하세요.",
        ))  # fmt: skip
    return findings


def can_isolate() -> bool:
    """Whether bwrap is there and this kernel lets it make a sandbox."""
    bwrap = find_bwrap()
    return sys.platform == "linux" and bwrap is not None and _try_bwrap(bwrap).level == "ok"


def fix_for(message: str, bwrap: str = "/usr/bin/bwrap") -> str:
    """Advice for what bwrap printed; a general one if the message is new."""
    for phrase, fix in _FIXES.items():
        if phrase in message:
            return fix.format(path=bwrap)
    return "bwrap이 왜 멈췄는지 위의 메시지로 찾아보세요."


def _try_bwrap(bwrap: str) -> Finding:
    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "wb") as nowhere:
        os.chmod(folder, 0o755)
        command = bwrap_command(
            bwrap, nowhere.fileno(), scratch_bytes=Limits().scratch_bytes, cache=Path(folder)
        )
        command[-1] = "/bin/true"
        try:
            done = subprocess.run(
                command, pass_fds=(nowhere.fileno(),), capture_output=True, text=True, timeout=30
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return Finding("error", f"bwrap을 실행하지 못했습니다. ({error})")
    if done.returncode:
        message = done.stderr.strip()[:300]
        return Finding("error", f"샌드박스를 만들지 못했습니다: {message}", fix_for(message, bwrap))
    who = "root" if os.geteuid() == 0 else "보통 사용자"
    return Finding("ok", f"이름 공간을 만들었습니다({who}).")


def _try_sandbox() -> Finding:
    """Start the real thing and let it try to look out."""
    secrets = [str(ROOT / "grading"), str(ROOT / "solutions"), str(ROOT / "source")]
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as door:
        os.chmod(folder, 0o755)
        head = f"SECRETS = {secrets!r}\nPORT = {door.getsockname()[1]}\n"
        try:
            zygote = Zygote(Path(folder))
        except SandboxError as error:
            return Finding("error", str(error))
        child = None
        try:
            child = Child(zygote, Limits(), Clock(120))
            child.ask({"op": "cell", "cell": 0, "source": head + _ATTACK})
            nothing = {"k": "tuple", "v": []}
            ask = {"op": "call", "name": "report", "wrap": "", "arguments": nothing}
            reply, _ = child.ask(ask)
            seen = {name: node.get("v") for name, node in reply["value"]["v"]}
        except (SandboxError, Lost, KeyError, TypeError) as error:
            return Finding("error", f"샌드박스 안에서 jax를 돌리지 못했습니다: {error}")
        finally:
            if child:
                child.close()
            zygote.close()
    if leaks := [name for name, visible in seen.items() if visible]:
        return Finding("error", f"샌드박스 밖이 보입니다: {', '.join(leaks)}")
    return Finding("ok", "샌드박스 안에서 검사, 풀이, 네트워크가 보이지 않습니다.")
