"""What the grader sees of a sandbox from outside, and how long it waits."""

from __future__ import annotations

import mmap
import os
import signal
import time
from dataclasses import replace

import jax
import jax.numpy as jnp
import pytest
from jax import export

from coursekit.grading.child import inside
from coursekit.grading.engine.attempt import HelperRun
from coursekit.grading.probes.questions import Helper
from coursekit.grading.probes.verdict import Raised
from coursekit.grading.sandbox import memory
from coursekit.grading.sandbox.boxes import Limits, Zygote
from coursekit.grading.sandbox.session import Child, Clock, Lost

MEGABYTES = 1 << 20


@pytest.fixture
def family():
    """Fork a process that does ``work`` and then waits; its pid once it waits."""
    pids: list[int] = []

    def start(work) -> int:
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                held = work()  # noqa: F841  (to be alive while the test looks)
                os.write(write, b"x")
                signal.pause()
            finally:
                os._exit(1)
        pids.append(pid)
        os.close(write)
        assert os.read(read, 1) == b"x"
        os.close(read)
        return pid

    yield start
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def private() -> bytearray:
    return bytearray(b"x") * (100 * MEGABYTES)


def shared() -> mmap.mmap:
    block = mmap.mmap(-1, 100 * MEGABYTES)
    block.write(b"x" * len(block))
    return block


def in_a_child(work):
    """``work`` done by a child of the process."""

    def both():
        read, write = os.pipe()
        if os.fork() == 0:
            held = work()  # noqa: F841
            os.write(write, b"x")
            # ends with its parent, which the test kills
            while os.getppid() != 1:
                time.sleep(0.05)
            os._exit(0)
        os.read(read, 1)

    return both


@pytest.mark.parametrize("work", [private, shared])
@pytest.mark.parametrize("whose", [lambda work: work, in_a_child])
def test_memory_of_all_kinds_and_of_children_counts(family, work, whose):
    before = memory.usage([family(lambda: None)]).memory
    after = memory.usage([family(whose(work))]).memory
    assert after - before > 90 * MEGABYTES


def within_seconds(seconds: float, holds) -> bool:
    end = time.monotonic() + seconds
    while not (held := holds()) and time.monotonic() < end:
        time.sleep(0.01)
    return held


def test_the_cpu_time_of_children_counts_and_who_waits_is_not_busy(family):
    def burn():
        end = time.process_time() + 0.3
        while time.process_time() < end:
            pass

    idle = family(lambda: None)
    assert memory.usage([family(in_a_child(burn))]).cpu - memory.usage([idle]).cpu > 0.2
    # it has just written that it is ready, and goes to sleep next
    assert within_seconds(10, lambda: not memory.usage([idle]).busy)
    os.kill(idle, signal.SIGSTOP)
    assert within_seconds(10, lambda: not memory.usage([idle]).busy)
    assert memory.usage([os.getpid()]).busy


@pytest.fixture(scope="module")
def zygote(tmp_path_factory):
    zygote = Zygote(tmp_path_factory.mktemp("cache"))
    yield zygote
    zygote.close()


@pytest.fixture
def without_cgroups(monkeypatch):
    monkeypatch.setattr(memory.Group, "create", classmethod(lambda cls, limit: None))


LIMITS = Limits(memory=400 * MEGABYTES, cell_wall=40.0, cell_idle=1.0, wary_idle=0.5)


def ask(child: Child, source: str) -> dict:
    return child.ask({"op": "cell", "cell": 1, "source": source})[0]


@pytest.mark.parametrize(
    "source",
    [
        "x = bytearray(b'x') * (500 << 20)\nwhile True: pass",
        # each below the limit, together above it
        "import os, time\nfor _ in range(4):\n  if os.fork() == 0: break\n"
        "x = bytearray(b'x') * (90 << 20)\nwhile True: pass",
    ],
)
def test_memory_is_bounded_where_there_is_no_cgroup(zygote, without_cgroups, source):
    child = Child(zygote, LIMITS, Clock(120))
    with pytest.raises(Lost, match="메모리를 400 MB 넘게"):
        ask(child, source)


@pytest.mark.parametrize(
    "source",
    [
        "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)",
        "import time; time.sleep(1000)",
        "import os; os.fork(); r, w = os.pipe(); os.read(r, 1)",
        "import os, time\nif os.fork() == 0:\n  time.sleep(0.1); os.kill(os.getppid(), 19)\n"
        "time.sleep(1000)",
    ],
)
def test_who_does_nothing_is_not_waited_for(zygote, source):
    clock = Clock(120)
    with pytest.raises(Lost, match="아무 계산도 하지 않고 1초를 기다렸습니다") as lost:
        ask(Child(zygote, LIMITS, clock), source)
    assert lost.value.status == "timeout" and 1.0 <= clock.lost < 3.0


def test_after_a_loss_less_is_waited_for_and_in_the_end_nothing():
    limits, clock = Limits(), Clock(120)
    assert clock.cell_limits(limits)[:2] == (limits.cell_cpu, limits.cell_idle)
    clock.lost = 0.1
    assert clock.cell_limits(limits)[:2] == (limits.wary_cpu, limits.wary_idle)
    with clock.allowing(20.0):
        assert clock.cell_limits(limits)[:2] == (20.0, limits.wary_idle)
    clock.check(limits)
    clock.lost = limits.submission_lost
    with pytest.raises(Lost, match="나머지를 실행하지 않았습니다"):
        clock.check(limits)


HELPERS = """
import os, time
def burn(seconds, number):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return number
def leave():
    os._exit(3)
def whoami():
    return os.getpid(), [0]
def large(number):
    import numpy as np
    return np.full(1 << 20, number, np.uint8)
"""


@pytest.fixture
def helpers(zygote):
    limits = replace(LIMITS, cpu_total=2, cell_cpu=2.0)
    run = HelperRun(zygote, HELPERS, limits)
    yield run
    run.close()


def test_helpers_have_their_time_for_each_request_and_not_for_the_run(helpers):
    for number in range(4):
        assert helpers.ask(Helper("burn", (0.8, number)), Clock(9.0)) == number


def test_a_helper_that_is_lost_costs_only_who_asked(helpers):
    with pytest.raises(Raised):
        helpers.ask(Helper("leave", ()), Clock(9.0))
    assert helpers.ask(Helper("burn", (0.0, 1)), Clock(9.0)) == 1


def test_what_helpers_answered_is_not_kept_for_ever(helpers):
    first = helpers.ask(Helper("whoami", ()), Clock(9.0))
    assert helpers.ask(Helper("whoami", ()), Clock(9.0)) is first
    for number in range(40):
        helpers.ask(Helper("large", (number,)), Clock(9.0))
    assert sum(helpers._sizes.values()) <= 16 * MEGABYTES
    assert len(helpers._known) == len(helpers._sizes) < 20


def test_a_program_that_calls_out_is_refused():
    def calls(x):
        shape = jax.ShapeDtypeStruct(x.shape, x.dtype)
        return jax.ffi.ffi_call("some_python_callback", shape)(x)

    pure = export.export(jax.jit(jnp.sin))(jnp.ones(3)).serialize()
    assert inside._pure_program(pure)
    checks = [export.DisabledSafetyCheck.custom_call("some_python_callback")]
    serialized = export.export(jax.jit(calls), disabled_checks=checks)(jnp.ones(3)).serialize()
    with pytest.raises(inside.ProgramCallsOut, match="some_python_callback"):
        inside._pure_program(serialized)
