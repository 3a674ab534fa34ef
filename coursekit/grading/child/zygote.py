"""A process that imported jax once and forks a child for every sandbox.

It runs outside the sandboxes, never runs student code, never touches a device (forking a
started XLA backend would copy locked threads) and holds nothing worth reading: no probe, no
submission, an environment made by `bwrap.environment`.  Each child enters the
namespaces that bwrap built for it and reads its first request only then.

Requests on the control socket: one JSON datagram with three descriptors, a pidfd of the
sandbox's first process, the child's end of the channel, and a pipe for its fate.  The pipe gets
``pid N`` (as seen from outside), then ``exit N`` or ``signal N``.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import socket
import sys
import time
import warnings

# the last ones jax imports when it first lowers or compiles, which would be once in every child
_NEEDED_LATER = (
    "coursekit.grading.child.inside", "coursekit.grading.child.confine", "scipy.linalg",
    "jaxlib.mlir.dialects.builtin", "jaxlib.mlir.dialects.mhlo", "jaxlib.mlir.extras.meta",
)  # fmt: skip


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    settings = json.loads(control.recv(1 << 16))
    warnings.simplefilter("ignore")
    _import_jax(settings)
    if (threads := len(os.listdir("/proc/self/task"))) != 1:
        # a forked copy of a lock held by another thread would never be released
        raise SystemExit(f"zygote has {threads} threads and cannot fork safely")
    gc.collect()
    gc.freeze()  # children share these pages as long as no collection writes to them
    gc.set_threshold(50_000, 20, 50)
    with contextlib.suppress(ConnectionError):  # the grader is gone, and so is the work
        control.send(b"ready")
        _serve(control)


def _serve(control: socket.socket) -> None:
    while True:
        data, descriptors, _, _ = socket.recv_fds(control, 1 << 16, 3)
        _reap(0.0)
        if not data:
            _reap(2.0)
            return
        if os.fork() == 0:
            with contextlib.suppress(BaseException):
                _become_child(control, json.loads(data), descriptors)
            os._exit(70)
        for descriptor in descriptors:
            os.close(descriptor)


def _reap(seconds: float) -> None:
    """Wait for children that have ended, so that their CPU time is counted as the grader's."""
    end = time.monotonic() + seconds
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, _ = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                if time.monotonic() >= end:
                    return
                time.sleep(0.01)


def _import_jax(settings: dict) -> None:
    import importlib

    import jax

    from coursekit.grading.child import kept

    # replaces nothing but the output: a callback in an exported program can't leave the process
    jax.debug.print = jax.debug.callback = lambda *values, **options: None
    # where an operation stands in the source is of no use here and costs a fifth of the lowering
    jax.config.update("jax_include_full_tracebacks_in_locations", False)
    jax.config.update("jax_traceback_in_locations_limit", 0)
    jax.config.update("jax_num_cpu_devices", settings["devices"])
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    # otherwise the cache's folder is part of a program's key (jax 0.10.2)
    jax.config.update("jax_persistent_cache_enable_xla_caches", "none")
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    for name in (*_NEEDED_LATER, *settings["preload"]):
        importlib.import_module(name)
    _share_context()
    kept.remember()
    # the checkout is not in the sandbox; without this every import would look for it there
    sys.path[:] = [entry for entry in sys.path if entry != settings["root"]]


def _share_context() -> None:
    """One MLIR context for all that a child lowers: jax makes one each time, in 5 ms or more."""
    import functools

    from jax._src.interpreters import mlir

    mlir.make_ir_context = functools.cache(mlir.make_ir_context)


def _become_child(control: socket.socket, request: dict, descriptors: list[int]) -> None:
    from coursekit.grading.child import confine, inside

    pidfd, channel, fate = descriptors
    control.close()
    os.setsid()
    sandboxed = request["sandboxed"]
    if sandboxed:
        confine.enter(pidfd, as_root=request["uid"] is not None)
    pid = os.fork()
    if pid:
        os.close(channel)
        _report_fate(fate, pid)
    _keep_only(channel)
    null = os.open("/dev/null", os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.close(null)
    if sandboxed:
        limits = request["limits"]
        confine.limit_files(request["scratch"], limits["scratch_bytes"], limits["scratch_files"])
        confine.lock(limits, uid=request["uid"])
    else:
        confine.set_limits(request["limits"])
    for name in [name for name in sys.modules if name.partition(".")[0] == "coursekit"]:
        del sys.modules[name]  # no import of a cell finds this program
    os.chdir(request["home"])
    inside.main(socket.socket(fileno=channel), request["cache"])
    os._exit(0)


def _report_fate(fate: int, pid: int) -> None:
    """The process between zygote and child: outside the child's pid namespace, it only waits."""
    os.write(fate, b"pid %d\n" % pid)
    _, status = os.waitpid(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    os.write(fate, b"signal %d\n" % -code if code < 0 else b"exit %d\n" % code)
    os._exit(0)


def _keep_only(wanted: int) -> None:
    for name in os.listdir("/proc/self/fd"):
        if int(name) != wanted:
            with contextlib.suppress(OSError):
                os.close(int(name))
