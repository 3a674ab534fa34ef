"""02장 "jit과 XLA"의 문제와 검사.

검사는 채점자의 프로세스에서 돌고, call·program에 넣은 입력만 학생의 프로세스로 갑니다.
트레이싱 횟수는 채점자가 만든 함수나 입력으로 셉니다.
"""

import numpy as np

from coursekit.grading.probes import (
    Exercise,
    Raised,
    Wrong,
    as_eager,
    call,
    close,
    compiled,
    differ,
    finite,
    one_trace,
    program,
    require,
    same,
    unpack,
)

exercise = Exercise("02-jit-and-xla", "jit과 XLA")
predict_question = exercise.function("문제 1", "predict_traces", "트레이싱 횟수 예측")
loss_question = exercise.function("문제 2", "robust_loss", "한 번만 트레이싱하는 분기")
mask_question = exercise.function("문제 3", "masked_stats", "불리언 인덱스 없는 통계")
bucket_question = exercise.function("문제 4", "run_bucketed", "크기 묶기")
scan_question = exercise.function("문제 5", "debiased_average", "길이와 상관없는 반복")
fit_question = exercise.function("문제 6", "fit", "재컴파일 없는 학습 루프")
cost_question = exercise.function("문제 7", "cost_report", "컴파일된 프로그램의 비용")
power_question = exercise.function("문제 8", "power_iteration", "프로그램 하나로 도는 거듭제곱법")

LOOSE = {"rtol": 1e-4, "atol": 1e-5}


# 문제 1 ------------------------------------------------------------------------------------
NEW = (1, 0, 0, 1, 1, 1, 1, 1, 1, 0)  # 호출마다 늘어나는 트레이싱의 수


def check_calls(answer, first, last):
    """first–last번째 호출에서 늘어난 수."""
    counts = unpack(answer, len(NEW), "돌려준 값")
    require(all(type(c) is int for c in counts), "정수의 리스트가 아닙니다.")
    for i in range(first, last + 1):
        grown = counts[i - 1] - (counts[i - 2] if i > 1 else 0)
        require(grown == NEW[i - 1], f"{i}번째 호출의 예측이 다릅니다.")


@predict_question.probe(1, "값만 다르거나 그릇만 다른 배열 (호출 1–3)")
def same_type(draw):
    check_calls((yield call()), 1, 3)


@predict_question.probe(1, "약한 타입과 dtype (호출 4–5)")
def weak_type(draw):
    check_calls((yield call()), 4, 5)


@predict_question.probe(1, "shape과 인자의 구조 (호출 6–8)")
def structure(draw):
    check_calls((yield call()), 6, 8)


@predict_question.probe(1, "정적 인자와 다시 만난 키 (호출 9–10)")
def static_value(draw):
    check_calls((yield call()), 9, 10)


# 문제 2 ------------------------------------------------------------------------------------
def robust(error, delta, step):
    size = np.abs(error.astype(np.float64))
    late = np.where(size <= delta, size**2, delta * (2 * size - delta))
    return size**2 if step < 10 else late


def number(n):
    return np.array(n, np.int32)


def real(x):
    return np.array(x, np.float32)


@loss_question.probe(1, "초반에는 제곱 오차", show=True)
def early_loss(draw):
    error, delta = draw.normal(6, scale=3.0), draw.uniform(0.5, 1.5)
    step = draw.integer(0, 8)
    close((yield call(error, delta, step)), robust(error, delta, step), "손실", **LOOSE)


@loss_question.probe(1, "그 뒤에는 원소마다 큰 오차에 덜 민감한 손실", show=True)
def late_loss(draw):
    # delta가 1에 가까우면 제곱 오차와 1차 오차의 크기로 가른 답이 우연히 맞는다
    error, delta = draw.normal(2, 8, scale=2.0), draw.uniform(1.6, 2.4)
    step = draw.integer(11, 500)
    close((yield call(error, delta, step)), robust(error, delta, step), "손실", **LOOSE)


