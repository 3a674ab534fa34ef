"""03장 "grad"의 문제와 검사.

미분할 함수는 wrap 안에 있어, 학생의 답은 어느 함수를 미분하는지 미리 알 수 없습니다.
참값은 손으로 구한 도함수를 numpy로 계산합니다.
"""

import numpy as np

from coursekit.grading.probes import Exercise, call, close, program, require, tree_close, unpack

exercise = Exercise("03-grad", "grad")
translate = exercise.function("문제 1", "translate", "autograd 여덟 토막 옮기기")
pair = exercise.function("문제 2", "pair_loss", "겹친 두 점에서도 NaN이 없는 손실")
product = exercise.function("문제 3", "hvp", "헤세 행렬 없이 Hv")
clipped = exercise.function("문제 4", "clipped_loss", "기울기를 자르는 손실")
quantizer = exercise.function("문제 5", "quantize", "학습하는 양자화")
accumulator = exercise.function("문제 6", "accumulate", "나누어 모아도 같은 기울기")
solver = exercise.function("문제 7", "fixed_point", "고정점의 미분")

LOOSE = {"rtol": 1e-4, "atol": 1e-5}


def memory(what, limit, arguments, wrap):
    """컴파일한 프로그램의 임시 메모리를 묻는다. 학생의 프로세스가 말하므로 점수를 깎기만 한다."""
    used = yield call(*arguments, wrap=wrap)
    small = isinstance(used, int) and 0 <= used < limit
    require(small, f"{what}: 임시 메모리를 {used}바이트 씁니다.")


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
        require(isinstance(answer, dict), "사전을 돌려주지 않았습니다.")
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


@pair.probe(2, "떨어진 쌍의 손실과 기울기", show=True)
def apart(draw):
    for margin in (1.0, 2.5):
        inputs = (*pairs_of(draw), margin)
        tree_close((yield call(*inputs, wrap=BOTH)), pair_answer(*inputs), "손실과 기울기", **LOOSE)


@pair.probe(2, "겹친 쌍이 있어도 NaN이 없음", needs=[apart])
def coincident(draw):
    a, b, same = pairs_of(draw)
    b[[0, 5]] = a[[0, 5]]
    inputs = (a, b, same, 1.5)
    tree_close((yield call(*inputs, wrap=BOTH)), pair_answer(*inputs), "손실과 기울기", **LOOSE)
    zeros = np.zeros((8, 4), np.float32)
    inputs = (zeros, zeros, np.arange(8) < 3, 1.0)
    tree_close((yield call(*inputs, wrap=BOTH)), pair_answer(*inputs), "손실과 기울기", **LOOSE)


@pair.probe(1, "거의 겹친 쌍의 기울기를 바꾸지 않음", needs=[apart])
def nearly_coincident(draw):
    a = draw.normal(8, 4)
    a = (3e-7 * a / np.linalg.norm(a, axis=-1, keepdims=True)).astype(np.float32)
    inputs = (a, np.zeros_like(a), np.zeros(8, bool), 1.0)
    _, gradients = unpack((yield call(*inputs, wrap=BOTH)), 2, "손실과 기울기")
    tree_close(gradients, pair_answer(*inputs)[1], "기울기", rtol=1e-3, atol=1e-5)


@pair.probe(1, "jit에서 same과 margin도 트레이싱", needs=[coincident])
def pair_program(draw):
    calls = []
    for margin in (0.5, 1.5, 2.5):
        a, b, same = pairs_of(draw)
        b[1] = a[1]
        calls.append((a, b, np.roll(same, int(margin)), np.array(margin, np.float32)))
    ran = yield program(*calls, wrap=BOTH)
    for inputs, value in zip(calls, ran.values):
        tree_close(value, pair_answer(*inputs), "손실과 기울기", **LOOSE)


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


@product.probe(2, "배열 하나에서 Hv", show=True)
def one_array(draw):
    for size in (3, 6):
        w, v = draw.normal(size), draw.normal(size)
        close((yield call(w, v, wrap=ARRAY)), 3 * w**2 * v + v.sum(), "Hv", **LOOSE)


@product.probe(2, "파이트리에서 Hv", needs=[one_array])
def one_tree(draw):
    for _ in range(2):
        w, v = trees_of(draw), trees_of(draw)
        tree_close((yield call(w, v, wrap=TREE)), tree_product(w, v), "Hv", rtol=1e-4, atol=1e-4)


