"""03장 "grad"의 문제와 검사.

미분할 함수는 wrap 안에 있어, 학생의 답은 어느 함수를 미분하는지 미리 알 수 없습니다.
참값은 손으로 구한 도함수를 numpy로 계산합니다.
"""

import numpy as np

from coursekit.grading.probes import (
    Exercise,
    as_eager,
    call,
    close,
    compiled,
    differ,
    finite,
    program,
    require,
    same,
    tree_close,
    unpack,
)

exercise = Exercise("03-grad", "grad")
translate = exercise.function("문제 1", "translate", "autograd 여덟 토막 옮기기")
pair = exercise.function("문제 2", "pair_loss", "겹친 두 점에서도 NaN이 없는 손실")
product = exercise.function("문제 3", "hvp", "헤세 행렬 없이 Hv")
clipped = exercise.function("문제 4", "clipped_loss", "기울기를 자르는 손실")
quantizer = exercise.function("문제 5", "quantize", "학습하는 양자화")
accumulator = exercise.function("문제 6", "accumulate", "나누어 모아도 같은 기울기")
solver = exercise.function("문제 7", "fixed_point", "고정점의 미분")

LOOSE = {"rtol": 1e-4, "atol": 1e-5}


def real(x):
    return np.array(x, np.float32)


# 문제 1 ------------------------------------------------------------------------------------
SNIPPETS = """lambda t: lambda w, x: t(
    lambda w, x: jnp.sum(jnp.tanh(w * x) * w), lambda w, x: jnp.sum(jnp.cos(w) * x), w, x
)"""


def snippets(w, x):
    """토막의 참값. f는 sum(tanh(wx) w), g는 sum(cos(w) x)이다."""
    w, x = np.float64(w), np.float64(x)
    t = np.tanh(w * x)
    s = 1 - t * t
    slope, by_x = t + w * x * s, w * w * s
    curve = 2 * x * s - 2 * w * x * x * t * s  # 이계 도함수
    g_value, g_slope = (np.cos(w) * x).sum(), -np.sin(w) * x
    return {
        "a": slope, "b": ((t * w).sum(), slope), "c": (slope, by_x), "d": slope * g_value,
        "e": slope + g_slope, "f": 2 * slope * curve, "g": 2 * w * x * x, "h": w - 0.1 * slope,
    }  # fmt: skip


def ask_snippets(draw, *names):
    for size in (4, 7):
        w, x = draw.normal(size), draw.normal(size)
        answer = yield call(w, x, wrap=SNIPPETS)
        require(isinstance(answer, dict), "딕셔너리를 돌려주지 않았습니다.")
        right = snippets(w, x)
        for name in names:
            require(name in answer, f"토막 {name}이 없습니다.")
            tree_close(answer[name], right[name], f"토막 {name}", **LOOSE)


@translate.probe(1, "a, b, c: backward와 .grad", show=True)
def plain_gradients(draw):
    yield from ask_snippets(draw, "a", "b", "c")


@translate.probe(1, "d: detach")
def detached(draw):
    yield from ask_snippets(draw, "d")


@translate.probe(1, "e: 두 번 부른 backward")
def accumulated(draw):
    yield from ask_snippets(draw, "e")


@translate.probe(1, "f: create_graph")
def twice_differentiated(draw):
    yield from ask_snippets(draw, "f")


@translate.probe(1, "g: 벡터를 준 backward")
def pulled_back(draw):
    yield from ask_snippets(draw, "g")


@translate.probe(1, "h: no_grad 안의 갱신")
def updated(draw):
    yield from ask_snippets(draw, "h")


# 문제 2 ------------------------------------------------------------------------------------
BOTH = "lambda f: jax.value_and_grad(f, argnums=(0, 1))"