@loss_question.probe(1, "스텝은 10부터, 크기는 delta를 넘을 때부터 갈라짐")
def loss_edges(draw):
    error = np.array([-5.0, -1.0, 0.0, 0.25, 1.0, 3.0], np.float32)
    for step in (9, 10):
        close((yield call(error, 1.0, step)), robust(error, 1.0, step), "손실", **LOOSE)
    close((yield call(real(-4.0), 2.0, 10)), np.array(12.0), "스칼라의 손실", **LOOSE)


@loss_question.probe(2, "delta와 step이 트레이싱된 값이어도 되고, 한 번만 트레이싱")
def one_loss_program(draw):
    error = draw.normal(6, scale=2.0)
    error[:2] = (-6.0, 7.0)
    pairs = ((0.5, 3), (0.5, 4000), (1.5, 4000), (1.5, 9))
    calls = [(error, real(delta), number(step)) for delta, step in pairs]
    calls.append((draw.normal(6, scale=3.0), real(draw.uniform(0.5, 1.5)), number(10)))
    own = yield from as_eager(*calls)
    require(own[0].shape == error.shape, "error와 모양이 다릅니다.")
    differ(own[:2], "스텝이 바뀌어도 손실이 그대로입니다.")
    # 이르거나 늦은 스텝 가운데 한쪽은 delta에 달려 있습니다
    early = yield call(error, real(1.5), number(3))
    differ([own[:2], [early, own[2]]], "delta가 바뀌어도 손실이 그대로입니다.")
    yield from one_trace(*calls)


@loss_question.probe(1, "모든 점에서 도함수가 유한하고, 손실이 변하는 대로임")
def loss_slope(draw):
    wrap = "lambda f: jax.grad(lambda e, d, s: f(e, d, s).sum())"
    delta = draw.uniform(0.5, 1.5)
    # 식이 갈라지는 자리에서 떨어진 점과 0
    error = real(delta * np.array([0.0, 0.3, -0.6, 1.7, -2.5, 3.0]))
    calls = [(error, real(delta), number(step)) for step in (2, 30)]
    ran = yield program(*calls, wrap=wrap)
    for (error, delta, step), slope in zip(calls, ran.values):
        finite(slope, "도함수")
        up = yield call(error + real(0.02), delta, step)
        down = yield call(error - real(0.02), delta, step)
        close(slope[1:], ((up - down) / 0.04)[1:], "도함수", rtol=2e-2, atol=5e-3)
        require(np.abs(slope[1:]).min() > 1e-3, "도함수가 0입니다.")


# 문제 3 ------------------------------------------------------------------------------------
def masked(draw, *shape):
    mask = draw.generator.random(shape) < 0.5
    mask.flat[:3] = (True, False, True)
    x = draw.normal(*shape, mean=2.0, scale=3.0)
    x.flat[0] = 0.0  # 고른 값이 0이어도 고른 것입니다
    return x, mask


@mask_question.probe(1, "고른 자리의 평균", show=True)
def kept_mean(draw):
    for shape in ((9,), (3, 4)):
        x, mask = masked(draw, *shape)
        mean, _ = unpack((yield call(x, mask)), 2, "결과")
        close(mean, x[mask].astype(np.float64).mean(), "평균", **LOOSE)


@mask_question.probe(1, "모양을 바꾸지 않고 개수로 나눈 분산")
def kept_variance(draw):
    calls = [masked(draw, 11) for _ in range(2)] + [(draw.normal(11), np.arange(11) == 3)]
    ran = yield program(*calls)
    for (x, mask), value in zip(calls, ran.values):
        _, var = unpack(value, 2, "결과")
        close(var, x[mask].astype(np.float64).var(), "분산", **LOOSE)


@mask_question.probe(1, "mask가 모두 거짓이면 (0, 0)")
def nothing_kept(draw):
    mean, var = unpack((yield call(draw.normal(7, mean=2.0), np.zeros(7, bool))), 2, "결과")
    close(mean, 0.0, "평균", **LOOSE)
    close(var, 0.0, "분산", **LOOSE)


