"""06장 "Flax·Optax 실전"의 문제와 검사.

모델과 옵티마이저는 배열이 아니므로 wrap 안에서 부르고 숫자만 돌려받습니다.
참값은 numpy로 손수 계산합니다.
"""

import numpy as np

from coursekit.grading.probes import (
    Exercise,
    call,
    close,
    helper,
    program,
    require,
    tree_close,
    unpack,
)

exercise = Exercise(
    "06-flax-and-optax", "Flax·Optax 실전", preload=("optax", "flax.nnx", "sklearn.datasets")
)
builder = exercise.function("문제 1", "make_mlp", "MLP와 파라미터 수")
signer = exercise.function("문제 2", "signum", "부호만 쓰는 모멘텀")
chooser = exercise.function("문제 3", "make_optimizer", "감쇠할 잎 고르기")
trainer = exercise.function("문제 4", "train", "다섯 군데 고친 학습 루프")
averager = exercise.function("문제 5", "train_with_average", "이동 평균 가중치")
resumer = exercise.function("문제 6", "train_from", "비트까지 같은 이어 하기")
porter = exercise.function("문제 7", "to_plain", "같은 모델을 맨 파이트리로")
fitter = exercise.function("문제 8", "fit_digits", "예산 안에서 97 %", cpu=20.0)

LOOSE = {"rtol": 1e-4, "atol": 1e-5}


# 문제 1 ------------------------------------------------------------------------------------
def mlp(params, x):
    """numpy로 지난 층."""
    for i, layer in enumerate(params):
        x = np.float64(x) @ layer["kernel"] + layer["bias"]
        x = np.maximum(x, 0) if i < len(params) - 1 else x
    return x


BUILD = """lambda f: lambda key, sizes, params, x: (
    lambda made: (made[0], made[1](params, x), made[2])
)(f(key, sizes))"""


def random_layers(draw, sizes):
    return [
        {"kernel": draw.normal(n, m), "bias": draw.normal(m)} for n, m in zip(sizes, sizes[1:])
    ]


@builder.probe(1, "구조와 파라미터의 수", show=True)
def structure(draw):
    for sizes in ((3, 2), (4, 3, 5, 2)):
        x, other = draw.normal(2, sizes[0]), random_layers(draw, sizes)
        answer = yield call(draw.key(), sizes, other, x, wrap=BUILD)
        params, _, count = unpack(answer, 3, "돌려준 값")
        require(isinstance(params, list) and len(params) == len(sizes) - 1, "층의 수가 다릅니다.")
        for layer, right in zip(params, other):
            require(isinstance(layer, dict) and set(layer) == set(right), "층의 이름이 다릅니다.")
            require(
                all(layer[name].shape == right[name].shape for name in right),
                "kernel이나 bias의 shape이 다릅니다.",
            )
        want = sum(leaf.size for layer in other for leaf in layer.values())
        require(type(count) is int and count == want, f"파라미터는 {want}개인데 {count}입니다.")


@builder.probe(2, "넘긴 params로 지나는 층", needs=[structure])
def forward(draw):
    for sizes in ((3, 2), (4, 6, 6, 3)):
        x, other = draw.normal(9, sizes[0]), random_layers(draw, sizes)
        answer = yield call(draw.key(), sizes, other, x, wrap=BUILD)
        close(unpack(answer, 3, "돌려준 값")[1], mlp(other, x), "apply", **LOOSE)


@builder.probe(2, "초기화의 분산과 서로 다른 키", needs=[structure])
def initial(draw):
    sizes = (160, 160, 160, 40)
    x, other = draw.normal(1, 160), random_layers(draw, sizes)
    answer = yield call(draw.key(), sizes, other, x, wrap=BUILD)
    params = unpack(answer, 3, "돌려준 값")[0]
    for layer in params:
        kernel = layer["kernel"]
        ratio, count = kernel.std() / np.sqrt(2 / 160), kernel.size
        require(abs(ratio - 1) < 6 / np.sqrt(2 * count), f"표준편차가 {ratio:.3f}배입니다.")
        require(abs(kernel.mean()) < 6 * np.sqrt(2 / 160 / count), "평균이 0이 아닙니다.")
        fourth = np.mean(kernel**4) / kernel.var() ** 2
        require(abs(fourth - 3) < 6 * np.sqrt(24 / count), "정규 분포가 아닙니다.")
        require(not np.any(layer["bias"]), "bias가 0이 아닙니다.")
    same = np.allclose(params[0]["kernel"], params[1]["kernel"])
    require(not same, "두 층을 같은 키로 뽑았습니다.")
    again = yield call(draw.key(), sizes, other, x, wrap=BUILD)
    fresh = unpack(again, 3, "돌려준 값")[0]
    require(not np.allclose(fresh[0]["kernel"], params[0]["kernel"]), "키를 쓰지 않습니다.")


