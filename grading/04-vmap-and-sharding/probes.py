"""4장 "vmap과 샤딩"의 문제와 검사.

나누는 문제는 장치 여덟 개에서 실행하고, 통신은 내보낸 프로그램을 컴파일한 HLO에서 센다.
참값은 numpy로 계산한다.
"""

import math
import re

import numpy as np

from coursekit.grading.probes import (
    Exercise,
    call,
    close,
    compiled,
    processes,
    program,
    require,
    tree_close,
    unpack,
)

exercise = Exercise("04-vmap-and-sharding", "vmap과 샤딩", devices=8)
translate = exercise.function("문제 1", "translate", "반복문 여덟 개를 vmap으로")
norms = exercise.function("문제 2", "gradient_norms", "예제마다의 기울기 크기")
pairs = exercise.function("문제 3", "pairwise", "모든 쌍의 값")
parallel = exercise.function("문제 4", "data_parallel", "장치 하나의 코드를 데이터 병렬로")
tensor = exercise.function("문제 5", "tensor_parallel", "텐서 병렬 두 층")
entropy = exercise.function("문제 6", "sharded_cross_entropy", "나뉜 어휘의 교차 엔트로피")
trainer = exercise.function("문제 7", "train", "pmap 학습기 옮기기")
pair = exercise.function("문제 8", "standardize", "프로세스 둘로 표준화하기")

LOOSE = {"rtol": 1e-4, "atol": 1e-5}
AUTO = "jax.sharding.AxisType.Auto"
LINE = f"jax.make_mesh((8,), ('data',), axis_types=({AUTO},))"
ROW = f"jax.make_mesh((8,), ('model',), axis_types=({AUTO},))"
GRID = f"jax.make_mesh((4, 2), ('data', 'model'), axis_types=({AUTO},) * 2)"
COLLECTIVES = ("all-reduce", "all-gather", "reduce-scatter", "all-to-all", "collective-permute")
# 결과의 값, 장치의 수, 복제되었는지, 조각의 shape
PLACES = """jax.tree.map(lambda a: (
    a, len(a.devices()), a.is_fully_replicated, a.addressable_shards[0].data.shape
), {answer})"""


def only_all_reduce(found, what):
    """통신이 all-reduce뿐인지. 그 결과의 원소 수들을 돌려준다."""
    for name in COLLECTIVES[1:]:
        require(found.count(name) == 0, f"{what}: 통신에 {name}가 있습니다.")
    require(found.count("all-reduce") > 0, f"{what}: all-reduce가 없습니다. 나뉘지 않았습니다.")
    sizes = []
    for shapes in re.findall(r"= (\S.*?) all-reduce(?:-start)?\(", found.text):
        dims = re.findall(r"[a-z]+\d*\[([\d,]*)\]", shapes)
        sizes.append(sum(math.prod(int(n) for n in part.split(",") if n) for part in dims))
    return sizes


# 문제 1 ------------------------------------------------------------------------------------
LOOPS = """lambda translate: lambda x, y, z, u, v, s, b: translate(
    lambda a, b: jnp.sum(jnp.sin(a) * b) + a[0] * b[-1] ** 2,
    lambda a: jnp.cumsum(a) * a[-1],
    lambda t, a: t['scale'] * a / (2.0 + t['shift']) + jnp.max(a),
    x, y, z, u, v, {'scale': s, 'shift': b},
)"""


def loop_inputs(draw, m=3, n=4, k=5):
    x, y, z = draw.normal(m, n), draw.normal(m, n), draw.normal(k, n)
    shift = np.float32(draw.uniform(0.5, 1.5))
    return x, y, z, draw.normal(m), draw.normal(n), draw.normal(m), shift