@mask_question.probe(1, "가려진 자리의 NaN과 무한대가 결과에 없음")
def garbage_hidden(draw):
    x, mask = masked(draw, 12)
    bad = np.where(mask, x, np.resize([np.nan, np.inf, -np.inf], 12)).astype(np.float32)
    own = yield call(x, mask)
    (value,) = (yield program((bad, mask))).values
    same(value, own, "가려진 자리를 바꾼 값")
    differ([own, (yield call(x + 1, mask)), (yield call(x + 1, ~mask))], "값이 늘 같습니다.")


@mask_question.probe(1, "jit에서 한 번만 트레이싱하고, 둘 다 float32 스칼라")
def one_mask_program(draw):
    calls = [masked(draw, 10) for _ in range(3)] + [(draw.normal(10), np.ones(10, bool))]
    own = yield from as_eager(*calls)
    for part in unpack(own[0], 2, "결과"):
        close(part, part, "결과", dtype="float32")
        require(part.shape == (), "스칼라가 아닙니다.")
    x, mask = calls[0]
    differ([own[0], (yield call(x, ~mask))], "mask가 바뀌어도 값이 그대로입니다.")
    yield from one_trace(*calls)


@mask_question.probe(
    1, "가려진 자리에 무엇이 있어도, mask가 모두 거짓이어도 x에 대한 기울기에 NaN이 없음"
)
def masked_slope(draw):
    wrap = "lambda f: jax.grad(lambda x, m: f(x, m)[0] + f(x, m)[1])"
    x, mask = masked(draw, 8)
    x = np.where(mask, x, np.resize([np.nan, np.inf], 8)).astype(np.float32)
    some, none = (yield program((x, mask), (x, np.zeros(8, bool)), wrap=wrap)).values
    finite([some, none], "기울기")
    require(not some[~mask].any(), "가려진 자리에 기울기가 있습니다.")
    require(some[mask].any(), "고른 자리에 기울기가 없습니다.")


# 문제 4 ------------------------------------------------------------------------------------
# compiled가 받은 것을 그대로 적어 두고, 모양마다 한 번 트레이싱되는지도 셉니다
BUCKETS = """lambda f: lambda sequences, buckets: (lambda seen, traced: (lambda compiled: (
    [f(lambda x, m: (
        seen.append((np.asarray(x), str(x.dtype), np.asarray(m), str(m.dtype))), compiled(x, m)
    )[1], np.asarray(s), buckets) for s in sequences], [list(pair) for pair in seen], traced
))(jax.jit(lambda x, m: (
    traced.append(x.shape[0]), x - jnp.where(m, x, 0.0).sum() / jnp.maximum(m.sum(), 1)
)[1])))([], [])"""


def sequences_of(draw, lengths):
    return [draw.normal(length, mean=3.0) for length in lengths]


def bucketed(draw, lengths, buckets):
    """수열마다의 결과와 compiled가 받은 것, 트레이싱한 크기."""
    sequences = sequences_of(draw, lengths)
    answer = yield call(sequences, buckets, wrap=BUCKETS)
    results, seen, traced = unpack(answer, 3, "결과")
    require(len(seen) >= len(sequences), "compiled를 부르지 않은 수열이 있습니다.")
    return sequences, unpack(results, len(sequences), "결과"), seen, list(traced)


@bucket_question.probe(1, "채운 자리를 뺀 앞부분을 반환", show=True)
def bucket_values(draw):
    sequences, results, *_ = yield from bucketed(draw, (3, 7, 15), (4, 8, 16))
    for sequence, result in zip(sequences, results):
        close(result, sequence - sequence.mean(), "결과", **LOOSE)


@bucket_question.probe(1, "padded는 0으로 채운 float32 배열")
def zero_padding(draw):
    sequences, _, seen, _ = yield from bucketed(draw, (5, 7), (6, 12))
    for sequence, (padded, kind, _, _) in zip(sequences, seen):
        require(kind == "float32", f"padded의 dtype이 {kind}입니다.")
        require(padded.size > sequence.size, "채우지 않았습니다.")
        close(padded[: sequence.size], sequence, "padded의 앞부분")
        require(not padded[sequence.size :].any(), "채운 자리가 0이 아닙니다.")