@product.probe(1, "jit에서 한 프로그램으로", needs=[one_array])
def product_program(draw):
    calls = [(draw.normal(5), draw.normal(5)) for _ in range(3)]
    ran = yield program(*calls, wrap=ARRAY)
    for (w, v), value in zip(calls, ran.values):
        close(value, 3 * w**2 * v + v.sum(), "Hv", rtol=1e-4, atol=1e-4)


@product.probe(1, "크기가 n²인 배열을 만들지 않음", needs=[one_array])
def no_square(draw):
    # 행렬 곱이 있어야 XLA가 헤세 행렬을 융합해 없애지 못한다
    wrap = """lambda h: lambda m, w, v: jax.jit(lambda m, w, v: h(
        lambda w: jnp.sum(jnp.tanh(m @ w) ** 2), w, v
    )).lower(m, w, v).compile().memory_analysis().temp_size_in_bytes"""
    inputs = (draw.normal(32, 3000), draw.normal(3000), draw.normal(3000))
    yield from memory("n = 3000", 3000 * 3000, inputs, wrap)


# 문제 4 ------------------------------------------------------------------------------------
def errors_of(draw, *shape):
    """잘리는 오차와 잘리지 않는 오차가 섞인 예측과 목표."""
    target = draw.normal(*shape)
    return (target + draw.normal(*shape, scale=2.0)).astype(np.float32), target


@clipped.probe(1, "값은 자르지 않은 제곱 오차", show=True)
def squared_error(draw):
    for shape in ((5,), (3, 2)):
        prediction, target = errors_of(draw, *shape)
        answer = yield call(prediction, target, 0.5)
        close(answer, 0.5 * ((prediction - target) ** 2).sum(), "손실", **LOOSE)


@clipped.probe(2, "자른 기울기에 바깥의 기울기를 곱함", needs=[squared_error])
def clipped_gradients(draw):
    wrap = "lambda f: jax.value_and_grad(lambda p, t, l, s: s * f(p, t, l), argnums=(0, 1))"
    for limit in (0.4, 1.5):
        prediction, target = errors_of(draw, 9)
        scale = draw.uniform(-3.0, -2.0)
        answer = yield call(prediction, target, limit, scale, wrap=wrap)
        value = scale * 0.5 * ((prediction - target) ** 2).sum()
        right = scale * np.clip(prediction - target, -limit, limit)
        tree_close(answer, (value, (right, -right)), "값과 기울기", **LOOSE)


@clipped.probe(1, "limit의 기울기는 0", needs=[clipped_gradients])
def limit_gradient(draw):
    answer = yield call(*errors_of(draw, 6), 0.7, wrap="lambda f: jax.grad(f, argnums=2)")
    close(answer, 0.0, "limit의 기울기")


@clipped.probe(2, "jit과 vmap에서 limit도 트레이싱", needs=[clipped_gradients])
def clipped_program(draw):
    calls = []
    for _ in range(2):
        limits = np.abs(draw.normal(4)) + np.float32(0.2)
        calls.append((*errors_of(draw, 4, 6), limits))
    ran = yield program(*calls, wrap="lambda f: jax.vmap(jax.grad(f, argnums=(0, 1)))")
    for (prediction, target, limits), value in zip(calls, ran.values):
        right = np.clip(prediction - target, -limits[:, None], limits[:, None])
        tree_close(value, (right, -right), "기울기", **LOOSE)


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


@quantizer.probe(2, "x의 기울기: 범위 안에서 1, 밖에서 0", needs=[levels])
def gradient_of_x(draw):
    wrap = f"lambda q: jax.grad(lambda x, s: jnp.sum(x * q(x, s, {LOW}, {HIGH})))"
    x, step, v = scaled_inputs(draw, 16)
    by_x, _, level = quantized(v)
    close((yield call(x, step, wrap=wrap)), level * step + x * by_x, "기울기", **LOOSE)


@quantizer.probe(2, "step의 기울기", needs=[levels])
def gradient_of_step(draw):
    wrap = f"lambda q: jax.grad(lambda s, x, u: jnp.sum(u * q(x, s, {LOW}, {HIGH})))"
    x, step, v = scaled_inputs(draw, 16)
    for place in (0, 1, 2, 3, 4, slice(None)):
        weight = np.zeros(16, np.float32)
        weight[place] = 1.0
        answer = yield call(np.float32(step), x, weight, wrap=wrap)
        right = (weight * quantized(v)[1]).sum()
        close(answer, right, "step의 기울기", rtol=1e-4, atol=1e-4)