def loops(x, y, z, u, v, scale, shift):
    def f(a, b):
        return np.sum(np.sin(a) * b) + a[0] * b[-1] ** 2

    def g(a):
        return np.cumsum(a) * a[-1]

    return {
        "a": np.stack([f(row, v) for row in x]),
        "b": np.stack([f(v, row) for row in x]),
        "c": np.stack([f(p, q) for p, q in zip(x, y, strict=True)]),
        "d": np.stack([f(column, u) for column in x.T]),
        "e": np.stack([g(row) for row in x], axis=1),
        "f": np.stack([g(column) for column in x.T], axis=1),
        "g": np.stack([np.stack([f(p, q) for q in z]) for p in x]),
        "h": np.stack([s * p / (2.0 + shift) + p.max() for s, p in zip(scale, x, strict=True)]),
    }


def ask_loops(draw, *names):
    inputs = loop_inputs(draw)
    answer = yield call(*inputs, wrap=LOOPS)
    require(isinstance(answer, dict), "사전을 돌려주지 않았습니다.")
    for name in names:
        require(name in answer, f"{name}이 없습니다.")
        close(answer[name], loops(*inputs)[name], name, **LOOSE)


@translate.probe(1, "a, b, c: 행마다", show=True)
def over_rows(draw):
    yield from ask_loops(draw, "a", "b", "c")


@translate.probe(1, "d: 열마다")
def over_columns(draw):
    yield from ask_loops(draw, "d")


@translate.probe(1, "e, f: 결과를 열로")
def out_as_columns(draw):
    yield from ask_loops(draw, "e", "f")


@translate.probe(1, "g: 모든 쌍")
def every_pair(draw):
    yield from ask_loops(draw, "g")


@translate.probe(1, "h: 딕셔너리의 일부만")
def part_of_tree(draw):
    yield from ask_loops(draw, "h")


@translate.probe(
    1,
    "행과 열이 늘어도 프로그램이 자라지 않음",
    needs=[over_rows, over_columns, out_as_columns, every_pair, part_of_tree],
)
def loops_do_not_grow(draw):
    yield from no_growth(loop_inputs(draw, 3, 4, 2), loop_inputs(draw, 12, 11, 9), LOOPS)


def no_growth(small, large, wrap):
    sizes = []
    for inputs in (small, large):
        ran = yield program(inputs, wrap=wrap, run=False)
        sizes.append(ran.operations)
    require(
        sizes[1] < 1.2 * sizes[0] + 6,
        "입력이 커지면 프로그램도 커집니다. 파이썬 반복문이 돕니다.",
    )


# 문제 2 ------------------------------------------------------------------------------------
LINEAR = """lambda norms: lambda p, x, y: norms(
    lambda p, x, y: 0.5 * (x @ p['w'] + p['b'] - y) ** 2, p, x, y
)"""
SCALED = """lambda norms: jax.jit(lambda w, s, x, y: norms(
    lambda p, x, y: 0.5 * (p[1]['s'] * jnp.sum(x * p[0]) - y) ** 2, (w, {'s': s}), x, y
))"""


def linear_inputs(draw, batch=6):
    return {"w": draw.normal(3), "b": draw.normal()}, draw.normal(batch, 3), draw.normal(batch)


def linear_norms(params, x, y):
    error = x @ params["w"] + params["b"] - y
    return np.abs(error) * np.sqrt((x**2).sum(1) + 1.0)


@norms.probe(2, "여러 잎을 합친 노름", show=True)
def norm_of_leaves(draw):
    inputs = linear_inputs(draw)
    close((yield call(*inputs, wrap=LINEAR)), linear_norms(*inputs), "노름", **LOOSE)


@norms.probe(1, "튜플과 딕셔너리가 섞인 파이트리, 행렬인 입력", needs=[norm_of_leaves])
def nested_parameters(draw):
    w, s, x, y = draw.normal(2, 3), draw.normal(), draw.normal(5, 2, 3), draw.normal(5)
    product = (x * w).sum((1, 2))
    error = np.abs(s * product - y)
    right = error * np.sqrt(s**2 * (x**2).sum((1, 2)) + product**2)
    close((yield call(w, s, x, y, wrap=SCALED)), right, "노름", **LOOSE)


