"""02장 "jit과 XLA"의 문제와 검사.

검사는 채점자의 프로세스에서 돌고, call·program에 넣은 입력만 학생의 프로세스로 갑니다.
트레이싱 횟수는 채점자가 만든 함수나 입력으로 셉니다.
"""

import numpy as np

from coursekit.grading.probes import (
    Exercise,
    Raised,
    Wrong,
    call,
    close,
    program,
    require,
    traces,
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


@loss_question.probe(1, "초반에는 제곱 오차", show=True)
def early_loss(draw):
    error, delta = draw.normal(6, scale=3.0), draw.uniform(0.5, 1.5)
    step = draw.integer(0, 8)
    close((yield call(error, delta, step)), robust(error, delta, step), "손실", **LOOSE)


@loss_question.probe(1, "그 뒤에는 큰 오차에 덜 민감한 손실", show=True)
def late_loss(draw):
    error, delta = draw.normal(2, 8, scale=3.0), draw.uniform(0.5, 1.5)
    step = draw.integer(11, 500)
    close((yield call(error, delta, step)), robust(error, delta, step), "손실", **LOOSE)


@loss_question.probe(1, "경계: 스텝 9와 10, 작은 오차와 큰 오차", needs=[early_loss, late_loss])
def loss_edges(draw):
    error = np.array([-5.0, -1.0, 0.0, 0.25, 1.0, 3.0], np.float32)
    for step in (9, 10):
        close((yield call(error, 1.0, step)), robust(error, 1.0, step), "손실", **LOOSE)
    close((yield call(np.array(-4.0, np.float32), 2.0, 10)), np.array(12.0), "스칼라의 손실", **LOOSE)


@loss_question.probe(2, "jit에서 한 번 트레이싱한 프로그램으로 모든 스텝을 처리", needs=[late_loss])
def one_loss_program(draw):
    number = lambda n: np.array(n, np.int32)  # noqa: E731
    delta = lambda: np.array(draw.uniform(0.5, 1.5), np.float32)  # noqa: E731
    calls = [(draw.normal(5, scale=3.0), delta(), number(s)) for s in (0, 3, 9, 10, 11, 4000)]
    ran = yield program(*calls)
    for (error, width, step), value in zip(calls, ran.values):
        close(value, robust(error, float(width), int(step)), "손실", **LOOSE)
    count = yield traces(*calls)
    require(count == 1, f"{len(calls)}스텝에 {count}번 트레이싱했습니다.")


@loss_question.probe(1, "모든 점에서 맞고 유한한 도함수", needs=[late_loss])
def loss_slope(draw):
    wrap = "lambda f: jax.grad(lambda e, d, s: f(e, d, s).sum())"
    error = np.concatenate([np.zeros(1, np.float32), draw.normal(7, scale=3.0)])
    delta = np.array(draw.uniform(0.5, 1.5), np.float32)
    calls = [(error, delta, np.array(step, np.int32)) for step in (2, 30)]
    early, late = (yield program(*calls, wrap=wrap)).values
    close(early, 2 * error, "초반의 도함수", **LOOSE)
    inside = np.abs(error) <= delta
    close(late, np.where(inside, 2 * error, 2 * delta * np.sign(error)), "도함수", **LOOSE)


# 문제 3 ------------------------------------------------------------------------------------
def stats(answer, x, mask, what="결과"):
    mean, var = unpack(answer, 2, what)
    kept = x[mask].astype(np.float64)
    close(mean, kept.mean() if kept.size else 0.0, f"{what}의 평균", **LOOSE)
    close(var, kept.var() if kept.size else 0.0, f"{what}의 분산", **LOOSE)


def masked(draw, *shape):
    mask = draw.generator.random(shape) < 0.5
    mask.flat[:3] = (True, False, True)
    x = draw.normal(*shape, mean=2.0, scale=3.0)
    x.flat[0] = 0.0  # 고른 값이 0이어도 고른 것입니다
    return x, mask


@mask_question.probe(2, "고른 자리의 평균과 분산", show=True)
def masked_values(draw):
    for shape in ((9,), (3, 4)):
        x, mask = masked(draw, *shape)
        stats((yield call(x, mask)), x, mask)


@mask_question.probe(1, "고른 것이 없으면 0, 하나뿐이면 그 값", needs=[masked_values])
def nothing_kept(draw):
    x = draw.normal(7, mean=2.0)
    for mask in (np.zeros(7, bool), np.arange(7) == 3):
        stats((yield call(x, mask)), x, mask)


@mask_question.probe(1, "가려진 자리의 NaN과 무한대를 무시", needs=[masked_values])
def garbage_hidden(draw):
    x, mask = masked(draw, 12)
    x = np.where(mask, x, np.resize([np.nan, np.inf, -np.inf], 12)).astype(np.float32)
    stats((yield call(x, mask)), x, mask)


@mask_question.probe(1, "jit에서 한 번 트레이싱한 프로그램으로 모든 마스크를 처리", needs=[masked_values])
def one_mask_program(draw):
    calls = [masked(draw, 10) for _ in range(3)] + [(draw.normal(10), np.ones(10, bool))]
    ran = yield program(*calls)
    for (x, mask), value in zip(calls, ran.values):
        stats(value, x, mask)
    count = yield traces(*calls)
    require(count == 1, f"마스크 {len(calls)}개에 {count}번 트레이싱했습니다.")


@mask_question.probe(1, "기울기가 유한하고 맞음", needs=[masked_values, garbage_hidden])
def masked_slope(draw):
    wrap = "lambda f: jax.grad(lambda x, m: f(x, m)[0] + f(x, m)[1])"
    x, mask = masked(draw, 8)
    x = np.where(mask, x, np.nan).astype(np.float32)
    none = np.zeros(8, bool)
    some, empty = (yield program((x, mask), (x, none), wrap=wrap)).values
    kept = np.where(mask, x, 0.0).astype(np.float64)
    count = mask.sum()
    right = np.where(mask, (1 + 2 * (kept - kept.sum() / count)) / count, 0.0)
    close(some, right, "기울기", **LOOSE)
    close(empty, np.zeros(8), "고른 것이 없을 때의 기울기")


# 문제 4 ------------------------------------------------------------------------------------
BUCKETS = """lambda f: lambda sequences, buckets: (lambda seen: (lambda compiled: (
    [f(compiled, np.asarray(s), buckets) for s in sequences], [list(pair) for pair in seen]
))(jax.jit(lambda x, m: (
    seen.append((x.shape[0], str(x.dtype), str(m.dtype))), {body}
)[1])))([])"""
CENTER = BUCKETS.format(body="x - jnp.where(m, x, 0.0).sum() / m.sum()")
# 채운 자리에 0이 아닌 것이 있으면 드러난다
TOTAL = BUCKETS.format(body="x + 100.0 * m + x.sum()")


def sequences_of(draw, lengths):
    return [draw.normal(length, mean=3.0) for length in lengths]


@bucket_question.probe(2, "채운 자리를 뺀 결과", show=True)
def bucket_values(draw):
    sequences = sequences_of(draw, (3, 7, 16))
    results, _ = unpack((yield call(sequences, (4, 8, 16), wrap=CENTER)), 2, "결과")
    for sequence, result in zip(sequences, unpack(results, 3, "결과")):
        close(result, sequence - sequence.mean(), "결과", **LOOSE)


@bucket_question.probe(1, "0으로 채우고 bool 마스크를 넘김", needs=[bucket_values])
def padding(draw):
    sequences = sequences_of(draw, (5, 6))
    results, seen = unpack((yield call(sequences, (6, 12), wrap=TOTAL)), 2, "결과")
    for sequence, result in zip(sequences, unpack(results, 2, "결과")):
        close(result, sequence + 100.0 + sequence.sum(), "결과", **LOOSE)
    require(list(seen) == [[6, "float32", "bool"]], "padded나 mask의 크기와 dtype이 다릅니다.")


@bucket_question.probe(2, "들어가는 가장 작은 크기만 컴파일", needs=[bucket_values])
def few_sizes(draw):
    lengths = (4, 3, 1, 8, 5, 9, 16, 2, 7)
    sequences = sequences_of(draw, lengths)
    results, seen = unpack((yield call(sequences, (4, 8, 16), wrap=CENTER)), 2, "결과")
    sizes = [size for size, *_ in seen]
    require(sizes == [4, 8, 16], f"트레이싱한 크기가 [4, 8, 16]이어야 하는데 {sizes}입니다.")
    for sequence, result in zip(sequences, results):
        close(result, sequence - sequence.mean(), "결과", **LOOSE)


@bucket_question.probe(1, "가장 큰 크기보다 길면 ValueError", needs=[bucket_values])
def too_long(draw):
    try:
        yield call(sequences_of(draw, (17,)), (4, 16), wrap=CENTER)
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


@scan_question.probe(2, "1차원 수열의 값", show=True)
def average_1d(draw):
    xs, decay = draw.normal(9, mean=2.0), draw.uniform(0.5, 0.95)
    close((yield call(xs, decay)), debiased(xs, decay), "평균", **LOOSE)


@scan_question.probe(1, "나머지 축이 있는 수열", needs=[average_1d])
def average_nd(draw):
    for shape in ((6, 3), (1, 2, 4)):
        xs, decay = draw.normal(*shape), draw.uniform(0.5, 0.95)
        close((yield call(xs, decay)), debiased(xs, decay), "평균", **LOOSE)


@scan_question.probe(2, "프로그램의 길이가 수열의 길이와 상관없음", needs=[average_1d])
def short_program(draw):
    decay = np.array(0.9, np.float32)
    sizes = []
    for n in (10, 60):
        sizes.append((yield program((draw.normal(n), decay), run=False)).operations)
    require(sizes[1] < 1.2 * sizes[0] + 10, "수열이 길어지면 프로그램도 길어집니다.")
    # 길이의 제곱만큼 계산하는 답은 1,000개에서 값이 흐트러지거나 느리다
    calls = [(draw.normal(1000), np.array(d, np.float32)) for d in (0.9, 0.99, 0.5)]
    ran = yield program(*calls)
    for (xs, decay), value in zip(calls, ran.values):
        close(value, debiased(xs, float(decay)), "평균", rtol=1e-3, atol=1e-4)


@scan_question.probe(1, "미분할 수 있음", needs=[average_1d])
def average_slope(draw):
    wrap = "lambda f: jax.grad(lambda xs, d: f(xs, d)[-1])"
    xs, decay = draw.normal(8), np.array(draw.uniform(0.5, 0.9), np.float32)
    (slope,) = (yield program((xs, decay), wrap=wrap)).values
    weights = (1 - float(decay)) * float(decay) ** np.arange(7, -1, -1)
    close(slope, weights / (1 - float(decay) ** 8), "기울기", rtol=1e-3, atol=1e-5)


# 문제 6 ------------------------------------------------------------------------------------
FIT = """lambda f: lambda w, batches, rate: (lambda seen: (f(
    lambda w, x, y, weight: (
        seen.append(1),
        jnp.sum(weight * (jnp.dot(x, w) - y) ** 2) / jnp.sum(weight),
    )[1],
    w, [(np.asarray(x), np.asarray(y)) for x, y in batches], rate,
), len(seen)))([])"""


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


@fit_question.probe(1, "크기가 같은 배치의 값", show=True)
def fit_equal(draw):
    batches, w = batches_of(draw, (6, 6, 6), 3), draw.normal(3)
    answer, _ = unpack((yield call(w, batches, 0.2, wrap=FIT)), 2, "결과")
    close(answer, descend(w, batches, 0.2), "w", **LOOSE)


@fit_question.probe(2, "작은 마지막 배치가 있을 때의 값", needs=[fit_equal])
def fit_ragged(draw):
    for sizes in ((5, 5, 2), (4, 1)):
        batches, w = batches_of(draw, sizes, 2), draw.normal(2)
        answer, _ = unpack((yield call(w, batches, 0.3, wrap=FIT)), 2, "결과")
        close(answer, descend(w, batches, 0.3), "w", **LOOSE)


@fit_question.probe(2, "크기가 같은 배치를 한 번만 트레이싱", needs=[fit_equal])
def fit_one_trace(draw):
    batches, w = batches_of(draw, (4,) * 5, 2), draw.normal(2)
    answer, count = unpack((yield call(w, batches, 0.1, wrap=FIT)), 2, "결과")
    close(answer, descend(w, batches, 0.1), "w", **LOOSE)
    require(count == 1, f"배치 다섯 개에 {count}번 트레이싱했습니다.")


@fit_question.probe(2, "파이썬 수에서 시작하고 마지막 배치가 작아도 한 번", needs=[fit_equal, fit_ragged])
def fit_one_trace_always(draw):
    batches = batches_of(draw, (4, 4, 3), 0)
    answer, count = unpack((yield call(0.5, batches, 0.2, wrap=FIT)), 2, "결과")
    close(answer, descend(0.5, batches, 0.2), "w", **LOOSE)
    require(count == 1, f"배치 세 개에 {count}번 트레이싱했습니다.")


# 문제 7 ------------------------------------------------------------------------------------
DOT = """lambda f: lambda n, m: f(
    lambda a, b: a @ b,
    jax.ShapeDtypeStruct((n, m), jnp.float32), jax.ShapeDtypeStruct((m, n), jnp.float32),
)"""
CHAIN = """lambda f: lambda n: f(
    lambda a: ((a * 2.0 + 1.0) * 3.0 + 4.0) * a, jax.ShapeDtypeStruct((n, n), jnp.float32)
)"""
MOVE = """lambda f: lambda n: f(lambda a: a.T, jax.ShapeDtypeStruct((n, n + 8), jnp.float32))"""


def costs(report, flops, moved):
    require(isinstance(report, dict), "딕셔너리가 아닙니다.")
    for name in ("flops", "bytes", "intensity"):
        require(type(report.get(name)) is float, f"{name}이 파이썬 float이 아닙니다.")
    want = {"flops": flops, "bytes": moved, "intensity": flops / moved}
    for name, right in want.items():
        near = abs(report[name] - right) <= 0.01 * right
        require(near, f"{name}이 {right:.4g}이어야 하는데 {report[name]:.4g}입니다.")


@cost_question.probe(2, "행렬곱의 연산 수, 바이트 수, 산술 강도", show=True)
def dot_cost(draw):
    n, m = 8 * draw.integer(2, 7), 8 * draw.integer(8, 12)
    costs((yield call(n, m, wrap=DOT)), 2.0 * n * n * m, 4.0 * (2 * n * m + n * n))


@cost_question.probe(2, "융합된 뒤의 바이트", needs=[dot_cost])
def fused_cost(draw):
    n = 16 * draw.integer(2, 8)
    costs((yield call(n, wrap=CHAIN)), 5.0 * n * n, 8.0 * n * n)


@cost_question.probe(1, "연산이 없는 함수", needs=[dot_cost])
def free_cost(draw):
    n = 8 * draw.integer(2, 8)
    report = yield call(n, wrap=MOVE)
    require(isinstance(report, dict), "딕셔너리가 아닙니다.")
    require(report.get("flops") == 0.0, "flops가 0이 아닙니다.")
    require(report.get("intensity") == 0.0, "intensity가 0이 아닙니다.")


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


def eigen(answer, right, what="결과"):
    vector, value, steps = unpack(answer, 3, what)
    close(steps, right[2], f"{what}의 횟수", dtype="int32")
    close(value, right[1], f"{what}의 고유값", rtol=1e-3)
    close(vector, right[0], f"{what}의 벡터", rtol=1e-3, atol=1e-3)


@power_question.probe(2, "변화가 작아지면 멈춤", show=True)
def converges(draw):
    for size, steps in ((3, 4), (5, 6)):
        matrix = psd(draw, size)
        tolerance, right = stopping_at(matrix, steps)
        eigen((yield call(matrix, tolerance, 100)), right)


@power_question.probe(1, "max_steps에서 멈춤", needs=[converges])
def bounded(draw):
    matrix = psd(draw, 4)
    for limit in (1, 3):
        _, norms, vectors = iterate(matrix, limit)
        eigen((yield call(matrix, 0.0, limit)), (vectors[-1], norms[-1], limit))
    # 바뀐 것이 없어도 tolerance가 0이면 멈추지 않습니다
    eye = np.eye(4, dtype=np.float32)
    eigen((yield call(eye, 0.0, 3)), (np.full(4, 0.5), 1.0, 3))


@power_question.probe(1, "영행렬에서 NaN이 없음", needs=[converges])
def zero_matrix(draw):
    size = draw.integer(2, 5)
    start = np.full(size, size**-0.5)
    for limit in (1, 40):
        eigen((yield call(np.zeros((size, size), np.float32), 0.0, limit)), (start, 0.0, 1))


@power_question.probe(2, "한 번 트레이싱한 프로그램으로 모든 조건을 처리", needs=[converges])
def one_power_program(draw):
    number, real = (lambda n: np.array(n, np.int32)), (lambda x: np.array(x, np.float32))
    calls, rights = [], []
    for steps in (3, 5):
        matrix = psd(draw, 4)
        tolerance, right = stopping_at(matrix, steps)
        calls.append((matrix, real(tolerance), number(60)))
        rights.append(right)
    matrix = calls[0][0]
    _, norms, vectors = iterate(matrix, 2)
    calls.append((matrix, real(0.0), number(2)))
    rights.append((vectors[-1], norms[-1], 2))
    ran = yield program(*calls)
    for value, right in zip(ran.values, rights):
        eigen(value, right)
    count = yield traces(*calls)
    require(count == 1, f"조건 {len(calls)}가지에 {count}번 트레이싱했습니다.")


@power_question.probe(2, "vmap에서도 행렬마다 따로 멈춤", needs=[converges])
def mapped_power(draw):
    slow = psd(draw, 3)
    tolerance, right = stopping_at(slow, 6)
    many = np.stack([slow, np.zeros((3, 3), np.float32), np.eye(3, dtype=np.float32)])
    start = np.full(3, 3**-0.5)
    wrap = "lambda f: jax.vmap(f, in_axes=(0, None, None))"
    inputs = (many, np.array(tolerance, np.float32), np.array(50, np.int32))
    (value,) = (yield program(inputs, wrap=wrap)).values
    vectors, values, steps = unpack(value, 3, "vmap한 결과")
    for i, want in enumerate((right, (start, 0.0, 1), (start, 1.0, 1))):
        one = tuple(np.asarray(part[i]) for part in (vectors, values, steps))
        eigen(one, want, f"{i + 1}번째 행렬")