@bucket_question.probe(1, "mask는 진짜 자리에서 참인 bool 배열")
def true_mask(draw):
    sequences, _, seen, _ = yield from bucketed(draw, (5, 7), (6, 12))
    for sequence, (padded, _, mask, kind) in zip(sequences, seen):
        require(kind == "bool", f"mask의 dtype이 {kind}입니다.")
        require(padded.size > sequence.size, "채우지 않았습니다.")
        right = np.arange(padded.size) < sequence.size
        require(np.array_equal(mask, right), "mask가 진짜 자리와 다릅니다.")


@bucket_question.probe(1, "길이가 들어가는 가장 작은 크기")
def smallest_size(draw):
    _, _, seen, _ = yield from bucketed(draw, (3, 5, 1, 9, 6, 10), (5, 9, 20))
    sizes = [padded.size for padded, *_ in seen]
    require(sizes == [5, 5, 5, 9, 9, 20], f"넘긴 크기가 {sizes}입니다.")


@bucket_question.probe(1, "한 번만 부르고, 정해진 크기만 컴파일")
def few_sizes(draw):
    buckets = (5, 9, 20)
    sequences, _, seen, traced = yield from bucketed(draw, (4, 3, 1, 8, 6, 2, 17, 10), buckets)
    require(len(seen) == len(sequences), f"수열 {len(sequences)}개에 {len(seen)}번 불렀습니다.")
    require(set(traced) <= set(buckets), f"트레이싱한 크기가 {sorted(set(traced))}입니다.")


@bucket_question.probe(1, "가장 큰 크기보다 길면 ValueError")
def too_long(draw):
    yield from bucketed(draw, (3,), (4, 16))  # 들어가는 수열은 오류를 내지 않습니다
    try:
        yield call(sequences_of(draw, (17,)), (4, 16), wrap=BUCKETS)
    except Raised as error:
        require(error.kind == "ValueError", f"ValueError가 아니라 {error.kind}가 났습니다.")
    else:
        raise Wrong("ValueError가 나지 않았습니다.")


# 문제 5 ------------------------------------------------------------------------------------
def debiased(xs, decay):
    average, out = np.zeros(xs.shape[1:]), []
    for step, x in enumerate(xs.astype(np.float64)):
        average = decay * average + (1 - decay) * x
        out.append(average / (1 - decay ** (step + 1)))
    return np.array(out)


LAST = "lambda f: jax.grad(lambda xs, d: f(xs, d)[-1].sum())"


def same_length(draw, *rest, wrap=""):
    """프로그램의 길이가 xs의 길이에 따라 늘지 않습니다."""
    sizes = []
    for n in (10, 60):
        xs = draw.normal(n, *rest)
        sizes.append((yield program((xs, real(0.9)), wrap=wrap, run=False)).operations)
    require(sizes[1] < 1.2 * sizes[0] + 10, "수열이 길어지면 프로그램도 길어집니다.")


@scan_question.probe(1, "1차원 수열의 값", show=True)
def average_1d(draw):
    xs, decay = draw.normal(9, mean=2.0), draw.uniform(0.5, 0.95)
    close((yield call(xs, decay)), debiased(xs, decay), "평균", **LOOSE)


@scan_question.probe(1, "프로그램의 길이가 xs의 길이와 상관없고, decay가 트레이싱된 값이어도 됨")
def short_program(draw):
    yield from same_length(draw)
    xs = draw.normal(60)
    own = yield from as_eager((xs, real(0.5)), (xs, real(0.9)), (draw.normal(60), real(0.8)))
    differ(own, "decay가 바뀌어도 값이 그대로입니다.")


@scan_question.probe(1, "1,000개의 값", needs=[short_program])
def long_values(draw):
    calls = [(draw.normal(1000), real(d)) for d in (0.9, 0.99, 0.5)]
    ran = yield program(*calls)
    for (xs, decay), value in zip(calls, ran.values):
        close(value, debiased(xs, float(decay)), "평균", rtol=1e-3, atol=1e-4)