@norms.probe(1, "jit에서 한 프로그램으로", needs=[norm_of_leaves])
def norms_program(draw):
    calls = [linear_inputs(draw) for _ in range(2)]
    ran = yield program(*calls, wrap=LINEAR)
    for inputs, value in zip(calls, ran.values, strict=True):
        close(value, linear_norms(*inputs), "노름", **LOOSE)


@norms.probe(1, "배치가 커져도 프로그램이 자라지 않음", needs=[norm_of_leaves])
def norms_do_not_grow(draw):
    yield from no_growth(linear_inputs(draw, 3), linear_inputs(draw, 24), LINEAR)


# 문제 3 ------------------------------------------------------------------------------------
PULL = """lambda pairwise: jax.jit(lambda left, right: pairwise(
    lambda a, b: jnp.cumsum(b['place'] - 2.0 * a['place']) * a['mass'] / (1.0 + b['mass'] ** 2),
    left, right,
))"""
SPAN = "lambda p: lambda a, b: p(lambda a, b: jnp.max(a) - jnp.min(a + b), a, b)"


def bodies(draw, count):
    return {"place": draw.normal(count, 2), "mass": draw.normal(count)}


def pulls(left, right):
    move = np.cumsum(right["place"][None] - 2.0 * left["place"][:, None], axis=-1)
    return move * (left["mass"][:, None] / (1.0 + right["mass"] ** 2))[..., None]


@pairs.probe(2, "스칼라를 내는 함수", show=True)
def scalar_pairs(draw):
    a, b = draw.normal(3, 4), draw.normal(5, 4)
    right = a.max(1)[:, None] - (a[:, None] + b[None]).min(-1)
    close((yield call(a, b, wrap=SPAN)), right, "표", **LOOSE)


@pairs.probe(2, "파이트리인 물체, 배열을 내는 대칭이 아닌 함수")
def tree_pairs(draw):
    for counts in ((3, 5), (4, 4)):
        left, right = bodies(draw, counts[0]), bodies(draw, counts[1])
        close((yield call(left, right, wrap=PULL)), pulls(left, right), "표", **LOOSE)


@pairs.probe(1, "물체가 늘어도 프로그램이 자라지 않음", needs=[tree_pairs])
def pairs_do_not_grow(draw):
    small, large = (bodies(draw, 2), bodies(draw, 3)), (bodies(draw, 12), bodies(draw, 15))
    yield from no_growth(small, large, PULL)


# 문제 4 ------------------------------------------------------------------------------------
STEP = """(lambda loss: lambda p, x, y: (lambda value, g: (
    {n: p[n] - 0.1 * g[n] for n in p}, value
))(*jax.value_and_grad(loss)(p, x, y)))(
    lambda p, x, y: jnp.mean((jnp.tanh(x @ p['w']) @ p['v'] - y) ** 2)
)"""


def step_wrap(mesh, places=False):
    answer = f"d({STEP}, {mesh}, p, x, y)"
    return f"lambda d: lambda p, x, y: {PLACES.format(answer=answer) if places else answer}"


def step_inputs(draw):
    params = {"w": draw.normal(8, 24), "v": draw.normal(24)}
    return params, draw.normal(16, 8), draw.normal(16)


def one_step(params, x, y):
    w, v, x, y = (np.float64(a) for a in (params["w"], params["v"], x, y))
    hidden = np.tanh(x @ w)
    error = hidden @ v - y
    by_error = 2 * error / len(x)
    by_hidden = by_error[:, None] * v * (1 - hidden**2)
    new = {"w": w - 0.1 * x.T @ by_hidden, "v": v - 0.1 * hidden.T @ by_error}
    return new, (error**2).mean()


@parallel.probe(2, "새 파라미터와 손실이 장치 하나와 같음", show=True)
def same_step(draw):
    inputs = step_inputs(draw)
    tree_close((yield call(*inputs, wrap=step_wrap(LINE))), one_step(*inputs), "결과", **LOOSE)