# 문제 2 ------------------------------------------------------------------------------------
# 기울기를 차례로 넣어 업데이트를 모은다. rates가 있으면 스텝 번호로 학습률을 고르는 함수를 준다
MOVES = """lambda f: lambda gradients, rates, decay: (lambda tx: jax.jit(
    lambda gradients: jax.lax.scan(
        lambda state, g: tx.update(g, state)[::-1],
        tx.init(jax.tree.map(lambda g: jnp.zeros_like(g[0]), gradients)), gradients
    )[1]
)(gradients))(f(rates if isinstance(rates, float) else lambda step: rates[step], decay))"""


def signum_moves(gradients, rates, decay):
    m, out = np.zeros_like(gradients[0], np.float64), []
    for step, g in enumerate(gradients):
        m = decay * m + (1 - decay) * g
        rate = rates if isinstance(rates, float) else rates[step]
        out.append(-rate * np.sign(m))
    return np.array(out)


def flips(draw, *shape):
    """부호가 자주 바뀌고, 마지막 축의 첫 자리는 늘 0인 기울기. m이 0 근처에 오지 않게 떨어뜨린다."""
    pattern = np.float32([4, -1.9, -7, 1.5, 6, -20, 1, 25])
    scale = 1 + np.abs(draw.normal(1, *shape))
    steps = pattern.reshape(-1, *[1] * len(shape)) * scale * np.sign(draw.normal(1, *shape))
    steps[..., 0] = 0
    return steps.astype(np.float32)


@signer.probe(2, "이동 평균의 부호만큼 움직임", show=True)
def signs(draw):
    for decay, rate in ((0.75, 0.1), (0.9, 0.25)):
        g = flips(draw, 4)
        close((yield call(g, rate, decay, wrap=MOVES)), signum_moves(g, rate, decay), "업데이트")


@signer.probe(2, "스텝 번호를 받는 학습률", needs=[signs])
def scheduled(draw):
    g, rates = flips(draw, 3), np.float32([0.5, 0.3, 0.2, 0.7, 0.1, 0.4, 0.6, 0.9])
    answer = yield call(g, rates, 0.5, wrap=MOVES)
    close(answer, signum_moves(g, rates, 0.5), "업데이트")


@signer.probe(1, "파이트리", needs=[signs])
def signum_tree(draw):
    g = {"a": flips(draw, 2), "b": [flips(draw, 3, 2)]}
    right = {"a": signum_moves(g["a"], 0.5, 0.5), "b": [signum_moves(g["b"][0], 0.5, 0.5)]}
    tree_close((yield call(g, 0.5, 0.5, wrap=MOVES)), right, "업데이트")


@signer.probe(1, "chain 안에서도 같고 넘긴 상태를 바꾸지 않음", needs=[signs])
def chained(draw):
    wrap = """lambda f: lambda g: (lambda tx: (lambda start: [
        tx.update(g[i], start, g[0])[0] for i in (0, 1, 0)
    ])(tx.init(g[0])))(__import__("optax").chain(
        __import__("optax").scale(-2.0), f(0.5, 0.9), __import__("optax").scale(3.0)))"""
    g = flips(draw, 4)[:3]
    answer = unpack((yield call(g, wrap=wrap)), 3, "업데이트")
    for got, gradient in zip(answer, (g[0], g[1], g[0])):
        close(got, 1.5 * np.sign(gradient), "업데이트")