@scan_question.probe(1, "나머지 축이 몇 개든 됨")
def average_nd(draw):
    yield from same_length(draw, 2, 3)
    xs = draw.normal(5, 2, 3)
    (value,) = (yield program((xs, real(0.7)))).values
    require(getattr(value, "shape", None) == xs.shape, "xs와 모양이 다릅니다.")
    differ([value, (yield call(xs, real(0.9)))], "decay가 바뀌어도 값이 그대로입니다.")
    for i, j in ((0, 1), (1, 2)):
        same(value[:, i, j], (yield call(xs[:, i, j], real(0.7))), "한 줄의 값")


@scan_question.probe(1, "메모리가 xs의 길이에 비례", needs=[short_program])
def linear_memory(draw):
    length = 4000
    used = (yield compiled(draw.normal(length), real(0.9))).temporary
    require(used < 100 * 4 * length, f"xs가 {length}개일 때 임시 메모리를 {used:,}바이트 씁니다.")


@scan_question.probe(1, "미분할 수 있음", needs=[short_program])
def average_slope(draw):
    xs, decay = draw.normal(8), real(draw.uniform(0.5, 0.9))
    (slope,) = (yield program((xs, decay), wrap=LAST)).values
    finite(slope, "기울기")
    require(getattr(slope, "shape", None) == xs.shape, "기울기의 모양이 다릅니다.")
    moved = []
    for i in range(8):
        step = 0.1 * (np.arange(8) == i).astype(np.float32)
        up, down = (yield call(xs + step, decay)), (yield call(xs - step, decay))
        moved.append((up[-1] - down[-1]) / 0.2)
    close(slope, np.array(moved), "기울기", rtol=1e-2, atol=1e-4)
    require(slope.any(), "기울기가 0입니다.")


# 문제 6 ------------------------------------------------------------------------------------
# loss가 트레이싱될 때마다 x의 모양, w의 dtype과 약한 타입을 적습니다
FIT = """lambda f: lambda w, batches, rate: (lambda seen: (f(
    lambda w, x, y, weight: (
        seen.append([list(jnp.shape(x)), str(jnp.asarray(w).dtype), bool(jax.typeof(w).weak_type)]),
        jnp.sum(weight * (jnp.dot(x, w) - y) ** 2) / jnp.sum(weight),
    )[1],
    w, [(np.asarray(x), np.asarray(y)) for x, y in batches], rate,
), seen))([])"""


def batches_of(draw, sizes, width):
    shape = (lambda n: (n, width)) if width else (lambda n: (n,))
    return [(draw.normal(*shape(n)), draw.normal(n)) for n in sizes]


def descend(w, batches, rate):
    w = np.asarray(w, np.float64)
    for step, (x, y) in enumerate(batches):
        x = x.astype(np.float64)
        error = x @ w - y if x.ndim == 2 else x * w - y
        w = w - rate / (1 + step) * 2 * (error[:, None] * x if x.ndim == 2 else error * x).mean(0)
    return w


def fitted(w, batches, rate):
    """배운 w와 loss를 트레이싱한 기록. 아무것도 배우지 않은 답은 거릅니다."""
    answer, seen = unpack((yield call(w, batches, rate, wrap=FIT)), 2, "결과")
    require(len(seen) > 0, "loss를 부르지 않았습니다.")
    shorter, _ = unpack((yield call(w, batches[:-1], rate, wrap=FIT)), 2, "결과")
    differ([np.asarray(w), shorter, answer], "쓰지 않은 배치가 있습니다.")
    return answer, seen


@fit_question.probe(1, "크기가 같은 배치에서 위 코드와 같은 값", show=True)
def fit_equal(draw):
    batches, w = batches_of(draw, (6, 6, 6), 3), draw.normal(3)
    answer, _ = unpack((yield call(w, batches, 0.2, wrap=FIT)), 2, "결과")
    close(answer, descend(w, batches, 0.2), "w", **LOOSE)


@fit_question.probe(2, "크기가 같은 배치에서 loss를 한 번만 트레이싱")
def fit_one_trace(draw):
    batches, w = batches_of(draw, (4,) * 5, 2), draw.normal(2)
    _, seen = yield from fitted(w, batches, 0.1)
    require(len(seen) == 1, f"배치 다섯 개에 {len(seen)}번 트레이싱했습니다.")


