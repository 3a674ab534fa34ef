"""A set for attacks: what is asked is small, and asked in every way that could be faked."""

import numpy as np

from coursekit.grading.probes import Exercise, call, close, helper, program, require, traces, unpack

LOOSE = {"rtol": 1e-4, "atol": 1e-4}
exercise = Exercise("98-forms", "꾸밀 수 있는 것")

# a moving average as one step of a scan --------------------------------------------------------
window = exercise.function("문제 1", "window", "이동 평균의 한 걸음")


def averages(buffer, values):
    buffer, found = list(buffer), []
    for count, value in enumerate(values):
        buffer[count % len(buffer)] = value
        found.append(np.mean(buffer))
    return np.float32(found)


@window.probe(1, "한 걸음", show=True)
def one_step(draw):
    buffer, x = draw.normal(4), draw.normal()
    _, mean = unpack((yield call((buffer, 0), x)), 2, "결과")
    close(mean, np.mean([x, *buffer[1:]]), "평균", **LOOSE)


@window.probe(1, "다른 값에서 한 걸음")
def another_step(draw):
    buffer, x = draw.normal(6), draw.normal()
    _, mean = unpack((yield call((buffer, 0), x)), 2, "결과")
    close(mean, np.mean([x, *buffer[1:]]), "평균", **LOOSE)


@window.probe(1, "scan에서", needs=[one_step])
def scanned(draw):
    buffer, values = draw.normal(4), draw.normal(10)
    state = (buffer, np.array(0, np.int32))
    ran = yield program((state, values), wrap="lambda f: lambda s, x: jax.lax.scan(f, s, x)")
    _, means = unpack(ran.values[0], 2, "결과")
    close(means, averages(buffer, values), "평균들", **LOOSE)


# a class that is a pytree ----------------------------------------------------------------------
scaler = exercise.function("문제 2", "scaler_class", "pytree인 클래스")


@scaler.probe(1, "값", show=True)
def scales(draw):
    a, x = draw.normal(3), draw.normal(3)
    close((yield call(a, x, wrap="lambda f: lambda a, x: f()(a, 'n')(x)")), a * x, "값", **LOOSE)


@scaler.probe(1, "잎은 하나", needs=[scales])
def leaves(draw):
    a = draw.normal(3)
    found = yield call(a, wrap="lambda f: lambda a: jax.tree.leaves(f()(a, 'n'))")
    close(unpack(found, 1, "잎")[0], a, "잎")


@scaler.probe(1, "다시 만들어도 이름을 지킴", needs=[scales])
def mapped(draw):
    a = draw.normal(3)
    wrap = """lambda f: lambda a: (lambda n: [n.a, n.name])(
        jax.tree.map(lambda leaf: 2 * leaf, f()(a, 'kept')))"""
    got, name = unpack((yield call(a, wrap=wrap)), 2, "결과")
    close(got, 2 * a, "두 배", **LOOSE)
    require(name == "kept", "이름이 다릅니다.")


@scaler.probe(1, "객체로 미분함", needs=[scales])
def slope(draw):
    a, x = draw.normal(3), draw.normal(3)
    wrap = "lambda f: lambda a, x: jax.grad(lambda n: (n(x) ** 2).sum())(f()(a, 'n')).a"
    close((yield call(a, x, wrap=wrap)), 2 * a * x**2, "기울기", **LOOSE)


@scaler.probe(1, "이름이 바뀔 때만 다시 트레이싱", needs=[scales])
def traced(draw):
    a, b, x = draw.normal(3), draw.normal(3), draw.normal(3)
    wrap = """lambda f: lambda a, b, x: (lambda C, seen: (lambda g: [
        [g(C(a, 'n'), x), g(C(b, 'n'), x), g(C(b, 'm'), x)], len(seen)
    ])(jax.jit(lambda n, x: (seen.append(1), n(x))[1])))(f(), [])"""
    values, count = unpack((yield call(a, b, x, wrap=wrap)), 2, "결과")
    for got, want in zip(unpack(values, 3, "값"), (a, b, b), strict=True):
        close(got, want * x, "값", **LOOSE)
    require(count == 2, f"{count}번 트레이싱했습니다.")


# values only -----------------------------------------------------------------------------------
total = exercise.function("문제 3", "total", "합")


def sums(draw, size):
    x = draw.normal(size)
    return call(x), x.sum()


@total.probe(1, "합", show=True)
def shown_sum(draw):
    asked, want = sums(draw, 3)
    close((yield asked), want, "합", **LOOSE)


@total.probe(1, "다른 합")
def hidden_sum(draw):
    asked, want = sums(draw, 5)
    close((yield asked), want, "합", **LOOSE)


@total.probe(1, "한 번 트레이싱하는 합")
def traced_sum(draw):
    x = draw.normal(7)
    ran = yield program((x,), (x + 1,))
    for value, want in zip(ran.values, (x.sum(), (x + 1).sum()), strict=True):
        close(value, want, "합", **LOOSE)
    count = yield traces((x,), (x + 1,))
    require(count == 1, f"{count}번 트레이싱했습니다.")


# an exported program, as bytes -----------------------------------------------------------------
stored = exercise.function("문제 4", "stored", "저장한 프로그램")
STORED = "lambda f: lambda a: np.frombuffer(f(a), np.uint8)"


def served(draw):
    a, x = draw.normal(3), draw.normal(2, 3)
    data = yield call(a, wrap=STORED)
    close((yield helper("served", data, x)), a * x, "값", **LOOSE)
    return data


@stored.probe(1, "저장한 프로그램의 값", show=True)
def right_values(draw):
    yield from served(draw)


@stored.probe(1, "배치의 크기는 기호", needs=[right_values])
def symbolic(draw):
    data = yield from served(draw)
    shape = yield helper("shape_of", data)
    require(not shape[0].isdigit(), f"배치의 크기가 {shape[0]}로 정해져 있습니다.")