# 문제 3 ------------------------------------------------------------------------------------
# 기울기의 파이트리를 차례로 넣어 업데이트를 모은다
OPTIMIZE = """lambda f: lambda params, gradients, rate, wd, limit: (lambda tx: jax.jit(
    lambda params, gradients: jax.lax.scan(
        lambda state, g: tx.update(g, state, params)[::-1], tx.init(params), gradients
    )[1]
)(params, gradients))(f(rate, wd, limit))"""


def adam_moves(leaves, rate, limit):
    """이름 → (스텝, …) 기울기에서 이름 → 업데이트. 노름을 자르고 Adam을 지난 값이다."""
    leaves = {name: np.float64(leaf) for name, leaf in leaves.items()}
    steps = len(next(iter(leaves.values())))
    m = {name: 0.0 for name in leaves}
    v, out = dict(m), {name: [] for name in leaves}
    for t in range(steps):
        norm = np.sqrt(sum((leaf[t] ** 2).sum() for leaf in leaves.values()))
        scale = min(1.0, limit / norm) if norm > 0 else 1.0
        for name, leaf in leaves.items():
            g = leaf[t] * scale
            m[name] = 0.9 * m[name] + 0.1 * g
            v[name] = 0.999 * v[name] + 0.001 * g**2
            first, second = m[name] / (1 - 0.9 ** (t + 1)), v[name] / (1 - 0.999 ** (t + 1))
            out[name].append(-rate * first / (np.sqrt(second) + 1e-8))
    return {name: np.array(value) for name, value in out.items()}


def model_tree(make):
    """감쇠할 잎과 아닌 잎이 모두 든 파이트리."""
    return {
        "embed": {"table": make(4, 3)},
        "position_embedding": make(2, 3),
        "block": {"dense": {"kernel": make(3, 3), "bias": make(3)}, "norm": {"scale": make(3)}},
        "filter": make(2, 2, 3),
        "temperature": make(),
    }


DECAYED = {"kernel", "filter"}


def flat(tree, name=""):
    if isinstance(tree, dict):
        return {k: v for n in tree for k, v in flat(tree[n], n if n != "table" else name).items()}
    return {name: tree}


@chooser.probe(2, "감쇠할 잎에만 감쇠", show=True)
def decayed(draw):
    params = model_tree(lambda *s: draw.normal(*s) if s else draw.normal(1)[0])
    silent = model_tree(lambda *s: np.zeros((2, *s), np.float32))
    for rate, wd in ((0.1, 0.5), (0.25, 0.125)):
        answer = flat((yield call(params, silent, rate, wd, 1.0, wrap=OPTIMIZE)))
        for name, p in flat(params).items():
            want = -rate * wd * np.float64(p) * (name in DECAYED) * np.ones((2, *np.shape(p)))
            close(answer[name], want, name)


@chooser.probe(2, "노름을 자른 뒤 Adam", needs=[decayed])
def clipped_first(draw):
    params = model_tree(lambda *s: np.zeros(s, np.float32))
    gradients = model_tree(lambda *s: draw.normal(5, *s))
    spikes = np.float32([0.1, 100.0, 0.2, 1000.0, 0.1])
    gradients = _scaled(gradients, spikes)
    answer = flat((yield call(params, gradients, 0.1, 0.5, 2.0, wrap=OPTIMIZE)))
    for name, want in adam_moves(flat(gradients), 0.1, 2.0).items():
        close(answer[name], want, name, rtol=1e-3, atol=1e-5)


def _scaled(tree, by):
    if isinstance(tree, dict):
        return {name: _scaled(value, by) for name, value in tree.items()}
    return tree * by.reshape(-1, *[1] * (tree.ndim - 1))


@chooser.probe(1, "한도보다 작은 기울기는 그대로", needs=[decayed, clipped_first])
def untouched(draw):
    params, scale = {"w": draw.normal(3, 2)}, np.float32([0.02, 0.01, 0.03])
    gradients = {"w": _scaled(np.sign(draw.normal(3, 3, 2)), scale)}
    answer = yield call(params, gradients, 0.1, 0.5, 1.0, wrap=OPTIMIZE)
    want = adam_moves(gradients, 0.1, 1.0)["w"] - 0.05 * np.float64(params["w"])
    close(answer["w"], want, "업데이트", rtol=1e-3, atol=1e-5)