def replicated_over_eight(answer, names):
    params, losses = unpack(answer, 2, "결과")
    for name in names:
        _, count, replicated, _ = unpack(params[name], 4, name)
        require(count == 8 and replicated, f"{name}이 장치 여덟에 복제되어 있지 않습니다.")
    return params, losses


@parallel.probe(2, "장치 여덟에서 실행하고 파라미터는 복제", needs=[same_step])
def step_places(draw):
    for mesh in (LINE, GRID):
        answer = yield call(*step_inputs(draw), wrap=step_wrap(mesh, places=True))
        replicated_over_eight(answer, ("w", "v"))


@parallel.probe(2, "배치를 data로 나누고 통신은 all-reduce뿐", needs=[same_step])
def step_collectives(draw):
    found = yield compiled(*step_inputs(draw), wrap=step_wrap(LINE))
    only_all_reduce(found, "장치 여덟")
    require("f32[2,24]" in found.text, "장치마다 예제 둘을 계산하지 않습니다.")


@parallel.probe(1, "메시의 다른 축으로는 나누지 않음", needs=[same_step, step_collectives])
def step_on_grid(draw):
    found = yield compiled(*step_inputs(draw), wrap=step_wrap(GRID))
    only_all_reduce(found, "4×2 메시")
    require("f32[4,24]" in found.text, "data 축이 넷인데 장치마다 예제 넷을 계산하지 않습니다.")
    split = [shape for shape in ("f32[2,24]", "f32[8,12]", "f32[4,12]") if shape in found.text]
    require(not split, "model 축으로도 나누었습니다.")


# 문제 5 ------------------------------------------------------------------------------------
BLOCK = f"lambda t: lambda layer, x: t({GRID}, layer, x)"
# 결과를 스칼라로 줄이는 마지막 통신은 검사의 것이다
BLOCK_LARGEST = f"lambda t: lambda layer, x: jnp.max(t({GRID}, layer, x))"


def block_inputs(draw):
    # 숨은 층 10, 배치 16: 장치마다 5와 4
    layer = {"up": draw.normal(6, 10), "up_bias": draw.normal(10)}
    layer |= {"down": draw.normal(10, 4), "down_bias": draw.normal(4, mean=2.0)}
    return layer, draw.normal(16, 6)


def block(layer, x):
    hidden = np.maximum(np.float64(x) @ layer["up"] + layer["up_bias"], 0.0)
    return hidden @ layer["down"] + layer["down_bias"]


@tensor.probe(2, "블록의 값", show=True)
def block_values(draw):
    inputs = block_inputs(draw)
    close((yield call(*inputs, wrap=BLOCK)), block(*inputs), "결과", **LOOSE)


@tensor.probe(1, "결과가 data로만 나뉨", needs=[block_values])
def block_places(draw):
    answer = PLACES.format(answer=f"t({GRID}, layer, x)")
    found = yield call(*block_inputs(draw), wrap=f"lambda t: lambda layer, x: {answer}")
    _, count, _, shape = unpack(found, 4, "결과")
    require(count == 8, "장치 여덟에서 실행하지 않았습니다.")
    require(tuple(shape) == (4, 4), f"장치마다 든 결과가 {tuple(shape)}입니다.")


@tensor.probe(2, "통신은 출력 크기의 all-reduce 한 번", needs=[block_values])
def block_collectives(draw):
    found = yield compiled(*block_inputs(draw), wrap=BLOCK_LARGEST)
    sizes = only_all_reduce(found, "블록")
    require(1 in sizes, "결과가 data로 나뉘지 않았습니다.")
    sizes.remove(1)
    require(sizes == [4 * 4], f"all-reduce의 결과가 숫자 {sizes}개입니다. 16개 한 번이어야 합니다.")