def pair_answer(a, b, same, margin):
    """손실과 a, b의 기울기. 겹친 쌍의 기울기는 0이다."""
    difference = np.float64(a) - np.float64(b)
    distance = np.sqrt((difference**2).sum(-1, keepdims=True))
    apart = distance > 0
    unit = np.where(apart, difference / np.where(apart, distance, 1.0), 0.0)
    push = np.maximum(margin - distance, 0.0)
    loss = np.where(same[:, None], distance**2, push**2).mean()
    slope = np.where(same[:, None], 2 * difference, -2 * push * unit) / len(a)
    return loss, (slope, -slope)


def pairs_of(draw, batch=8):
    """가까운 쌍과 먼 쌍, 같은 것과 다른 것이 모두 든 배치."""
    a, unit = draw.normal(batch, 4), draw.normal(batch, 4)
    unit = unit / np.linalg.norm(unit, axis=-1, keepdims=True)
    distance = np.tile([0.3, 0.7, 2.0, 3.0], batch // 4)[:, None]
    return a, (a + distance * unit).astype(np.float32), np.arange(batch) % 8 < 4


@pair.probe(1, "손실의 값은 위의 식과 같음", show=True)
def pair_value(draw):
    for margin in (1.0, 2.5):
        inputs = (*pairs_of(draw), margin)
        close((yield call(*inputs)), pair_answer(*inputs)[0], "손실", **LOOSE)
    inputs = coincident(draw)  # 거리에 작은 수를 더한 답도 값은 거의 같다
    close((yield call(*inputs)), pair_answer(*inputs)[0], "손실", rtol=2e-2)


def coincident(draw):
    """겹친 쌍이 둘인 배치. 하나는 같은 것, 하나는 다른 것."""
    a, b, alike = pairs_of(draw)
    b[[0, 5]] = a[[0, 5]]
    return a, b, alike, real(1.5)


def slopes(*inputs):
    """a와 b에 대한 기울기. 겹친 쌍이 있어도 유한하고, 떨어진 쌍에서는 0이 아니다."""
    _, found = unpack((yield call(*inputs, wrap=BOTH)), 2, "손실과 기울기")
    found = unpack(found, 2, "기울기")
    finite(found, "기울기")
    for part in found:
        require(part.shape == inputs[0].shape and part[1:4].any(), "기울기의 모양이 다릅니다.")
    return found


@pair.probe(1, "겹친 쌍이 있어도 기울기에 NaN이 없음")
def no_nan(draw):
    yield from slopes(*coincident(draw))
    a, b, alike = pairs_of(draw)
    yield from slopes(np.vstack([b[:1], a[1:]]), b, ~alike, real(1.0))


@pair.probe(1, "겹친 쌍에서 나오는 기울기는 0")
def zero_slope(draw):
    for part in (yield from slopes(*coincident(draw))):
        require(not part[[0, 5]].any(), "겹친 쌍의 기울기가 0이 아닙니다.")


@pair.probe(1, "겹치지 않은 쌍의 기울기는 손실을 미분한 것")
def other_slopes(draw):
    a, b, alike, margin = coincident(draw)
    by_a, by_b = yield from slopes(a, b, alike, margin)
    for row, column in ((1, 0), (2, 3), (4, 1), (6, 2)):
        step = np.zeros_like(a)
        step[row, column] = 0.01
        for slope, da, db in ((by_a, step, 0 * step), (by_b, 0 * step, step)):
            up = yield call(a + da, b + db, alike, margin)
            down = yield call(a - da, b - db, alike, margin)
            close(real(slope[row, column]), (up - down) / 0.02, "기울기", rtol=2e-2, atol=3e-3)


@pair.probe(1, "거리에 작은 수를 더하지 않아, 거의 겹친 쌍의 기울기도 작아지지 않음")
def nearly_coincident(draw):
    unit = draw.normal(8, 4)
    unit = (unit / np.linalg.norm(unit, axis=-1, keepdims=True)).astype(np.float32)
    b, none = np.zeros_like(unit), np.zeros(8, bool)
    sizes = []
    for distance in (0.02, 3e-7):
        a = real(distance * unit)
        a[0] = 0
        by_a, _ = yield from slopes(a, b, none, real(1.0))
        sizes.append(np.linalg.norm(by_a[1:], axis=-1))
    require((sizes[1] > 0.7 * sizes[0]).all(), "거의 겹친 쌍의 기울기가 작아집니다.")


@pair.probe(1, "jax.jit에서 실행되고, same과 margin도 트레이싱될 수 있음")
def pair_program(draw):
    a, b, alike, _ = coincident(draw)
    calls = [(a, b, alike, real(0.5)), (a, b, alike, real(2.5)), (a, b, ~alike, real(2.5))]
    own = yield from as_eager(*calls, wrap=BOTH)
    finite(own, "손실과 기울기")
    differ(own, "same이나 margin이 바뀌어도 값이 그대로입니다.")


# 문제 3 ------------------------------------------------------------------------------------
ARRAY = "lambda h: lambda w, v: h(lambda w: jnp.sum(w**4) / 4 + jnp.sum(w) ** 2 / 2, w, v)"
TREE = """lambda h: lambda w, v: h(
    lambda w: jnp.sum(jnp.sin(w['a'])) * jnp.sum(w['b'] ** 2) + jnp.sum(w['a'] ** 3), w, v
)"""


def tree_product(w, v):
    a, b, va, vb = w["a"], w["b"], v["a"], v["b"]
    by_a = -np.sin(a) * (b**2).sum() * va + np.cos(a) * 2 * (b * vb).sum() + 6 * a * va
    by_b = 2 * b * (np.cos(a) * va).sum() + 2 * np.sin(a).sum() * vb
    return {"a": by_a, "b": by_b}


def trees_of(draw):
    return {"a": draw.normal(3), "b": draw.normal(2, 2)}


@product.probe(1, "배열 하나에서 Hv", show=True)
def one_array(draw):
    for size in (3, 6):
        w, v = draw.normal(size), draw.normal(size)
        close((yield call(w, v, wrap=ARRAY)), 3 * w**2 * v + v.sum(), "Hv", **LOOSE)


def moved_trees(draw):
    """w만 다른 것과 v만 다른 것."""
    w, other, v = trees_of(draw), trees_of(draw), trees_of(draw)
    return (w, v), (other, v), (other, w)


@product.probe(1, "w가 파이트리이면 반환값도 w와 같은 구조")
def tree_structure(draw):
    own = []
    for w, v in moved_trees(draw):
        own.append((yield call(w, v, wrap=TREE)))
        require(isinstance(own[-1], dict) and set(own[-1]) == set(w), "w와 구조가 다릅니다.")
        for name in w:
            require(getattr(own[-1][name], "shape", None) == w[name].shape, "shape이 다릅니다.")
    differ(own, "w나 v가 바뀌어도 값이 그대로입니다.")


@product.probe(1, "w가 파이트리일 때의 Hv")
def tree_values(draw):
    for _ in range(2):
        w, v = trees_of(draw), trees_of(draw)
        tree_close((yield call(w, v, wrap=TREE)), tree_product(w, v), "Hv", rtol=1e-4, atol=1e-4)


@product.probe(1, "jax.jit에서 실행됨")
def product_program(draw):
    own = yield from as_eager(*moved_trees(draw), wrap=TREE)
    differ(own, "w나 v가 바뀌어도 값이 그대로입니다.")


@product.probe(2, "계산 도중 크기가 n²인 배열이 생기지 않음")
def no_square(draw):
    # 행렬 곱이 있어야 XLA가 헤세 행렬을 융합해 없애지 못한다
    wrap = "lambda h: lambda m, w, v: h(lambda w: jnp.sum(jnp.tanh(m @ w) ** 2), w, v)"
    matrix, (w, v) = draw.normal(8, 20), draw.normal(2, 20)
    own = []
    for inputs in ((w, v), (v, v), (v, w)):
        own.append((yield call(matrix, *inputs, wrap=wrap)))
    differ(own, "w나 v가 바뀌어도 값이 그대로입니다.")
    inputs = (draw.normal(32, 3000), draw.normal(3000), draw.normal(3000))
    used = (yield compiled(*inputs, wrap=wrap)).temporary
    require(used < 3000 * 3000, f"n = 3000에서 임시 메모리를 {used:,}바이트 씁니다.")


# 문제 4 ------------------------------------------------------------------------------------
def errors_of(draw, *shape):
    """잘리는 오차와 잘리지 않는 오차가 섞인 예측과 목표."""
    target = draw.normal(*shape)
    return (target + draw.normal(*shape, scale=2.0)).astype(np.float32), target


@clipped.probe(1, "값은 자르지 않은 제곱 오차", show=True)
def squared_error(draw):
    for shape in ((5,), (3, 2)):
        prediction, target = errors_of(draw, *shape)
        right = 0.5 * ((prediction - target) ** 2).sum()
        close((yield call(prediction, target, 0.5)), right, "손실", **LOOSE)
        pair = yield call(prediction, target, 0.5, wrap="jax.value_and_grad")
        close(unpack(pair, 2, "손실과 기울기")[0], right, "미분할 때의 손실", **LOOSE)


SLOPES = "lambda f: jax.grad(lambda p, t, l, s: s * f(p, t, l), argnums=(0, 1, 2))"


def clipped_slopes(prediction, target, limit, scale=1.0):
    """예측, 목표, limit의 기울기. 예측의 기울기는 어느 원소도 limit보다 크지 않아야 한다."""
    inputs = (prediction, target, real(limit), real(scale))
    found = unpack((yield call(*inputs, wrap=SLOPES)), 3, "기울기")
    finite(found, "기울기")
    if scale == 1.0:
        largest = np.abs(found[0]).max()
        require(0 < largest < 1.001 * limit, f"limit이 {limit:.3g}인데 {largest:.3g}이 있습니다.")
    return found


@clipped.probe(1, "prediction의 기울기는 오차를 원소마다 자른 것")
def prediction_slope(draw):
    for limit in (0.4, 1.5):
        prediction, target = errors_of(draw, 9)
        slope, *_ = yield from clipped_slopes(prediction, target, limit)
        close(slope, np.clip(prediction - target, -limit, limit), "기울기", **LOOSE)


@clipped.probe(1, "target의 기울기는 prediction의 기울기의 부호를 바꾼 것")
def target_slope(draw):
    slope, other, _ = yield from clipped_slopes(*errors_of(draw, 9), 0.5)
    close(other, -slope, "target의 기울기", **LOOSE)


@clipped.probe(1, "바깥에서 온 기울기를 곱함")
def outer_slope(draw):
    prediction, target = errors_of(draw, 9)
    scale = draw.uniform(-3.0, -2.0)
    one, *_ = yield from clipped_slopes(prediction, target, 0.6)
    scaled, *_ = yield from clipped_slopes(prediction, target, 0.6, scale)
    close(scaled, scale * one, "기울기", **LOOSE)


@clipped.probe(1, "limit의 기울기는 0")
def limit_gradient(draw):
    *_, by_limit = yield from clipped_slopes(*errors_of(draw, 6), 0.7)
    close(by_limit, 0.0, "limit의 기울기")


@clipped.probe(1, "limit이 트레이싱된 값이어도 jax.jit과 jax.vmap에서 실행됨")
def clipped_program(draw):
    wrap = "lambda f: jax.grad(f, argnums=(0, 1))"
    prediction, target = errors_of(draw, 3, 6)
    limits = real([0.2, 0.9, 5.0])
    mapped = f"lambda f: jax.vmap(({wrap})(f))"
    (value,) = (yield program((prediction, target, limits), wrap=mapped)).values
    by_prediction, by_target = unpack(value, 2, "기울기")
    for i, limit in enumerate(limits):
        own = yield call(prediction[i], target[i], np.asarray(limit), wrap=wrap)
        same([by_prediction[i], by_target[i]], own, "vmap한 기울기")
    own = []
    for limit in (0.2, 0.9):
        own.append((yield call(prediction[0], target[0], real(limit), wrap=wrap)))
    differ(own, "limit이 바뀌어도 기울기가 그대로입니다.")


# 문제 5 ------------------------------------------------------------------------------------
LOW, HIGH = -3, 4


def scaled_inputs(draw, *shape):
    """x, step과 v = x / step. 반올림의 중간과 범위의 경계를 피한다."""
    generator = draw.generator
    whole = generator.integers(LOW - 3, HIGH + 3, shape, endpoint=True)
    offset = generator.uniform(0.1, 0.4, shape) * generator.choice([-1, 1], shape)
    whole.flat[:5] = (LOW - 2, LOW, 0, HIGH, HIGH + 2)  # 안과 밖이 꼭 들어 있게
    step = draw.uniform(0.2, 0.6)
    v = whole + offset
    return (v * step).astype(np.float32), step, v


def quantized(v):
    """x의 기울기, step의 기울기, 값을 step으로 나눈 것."""
    inside = (v > LOW) & (v < HIGH)
    level = np.clip(np.round(v), LOW, HIGH)
    return inside * 1.0, np.where(inside, level - v, level), level


@quantizer.probe(1, "값", show=True)
def levels(draw):
    x, step, v = scaled_inputs(draw, 16)
    close((yield call(x, step, LOW, HIGH)), quantized(v)[2] * step, "값", **LOOSE)


def slope_of_x(draw):
    """x의 기울기, 그 가운데 범위 안인 자리."""
    x, step, v = scaled_inputs(draw, 16)
    wrap = f"lambda q: jax.grad(lambda x, s: jnp.sum(q(x, s, {LOW}, {HIGH})))"
    slope = yield call(x, real(step), wrap=wrap)
    finite(slope, "x의 기울기")
    require(slope.shape == (16,), "x의 기울기의 모양이 다릅니다.")
    return slope, (v > LOW) & (v < HIGH)


@quantizer.probe(1, "x의 기울기는 low와 high 사이에서 1")
def x_inside(draw):
    slope, inside = yield from slope_of_x(draw)
    close(slope[inside], np.ones(inside.sum()), "x의 기울기", **LOOSE)


@quantizer.probe(1, "x의 기울기는 low와 high 밖에서 0")
def x_outside(draw):
    slope, inside = yield from slope_of_x(draw)
    require(slope[inside].any(), "모든 자리의 기울기가 0입니다.")
    close(slope[~inside], np.zeros((~inside).sum()), "x의 기울기", **LOOSE)


def slope_of_step(draw):
    """자리마다 step의 기울기, 맞는 기울기, 범위 안인 자리."""
    x, step, v = scaled_inputs(draw, 8)
    wrap = f"lambda q: jax.vmap(jax.grad(lambda s, x: q(x, s, {LOW}, {HIGH})), (None, 0))"
    slope = yield call(real(step), x, wrap=wrap)
    finite(slope, "step의 기울기")
    require(slope.shape == (8,), "step의 기울기의 모양이 다릅니다.")
    return slope, quantized(v), (v > LOW) & (v < HIGH)


@quantizer.probe(1, "step의 기울기는 low와 high 사이에서 round(v) - v")
def step_inside(draw):
    slope, (_, right, _), inside = yield from slope_of_step(draw)
    close(slope[inside], right[inside], "step의 기울기", rtol=1e-4, atol=1e-4)


@quantizer.probe(1, "step의 기울기는 v < low에서 low, v > high에서 high")
def step_outside(draw):
    slope, (_, right, level), inside = yield from slope_of_step(draw)
    close(slope[~inside], right[~inside], "step의 기울기", rtol=1e-4, atol=1e-4)
    through = np.abs(slope[inside] - level[inside]).max() > 0.05
    require(through, "범위 안에서 step의 기울기가 반올림한 수 그대로입니다.")


@quantizer.probe(1, "jax.jit과 jax.vmap에서 실행됨")
def quantize_program(draw):
    wrap = f"lambda q: jax.value_and_grad(lambda x, s: jnp.sum(q(x, s, {LOW}, {HIGH})), (0, 1))"
    rows = [scaled_inputs(draw, 8)[:2] for _ in range(3)]
    calls = [(x, real(step)) for x, step in rows]
    own = yield from as_eager(*calls, wrap=wrap)
    for value in own:
        require(unpack(unpack(value, 2, "값")[1], 2, "기울기")[0].any(), "x의 기울기가 0입니다.")
    differ(own, "입력이 바뀌어도 값이 그대로입니다.")
    stacked = (np.stack([x for x, _ in rows]), real([step for _, step in rows]))
    (value,) = (yield program(stacked, wrap=f"lambda q: jax.vmap(({wrap})(q))")).values
    sums, (by_x, by_step) = value
    for i, one in enumerate(own):
        same([np.asarray(sums[i]), [by_x[i], np.asarray(by_step[i])]], one, "vmap한 값")


# 문제 6 ------------------------------------------------------------------------------------
def accumulate_wrap(pieces):
    return f"""lambda f: lambda p, x, y, w: f(
        lambda p, x, y: (jnp.sin(x @ p['w'] + p['b']) - y) ** 2, p, x, y, w, {pieces}
    )"""


def batch_of(draw, weight):
    size = len(weight)
    params = {"w": draw.normal(3), "b": draw.normal()}
    return params, draw.normal(size, 3), draw.normal(size), np.float32(weight)


def whole_batch(params, x, y, weight):
    z = np.float64(x) @ params["w"] + params["b"]
    error = np.sin(z) - y
    by_z = weight * 2 * error * np.cos(z) / weight.sum()
    return (weight * error**2).sum() / weight.sum(), {"w": by_z @ x, "b": by_z.sum()}


UNEVEN = (1, 1, 0, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0.5, 1, 1, 1)


@accumulator.probe(1, "loss는 배치 전체의 평균", show=True)
def equal_loss(draw):
    inputs = batch_of(draw, np.ones(16))
    for pieces in (1, 4):
        loss, _ = unpack((yield call(*inputs, wrap=accumulate_wrap(pieces))), 2, "돌려준 값")
        close(loss, whole_batch(*inputs)[0], "손실", **LOOSE)


@accumulator.probe(1, "가중치가 다르고 가중치가 모두 0인 조각이 있어도 loss가 맞음")
def uneven_loss(draw):
    for pieces in (2, 4, 8):
        inputs = batch_of(draw, UNEVEN)
        loss, _ = unpack((yield call(*inputs, wrap=accumulate_wrap(pieces))), 2, "돌려준 값")
        close(loss, whole_batch(*inputs)[0], "손실", **LOOSE)


@accumulator.probe(1, "가중치가 다르고 가중치가 모두 0인 조각이 있어도 gradient가 맞음")
def uneven_gradient(draw):
    for pieces in (2, 4, 8):
        inputs = batch_of(draw, UNEVEN)
        _, slope = unpack((yield call(*inputs, wrap=accumulate_wrap(pieces))), 2, "돌려준 값")
        tree_close(slope, whole_batch(*inputs)[1], "기울기", **LOOSE)


@accumulator.probe(1, "losses를 트레이싱하는 횟수가 pieces에 따라 늘지 않음")
def size_of_program(draw):
    inputs, sizes = batch_of(draw, np.ones(16)), []
    for pieces in (2, 16):
        ran = yield program(inputs, wrap=accumulate_wrap(pieces), run=False)
        sizes.append(ran.operations)
    require(sizes[1] < 1.3 * sizes[0] + 10, "조각이 늘면 프로그램도 커집니다.")
    own = []
    for _ in range(2):
        own.append((yield call(*batch_of(draw, np.ones(16)), wrap=accumulate_wrap(2))))
    differ(own, "입력이 바뀌어도 값이 그대로입니다.")


@accumulator.probe(2, "한 번에 한 조각만 계산", needs=[size_of_program])
def one_piece_at_a_time(draw):
    wrap = """lambda f: lambda m, x, y, w: f(
        lambda m, x, y: (jnp.sin(x @ m) @ jnp.sin(m.sum(0)) - y) ** 2, m, x, y, w, 16
    )"""
    inputs = (draw.normal(2, 4096), draw.normal(64, 2), draw.normal(64), np.ones(64, np.float32))
    # 배치 전체의 중간값 하나가 1 MiB이다
    used = (yield compiled(*inputs, wrap=wrap)).temporary
    require(used < 900_000, f"조각 16개에서 임시 메모리를 {used:,}바이트 씁니다.")


@accumulator.probe(1, "pieces를 뺀 나머지는 jax.jit에서 트레이싱됨")
def accumulate_program(draw):
    calls = [batch_of(draw, np.roll(UNEVEN, shift)) for shift in (0, 3, 8)]
    own = yield from as_eager(*calls, wrap=accumulate_wrap(4))
    finite(own, "손실과 기울기")
    differ(own, "입력이 바뀌어도 값이 그대로입니다.")


# 문제 7 ------------------------------------------------------------------------------------
LINE = "lambda t, z: t[0] * z + t[1]"
NETWORK = "lambda t, z: 0.6 * jnp.tanh(t['a'] @ z) + t['b']"


def solve_wrap(f):
    return f"lambda s: lambda theta, start: s({f}, theta, start)"


def gradient_wrap(f):
    return f"""lambda s: jax.value_and_grad(
        lambda theta, start, g: jnp.sum(g * s({f}, theta, start)), argnums=(0, 1)
    )"""


def network_of(draw):
    a = draw.normal(4, 4)
    theta = {"a": (a / np.linalg.norm(a, 2)).astype(np.float32), "b": draw.normal(4)}
    return theta, draw.normal(4), draw.normal(4)


def network_answer(theta, start, g):
    a, b = np.float64(theta["a"]), np.float64(theta["b"])
    z = np.zeros(4)
    for _ in range(200):
        z = 0.6 * np.tanh(a @ z) + b
    slope = 0.6 * (1 - np.tanh(a @ z) ** 2)
    u = np.linalg.solve(np.eye(4) - (slope[:, None] * a).T, np.float64(g))
    return g @ z, ({"a": np.outer(slope * u, z), "b": u}, np.zeros(4))


@solver.probe(1, "고정점을 돌려줌", show=True)
def fixed_points(draw):
    for _ in range(2):
        slope, shift = draw.uniform(0.2, 0.8), draw.uniform(-3.0, 3.0)
        theta = (np.float32(slope), np.float32(shift))
        for start in (np.zeros(3, np.float32), draw.normal(3, scale=9.0)):
            answer = yield call(theta, start, wrap=solve_wrap(LINE))
            close(answer, np.full(3, shift / (1 - slope)), "고정점", rtol=1e-4, atol=1e-4)


@solver.probe(1, "차이가 1e-6보다 작아질 때까지, 많아야 1,000번 반복")
def stops(draw):
    start, step = np.zeros(3, np.float32), np.float32([1.5e-6, 0, 0])
    moved = yield call(step, start, wrap=solve_wrap("lambda t, z: z + t"))
    close(moved, 1000 * step, "차이가 1.5e-6인 반복", rtol=0.1, atol=1e-7)
    # 한 스텝 크게 움직인 뒤에는 5e-7씩 움직인다: 더 돌면 값이 달라진다
    wrap = solve_wrap("lambda t, z: jnp.where(z < 0.5, z + 0.5, z + t)")
    still = yield call(np.float32([5e-7] * 3), start, wrap=wrap)
    close(still, np.full(3, 0.5), "차이가 5e-7인 반복", atol=1e-5)


@solver.probe(2, "jit에서 역방향으로 미분한 theta의 기울기")
def theta_gradient(draw):
    calls = [network_of(draw) for _ in range(2)]
    for inputs, value in zip(calls, (yield program(*calls, wrap=gradient_wrap(NETWORK))).values):
        _, gradients = unpack(value, 2, "답")
        right = network_answer(*inputs)[1][0]
        tree_close(unpack(gradients, 2, "기울기")[0], right, "기울기", rtol=2e-4, atol=1e-4)
    # 느리게 수렴하면 u를 구하는 반복도 오래 걸린다
    slope, shift = draw.uniform(0.9, 0.92), draw.uniform(0.5, 1.0)
    inputs = ((real(slope), real(shift)), np.zeros(1, np.float32), np.ones(1, np.float32))
    (value,) = (yield program(inputs, wrap=gradient_wrap(LINE))).values
    by_theta, _ = unpack(unpack(value, 2, "답")[1], 2, "기울기")
    right = (shift / (1 - slope) ** 2, 1 / (1 - slope))
    tree_close(by_theta, right, "기울기", rtol=5e-3)


@solver.probe(1, "start에 대한 기울기는 0")
def start_gradient(draw):
    inputs = network_of(draw)
    (value,) = (yield program(inputs, wrap=gradient_wrap(NETWORK))).values
    by_theta, by_start = unpack(unpack(value, 2, "답")[1], 2, "기울기")
    close(by_start, np.zeros(4), "start의 기울기", atol=1e-7)
    require(by_theta["b"].any(), "theta의 기울기도 0입니다.")


@solver.probe(1, "jit에서도 스텝 수를 미리 정하지 않고, 느리게 수렴해도 고정점을 찾음")
def slow(draw):
    slope, shift = draw.uniform(0.96, 0.97), draw.uniform(0.5, 1.0)
    inputs = ((real(slope), real(shift)), np.zeros(1, np.float32))
    (value,) = (yield program(inputs, wrap=solve_wrap(LINE))).values
    slope, shift = (float(part) for part in inputs[0])
    close(value, np.array([shift / (1 - slope)]), "고정점", rtol=1e-3)


@solver.probe(1, "jax.jit에서도 같은 값")
def solver_program(draw):
    calls = [network_of(draw)[:2] for _ in range(2)]
    own = yield from as_eager(*calls, wrap=solve_wrap(NETWORK), atol=1e-4)
    differ(own, "theta가 바뀌어도 값이 그대로입니다.")


@solver.probe(1, "theta에 대한 jax.vmap에서 실행됨")
def solver_mapped(draw):
    several = [network_of(draw) for _ in range(3)]
    theta = {name: np.stack([one[0][name] for one in several]) for name in ("a", "b")}
    start = several[0][1]
    wrap = f"lambda s: jax.vmap(({solve_wrap(NETWORK)})(s), (0, None))"
    (value,) = (yield program((theta, start), wrap=wrap)).values
    rows = []
    for i, (one, *_) in enumerate(several):
        rows.append((yield call(one, start, wrap=solve_wrap(NETWORK))))
        same(value[i], rows[-1], "vmap한 값", atol=1e-4)
    differ(rows, "theta가 바뀌어도 값이 그대로입니다.")


@solver.probe(1, "역방향의 메모리가 스텝 수와 상관없음")
def constant_memory(draw):
    wrap = """lambda s: jax.grad(
        lambda theta: jnp.sum(s(lambda t, z: jnp.cos(t * z), theta, jnp.ones_like(theta)))
    )"""
    theta = np.linspace(0.1, 0.9, 5000, dtype=np.float32)
    slope = yield call(theta[::1000], wrap=wrap)
    require(np.any(slope), "theta의 기울기가 0입니다.")
    used = (yield compiled(theta, wrap=wrap)).temporary
    require(used < 40 * theta.nbytes, f"고정점 5,000개에서 임시 메모리를 {used:,}바이트 씁니다.")