@fit_question.probe(1, "더 작은 마지막 배치도 첫 배치의 모양으로 넘김")
def fit_one_shape(draw):
    batches, w = batches_of(draw, (5, 5, 2), 2), draw.normal(2)
    _, seen = yield from fitted(w, batches, 0.3)
    require(all(shape == [5, 2] for shape, *_ in seen), "loss가 받은 배치의 모양이 다릅니다.")


@fit_question.probe(1, "더 작은 마지막 배치가 있어도 위 코드와 같은 값", needs=[fit_one_shape])
def fit_ragged(draw):
    for sizes in ((5, 5, 2), (4, 1)):
        batches, w = batches_of(draw, sizes, 2), draw.normal(2)
        answer, _ = unpack((yield call(w, batches, 0.3, wrap=FIT)), 2, "결과")
        close(answer, descend(w, batches, 0.3), "w", **LOOSE)


@fit_question.probe(1, "w가 파이썬 수여도 loss는 처음부터 약한 타입이 아닌 float32를 받음")
def fit_strong(draw):
    answer, seen = yield from fitted(0.5, batches_of(draw, (4, 4, 4), 0), 0.2)
    close(answer, answer, "w", dtype="float32")
    require(all(kind == "float32" and not weak for _, kind, weak in seen), "w의 타입이 다릅니다.")


@fit_question.probe(1, "파이썬 수에서 시작하고 마지막 배치가 작아도 loss를 한 번만 트레이싱")
def fit_one_trace_always(draw):
    _, seen = yield from fitted(0.5, batches_of(draw, (4, 4, 3), 0), 0.2)
    require(len(seen) == 1, f"배치 세 개에 {len(seen)}번 트레이싱했습니다.")


# 문제 7 ------------------------------------------------------------------------------------
DOT = """lambda f: lambda n, m: f(
    lambda a, b: a @ b,
    jax.ShapeDtypeStruct((n, m), jnp.float32), jax.ShapeDtypeStruct((m, n), jnp.float32),
)"""
# 중간의 행렬이 융합되지 않아 메모리를 한 번 더 오갑니다
TWICE = "lambda f: lambda n: f(lambda a: (a @ a) @ a, jax.ShapeDtypeStruct((n, n), jnp.float32))"
CHAIN = """lambda f: lambda n: f(
    lambda a: ((a * 2.0 + 1.0) * 3.0 + 4.0) * a, jax.ShapeDtypeStruct((n, n), jnp.float32)
)"""
MOVE = """lambda f: lambda n: f(lambda a: a.T, jax.ShapeDtypeStruct((n, n + 8), jnp.float32))"""


def cost(report, name, right):
    require(isinstance(report, dict), "딕셔너리가 아닙니다.")
    close(report.get(name), right, name, rtol=0.01, dtype=None)


@cost_question.probe(1, "XLA가 추정한 연산 수", show=True)
def dot_flops(draw):
    n, m = 8 * draw.integer(2, 7), 8 * draw.integer(8, 12)
    cost((yield call(n, m, wrap=DOT)), "flops", 2.0 * n * n * m)


@cost_question.probe(1, "XLA가 추정한, 메모리를 오가는 바이트 수")
def moved_bytes(draw):
    n = 16 * draw.integer(2, 8)
    cost((yield call(n, wrap=CHAIN)), "bytes", 8.0 * n * n)
    cost((yield call(n, wrap=TWICE)), "bytes", 20.0 * n * n)


@cost_question.probe(1, "산술 강도는 연산 수 ÷ 바이트 수")
def dot_intensity(draw):
    n, m = 8 * draw.integer(2, 7), 8 * draw.integer(8, 12)
    right = 2.0 * n * n * m / (4.0 * (2 * n * m + n * n))
    cost((yield call(n, m, wrap=DOT)), "intensity", right)