@quantizer.probe(1, "jit과 vmap", needs=[gradient_of_x, gradient_of_step])
def quantize_program(draw):
    wrap = f"""lambda q: jax.vmap(
        jax.value_and_grad(lambda x, s: jnp.sum(q(x, s, {LOW}, {HIGH})), argnums=(0, 1))
    )"""
    calls, rights = [], []
    for _ in range(2):
        rows = [scaled_inputs(draw, 8) for _ in range(3)]
        calls.append((np.stack([row[0] for row in rows]), np.float32([row[1] for row in rows])))
        parts = [quantized(row[2]) for row in rows]
        values = [(part[2] * row[1]).sum() for part, row in zip(parts, rows)]
        by_step = [part[1].sum() for part in parts]
        rights.append((np.array(values), (np.stack([p[0] for p in parts]), np.array(by_step))))
    ran = yield program(*calls, wrap=wrap)
    for value, right in zip(ran.values, rights):
        tree_close(value, right, "값과 기울기", rtol=1e-4, atol=1e-4)


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


@accumulator.probe(1, "무게가 같을 때", show=True)
def equal_weights(draw):
    inputs = batch_of(draw, np.ones(16))
    for pieces in (1, 4):
        answer = yield call(*inputs, wrap=accumulate_wrap(pieces))
        tree_close(answer, whole_batch(*inputs), "손실과 기울기", **LOOSE)


@accumulator.probe(2, "무게가 다르고, 무게가 모두 0인 조각이 있을 때", needs=[equal_weights])
def uneven_weights(draw):
    for pieces in (2, 4, 8):
        inputs = batch_of(draw, UNEVEN)
        answer = yield call(*inputs, wrap=accumulate_wrap(pieces))
        tree_close(answer, whole_batch(*inputs), "손실과 기울기", **LOOSE)


@accumulator.probe(2, "한 번에 한 조각만 계산", needs=[equal_weights])
def one_piece_at_a_time(draw):
    wrap = """lambda f: lambda m, x, y, w: jax.jit(lambda m, x, y, w: f(
        lambda m, x, y: (jnp.sin(x @ m) @ jnp.sin(m.sum(0)) - y) ** 2, m, x, y, w, 16
    )).lower(m, x, y, w).compile().memory_analysis().temp_size_in_bytes"""
    inputs = (draw.normal(2, 4096), draw.normal(64, 2), draw.normal(64), np.ones(64, np.float32))
    # 배치 전체의 중간값 하나가 1 MiB이다
    yield from memory("조각 16개", 900_000, inputs, wrap)


@accumulator.probe(
    1, "조각이 늘어도 프로그램이 자라지 않음", needs=[equal_weights, one_piece_at_a_time]
)
def size_of_program(draw):
    inputs, sizes = batch_of(draw, np.ones(16)), []
    for pieces in (2, 16):
        ran = yield program(inputs, wrap=accumulate_wrap(pieces), run=False)
        sizes.append(ran.operations)
    require(
        sizes[1] < 1.3 * sizes[0] + 10,
        "조각이 늘면 프로그램도 커집니다. 파이썬 반복문이 조각을 돕니다.",
    )


@accumulator.probe(1, "jit에서 나머지 인자를 모두 트레이싱", needs=[uneven_weights])
def accumulate_program(draw):
    calls = [batch_of(draw, np.roll(UNEVEN, shift)) for shift in (0, 3, 8)]
    ran = yield program(*calls, wrap=accumulate_wrap(4))
    for inputs, value in zip(calls, ran.values):
        tree_close(value, whole_batch(*inputs), "손실과 기울기", **LOOSE)


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


@solver.probe(2, "고정점의 값", show=True)
def fixed_points(draw):
    for _ in range(2):
        slope, shift = draw.uniform(0.2, 0.8), draw.uniform(-3.0, 3.0)
        theta = (np.float32(slope), np.float32(shift))
        for start in (np.zeros(3, np.float32), draw.normal(3, scale=9.0)):
            answer = yield call(theta, start, wrap=solve_wrap(LINE))
            close(answer, np.full(3, shift / (1 - slope)), "고정점", rtol=1e-4, atol=1e-4)