@tensor.probe(1, "가중치 전체를 곱하지 않음", needs=[block_values, block_collectives])
def block_is_split(draw):
    found = yield compiled(*block_inputs(draw), wrap=BLOCK_LARGEST)
    require("f32[4,5]" in found.text, "숨은 층이 model로 나뉘지 않았습니다.")
    require("f32[4,10]" not in found.text, "숨은 층 전체를 만듭니다.")


# 문제 6 ------------------------------------------------------------------------------------
# jit이 없으면 shard_map 안의 연산을 하나씩 컴파일해 몇 배 느리다
CROSS = f"lambda s: jax.jit(lambda logits, labels: s({ROW}, logits, labels))"
CROSS_GRADIENT = f"lambda s: jax.jit(jax.grad(lambda logits, labels: s({ROW}, logits, labels)))"


def vocabulary(draw):
    """어휘 64(장치마다 8), 배치 6. 조각의 처음과 끝, 여러 조각이 답이다."""
    labels = np.array([0, 7, 8, 63, 24 + draw.integer(1, 6), 40 + draw.integer(1, 6)], np.int32)
    return draw.normal(6, 64, scale=2.0), labels


def cross(logits, labels):
    z = np.float64(logits)
    top = z.max(1, keepdims=True)
    total = np.exp(z - top).sum(1)
    rows = np.arange(len(z))
    loss = (np.log(total) + top[:, 0] - z[rows, labels]).mean()
    gradient = np.exp(z - top) / total[:, None]
    gradient[rows, labels] -= 1.0
    return loss, gradient / len(z)


@entropy.probe(2, "손실", show=True)
def cross_values(draw):
    inputs = vocabulary(draw)
    close((yield call(*inputs, wrap=CROSS)), cross(*inputs)[0], "손실", **LOOSE)


@entropy.probe(1, "큰 값에서 넘치지 않음", needs=[cross_values])
def cross_extremes(draw):
    logits, labels = vocabulary(draw)
    logits += 300.0  # 답이 아닌 조각에만 큰 값이 있는 줄과, 모두 큰 줄
    logits[0, 60], logits[3, 1] = 500.0, 1000.0
    logits[1] -= 900.0
    inputs = (logits.astype(np.float32), labels)
    answer = yield call(*inputs, wrap=CROSS)
    close(answer, cross(*inputs)[0], "손실", rtol=1e-4, atol=1e-3)


@entropy.probe(2, "기울기", needs=[cross_values])
def cross_gradient(draw):
    inputs = vocabulary(draw)
    answer = yield call(*inputs, wrap=CROSS_GRADIENT)
    close(answer, cross(*inputs)[1], "기울기", rtol=1e-3, atol=1e-5)


@entropy.probe(2, "logits를 모으지 않고 배치 크기만 통신", needs=[cross_values])
def cross_collectives(draw):
    found = yield compiled(*vocabulary(draw), wrap=CROSS)
    sizes = only_all_reduce(found, "손실")
    require(sum(sizes) <= 3 * 6, f"all-reduce의 결과가 숫자 {sum(sizes)}개입니다.")
    require("f32[6,8]" in found.text, "장치마다 어휘의 8분의 1을 계산하지 않습니다.")


# 문제 7 ------------------------------------------------------------------------------------
FIT = "lambda p, x, y: jnp.mean((x @ p['w'] + p['b'][0] - y) ** 2)"


def train_wrap(mesh=LINE, places=False):
    answer = f"t({FIT}, {mesh}, p, x, y)"
    return f"lambda t: lambda p, x, y: {PLACES.format(answer=answer) if places else answer}"


def batches(draw, scale, steps=4):
    """scale이 크면 기울기를 늘 자르고, 작으면 자르지 않는다."""
    params = {"w": draw.normal(8, scale=0.03), "b": np.full(1, 0.02, np.float32)}
    x = np.clip(draw.normal(steps, 16, 8), -2.0, 2.0)
    y = (scale * (1.5 + np.clip(draw.normal(steps, 16, scale=0.3), -0.9, 0.9))).astype(np.float32)
    return params, x, y