@cost_question.probe(1, "함수를 실행하지 않고, 값이 모두 파이썬 float인 딕셔너리")
def plain_floats(draw):
    n = 1 << draw.integer(17, 18)  # 실행하면 메모리가 모자라는 크기
    report = yield call(n, wrap=CHAIN)
    require(isinstance(report, dict), "딕셔너리가 아닙니다.")
    for name in ("flops", "bytes", "intensity"):
        require(type(report.get(name)) is float, f"{name}이 파이썬 float이 아닙니다.")
    require(report["bytes"] > 0, "바이트 수가 0입니다.")


@cost_question.probe(1, "연산이 없는 함수에서는 flops와 intensity가 0")
def free_cost(draw):
    report = yield call(8 * draw.integer(2, 8), wrap=MOVE)
    require(isinstance(report, dict), "딕셔너리가 아닙니다.")
    require(report.get("flops") == 0.0, "flops가 0이 아닙니다.")
    require(report.get("intensity") == 0.0, "intensity가 0이 아닙니다.")
    other = yield call(64, 64, wrap=DOT)
    require(isinstance(other, dict) and other.get("flops"), "어느 함수에서나 flops가 0입니다.")


# 문제 8 ------------------------------------------------------------------------------------
def psd(draw, size):
    """고유값이 2, 1, 0.5, …인 대칭 행렬과, 시작 벡터에서 바뀌는 크기."""
    basis, _ = np.linalg.qr(draw.generator.normal(size=(size, size)))
    # 시작 벡터가 첫 고유벡터와 너무 멀지 않게 합니다
    basis[:, 0] += np.sign(basis[:, 0].sum()) * 0.7 / np.sqrt(size)
    basis, _ = np.linalg.qr(basis)
    values = 2.0 ** (1 - np.arange(size))
    return ((basis * values) @ basis.T).astype(np.float32)


def iterate(matrix, steps):
    vector = np.full(len(matrix), len(matrix) ** -0.5)
    changes, norms, vectors = [], [], []
    for _ in range(steps):
        product = matrix.astype(np.float64) @ vector
        norms.append(np.linalg.norm(product))
        new = product / norms[-1]
        changes.append(np.linalg.norm(new - vector))
        vectors.append(vector := new)
    return changes, norms, vectors


def stopping_at(matrix, steps):
    """steps번째에서 멈추는 tolerance와 그때의 답. 두 변화의 가운데라 반올림에 흔들리지 않습니다."""
    changes, norms, vectors = iterate(matrix, steps)
    return float(np.sqrt(changes[-1] * changes[-2])), (vectors[-1], norms[-1], steps)


@power_question.probe(1, "멈춘 자리의 고유값", show=True)
def eigenvalue(draw):
    for size, steps in ((3, 4), (5, 6)):
        matrix = psd(draw, size)
        tolerance, (_, right, _) = stopping_at(matrix, steps)
        _, value, _ = unpack((yield call(matrix, tolerance, 100)), 3, "결과")
        close(value, right, "고유값", rtol=1e-3)
        _, value, _ = unpack((yield call(matrix, 0.0, 1)), 3, "한 번 반복한 결과")
        close(value, iterate(matrix, 1)[1][0], "한 번 반복한 고유값", rtol=1e-3)


@power_question.probe(1, "멈춘 자리의 벡터")
def eigenvector(draw):
    for size, steps in ((3, 4), (5, 6)):
        matrix = psd(draw, size)
        tolerance, (right, _, _) = stopping_at(matrix, steps)
        vector, _, _ = unpack((yield call(matrix, tolerance, 100)), 3, "결과")
        close(vector, right, "벡터", rtol=1e-3, atol=1e-3)


def power_calls(draw):
    """tolerance에서 멈추는 둘과 max_steps에서 멈추는 둘, 그 횟수."""
    calls, counts = [], []
    for steps in (3, 6):
        matrix = psd(draw, 4)
        # 바로 앞의 변화보다 조금 작아서, 변화를 다르게 재면 한 번 일찍 멈춥니다
        tolerance = 0.97 * iterate(matrix, steps)[0][-2]
        calls.append((matrix, real(tolerance), number(60)))
        counts.append(steps)
    # 바뀐 것이 없어도 tolerance가 0이면 멈추지 않습니다
    calls += [
        (calls[0][0], real(0.0), number(2)),
        (np.eye(4, dtype=np.float32), real(0.0), number(3)),
    ]
    return calls, [*counts, 2, 3]