@solver.probe(1, "멈춤: 차이가 1e-6보다 작아지거나 1,000걸음", needs=[fixed_points])
def stops(draw):
    start, step = np.zeros(3, np.float32), np.float32([1.5e-6, 0, 0])
    moved = yield call(step, start, wrap=solve_wrap("lambda t, z: z + t"))
    close(moved, 1000 * step, "차이가 1.5e-6인 되풀이", rtol=0.1, atol=1e-7)
    # 한 걸음 크게 움직인 뒤에는 5e-7씩 움직인다: 더 돌면 값이 달라진다
    wrap = solve_wrap("lambda t, z: jnp.where(z < 0.5, z + 0.5, z + t)")
    still = yield call(np.float32([5e-7] * 3), start, wrap=wrap)
    close(still, np.full(3, 0.5), "차이가 5e-7인 되풀이", atol=1e-5)


@solver.probe(2, "theta의 기울기", needs=[fixed_points])
def theta_gradient(draw):
    for _ in range(2):
        inputs = network_of(draw)
        value, gradients = unpack((yield call(*inputs, wrap=gradient_wrap(NETWORK))), 2, "답")
        right = network_answer(*inputs)
        close(value, right[0], "고정점", rtol=1e-4, atol=1e-4)
        tree_close(unpack(gradients, 2, "기울기")[0], right[1][0], "기울기", rtol=2e-4, atol=1e-4)


@solver.probe(1, "start의 기울기는 0", needs=[theta_gradient])
def start_gradient(draw):
    inputs = network_of(draw)
    _, gradients = unpack((yield call(*inputs, wrap=gradient_wrap(NETWORK))), 2, "답")
    close(unpack(gradients, 2, "기울기")[1], np.zeros(4), "start의 기울기", atol=1e-7)


@solver.probe(1, "느리게 수렴해도 값과 기울기가 맞음", needs=[fixed_points, theta_gradient])
def slow(draw):
    slope, shift = draw.uniform(0.96, 0.97), draw.uniform(0.5, 1.0)
    theta, g = (np.float32(slope), np.float32(shift)), np.array([1.0], np.float32)
    answer = yield call(theta, np.zeros(1, np.float32), g, wrap=gradient_wrap(LINE))
    slope, shift = float(theta[0]), float(theta[1])
    right = (shift / (1 - slope) ** 2, 1 / (1 - slope))
    value, gradients = unpack(answer, 2, "답")
    close(value, shift / (1 - slope), "고정점", rtol=1e-3)
    tree_close(unpack(gradients, 2, "기울기")[0], right, "기울기", rtol=3e-3)


@solver.probe(1, "jit과, theta에 대한 vmap", needs=[theta_gradient])
def solver_program(draw):
    several = [network_of(draw) for _ in range(3)]
    theta = {name: np.stack([one[0][name] for one in several]) for name in ("a", "b")}
    rest = [np.stack([one[i] for one in several]) for i in (1, 2)]
    wrap = f"lambda s: jax.vmap(({gradient_wrap(NETWORK)})(s))"
    ran = yield program((theta, *rest), wrap=wrap)
    value, gradients = unpack(ran.values[0], 2, "답")
    rights = [network_answer(*inputs) for inputs in several]
    close(value, np.array([right[0] for right in rights]), "고정점", rtol=1e-4, atol=1e-4)
    stacked = {name: np.stack([right[1][0][name] for right in rights]) for name in ("a", "b")}
    tree_close(unpack(gradients, 2, "기울기")[0], stacked, "기울기", rtol=2e-4, atol=1e-4)


@solver.probe(1, "역방향의 메모리가 걸음 수와 상관없음", needs=[theta_gradient])
def constant_memory(draw):
    wrap = """lambda s: lambda theta: jax.jit(jax.grad(
        lambda theta: jnp.sum(s(lambda t, z: jnp.cos(t * z), theta, jnp.ones_like(theta)))
    )).lower(theta).compile().memory_analysis().temp_size_in_bytes"""
    theta = np.linspace(0.1, 0.9, 5000, dtype=np.float32)
    yield from memory("고정점 5000개", 40 * theta.nbytes, (theta,), wrap)
