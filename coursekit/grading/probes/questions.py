"""What an exercise set asks: questions, points and probes, as ``grading/NN-slug/probes.py`` says.

A probe is a generator.  It draws inputs, yields a request about the student's function, gets
the answer back and raises `verdict.Wrong` if it is not right.  It runs in the grader, so it may
know the right answer; only the inputs of its requests go to the student's process::

    exercise = Exercise("07-from-pytorch", "PyTorch에서 JAX로")
    mean = exercise.function("문제 1", "running_mean", "상태를 밖에 둔 평균")

    @mean.probe(2, "한 배치의 평균", show=True)
    def one_batch(draw):
        x = draw.normal(16)
        answer = yield call((0, 0.0), x)
        state, result = unpack(answer, 2, "돌려준 값")
        close(result, x.mean(), "평균")
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from coursekit.findings import CourseError
from coursekit.grading.probes import source_digest
from coursekit.grading.wire.trees import Key


class ExerciseError(CourseError):
    """The probes of an exercise set are wrong or missing: the author's business (Korean)."""


@dataclass(frozen=True)
class Call:
    """The value of ``function(*arguments)``, run eagerly in the student's process."""

    arguments: tuple
    wrap: str = ""
    key_check: bool = False


@dataclass(frozen=True)
class Program:
    """The function as one exported program, run on each of ``calls`` away from student code.

    Arrays and keys of the first call become inputs of the program, everything else a constant;
    the other calls must have the same shapes.
    """

    calls: tuple[tuple, ...]
    wrap: str = ""
    run: bool = True


@dataclass(frozen=True)
class Compile:
    """The function as one exported program, compiled away from student code and not run."""

    arguments: tuple
    wrap: str = ""


@dataclass(frozen=True)
class Processes:
    """``function(*calls[i])`` at once in one fresh process per call, over a loopback of their own.

    In these processes only the imports, functions and classes of the submission are defined, for
    its other statements could start jax's backend before ``jax.distributed.initialize``.  For the
    same reason arrays come as numpy arrays.
    """

    calls: tuple[tuple, ...]
    wrap: str = ""


@dataclass(frozen=True)
class Traces:
    """How often ``jax.jit`` traces the function over ``calls`` (the student's process says so)."""

    calls: tuple[tuple, ...]
    wrap: str = ""
    feed_back: bool = False


@dataclass(frozen=True)
class Helper:
    """The value of the author's ``name(*arguments)`` from ``helpers.py``, in a third process."""

    name: str
    arguments: tuple


@dataclass(frozen=True)
class Ran:
    """Answer to `Program`: a value per call, and the number of operations of the program."""

    values: list
    operations: int


@dataclass(frozen=True)
class Compiled:
    """Answer to `Compile`: optimized HLO, and bytes of one device's buffers."""

    text: str
    temporary: int
    arguments: int
    results: int

    def count(self, operation: str) -> int:
        """Number of HLO instructions such as ``all-reduce``, asynchronous ones counted once."""
        return len(re.findall(rf" {re.escape(operation)}(?:-start)?\(", self.text))


def call(*arguments: Any, wrap: str = "", key_check: bool = False) -> Call:
    """``wrap`` is the text of a function of the student's function, such as ``"jax.vmap"``.

    With ``key_check`` jax raises if a random key is used twice.
    """
    return Call(arguments, wrap, key_check)


def program(*calls: tuple, wrap: str = "", run: bool = True) -> Program:
    """Without ``run`` only the size of the program is asked for, and nothing is compiled."""
    return Program(tuple(calls), wrap, run)


def compiled(*arguments: Any, wrap: str = "") -> Compile:
    """Inputs are replicated over all devices of the set, unless the function's program says more."""
    return Compile(arguments, wrap)


def processes(*calls: tuple, wrap: str = "") -> Processes:
    """A value per call; an error or the end of one process is an error of the function."""
    return Processes(tuple(calls), wrap)


def traces(*calls: tuple, wrap: str = "", feed_back: bool = False) -> Traces:
    """With ``feed_back`` the first output of a call is the first argument of the next."""
    return Traces(tuple(calls), wrap, feed_back)


def helper(name: str, *arguments: Any) -> Helper:
    return Helper(name, arguments)