# 문제 4 ------------------------------------------------------------------------------------
TRAIN = "lambda f: jax.jit(f, static_argnums=4)"


def softmax_problem(draw, scale=1.0):
    x = draw.normal(24, 3, scale=scale)
    y = np.arange(24, dtype=np.int32) % 4
    return {"kernel": draw.normal(3, 4), "bias": draw.normal(4)}, x, y


def softmax_training(params, x, y, rows, limit=1.0):
    """rows: 스텝마다 고른 행. 파라미터와 갱신하기 전의 손실."""
    w = {name: np.float64(value) for name, value in params.items()}
    m, v = {n: 0.0 for n in w}, {n: 0.0 for n in w}
    losses, steps = [], len(rows)
    for t, chosen in enumerate(rows):
        logits = np.float64(x[chosen]) @ w["kernel"] + w["bias"]
        p = np.exp(logits - logits.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        losses.append(-np.log(p[np.arange(len(chosen)), y[chosen]]).mean())
        error = (p - np.eye(4)[y[chosen]]) / len(chosen)
        g = {"kernel": np.float64(x[chosen]).T @ error, "bias": error.sum(0)}
        norm = np.sqrt(sum((leaf**2).sum() for leaf in g.values()))
        rate = 0.1 * (1 - t / steps)
        for n in w:
            step = g[n] * min(1.0, limit / norm)
            m[n] = 0.9 * m[n] + 0.1 * step
            v[n] = 0.999 * v[n] + 0.001 * step**2
            first, second = m[n] / (1 - 0.9 ** (t + 1)), v[n] / (1 - 0.999 ** (t + 1))
            w[n] = w[n] - rate * (first / (np.sqrt(second) + 1e-8) + 0.1 * w[n])
    return w, np.array(losses)


def train_answer(draw, steps, scale=1.0):
    """(받은 값, 참값)"""
    params, x, y = softmax_problem(draw, scale)
    key = draw.key()
    rows = yield helper("batches", key, len(x), steps)
    answer = yield call(params, x, y, key, steps, wrap=TRAIN)
    return unpack(answer, 2, "돌려준 값"), softmax_training(params, x, y, np.asarray(rows))


@trainer.probe(1, "평균 손실, 한 스텝", show=True)
def one_step(draw):
    (params, losses), right = yield from train_answer(draw, 1)
    close(losses, right[1], "손실", **LOOSE)
    tree_close(params, right[0], "파라미터", rtol=1e-3, atol=1e-3)


@trainer.probe(2, "스텝마다 다른 배치와 이어지는 상태", needs=[one_step])
def many_steps(draw):
    (params, losses), right = yield from train_answer(draw, 6, scale=0.3)
    close(losses, right[1], "손실", rtol=2e-3, atol=1e-4)
    tree_close(params, right[0], "파라미터", rtol=5e-3, atol=5e-3)


@trainer.probe(1, "큰 기울기를 자르는 순서", needs=[one_step])
def large_gradients(draw):
    (params, losses), right = yield from train_answer(draw, 5, scale=30.0)
    close(losses, right[1], "손실", rtol=5e-3, atol=1e-3)
    tree_close(params, right[0], "파라미터", rtol=5e-3, atol=5e-3)


# 문제 5 ------------------------------------------------------------------------------------
# 손실 sum((w - batch)**2) / 2의 기울기는 w - batch이므로 SGD의 궤적을 손으로 낼 수 있다
AVERAGE = """lambda f: lambda params, batches, rate, decay: (lambda optax: f(
    TX, lambda p, b: sum(
        jnp.sum((x - y) ** 2) / 2 for x, y in zip(jax.tree.leaves(p), jax.tree.leaves(b))
    ), params, batches, decay))(__import__("optax"))"""
SGD = AVERAGE.replace("TX", "optax.sgd(rate)")
DECAYED_MOMENTUM = AVERAGE.replace(
    "TX", "optax.chain(optax.add_decayed_weights(0.5), optax.sgd(rate, momentum=0.5))"
)


def averaged(start, batches, rate, decay, momentum=0.0, shrink=0.0):
    """마지막 값과, 갱신 뒤의 값을 지수 이동 평균한 것."""
    point, velocity, points = np.float64(start), 0.0, []
    for batch in np.float64(batches):
        velocity = momentum * velocity + (point - batch) + shrink * point
        point = point - rate * velocity
        points.append(point)
    points = np.array(points)
    weights = decay ** np.arange(len(points) - 1, -1, -1.0)
    return points[-1], np.tensordot(weights / weights.sum(), points, 1)


@averager.probe(2, "마지막 파라미터와 치우침을 없앤 평균", show=True)
def plain_average(draw):
    for steps, decay in ((1, 0.5), (6, 0.75)):
        start, batches = draw.normal(3), draw.normal(steps, 3)
        answer = yield call(start, batches, 0.5, decay, wrap=SGD)
        tree_close(answer, averaged(start, batches, 0.5, decay), "파라미터와 평균", **LOOSE)


@averager.probe(1, "파이트리", needs=[plain_average])
def average_tree(draw):
    start = {"a": draw.normal(2), "b": [draw.normal(2, 2)]}
    batches = {"a": draw.normal(5, 2), "b": [draw.normal(5, 2, 2)]}
    answer = yield call(start, batches, 0.25, 0.9, wrap=SGD)
    a = averaged(start["a"], batches["a"], 0.25, 0.9)
    b = averaged(start["b"][0], batches["b"][0], 0.25, 0.9)
    right = tuple({"a": one, "b": [two]} for one, two in zip(a, b))
    tree_close(answer, right, "파라미터와 평균", **LOOSE)


@averager.probe(1, "상태가 이어지고 params를 보는 옵티마이저", needs=[plain_average])
def average_momentum(draw):
    start, batches = draw.normal(3), draw.normal(5, 3)
    answer = yield call(start, batches, 0.25, 0.8, wrap=DECAYED_MOMENTUM)
    right = averaged(start, batches, 0.25, 0.8, momentum=0.5, shrink=0.5)
    tree_close(answer, right, "파라미터와 평균", **LOOSE)


@averager.probe(2, "jit에서 실행되고 트레이싱은 스텝 수와 상관없음", needs=[plain_average])
def average_traces(draw):
    wrap = """lambda f: lambda start, batches: (lambda seen: (
        jax.jit(lambda start, batches: f(__import__("optax").sgd(0.5),
            lambda p, b: (seen.append(0), jnp.sum((p - b) ** 2) / 2)[1], start, batches, 0.75
        ))(start, batches), len(seen)))([])"""
    counts = []
    for steps in (2, 7):
        start, batches = draw.normal(3), draw.normal(steps, 3)
        answer = yield call(start, batches, wrap=wrap)
        result, count = unpack(answer, 2, "돌려준 값")
        tree_close(result, averaged(start, batches, 0.5, 0.75), "파라미터와 평균", **LOOSE)
        counts.append(count)
    require(counts[0] == counts[1], f"2스텝과 7스텝에서 손실을 {counts}번 트레이싱했습니다.")


# 문제 6 ------------------------------------------------------------------------------------
def cloud(draw, rows=12, columns=4):
    x = draw.normal(rows, columns)
    return x, (np.arange(rows) % 3).astype(np.int32)


def resume_training(x, y, noises, w=None, m=None, v=None, start=0):
    """numpy로 간 스텝들: (상태, 손실)"""
    w = w or {"w": np.zeros((x.shape[1], 3)), "b": np.zeros(3)}
    m, v = m or {n: 0.0 for n in w}, v or {n: 0.0 for n in w}
    losses = []
    for t, noise in enumerate(noises, start):
        noisy = np.float64(x) + 0.1 * noise
        logits = noisy @ w["w"] + w["b"]
        p = np.exp(logits - logits.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        losses.append(-np.log(p[np.arange(len(y)), y]).mean())
        error = (p - np.eye(3)[y]) / len(y)
        g, old = {"w": noisy.T @ error, "b": error.sum(0)}, w
        m = {n: 0.9 * m[n] + 0.1 * g[n] for n in w}
        v = {n: 0.999 * v[n] + 0.001 * g[n] ** 2 for n in w}
        w = {
            n: old[n]
            - 0.1 * (m[n] / (1 - 0.9 ** (t + 1)))
            / (np.sqrt(v[n] / (1 - 0.999 ** (t + 1))) + 1e-8)
            for n in w
        }  # fmt: skip
    return (w, m, v), np.array(losses)


def stored(answer, steps):
    checkpoint, losses = unpack(answer, 2, "돌려준 값")
    require(isinstance(checkpoint, dict) and checkpoint, "체크포인트가 딕셔너리가 아닙니다.")
    for name, value in checkpoint.items():
        require(isinstance(value, np.ndarray), f"체크포인트의 {name}이 배열이 아닙니다.")
    require(
        isinstance(losses, np.ndarray) and losses.shape == (steps,), "손실의 shape이 다릅니다."
    )
    return checkpoint, losses


@resumer.probe(1, "처음부터 간 손실", show=True)
def from_scratch(draw):
    x, y = cloud(draw)
    noises = yield helper("noises", x, 5)
    _, losses = stored((yield call(None, x, y, 5)), 5)
    close(losses, resume_training(x, y, np.asarray(noises))[1], "손실", rtol=1e-3, atol=1e-4)


@resumer.probe(2, "이어 한 것이 비트까지 같음", needs=[from_scratch])
def bitwise(draw):
    x, y = cloud(draw)
    whole, losses = stored((yield call(None, x, y, 6)), 6)
    first, head = stored((yield call(None, x, y, 2)), 2)
    second, tail = stored((yield call(first, x, y, 4)), 4)
    joined = np.concatenate([head, tail])
    require(np.array_equal(joined, losses), f"손실이 {losses}인데 {joined}입니다.")
    require(set(whole) == set(second), "체크포인트의 이름이 달라졌습니다.")
    same = all(np.array_equal(whole[name], second[name]) for name in whole)
    require(same, "체크포인트의 비트가 다릅니다.")


@resumer.probe(1, "체크포인트는 NumPy 배열만 담음", needs=[from_scratch])
def saved_kinds(draw):
    wrap = """lambda f: lambda x, y: [
        type(v) is np.ndarray and v.dtype.kind in "biuf" for v in f(None, x, y, 1)[0].values()]"""
    kinds = yield call(*cloud(draw), wrap=wrap)
    require(kinds and all(kinds), "NumPy 배열이 아니거나 np.savez가 담지 못하는 값이 있습니다.")


@resumer.probe(2, "다른 자료로 이어 하면 거기서부터 감", needs=[bitwise])
def other_data(draw):
    x, y = cloud(draw)
    noises = np.asarray((yield helper("noises", x, 6)))
    state, _ = resume_training(x, y, noises[:3])
    first, _ = stored((yield call(None, x, y, 3)), 3)
    new_x, new_y = draw.normal(*x.shape), np.roll(y, 1)
    _, losses = stored((yield call(first, new_x, new_y, 3)), 3)
    want = resume_training(new_x, new_y, noises[3:], *state, start=3)[1]
    close(losses, want, "손실", rtol=2e-3, atol=1e-3)


# 문제 7 ------------------------------------------------------------------------------------
# 마지막 `ask`만 바꿔 쓴다. made는 (params, apply), model은 원래 모델이다
PORT = """lambda f: lambda values, x, epsilon: (lambda nnx: (lambda model: (lambda made: ASK)(
    f(model)))(nnx.Sequential(*[
        layer for kernel, bias, scale, shift in values for layer in (
            (lambda m: (nnx.update(m, nnx.State({
                "kernel": m.kernel.replace(kernel), **(
                    {} if bias is None else {"bias": m.bias.replace(bias)})})), m)[1])(
                nnx.Linear(*kernel.shape, use_bias=bias is not None, rngs=nnx.Rngs(0))),
            *([] if scale is None else [
                (lambda m: (nnx.update(m, nnx.State({
                    "scale": m.scale.replace(scale), "bias": m.bias.replace(shift)})), m)[1])(
                    nnx.LayerNorm(len(scale), epsilon=epsilon, rngs=nnx.Rngs(0))),
                jnp.tanh]),
        )])))(__import__("flax.nnx", fromlist=["nnx"]))"""


def port(ask):
    return PORT.replace("ASK", ask)


def layers_of(draw, sizes, biased):
    """(kernel, bias, scale, shift)의 목록. 마지막 층에는 정규화가 없다."""
    rows = []
    for i, (n, m) in enumerate(zip(sizes, sizes[1:])):
        last = i == len(sizes) - 2
        rows.append((
            draw.normal(n, m), draw.normal(m) if biased[i] else None,
            None if last else 1 + np.abs(draw.normal(m)), None if last else draw.normal(m),
        ))  # fmt: skip
    return rows


def ported(rows, x, epsilon):
    x = np.float64(x)
    for kernel, bias, scale, shift in rows:
        x = x @ kernel + (0 if bias is None else bias)
        if scale is not None:
            centred = x - x.mean(-1, keepdims=True)
            x = np.tanh(centred / np.sqrt(x.var(-1, keepdims=True) + epsilon) * scale + shift)
    return x


@porter.probe(2, "model과 같은 값", show=True)
def same_values(draw):
    # 편향 없는 층의 뒤가 정규화면 더한 상수가 사라지므로, 마지막 층에도 편향을 두지 않는다
    cases = (((True, True), 1e-6, (3,)), ((False, True, False), 0.5, (2, 3)))
    for biased, epsilon, batch in cases:
        sizes = (4, 6, 5, 3)[: len(biased) + 1]
        rows, x = layers_of(draw, sizes, biased), draw.normal(*batch, 4)
        answer = yield call(rows, x, epsilon, wrap=port("made[1](made[0], x)"))
        close(answer, ported(rows, x, epsilon), "apply", rtol=1e-3, atol=1e-4)


@porter.probe(1, "배열만 담은 파이트리", needs=[same_values])
def plain_tree(draw):
    ask = """(jax.tree.leaves(made[0]), (lambda safe: safe(safe, made[0]))(
        lambda safe, t: isinstance(t, jax.Array) or (type(t) in (dict, list, tuple) and all(
            safe(safe, v) for v in (t.values() if type(t) is dict else t)))))"""
    rows, x = layers_of(draw, (4, 6, 3), (False, True)), draw.normal(3, 4)
    leaves, safe = unpack((yield call(rows, x, 1e-3, wrap=port(ask))), 2, "돌려준 값")
    require(safe is True, "딕셔너리, 리스트, 튜플과 jax.Array 말고 다른 것이 들어 있습니다.")
    want = sorted(tuple(a.shape) for row in rows for a in row if a is not None)
    got = sorted(tuple(np.shape(leaf)) for leaf in leaves)
    require(got == want, f"잎의 shape이 {want}이어야 하는데 {got}입니다.")


@porter.probe(2, "값은 params로만 정해지고 기울기가 흐름", needs=[same_values])
def by_params(draw):
    ask = """(
        made[1](jax.tree.map(jnp.zeros_like, made[0]), x),
        jax.jit(lambda p, x: made[1](jax.tree.map(lambda a: 2 * a, p), x))(made[0], x),
        jax.tree.leaves(jax.grad(lambda p: jnp.sum(made[1](p, x) ** 2))(made[0])))"""
    rows, x = layers_of(draw, (4, 6, 3), (True, True)), draw.normal(5, 4)
    answer = unpack((yield call(rows, x, 1e-3, wrap=port(ask))), 3, "돌려준 값")
    close(answer[0], np.zeros((5, 3)), "0으로 채운 params의 값")
    twice = [tuple(None if a is None else 2 * a for a in row) for row in rows]
    close(answer[1], ported(twice, x, 1e-3), "두 배로 한 params의 값", rtol=1e-3, atol=1e-4)
    flowing = all(np.any(np.abs(leaf) > 1e-6) for leaf in answer[2])
    require(len(answer[2]) == 6 and flowing, "기울기가 흐르지 않는 잎이 있습니다.")


@porter.probe(1, "옮긴 뒤에 model을 바꾸어도 그대로", needs=[same_values])
def detached(draw):
    ask = """(nnx.update(model, jax.tree.map(lambda p: 0 * p, nnx.state(model, nnx.Param))),
        made[1](made[0], x))[1]"""
    rows, x = layers_of(draw, (4, 6, 3), (True, True)), draw.normal(3, 4)
    answer = yield call(rows, x, 1e-3, wrap=port(ask))
    close(answer, ported(rows, x, 1e-3), "apply", rtol=1e-3, atol=1e-4)


# 문제 8 ------------------------------------------------------------------------------------
# 배운 모델은 학생의 프로세스에 이름을 붙여 두고, params만 받아 온다.  떼어 둔 그림은 내보낸
# apply와 함께 학생의 코드가 없는 곳으로 가고, 그 정답은 채점기 밖으로 나가지 않는다
FIT = """lambda f: lambda x, y, seed: (lambda made: (
    setattr(f, "NAME", made), jax.tree.leaves(made[0]))[1])(f(x, y, seed))"""
APPLY = """lambda f: lambda leaves, x: f.NAME[1](
    jax.tree.unflatten(jax.tree.structure(f.NAME[0]), leaves), x)"""


def split_digits(draw):
    """학습에 쓸 (그림, 번호)와 떼어 둔 (그림, 번호). 숫자마다 번호를 새로 붙인다."""
    x, y = yield helper("digits")
    order = draw.generator.permutation(len(y))
    x, y = x[order], (y[order] + draw.integer(1, 9)) % 10
    return x[:1400], y[:1400], x[1400:], y[1400:]


def fitted(name, x, y, seed):
    """배운 params의 잎들."""
    leaves = yield call(x, y, seed, wrap=FIT.replace("NAME", name))
    require(isinstance(leaves, list) and leaves, "params에 잎이 없습니다.")
    for leaf in leaves:
        require(isinstance(leaf, np.ndarray) and leaf.dtype == np.float32, "float32가 아닙니다.")
    count = sum(leaf.size for leaf in leaves)
    require(count <= 5000, f"파라미터가 {count}개입니다.")
    return leaves


def logits_of(name, x, *parameters):
    ran = yield program(*((leaves, x) for leaves in parameters), wrap=APPLY.replace("NAME", name))
    for logits in ran.values:
        right = isinstance(logits, np.ndarray) and logits.shape == (len(x), 10)
        require(right and np.isfinite(logits).all(), f"로짓의 shape이 ({len(x)}, 10)이 아닙니다.")
    return [np.float64(logits) for logits in ran.values]


@fitter.probe(2, "5,000개 이하의 params로만 정해지는 로짓", show=True)
def budget(draw):
    x, y, held_x, held_y = yield from split_digits(draw)
    leaves = yield from fitted("first", x, y, draw.integer(0, 10**6))
    nothing = [np.zeros_like(leaf) for leaf in leaves]
    logits, blank = yield from logits_of("first", held_x, leaves, nothing)
    rate = np.mean(logits.argmax(1) == held_y)
    require(rate >= 0.8, f"떼어 둔 그림에서 정확도가 {rate:.1%}입니다.")
    blank -= blank.mean(1, keepdims=True)
    same = np.allclose(blank, blank[0], atol=1e-4)
    require(same, "params를 0으로 채웠는데도 그림마다 답이 다릅니다.")


@fitter.probe(4, "두 seed의 평균 정확도", needs=[budget])
def accuracy(draw):
    x, y, held_x, held_y = yield from split_digits(draw)
    found, rates = [], []
    for name in ("first", "second"):
        leaves = yield from fitted(name, x, y, draw.integer(0, 10**6))
        (logits,) = yield from logits_of(name, held_x, leaves)
        found.append(leaves)
        rates.append(np.mean(logits.argmax(1) == held_y))
    require(np.mean(rates) >= 0.96, f"정확도의 평균이 {np.mean(rates):.1%}입니다.")
    same = all(np.array_equal(a, b) for a, b in zip(*found))
    require(not same, "seed가 달라도 params가 같습니다.")