def trained(params, x, y):
    w, b = np.float64(params["w"]), np.float64(params["b"])
    by_w, by_b, losses, norms = np.zeros_like(w), 0.0, [], []
    for one_x, one_y in zip(np.float64(x), np.float64(y), strict=True):
        error = one_x @ w + b - one_y
        losses.append((error**2).mean())
        g_w, g_b = 2 * one_x.T @ error / len(one_x), 2 * error.mean()
        norms.append(np.sqrt((g_w**2).sum() + g_b**2))
        scale = min(1.0, 1.0 / norms[-1])
        by_w, by_b = 0.9 * by_w + scale * g_w, 0.9 * by_b + scale * g_b
        w, b = w - 0.1 * by_w, b - 0.1 * by_b
    return ({"w": w, "b": b}, np.array(losses)), norms


@trainer.probe(2, "자르지 않는 스텝: 파라미터와 손실", show=True)
def small_gradients(draw):
    inputs = batches(draw, 0.05)
    right, norms = trained(*inputs)
    assert max(norms) < 1.0, norms
    tree_close((yield call(*inputs, wrap=train_wrap())), right, "결과", **LOOSE)


@trainer.probe(1, "자르는 스텝: 평균한 뒤에 자름", needs=[small_gradients])
def large_gradients(draw):
    inputs = batches(draw, 5.0)
    right, norms = trained(*inputs)
    assert min(norms) > 1.0, norms
    tree_close((yield call(*inputs, wrap=train_wrap())), right, "결과", **LOOSE)


@trainer.probe(1, "장치 축이 없고 파라미터는 복제", needs=[small_gradients])
def trained_places(draw):
    answer = yield call(*batches(draw, 0.05), wrap=train_wrap(places=True))
    replicated_over_eight(answer, ("w", "b"))


@trainer.probe(2, "배치를 나누고 통신은 all-reduce뿐", needs=[small_gradients])
def train_collectives(draw):
    found = yield compiled(*batches(draw, 0.05), wrap=train_wrap(GRID))
    only_all_reduce(found, "학습")
    require(
        re.search(r"f32\[(4,)?4,8\]", found.text), "배치 16을 data 축 넷으로 나누지 않았습니다."
    )


@trainer.probe(
    1, "스텝이 늘어도 프로그램이 자라지 않음", needs=[small_gradients, train_collectives]
)
def train_does_not_grow(draw):
    yield from no_growth(batches(draw, 0.05, 2), batches(draw, 0.05, 9), train_wrap())


# 문제 8 ------------------------------------------------------------------------------------
def table(draw, features):
    rows = draw.normal(32, features, scale=2.0, mean=1.0)
    rows[16:] += 3.0  # 두 반쪽의 평균이 다르다
    return rows.astype(np.float32)


def standardized(rows):
    x = np.float64(rows)
    deviation = x.std(0)
    return (x - x.mean(0)) / np.where(deviation == 0, 1.0, deviation), x.mean(0)


def ask_pair(rows, port):
    halves = rows[:16], rows[16:]
    calls = [(f"127.0.0.1:{port}", index, half) for index, half in enumerate(halves)]
    values = yield processes(*calls)
    right, mean = standardized(rows)
    for index, value in enumerate(values):
        mine, average = unpack(value, 2, f"프로세스 {index}")
        close(average, mean, f"프로세스 {index}의 평균", rtol=1e-4, atol=1e-4)
        part = right[16 * index : 16 * index + 16]
        close(mine, part, f"프로세스 {index}의 줄", rtol=1e-3, atol=1e-4)


@pair.probe(4, "두 프로세스가 전체의 통계로 표준화", show=True)
def two_processes(draw):
    yield from ask_pair(table(draw, 3), 12321)


@pair.probe(2, "모두 같은 특징에서 0으로 나누지 않음", needs=[two_processes])
def constant_feature(draw):
    rows = table(draw, 4)
    rows[:, 2] = 4.0
    yield from ask_pair(rows, 12322)