class Draw:
    """Inputs of one probe, from the run's seed: the same for every submission of a run."""

    def __init__(self, *names: str) -> None:
        digest = hashlib.sha256("\0".join(names).encode()).digest()
        self.generator = np.random.default_rng(list(digest))

    def normal(self, *shape: int, scale: float = 1.0, mean: float = 0.0) -> np.ndarray:
        """float32"""
        return (mean + scale * self.generator.normal(size=shape)).astype(np.float32)

    def integer(self, low: int, high: int) -> int:
        """From ``low`` to ``high``, both included."""
        return int(self.generator.integers(low, high, endpoint=True))

    def uniform(self, low: float, high: float) -> float:
        return float(np.float32(self.generator.uniform(low, high)))

    def key(self, *batch: int) -> Key:
        data = self.generator.integers(0, 1 << 32, (*batch, 2), dtype=np.uint64)
        return Key(data.astype(np.uint32))


Check = Callable[[Draw], Generator[Any, Any, None]]


@dataclass(frozen=True)
class Probe:
    """``title`` is read by students; inputs and values only where ``show`` is set."""

    name: str
    title: str
    points: int
    show: bool
    needs: tuple[str, ...]
    check: Check


@dataclass
class Question:
    """``cpu``: CPU seconds that one request about this question may take, if not as many as any."""

    name: str
    function: str
    title: str
    probes: list[Probe] = field(default_factory=list)
    cpu: float | None = None

    @property
    def points(self) -> int:
        return sum(probe.points for probe in self.probes)

    def probe(
        self, points: int, title: str, *, show: bool = False, needs: Sequence[Check] = ()
    ) -> Callable[[Check], Check]:
        """``needs``: probes without which this one earns nothing, since a wrong answer may pass
        it by luck ("gives the gradient back unchanged").
        """

        def add(check: Check) -> Check:
            if not inspect.isgeneratorfunction(check):
                raise ExerciseError(f"{check.__name__}: 검사에 yield가 없습니다.")
            names = tuple(other.__name__ for other in needs)
            if check.__name__ in {probe.name for probe in self.probes} or not points > 0:
                raise ExerciseError(f"{check.__name__}: 이름이 겹치거나 점수가 없습니다.")
            self.probes.append(Probe(check.__name__, title, points, show, names, check))
            return check

        return add


@dataclass
class TextQuestion:
    """Free text under a heading: read by a person, so it earns nothing here."""

    name: str
    heading: str
    points: int


@dataclass
class Exercise:
    """``preload``: modules that the zygote imports, if answers need more than jax and numpy.
    ``devices``: number of CPU devices in every process.  ``version`` changes when the probes or
    their helpers could judge otherwise.
    """

    name: str
    title: str
    preload: tuple[str, ...] = ()
    devices: int = 1
    questions: list[Question] = field(default_factory=list)
    texts: list[TextQuestion] = field(default_factory=list)
    folder: Path | None = None
    helpers: str = ""
    version: str = ""

    @property
    def points(self) -> int:
        return self.judged_points + sum(t.points for t in self.texts)

    @property
    def judged_points(self) -> int:
        """What can be had without a person who reads."""
        return sum(q.points for q in self.questions)

    def function(
        self, name: str, function: str, title: str, *, cpu: float | None = None
    ) -> Question:
        self.questions.append(Question(name, function, title, cpu=cpu))
        return self.questions[-1]

    def text(self, name: str, heading: str, points: int) -> None:
        self.texts.append(TextQuestion(name, heading, points))

    @property
    def right_answers(self) -> list[Path]:
        """The first one is the reference: it warms the cache."""
        return sorted((self.folder / "right").glob("*.py"))


def load(folder: Path) -> Exercise:
    """The exercise set in ``folder``; raises `ExerciseError`."""
    path = folder / "probes.py"
    if not path.exists():
        raise ExerciseError(f"{path}: 채점 문제가 없습니다. --grading으로 폴더를 알려 주세요.")
    name = f"coursekit_probes_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
        exercise = module.exercise
    except ExerciseError:
        raise
    except Exception as error:
        raise ExerciseError(f"{path}: {type(error).__name__}: {error}") from error
    if not isinstance(exercise, Exercise) or not (exercise.questions or exercise.texts):
        raise ExerciseError(f"{path}: exercise에 문제가 없습니다.")
    helpers = folder / "helpers.py"
    exercise.folder = folder
    exercise.helpers = helpers.read_text(encoding="utf-8") if helpers.exists() else ""
    try:
        judging = (
            source_digest.of_probes(path.read_text(encoding="utf-8")),
            source_digest.of(exercise.helpers),
        )
    except SyntaxError as error:
        raise ExerciseError(f"{helpers}: SyntaxError: {error}") from error
    exercise.version = source_digest.digest(*judging)
    return exercise
