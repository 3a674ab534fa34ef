"""4장 "vmap과 샤딩"의 문제와 검사.

나누는 문제는 장치 여덟 개에서 실행하고, 통신은 내보낸 프로그램을 컴파일한 HLO에서 센다.
참값은 numpy로 계산한다.
"""

import math
import re

import numpy as np

from coursekit.grading.probes import (
    Exercise,
    as_eager,
    call,
    close,
    compiled,
    differ,
    finite,
    processes,
    program,
    require,
    same,
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


def real(x):
    return np.array(x, np.float32)


def only_all_reduce(found, what):
    """통신이 all-reduce뿐인지. 그 결과의 원소 수들을 돌려준다."""
    for name in COLLECTIVES[1:]:
        require(found.count(name) == 0, f"{what}: 통신에 {name}가 있습니다.")
    require(found.count("all-reduce") > 0, f"{what}: all-reduce가 없습니다. 나뉘지 않았습니다.")
    return result_sizes(found, "all-reduce")


def result_sizes(found, name):
    """그 통신마다 결과의 원소 수."""
    sizes = []
    for shapes in re.findall(rf"= (\S.*?) {name}(?:-start)?\(", found.text):
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


def one_loop(draw, name):
    """name의 값이 반복문과 같고, 그것을 구하는 프로그램이 m, n, k와 함께 커지지 않는다."""
    inputs = loop_inputs(draw)
    only = f"lambda translate: lambda *a: ({LOOPS})(translate)(*a)['{name}']"
    close((yield call(*inputs, wrap=only)), loops(*inputs)[name], name, **LOOSE)
    yield from no_growth(loop_inputs(draw, 3, 4, 2), loop_inputs(draw, 12, 11, 9), only)


@translate.probe(1, "a, b, c: 행마다 도는 반복문과 같은 값", show=True)
def over_rows(draw):
    inputs = loop_inputs(draw)
    answer = yield call(*inputs, wrap=LOOPS)
    require(isinstance(answer, dict), "딕셔너리를 돌려주지 않았습니다.")
    for name in ("a", "b", "c"):
        require(name in answer, f"{name}이 없습니다.")
        close(answer[name], loops(*inputs)[name], name, **LOOSE)


@translate.probe(1, "d: 열마다 도는 것을 반복문 없이")
def over_columns(draw):
    yield from one_loop(draw, "d")


@translate.probe(1, "e, f: 결과를 열로 쌓는 것을 반복문 없이")
def out_as_columns(draw):
    yield from one_loop(draw, "e")
    yield from one_loop(draw, "f")


@translate.probe(1, "g: 모든 쌍을 반복문 없이")
def every_pair(draw):
    yield from one_loop(draw, "g")


@translate.probe(1, "h: 딕셔너리의 일부만 나누는 것을 반복문 없이")
def part_of_tree(draw):
    yield from one_loop(draw, "h")


@translate.probe(1, "m, n, k가 커져도 프로그램 전체가 커지지 않음")
def loops_do_not_grow(draw):
    yield from no_growth(loop_inputs(draw, 3, 4, 2), loop_inputs(draw, 12, 11, 9), LOOPS)
    own = []
    for _ in range(2):
        own.append((yield call(*loop_inputs(draw), wrap=LOOPS)))
    differ(own, "입력이 바뀌어도 값이 그대로입니다.")


def no_growth(small, large, wrap):
    sizes = []
    for inputs in (small, large):
        ran = yield program(inputs, wrap=wrap, run=False)
        sizes.append(ran.operations)
    require(sizes[1] < 1.2 * sizes[0] + 6, "입력이 커지면 프로그램도 커집니다.")


# 문제 2 ------------------------------------------------------------------------------------
LINEAR = """lambda norms: lambda p, x, y: norms(
    lambda p, x, y: 0.5 * (x @ p['w'] + p['b'] - y) ** 2, p, x, y
)"""
FLAT = """lambda norms: lambda w, s, x, y: norms(
    lambda p, x, y: 0.5 * (p['b'] * jnp.sum(x * p['a']) - y) ** 2, {'a': w, 'b': s}, x, y
)"""
NESTED = """lambda norms: lambda w, s, x, y: norms(
    lambda p, x, y: 0.5 * (p[1]['s'] * jnp.sum(x * p[0]) - y) ** 2, (w, {'s': s}), x, y
)"""


def linear_inputs(draw, batch=6):
    return {"w": draw.normal(3), "b": draw.normal()}, draw.normal(batch, 3), draw.normal(batch)


def linear_norms(params, x, y):
    error = x @ params["w"] + params["b"] - y
    return np.abs(error) * np.sqrt((x**2).sum(1) + 1.0)


@norms.probe(1, "예제마다 모든 잎을 합친 기울기의 L2 노름", show=True)
def norm_of_leaves(draw):
    inputs = linear_inputs(draw)
    close((yield call(*inputs, wrap=LINEAR)), linear_norms(*inputs), "노름", **LOOSE)


@norms.probe(2, "파이썬 반복문이 없고, 배치가 커져도 프로그램이 커지지 않음")
def norms_do_not_grow(draw):
    yield from no_growth(linear_inputs(draw, 3), linear_inputs(draw, 24), LINEAR)
    params, x, y = linear_inputs(draw, 4)
    own = []
    for target in (y, y + 1):
        own.append((yield call(params, x, target, wrap=LINEAR)))
    own.append((yield call({**params, "w": params["w"] + 1}, x, y, wrap=LINEAR)))
    require(getattr(own[0], "shape", None) == (4,), "결과의 shape이 (배치,)가 아닙니다.")
    differ(own, "입력이 바뀌어도 값이 그대로입니다.")


@norms.probe(1, "params가 튜플과 딕셔너리가 섞인 파이트리여도 됨", needs=[norms_do_not_grow])
def nested_parameters(draw):
    inputs = draw.normal(2, 3), draw.normal(), draw.normal(5, 2, 3), draw.normal(5)
    same((yield call(*inputs, wrap=NESTED)), (yield call(*inputs, wrap=FLAT)), "노름")


@norms.probe(1, "jax.jit에서 실행됨", needs=[norms_do_not_grow])
def norms_program(draw):
    differ((yield from as_eager(linear_inputs(draw), linear_inputs(draw), wrap=LINEAR)), "값이 늘 같습니다.")


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


@pairs.probe(1, "결과의 첫 축은 left, 둘째 축은 right의 번호", show=True)
def scalar_pairs(draw):
    a, b = draw.normal(3, 4), draw.normal(5, 4)
    right = a.max(1)[:, None] - (a[:, None] + b[None]).min(-1)
    close((yield call(a, b, wrap=SPAN)), right, "표", **LOOSE)


@pairs.probe(1, "파이트리인 물체, 배열을 돌려주는 대칭이 아닌 distance")
def tree_pairs(draw):
    for counts in ((3, 5), (4, 4)):
        left, right = bodies(draw, counts[0]), bodies(draw, counts[1])
        close((yield call(left, right, wrap=PULL)), pulls(left, right), "표", **LOOSE)


@pairs.probe(2, "파이썬 반복문이 없음: 물체가 늘어도 프로그램이 커지지 않음")
def pairs_do_not_grow(draw):
    small, large = (bodies(draw, 2), bodies(draw, 3)), (bodies(draw, 12), bodies(draw, 15))
    yield from no_growth(small, large, PULL)
    left, right = small
    own = []
    for pair in ((left, right), (bodies(draw, 2), right), (left, bodies(draw, 3))):
        own.append((yield call(*pair, wrap=PULL)))
    require(own[0].size >= 2 * 3, "쌍의 값이 모자랍니다.")
    differ(own, "입력이 바뀌어도 값이 그대로입니다.")


@pairs.probe(1, "jax.jit에서 실행됨")
def pairs_program(draw):
    calls = [(bodies(draw, 3), bodies(draw, 2)) for _ in range(2)]
    own = yield from as_eager(*calls, wrap=PULL)
    require(own[0].size >= 3 * 2, "쌍의 값이 모자랍니다.")
    differ(own, "입력이 바뀌어도 값이 그대로입니다.")


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


@parallel.probe(1, "새 파라미터와 손실이 장치 하나에서와 같음", show=True)
def same_step(draw):
    inputs = step_inputs(draw)
    tree_close((yield call(*inputs, wrap=step_wrap(LINE))), one_step(*inputs), "결과", **LOOSE)


def placed(draw, wrap, names=("w", "v")):
    """새 파라미터마다 놓인 장치의 수와 복제되었는지."""
    params, _ = unpack((yield call(*step_inputs(draw), wrap=wrap)), 2, "결과")
    return [unpack(params[name], 4, name)[1:3] for name in names]


@parallel.probe(1, "mesh의 장치들에서 실행")
def step_devices(draw):
    for mesh in (LINE, GRID):
        for used, _ in (yield from placed(draw, step_wrap(mesh, places=True))):
            require(used == 8, f"장치 8개가 아니라 {used}개에 있습니다.")


@parallel.probe(1, "파라미터는 모든 장치에 복제된 채로 나옴")
def step_replicated(draw):
    for mesh in (LINE, GRID):
        for used, replicated in (yield from placed(draw, step_wrap(mesh, places=True))):
            require(used == 8 and replicated, "파라미터가 복제되어 있지 않습니다.")


@parallel.probe(1, "x와 y의 첫 축을 data 축으로 나눔")
def step_batch(draw):
    found = yield compiled(*step_inputs(draw), wrap=step_wrap(LINE))
    require("f32[2,24]" in found.text, "장치마다 예제 둘을 계산하지 않습니다.")
    require("f32[16,24]" not in found.text, "배치 전체를 계산하는 장치가 있습니다.")


@parallel.probe(1, "통신은 all-reduce뿐")
def step_collectives(draw):
    only_all_reduce((yield compiled(*step_inputs(draw), wrap=step_wrap(LINE))), "장치 여덟")


@parallel.probe(1, "메시에 다른 축이 있어도 그 축으로는 나누지 않음")
def step_on_grid(draw):
    found = yield compiled(*step_inputs(draw), wrap=step_wrap(GRID))
    only_all_reduce(found, "4×2 메시")
    require("f32[4,24]" in found.text, "data 축이 넷인데 장치마다 예제 넷을 계산하지 않습니다.")
    split = [shape for shape in ("f32[2,24]", "f32[8,12]", "f32[4,12]") if shape in found.text]
    require(not split, "model 축으로도 나누었습니다.")


@parallel.probe(1, "jax.jit으로 감싸도 장치들에 복제되어 나옴")
def step_in_jit(draw):
    answer = f"jax.jit(lambda *a: d({STEP}, {LINE}, *a))(p, x, y)"
    wrap = f"lambda d: lambda p, x, y: {PLACES.format(answer=answer)}"
    for used, replicated in (yield from placed(draw, wrap)):
        require(used == 8 and replicated, "jit 안에서는 장치들에 복제되지 않습니다.")


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


@tensor.probe(1, "블록의 값", show=True)
def block_values(draw):
    inputs = block_inputs(draw)
    close((yield call(*inputs, wrap=BLOCK)), block(*inputs), "결과", **LOOSE)


@tensor.probe(1, "결과는 첫 축이 data로 나뉘고 model 축으로는 복제")
def block_places(draw):
    answer = PLACES.format(answer=f"t({GRID}, layer, x)")
    found = yield call(*block_inputs(draw), wrap=f"lambda t: lambda layer, x: {answer}")
    _, count, _, shape = unpack(found, 4, "결과")
    require(count == 8, "장치 여덟에서 실행하지 않았습니다.")
    require(tuple(shape) == (4, 4), f"장치마다 든 결과가 {tuple(shape)}입니다.")


@tensor.probe(1, "통신은 all-reduce뿐")
def block_collectives(draw):
    sizes = only_all_reduce((yield compiled(*block_inputs(draw), wrap=BLOCK_LARGEST)), "블록")
    require(max(sizes) > 1, "층을 나누지 않았습니다.")


@tensor.probe(1, "all-reduce는 한 번이고, 크기는 장치 하나의 출력과 같음")
def one_all_reduce(draw):
    found = yield compiled(*block_inputs(draw), wrap=BLOCK_LARGEST)
    sizes = [size for size in result_sizes(found, "all-reduce") if size > 1]
    require(sizes == [4 * 4], f"all-reduce의 결과가 숫자 {sizes}개입니다. 16개 한 번이어야 합니다.")


@tensor.probe(1, "숨은 층을 model로 나눔")
def block_is_split(draw):
    found = yield compiled(*block_inputs(draw), wrap=BLOCK_LARGEST)
    split = re.search(r"f32\[(4|16),5\]", found.text)
    require(split, "숨은 층이 model로 나뉘지 않았습니다.")
    require(not re.search(r"f32\[(4|16),10\]", found.text), "숨은 층 전체를 만듭니다.")


@tensor.probe(1, "어느 장치도 up이나 down 전체를 들지 않음")
def weights_are_split(draw):
    # 놓을 자리를 정하지 않고 컴파일하면, 장치마다 드는 조각은 답이 적은 샤딩에서 나온다
    wrap = f"""lambda t: lambda layer, x: [
        list(part.shard_shape(layer[name].shape))
        for parts in [jax.jit(({BLOCK})(t)).lower(layer, x).compile().input_shardings[0][0]]
        for name, part in ((n, parts[n]) for n in ("up", "down"))
    ]"""
    shapes = unpack((yield call(*block_inputs(draw), wrap=wrap)), 2, "조각")
    for name, shape, whole in zip(("up", "down"), shapes, (6 * 10, 10 * 4)):
        require(math.prod(shape) < whole, f"장치마다 {name} 전체를 듭니다.")


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


@entropy.probe(1, "배치의 평균인 손실", show=True)
def cross_values(draw):
    inputs = vocabulary(draw)
    close((yield call(*inputs, wrap=CROSS)), cross(*inputs)[0], "손실", **LOOSE)


@entropy.probe(1, "logits의 둘째 축을 model 축으로 나눔")
def cross_split(draw):
    found = yield compiled(*vocabulary(draw), wrap=CROSS)
    require("f32[6,8]" in found.text, "장치마다 어휘의 8분의 1을 계산하지 않습니다.")
    # 처음에 들어오는 것 말고는 logits 전체가 없어야 한다
    whole = re.findall(r"= f32\[6,64\]\S* (?!parameter|bitcast|copy)([\w-]+)\(", found.text)
    require(not whole, "logits 전체를 계산하는 장치가 있습니다.")


@entropy.probe(2, "통신은 배치 크기의 배열이나 더 작은 것에만 함", needs=[cross_split])
def cross_collectives(draw):
    found = yield compiled(*vocabulary(draw), wrap=CROSS)
    counted = 0
    for name in COLLECTIVES:
        sizes = result_sizes(found, name)
        counted += len(sizes)
        # all-gather의 결과에는 장치 여덟의 것이 모여 있다
        sent = sum(sizes) / (8 if name == "all-gather" else 1)
        require(sent <= 3 * 6, f"{name}으로 숫자 {sent:.0f}개를 보냅니다.")
    require(counted > 0, "장치들이 통신하지 않습니다.")


@entropy.probe(1, "logits에 큰 값이 있어도 넘치지 않음", needs=[cross_split])
def cross_extremes(draw):
    logits, labels = vocabulary(draw)
    logits[0, 60], logits[3, 1] = 20.0, 30.0  # 큰 값이 답이 아닌 조각에 있는 줄
    own = yield call(logits, labels, wrap=CROSS)
    finite(own, "손실")
    for shift in (300.0, 1000.0, -1000.0):
        # 줄마다 같은 수를 더하거나 빼도 손실은 그대로이다
        answer = yield call(real(np.round(logits, 2) + shift), labels, wrap=CROSS)
        finite(answer, "손실")
        same(answer, own, "모두 옮긴 logits의 손실", rtol=2e-2, atol=1e-2)
    lone = logits.copy()
    lone[1, 9] = 1000.0  # 한 조각 안에서도 차이가 크다
    finite((yield call(lone, labels, wrap=CROSS)), "손실")
    other = yield call(draw.normal(6, 64), labels, wrap=CROSS)
    differ([own, other], "logits가 바뀌어도 손실이 그대로입니다.")


@entropy.probe(2, "jax.grad로 logits의 기울기를 구할 수 있음", needs=[cross_split])
def cross_gradient(draw):
    logits, labels = vocabulary(draw)
    slope = yield call(logits, labels, wrap=CROSS_GRADIENT)
    finite(slope, "기울기")
    require(getattr(slope, "shape", None) == logits.shape, "기울기의 모양이 다릅니다.")
    require(slope.any(), "기울기가 0입니다.")
    for row in (0, 3, 5):
        for column in (int(labels[row]), int(logits[row].argmax())):
            step = np.zeros_like(logits)
            step[row, column] = 0.1
            up = yield call(logits + step, labels, wrap=CROSS)
            down = yield call(logits - step, labels, wrap=CROSS)
            close(real(slope[row, column]), (up - down) / 0.2, "기울기", rtol=2e-2, atol=2e-3)


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


def fitted(draw, scale):
    """학습한 params와 손실, 맞는 params와 손실."""
    inputs = batches(draw, scale)
    right, norms = trained(*inputs)
    assert (max(norms) < 1.0) if scale < 1 else (min(norms) > 1.0), norms
    return *unpack((yield call(*inputs, wrap=train_wrap())), 2, "결과"), *right


@trainer.probe(1, "기울기가 작을 때 학습한 params", show=True)
def small_gradients(draw):
    params, _, right, _ = yield from fitted(draw, 0.05)
    tree_close(params, right, "params", **LOOSE)


@trainer.probe(1, "스텝마다 배치를 data 축으로 나눔")
def train_batch(draw):
    found = yield compiled(*batches(draw, 0.05), wrap=train_wrap(GRID))
    require(
        re.search(r"f32\[(4,)?4,8\]", found.text), "배치 16을 data 축 넷으로 나누지 않았습니다."
    )
    require(found.count("all-reduce") > 0, "all-reduce가 없습니다. 나뉘지 않았습니다.")


@trainer.probe(1, "통신은 all-reduce뿐이고, jax.jit으로 감싸도 나뉨")
def train_collectives(draw):
    only_all_reduce((yield compiled(*batches(draw, 0.05), wrap=train_wrap())), "학습")


@trainer.probe(1, "스텝마다의 손실", needs=[train_batch])
def train_losses(draw):
    _, losses, _, right = yield from fitted(draw, 0.05)
    close(losses, right, "손실", **LOOSE)


@trainer.probe(1, "기울기를 평균한 뒤에 자름", needs=[train_batch])
def large_gradients(draw):
    params, _, right, _ = yield from fitted(draw, 5.0)
    tree_close(params, right, "params", **LOOSE)


@trainer.probe(1, "장치 축이 없고, 파라미터는 복제되어 있음", needs=[train_batch])
def trained_places(draw):
    params, _ = unpack((yield call(*batches(draw, 0.05), wrap=train_wrap(places=True))), 2, "결과")
    for name, shape in (("w", (8,)), ("b", (1,))):
        value, used, replicated, _ = unpack(params[name], 4, name)
        require(value.shape == shape, f"{name}의 shape이 {value.shape}입니다.")
        require(used == 8 and replicated, f"{name}이 장치 여덟에 복제되어 있지 않습니다.")


@trainer.probe(1, "스텝이 늘어도 loss를 트레이싱하는 횟수가 늘지 않음", needs=[train_batch])
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


def ask_pair(rows, port, wrap=""):
    """두 프로세스가 저마다 돌려준 것."""
    halves = rows[:16], rows[16:]
    calls = [(f"127.0.0.1:{port}", index, half) for index, half in enumerate(halves)]
    values = yield processes(*calls, wrap=wrap)
    return [unpack(value, 2, f"프로세스 {index}") for index, value in enumerate(values)]


@pair.probe(2, "두 프로세스가 전체의 평균을 구함", show=True)
def whole_mean(draw):
    rows = table(draw, 3)
    for index, (_, average) in enumerate((yield from ask_pair(rows, 12321))):
        right = standardized(rows)[1]
        close(average, right, f"프로세스 {index}의 평균", rtol=1e-4, atol=1e-4, dtype=None)


@pair.probe(2, "전체의 평균과 표준편차로 표준화한 자기 줄")
def own_rows(draw):
    rows = table(draw, 3)
    right, _ = standardized(rows)
    for index, (mine, _) in enumerate((yield from ask_pair(rows, 12322))):
        part = right[16 * index : 16 * index + 16]
        close(mine, part, f"프로세스 {index}의 줄", rtol=1e-3, atol=1e-4, dtype=None)


@pair.probe(1, "표준편차가 0이면 1로 봄", needs=[whole_mean])
def constant_feature(draw):
    rows = table(draw, 4)
    rows[:, 2] = 4.0
    for mine, _ in (yield from ask_pair(rows, 12323)):
        finite(mine, "표준화한 줄")
        column = np.abs(mine[:, 2])
        require(column.max() < 1e-4, "모두 같은 특징이 0이 아닙니다.")


@pair.probe(1, "둘 다 float32인 NumPy 배열", needs=[whole_mean])
def numpy_arrays(draw):
    wrap = "lambda f: lambda *a: [[type(v).__name__, str(v.dtype)] for v in f(*a)]"
    for pair in (yield from ask_pair(table(draw, 3), 12324, wrap)):
        for kind in pair:
            require(kind == ["ndarray", "float32"], f"NumPy의 float32 배열이 아니라 {kind}입니다.")