@power_question.probe(1, "위 코드와 같은 자리에서 멈춘 반복 횟수")
def stops(draw):
    calls, counts = power_calls(draw)
    for (_, _, steps), right in zip((yield program(*calls)).values, counts):
        close(steps, right, "횟수", dtype=None)


@power_question.probe(1, "float32 (n,), float32 스칼라, int32 스칼라")
def power_types(draw):
    for size in (2, 5):
        tolerance, _ = stopping_at(matrix := psd(draw, size), 4)
        (value,) = (yield program((matrix, real(tolerance), number(60)))).values
        vector, value, steps = unpack(value, 3, "결과")
        close(steps, steps, "횟수", dtype="int32")
        for part, shape in ((vector, (size,)), (value, ()), (steps, ())):
            require(part.shape == shape, "shape이 다릅니다.")
        for part in (vector, value):
            close(part, part, "결과", dtype="float32")
            require(part.any(), "0만 돌려주었습니다.")


@power_question.probe(1, "tolerance와 max_steps가 트레이싱된 값이어도 되고, 한 번만 트레이싱")
def one_power_program(draw):
    calls, _ = power_calls(draw)
    own = yield from as_eager(*calls, rtol=1e-3, atol=1e-3)
    longer = yield call(calls[0][0], real(0.0), number(9))
    differ([own[2], own[0], longer], "tolerance나 max_steps가 바뀌어도 값이 그대로입니다.")
    yield from one_trace(*calls)


@power_question.probe(1, "영행렬에서 NaN 없이 위 코드의 벡터와 고유값을 반환")
def zero_matrix(draw):
    size = draw.integer(2, 5)
    zeros, matrix = np.zeros((size, size), np.float32), psd(draw, size)
    calls = [(matrix, real(0.0), number(1)), (zeros, real(0.0), number(1))]
    calls += [(zeros, real(1e-3), number(40))]
    own, *empty = (yield program(*calls)).values
    differ([own, empty[0]], "행렬이 바뀌어도 값이 그대로입니다.")
    for value in empty:
        finite(value, "영행렬의 결과")
        vector, value, _ = unpack(value, 3, "결과")
        close(value, 0.0, "영행렬의 고유값", dtype=None)
        close(vector, np.full(size, size**-0.5), "영행렬의 벡터", dtype=None)


@power_question.probe(1, "필요한 만큼만 반복함")
def only_needed(draw):
    tolerance, _ = stopping_at(matrix := psd(draw, 3), 5)
    calls = [(matrix, real(tolerance), number(limit)) for limit in (2, 2_000_000_000)]
    short, long = (yield program(*calls)).values
    own = yield call(matrix, real(tolerance), number(100))
    same(long, own, "max_steps가 20억일 때의 값", rtol=1e-3, atol=1e-3)
    differ([short, long], "max_steps가 바뀌어도 값이 그대로입니다.")


@power_question.probe(1, "vmap에서도 행렬마다 따로 멈춘 값")
def mapped_power(draw):
    slow = psd(draw, 3)
    tolerance, _ = stopping_at(slow, 6)
    many = np.stack([slow, np.eye(3, dtype=np.float32), 2 * psd(draw, 3)])
    wrap = "lambda f: jax.vmap(f, in_axes=(0, None, None))"
    (value,) = (yield program((many, real(tolerance), number(50)), wrap=wrap)).values
    rows = []
    for i, matrix in enumerate(many):
        one = [np.asarray(part[i]) for part in unpack(value, 3, "vmap한 결과")]
        own = yield call(matrix, real(tolerance), number(50))
        same(one, own, f"{i + 1}번째 행렬", rtol=1e-3, atol=1e-3)
        rows.append(own)
    differ(rows, "행렬이 바뀌어도 값이 그대로입니다.")
