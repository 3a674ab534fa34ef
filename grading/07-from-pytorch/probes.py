"""07장 "PyTorch에서 JAX로"의 문제와 검사.

검사는 채점자의 프로세스에서 돌고, call·program에 넣은 입력만 학생의 프로세스로 갑니다.
통계 검사의 한계는 6 표준편차로, 맞는 답이 우연히 틀릴 확률은 10억분의 1 안팎입니다.
"""

import math

import numpy as np

from coursekit.grading.probes import (
    Exercise,
    Wrong,
    as_eager,
    call,
    close,
    describe,
    differ,
    finite,
    helper,
    is_key,
    one_trace,
    program,
    require,
    same,
    traces,
    tree_close,
    unpack,
)

exercise = Exercise("07-from-pytorch", "PyTorch에서 JAX로")
mean_question = exercise.function("문제 1", "running_mean", "상태를 밖에 둔 이동 평균")
image_question = exercise.function("문제 2", "augment", "키를 주고받는 이미지 증강")
clip_question = exercise.function("문제 3", "clip_gradient", "한 번만 트레이싱하는 기울기 자르기")

translate_question = exercise.function("문제 4", "translate", "기본값이 다른 열두 줄")
weights_question = exercise.function("문제 5", "convert_weights", "층마다 가중치 옮기기")
block_question = exercise.function("문제 6", "residual_block", "BatchNorm이 든 잔차 블록")
script_question = exercise.function("문제 7", "train_step", "학습 스크립트의 한 스텝")
reverse_question = exercise.function("문제 8", "reverse_gradient", "기울기를 뒤집는 함수")
export_question = exercise.function("문제 9", "export_classifier", "코드 없이 실행되는 프로그램")
exercise.text("문제 10", "결정기록", 8)

LOOSE = {"rtol": 3e-5, "atol": 1e-5}


def number(n):
    return np.array(n, np.int32)


def real(x):
    return np.array(x, np.float32)


# 문제 1 ------------------------------------------------------------------------------------
def step(answer):
    """(개수, 평균) 상태와 평균으로 나눈 답."""
    state, mean = unpack(answer, 2, "돌려준 값")
    return unpack(state, 2, "상태"), mean


START = (number(0), real(0))


@mean_question.probe(1, "한 배치의 평균", show=True)
def one_batch(draw):
    x = draw.normal(16, mean=2.0)
    _, mean = step((yield call(START, x)))
    close(mean, x.mean(), "평균", dtype=None, **LOOSE)


@mean_question.probe(1, "길이가 다른 배치까지, 지금까지 본 모든 원소의 평균")
def many_batches(draw):
    state, seen = START, np.zeros(0, np.float32)
    for size, mean in ((16, 0.0), (1, 8.0), (16, -3.0), (1, 30.0)):
        x = draw.normal(size, mean=mean, scale=2.0)
        seen = np.concatenate([seen, x])
        state, mean = step((yield call(state, x)))
        close(mean, seen.mean(), "평균", dtype=None, **LOOSE)


@mean_question.probe(1, "새 state에 지금까지의 개수와 반환한 평균이 들어 있음")
def new_state(draw):
    for count in (0, 7, 300):
        x = draw.normal(16, mean=3.0)
        (seen, kept), mean = step((yield call((number(count), real(1.5 if count else 0)), x)))
        close(seen, count + 16, "개수", dtype=None)
        close(kept, mean, "상태의 평균", dtype=None, **LOOSE)


@mean_question.probe(1, "파이썬 수 (0, 0.0)을 주어도 같고, 새 state의 count는 int32, 평균은 float32")
def plain_start(draw):
    x = draw.normal(16, mean=2.0)
    (count, kept), mean = step((yield call(START, x)))
    close(count, count, "개수", dtype="int32")
    close(kept, kept, "상태의 평균", dtype="float32")
    plain = yield call((0, 0.0), x)
    for got, right in zip((*step(plain)[0], step(plain)[1]), (count, kept, mean)):
        close(got, right, "파이썬 수에서 시작한 값", dtype=None, **LOOSE)


@mean_question.probe(1, "숨은 상태 없이, jax.jit에서 한 번만 트레이싱")
def one_program(draw):
    x = draw.normal(8, mean=3.0)
    calls = [((number(n), real(m)), x) for n, m in ((1, 5.0), (300, 5.0), (300, -2.0))]
    calls.append((calls[0][0], draw.normal(8)))
    own = yield from as_eager(*calls)
    differ(own, "state나 x가 바뀌어도 값이 그대로입니다.")
    same((yield call(*calls[0])), own[0], "같은 state와 x로 다시 부른 값")
    count = yield traces(*calls, feed_back=True)
    require(count == 1, f"네 배치에 {count}번 트레이싱했습니다.")


@mean_question.probe(1, "jax.lax.scan의 본문으로 써도 동작함")
def scan_body(draw):
    xs, state, own = draw.normal(5, 4, mean=1.0), START, []
    wrap = "lambda f: lambda state, xs: jax.lax.scan(f, state, xs)"
    (value,) = (yield program((state, xs), wrap=wrap)).values
    for x in xs:
        state, mean = step((yield call(state, x)))
        own.append(np.asarray(mean))
    differ([own[0], own[1]], "평균이 그대로입니다.")
    last, means = step(value)
    same(means, np.stack(own), "스텝마다의 평균")
    same(last, list(state), "마지막 state")
    other = yield call((number(100), real(50)), xs[0])
    differ([step(other)[1], own[0]], "state가 바뀌어도 평균이 그대로입니다.")


# 문제 2 ------------------------------------------------------------------------------------
# 모양이 다르면 연산마다 새로 컴파일하므로 한 모양을 쓴다
SHAPE = (128, 6, 6)


def images_of(draw, *shape):
    # 좌우와 위아래가 뚜렷이 다른 그림: 뒤집혔는지 잡음을 넘어 알아볼 수 있다
    tilt = np.linspace(-9, 9, shape[-1]) + np.linspace(-20, 20, shape[-2])[:, None]
    return (draw.normal(*shape, scale=3.0) + tilt).astype(np.float32)


def split_answer(answer, images, what="증강한 이미지"):
    """다음 키, 이미지마다 뒤집었는지, 남은 잡음. 위아래로 뒤집은 것도 뒤집은 것으로 본다."""
    key, result = unpack(answer, 2, "돌려준 값")
    key = is_key(key, "다음 키")
    close(result, images, what, atol=float("inf"))  # shape과 dtype
    left = [result - seen for seen in (images, images[:, :, ::-1], images[:, ::-1])]
    nearest = np.argmin([np.abs(noise).mean(axis=(1, 2)) for noise in left], axis=0)
    noise = np.choose(nearest[:, None, None], left)
    # 표준편차가 0.1이면 잡음은 1을 넘지 않는다(10 표준편차). 조금 큰 것까지는 다른 검사가 본다
    require(np.abs(noise).max() < 2.0, f"{what}: 원본이나 뒤집은 원본이 아닙니다.")
    return key, nearest > 0, noise


def uncorrelated(a, b, what):
    a, b = np.ravel(a) - np.mean(a), np.ravel(b) - np.mean(b)
    size = np.sqrt((a * a).sum() * (b * b).sum())
    if size == 0 or abs((a * b).sum() / size) > 6 / np.sqrt(len(a)):
        raise Wrong(what)


def other_noise(a, b, what):
    """이미지 둘부터가 증거다. 상관으로 보면 이미지마다 같은 잡음은 우연히 걸린다."""
    require((np.abs(a - b).max(axis=(1, 2)) < 1e-3).sum() < 2, what)


@image_question.probe(1, "이미지마다 원본이거나 좌우(마지막 축)로 뒤집은 것에 잡음을 더함", show=True)
def one_batch_of_images(draw):
    images = images_of(draw, *SHAPE)
    _, flipped, noise = split_answer((yield call(draw.key(), images)), images)
    _, result = unpack((yield call(draw.key(), images)), 2, "돌려준 값")
    left = [np.abs(result - seen).mean(axis=(1, 2)) for seen in (images, images[:, :, ::-1])]
    require(np.max(np.min(left, axis=0)) < 1.0, "원본이나 좌우로 뒤집은 원본이 아닙니다.")
    require(noise.std() > 0 and flipped.any(), "잡음이 없거나 하나도 뒤집지 않았습니다.")


@image_question.probe(1, "이미지마다 독립적으로, 1/2의 확률로 뒤집음")
def fair_flips(draw):
    flips = []
    for _ in range(4):
        images = images_of(draw, *SHAPE)
        flips.append(split_answer((yield call(draw.key(), images)), images)[1])
    flips = np.array(flips)
    require(abs(flips.mean() - 0.5) < 3 / np.sqrt(flips.size), "뒤집는 비율이 1/2이 아닙니다.")
    uncorrelated(flips[:, 1:], flips[:, :-1], "이웃한 이미지의 뒤집기가 독립이 아닙니다.")
    uncorrelated(flips[0], flips[1], "다른 키로도 같은 이미지를 뒤집습니다.")


@image_question.probe(1, "평균이 0이고 표준편차가 0.1인 정규 잡음을 픽셀마다 독립적으로 더함")
def gaussian_noise(draw):
    noises = []
    for _ in range(4):
        images = images_of(draw, *SHAPE)
        noises.append(split_answer((yield call(draw.key(), images)), images)[2])
    uncorrelated(noises[0], noises[1], "다른 키로도 같은 잡음이 나옵니다.")
    z = np.concatenate(noises) / 0.1
    require(abs(z.mean()) < 6 / np.sqrt(z.size), "잡음의 평균이 0이 아닙니다.")
    require(abs(z.std() - 1) < 6 / np.sqrt(2 * z.size), "잡음의 표준편차가 0.1이 아닙니다.")
    for bound, share in ((1.0, 0.682689), (2.0, 0.954500)):
        spread = 6 * np.sqrt(share * (1 - share) / z.size)
        inside = (np.abs(z) < bound).mean()
        require(abs(inside - share) < spread, "잡음이 정규 분포가 아닙니다.")
    uncorrelated(z[1:], z[:-1], "이미지마다 잡음이 같습니다.")
    uncorrelated(z[:, 1:], z[:, :-1], "세로로 이웃한 픽셀의 잡음이 독립이 아닙니다.")
    uncorrelated(z[:, :, 1:], z[:, :, :-1], "가로로 이웃한 픽셀의 잡음이 독립이 아닙니다.")


@image_question.probe(1, "같은 키에는 같은 결과, 다음 키에는 다른 잡음")
def next_keys(draw):
    images, key = images_of(draw, *SHAPE), draw.key()
    next_key, flipped, noise = split_answer((yield call(key, images)), images)
    again = split_answer((yield call(key, images)), images)
    require(np.array_equal(again[0].data, next_key.data), "같은 키에 다음 키가 다릅니다.")
    require(np.allclose(again[2], noise, atol=1e-4), "같은 키에 결과가 다릅니다.")
    require(not np.array_equal(next_key.data, key.data), "받은 키를 그대로 돌려주었습니다.")
    last_key, _, later_noise = split_answer((yield call(next_key, images)), images)
    require(not np.array_equal(last_key.data, next_key.data), "다음 키가 바뀌지 않습니다.")
    other_noise(noise, later_noise, "다음 키로도 같은 잡음이 나옵니다.")
    other = split_answer((yield call(draw.key(), images)), images)
    other_noise(noise, other[2], "다른 키로도 같은 잡음이 나옵니다.")


@image_question.probe(1, "들어온 키는 나누는 데만 쓰고, 뒤집기와 잡음은 서로 다른 키로 뽑음")
def fresh_keys(draw):
    images, key = images_of(draw, *SHAPE), draw.key()
    next_key, flipped, noise = split_answer((yield call(key, images)), images)
    require(not np.array_equal(next_key.data, key.data), "받은 키를 그대로 돌려주었습니다.")
    other = split_answer((yield call(draw.key(), images)), images)
    other_noise(noise, other[2], "다른 키로도 같은 잡음이 나옵니다.")
    # 같은 비트에서 뽑았다면 잡음의 부호와 뒤집기가 함께 움직인다
    if 0 < flipped.mean() < 1:
        for part in (noise.ravel()[: len(flipped)], noise[:, 0, 0], noise[:, -1, -1]):
            uncorrelated(flipped, part > 0, "뒤집기와 잡음을 같은 키로 뽑았습니다.")
    for name, used in (("받은 키를 나눈 뒤에 다시", key), ("돌려줄 키를 먼저", next_key)):
        draws = yield helper("direct_draws", used, SHAPE)
        for direct in draws["noises"]:
            # split(key, n)[0]은 n과 상관없이 같은 키라서, 바르게 나누어도 첫 이미지는 우연히 같을
            # 수 있다. 둘부터가 증거다
            alike = np.abs(noise / 0.1 - direct).max(axis=(1, 2)) < 0.01
            require(alike.sum() < 2, f"{name} 잡음에 썼습니다.")
        for direct in draws["flips"]:
            match = (direct == flipped).mean()
            require(0.1 < match < 0.9 or flipped.mean() in (0, 1), f"{name} 뒤집기에 썼습니다.")
    # jax의 검사기: 여기서만 보이는 재사용도 있다. 속여도 위의 검사는 남는다
    yield call(key, images, key_check=True)


@image_question.probe(1, "jax.jit을 씌워도, 여러 키에 대해 jax.vmap을 씌워도 동작함")
def transformed(draw):
    keys, over_keys = draw.key(3), "lambda f: jax.vmap(f, in_axes=(0, None))"
    images, few = images_of(draw, *SHAPE), images_of(draw, 16, *SHAPE[1:])
    small = yield program((keys, few), wrap=over_keys, run=False)
    large = yield program((keys, images), wrap=over_keys, run=False)
    require(
        large.operations < 1.5 * small.operations + 20,
        "배치가 커지면 프로그램도 커집니다. 파이썬 반복문이 배치를 돕니다.",
    )
    mapped = yield program((keys, images), wrap=over_keys)
    next_keys, results = unpack(mapped.values[0], 2, "vmap한 결과")
    close(results, np.zeros((3, *images.shape)), "vmap한 결과", atol=float("inf"))
    differ(list(results), "키가 달라도 결과가 같습니다.")
    for i, data in enumerate(keys.data):
        key, result = unpack((yield call(type(keys)(data), images)), 2, "돌려준 값")
        split_answer((key, results[i]), images, "vmap한 결과")
        close(result, results[i], "vmap하지 않은 결과", atol=1e-4)
        require(np.array_equal(next_keys.data[i], key.data), "vmap하면 다음 키가 다릅니다.")


# 문제 3 ------------------------------------------------------------------------------------
def tree_of(draw, norm):
    """전체 노름이 norm인, 여러 겹의 기울기."""
    tree = {"dense": {"w": draw.normal(4, 3), "b": draw.normal(3)}, "scale": [draw.normal()]}
    size = norm / np.sqrt(sum((leaf**2).sum() for leaf in leaves_of(tree)))
    return scaled(tree, size)


def leaves_of(tree):
    return [tree["dense"]["w"], tree["dense"]["b"], tree["scale"][0]]


def scaled(tree, factor):
    w, b, s = (np.float32(factor) * leaf for leaf in leaves_of(tree))
    return {"dense": {"w": np.asarray(w), "b": np.asarray(b)}, "scale": [np.asarray(s)]}


def flat_of(draw, norm):
    """전체 노름이 norm인 딕셔너리."""
    w, b = draw.normal(4, 3), draw.normal(3)
    size = np.float32(norm / np.sqrt((w**2).sum() + (b**2).sum()))
    return {"w": w * size, "b": b * size}


def times(tree, factor):
    return {name: leaf * np.float32(factor) for name, leaf in tree.items()}


@clip_question.probe(1, "전체 노름이 max_norm을 넘으면 max_norm으로 맞춤", show=True)
def clips(draw):
    max_norm, norm = draw.uniform(0.5, 2.0), draw.uniform(4.0, 9.0)
    gradient = flat_of(draw, norm)
    answer = yield call(gradient, max_norm, 10, 3)
    tree_close(answer, times(gradient, max_norm / norm), "기울기", **LOOSE)


@clip_question.probe(1, "jit에서도 노름이 max_norm보다 작으면 그대로이고, 넘을 때만 줄임")
def small_norm(draw):
    small, large, tiny = flat_of(draw, 0.45), flat_of(draw, 0.6), flat_of(draw, 1e-4)
    calls = [(tree, real(0.5), number(9), number(4)) for tree in (small, large, tiny)]
    values = (yield program(*calls)).values
    differ([values[1], large], "max_norm을 넘는 기울기도 그대로입니다.")
    same(values[0], small, "작은 기울기")
    same(values[2], tiny, "아주 작은 기울기", atol=1e-8)


@clip_question.probe(1, "jit에서도 step < warmup_steps이면 기울기를 그대로 반환")
def warms_up(draw):
    large = flat_of(draw, 5.0)
    steps = ((2, 5), (4, 5), (5, 5), (6, 5), (0, 0), (0, 1))
    calls = [(large, real(1.0), number(now), number(warmup)) for now, warmup in steps]
    values = (yield program(*calls)).values
    for (now, warmup), value in zip(steps, values):
        if now < warmup:
            same(value, large, "워밍업 동안의 기울기")
        else:
            differ([value, large], "워밍업이 끝났는데 기울기가 그대로입니다.")


@clip_question.probe(1, "임의의 파이트리를 받고, 구조와 shape이 그대로임")
def any_tree(draw):
    gradient = tree_of(draw, 5.0)
    answer = yield call(gradient, 1.0, 10, 3)
    same(answer, gradient, "기울기", rtol=0.0, atol=9.0)
    differ([answer, gradient], "기울기가 그대로입니다.")


@clip_question.probe(1, "각 잎의 dtype이 그대로임")
def leaf_dtypes(draw):
    gradient = flat_of(draw, 5.0)
    wrap = "lambda f: lambda g, *rest: f({**g, 'b': g['b'].astype(jnp.bfloat16)}, *rest)"
    answer = yield call(gradient, real(1.0), number(10), number(3), wrap=wrap)
    require(isinstance(answer, dict) and set(answer) == set(gradient), "구조가 다릅니다.")
    for name, kind in (("w", "float32"), ("b", "bfloat16")):
        close(answer[name], answer[name], name, dtype=kind)
    differ([answer["w"], gradient["w"]], "기울기가 그대로입니다.")


@clip_question.probe(1, "네 인자가 모두 트레이싱된 값이어도 되고, 한 번만 트레이싱")
def one_program_for_all_steps(draw):
    large = flat_of(draw, 5.0)
    calls = [
        (large, real(limit), number(now), number(warmup))
        for limit, now, warmup in ((1.0, 0, 3), (1.0, 9, 3), (2.0, 9, 3), (2.0, 9, 30))
    ]
    own = yield from as_eager(*calls)
    differ(own, "step이나 max_norm이 바뀌어도 값이 그대로입니다.")
    yield from one_trace(*calls)


SQUARES = """lambda f: jax.grad(
    lambda g, m, s, w: sum(jnp.sum(c * leaf) for c, leaf in zip((1.0, 2.0), jax.tree.leaves(f(g, m, s, w))))
)"""


@clip_question.probe(1, "기울기가 모두 0일 때 결과에 NaN이 없음")
def zero_norm(draw):
    zero, large = flat_of(draw, 0.0), flat_of(draw, 5.0)
    calls = [(tree, real(1.0), number(now), number(3)) for tree in (zero, large) for now in (0, 7)]
    values = (yield program(*calls)).values
    for value in values[:2]:
        same(value, zero, "0인 기울기")
    differ([values[3], large], "큰 기울기도 그대로입니다.")


@clip_question.probe(1, "기울기가 모두 0일 때 그 미분에도 NaN이 없음")
def zero_slope(draw):
    zero, large = flat_of(draw, 0.0), flat_of(draw, 5.0)
    calls = [(tree, real(1.0), number(7), number(3)) for tree in (zero, large)]
    at_zero, at_large = (yield program(*calls, wrap=SQUARES)).values
    finite([at_zero, at_large], "미분한 값")
    differ([at_zero, at_large], "미분한 값이 늘 같습니다.")


# 문제 4 ------------------------------------------------------------------------------------
def translated(t):
    """열두 줄의 참값. numpy로 배정밀도에서 구한다."""
    t = np.float64(t)
    rows, columns = t.shape
    centered = t - t.mean(axis=1, keepdims=True)
    erf = np.vectorize(math.erf)
    added = t[0].copy()
    added[1] += 3
    return {
        "a": t.std(axis=0, ddof=1), "b": np.sort(t.ravel())[(t.size - 1) // 2],
        "c": t.max(axis=1), "d": np.tile(t, (2, 1)), "e": np.repeat(t, 2, axis=0),
        "f": 0.5 * t * (1 + erf(t / np.sqrt(2))),
        "g": centered / np.sqrt(t.var(axis=1, keepdims=True) + 1e-5), "h": added,
        "i": np.where(t > 0, -1.0, t), "j": np.pad(t, ((0, 0), (1, 0))),
        "k": (np.log(np.exp(t).sum(axis=1)) - t[:, 0]).mean(), "l": -t.sum() / rows,
    }  # fmt: skip


def ask_lines(draw, *names):
    # 짝수 개와 홀수 개, 정사각이 아닌 것. 0은 경계라서 꼭 넣는다
    for rows, columns, scale in ((3, 4, 1.0), (5, 3, 0.01)):
        t = draw.normal(rows, columns, scale=scale)
        t[0] = np.abs(t[0]) + np.float32(0.2 * scale)
        t[0, 0] = scale  # tanh 근사가 뚜렷이 다른 곳
        t[1, :3] = np.float32(scale) * np.array([0.4, 0.0, -0.6], np.float32)
        t[2] = -np.abs(t[2]) - np.float32(0.2 * scale)
        t[2, 0] = -2 * scale
        answer = yield call(t)
        require(isinstance(answer, dict), "딕셔너리를 돌려주지 않았습니다.")
        right = translated(t)
        for name in names:
            require(name in answer, f"{name}가 없습니다.")
            close(answer[name], right[name], name, rtol=1e-4, atol=2e-6)


@translate_question.probe(1, "a, b: 표준편차와 중앙값", show=True)
def spread_and_middle(draw):
    yield from ask_lines(draw, "a", "b")


@translate_question.probe(1, "c, d, e: 최댓값과 반복")
def repeats(draw):
    yield from ask_lines(draw, "c", "d", "e")


@translate_question.probe(1, "f: gelu")
def exact_gelu(draw):
    yield from ask_lines(draw, "f")


@translate_question.probe(1, "g: layer_norm")
def exact_layer_norm(draw):
    yield from ask_lines(draw, "g")


@translate_question.probe(1, "h, i, j: 더하기, 가리기, 채우기")
def indexing(draw):
    yield from ask_lines(draw, "h", "i", "j")


@translate_question.probe(1, "k, l: 손실과 축소, jit에서도 같은 값")
def losses(draw):
    yield from ask_lines(draw, "k", "l")
    t, other = draw.normal(3, 4), draw.normal(3, 4)
    ran = yield program((t,), (other,))
    for value, given in zip(ran.values, (t, other)):
        require(isinstance(value, dict), "딕셔너리를 돌려주지 않았습니다.")
        for name in "ckl":
            close(value[name], translated(given)[name], f"jit의 {name}", rtol=1e-4, atol=2e-6)


# 문제 5 ------------------------------------------------------------------------------------
@weights_question.probe(1, "Linear: 정사각이어도 전치, bias는 있을 때만", show=True)
def linear_weights(draw):
    weight, bias = draw.normal(3, 3), draw.normal(3)
    answer = yield call("linear", {"weight": weight, "bias": bias}, 1)
    tree_close(answer, {"kernel": weight.T, "bias": bias}, "linear")
    weight = draw.normal(2, 5)
    answer = yield call("linear", {"weight": weight}, 1)
    tree_close(answer, {"kernel": weight.T}, "bias가 없는 linear")


@weights_question.probe(1, "Conv: 정사각 커널과 아닌 커널")
def conv_weights(draw):
    for shape in ((4, 4, 3, 3), (5, 2, 3, 4)):
        weight, bias = draw.normal(*shape), draw.normal(shape[0])
        answer = yield call("conv", {"weight": weight, "bias": bias}, 1)
        right = {"kernel": weight.transpose(2, 3, 1, 0), "bias": bias}
        tree_close(answer, right, "conv")


@weights_question.probe(1, "Norm과 Embedding: 이름, 없는 것, 버리는 것")
def norm_weights(draw):
    w, b, mean, var = draw.normal(4), draw.normal(4), draw.normal(4), draw.normal(4) ** 2
    given = {"weight": w, "bias": b, "running_mean": mean, "running_var": var}
    given["num_batches_tracked"] = np.array(7, np.int32)
    answer = yield call("norm", given, 1)
    tree_close(answer, {"scale": w, "bias": b, "mean": mean, "var": var}, "BatchNorm")
    answer = yield call("norm", {"weight": w, "bias": b}, 1)
    tree_close(answer, {"scale": w, "bias": b}, "LayerNorm")
    table = draw.normal(4, 4)
    answer = yield call("embedding", {"weight": table}, 1)
    tree_close(answer, {"embedding": table}, "embedding")


@weights_question.probe(2, "Attention: q, k, v와 머리 축")
def attention_weights(draw):
    for width, heads in ((4, 2), (6, 3)):
        weight, bias = draw.normal(3 * width, width), draw.normal(3 * width)
        answer = yield call("attention", {"in_proj_weight": weight, "in_proj_bias": bias}, heads)
        right = {
            name: {
                "kernel": weight[i * width : (i + 1) * width].T.reshape(width, heads, -1),
                "bias": bias[i * width : (i + 1) * width].reshape(heads, -1),
            }
            for i, name in enumerate(("query", "key", "value"))
        }
        tree_close(answer, right, "attention")


# 문제 6 ------------------------------------------------------------------------------------
EVALUATE = "lambda f: lambda p, s, x: f(p, s, x, False)"
TRAIN = "lambda f: lambda p, s, x: f(p, s, x, True)"


def block_of(draw, batch=2, channels=3):
    kernel = draw.normal(3, 3, channels, channels, scale=0.4)
    params = {"kernel": kernel, "scale": draw.normal(channels, mean=1.0), "bias": draw.normal(channels)}
    stats = {"mean": draw.normal(channels), "var": np.exp(draw.normal(channels)) + np.float32(0.5)}
    stats["var"][0] = 1e-4  # eps가 보이는 채널
    return params, stats, draw.normal(batch, 4, 5, channels)


def block_answer(params, stats, x, train):
    x, kernel = np.float64(x), np.float64(params["kernel"])
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    height, width = x.shape[1:3]
    y = sum(
        padded[:, i : i + height, j : j + width] @ kernel[i, j] for i in range(3) for j in range(3)
    )
    mean, var, new = stats["mean"], stats["var"], stats
    if train:
        mean, var = y.mean((0, 1, 2)), y.var((0, 1, 2))
        unbiased = y.reshape(-1, y.shape[-1]).var(0, ddof=1)
        new = {"mean": 0.9 * stats["mean"] + 0.1 * mean, "var": 0.9 * stats["var"] + 0.1 * unbiased}
    normal = (y - mean) / np.sqrt(var + 1e-5)
    return np.maximum(x + normal * params["scale"] + params["bias"], 0), new


def ask_block(draw, train, wrap):
    inputs = block_of(draw)
    answer, stats = unpack((yield call(*inputs, wrap=wrap)), 2, "돌려준 값")
    return (answer, stats), block_answer(*inputs, train)


@block_question.probe(1, "평가 모드의 출력은 stats로 정규화한 것", show=True)
def evaluates(draw):
    answer, right = yield from ask_block(draw, False, EVALUATE)
    close(answer[0], right[0], "출력", rtol=2e-4, atol=1e-4)


@block_question.probe(1, "학습 모드의 출력은 배치의 평균과 편향 분산으로 정규화한 것", show=True)
def trains(draw):
    answer, right = yield from ask_block(draw, True, TRAIN)
    close(answer[0], right[0], "출력", rtol=2e-4, atol=1e-4)


@block_question.probe(1, "평가 모드에서는 stats를 그대로 돌려줌")
def keeps_statistics(draw):
    params, stats, x = block_of(draw)
    output, kept = unpack((yield call(params, stats, x, wrap=EVALUATE)), 2, "돌려준 값")
    same(kept, stats, "stats")
    other, _ = unpack((yield call({**params, "bias": params["bias"] + 1}, stats, x, wrap=EVALUATE)), 2, "값")
    differ([output, other], "params가 바뀌어도 출력이 그대로입니다.")


def new_statistics(draw, name):
    params, stats, _ = block_of(draw)
    for _ in range(2):
        x = draw.normal(1, 4, 5, 3)  # 픽셀이 스물이라 두 분산이 5% 다르다
        _, new = unpack((yield call(params, stats, x, wrap=TRAIN)), 2, "돌려준 값")
        _, right = block_answer(params, stats, x, True)
        close(new[name], right[name], name, rtol=2e-4, atol=1e-5)
        stats = {key: real(value) for key, value in right.items()}


@block_question.probe(1, "학습 모드의 새 평균은 옛 값의 0.9와 이번 값의 0.1을 더한 것")
def moving_mean(draw):
    yield from new_statistics(draw, "mean")


@block_question.probe(1, "학습 모드의 새 분산에는 불편 분산을 씀")
def moving_variance(draw):
    yield from new_statistics(draw, "var")


@block_question.probe(1, "jax.jit에서도 두 모드의 값이 같음")
def block_programs(draw):
    outputs = []
    for wrap in (EVALUATE, TRAIN):
        first, second = block_of(draw), block_of(draw)
        own = yield from as_eager(first, second, wrap=wrap)
        differ(own, "입력이 바뀌어도 값이 그대로입니다.")
        outputs.append((yield call(*second, wrap=EVALUATE)))
        outputs.append(own[1])
    differ(outputs[2:], "학습 모드와 평가 모드가 같습니다.")


# 문제 7 ------------------------------------------------------------------------------------
def state_of(draw, step, moving=True):
    params = {"w": draw.normal(3), "b": draw.normal()}
    momentum = {"w": draw.normal(3), "b": draw.normal()}
    if not moving:
        momentum = {"w": np.zeros(3, np.float32), "b": np.array(0, np.float32)}
    params, momentum = ({k: np.asarray(v) for k, v in d.items()} for d in (params, momentum))
    return {"params": params, "momentum": momentum, "step": np.array(step, np.int32)}


def step_answer(state, x, y):
    w, b = np.float64(state["params"]["w"]), np.float64(state["params"]["b"])
    v, u = np.float64(state["momentum"]["w"]), np.float64(state["momentum"]["b"])
    wrong = x @ w + b - y
    v = 0.9 * v + 2 * (wrong[:, None] * x).mean(0) + 0.01 * w
    u = 0.9 * u + 2 * wrong.mean() + 0.01 * b
    rate = 0.1 * min(1.0, (int(state["step"]) + 1) / 5)
    params = {"w": w - rate * v, "b": b - rate * u}
    return {"params": params, "momentum": {"w": v, "b": u}}, (wrong**2).mean()


NAMES = ("params", "momentum", "step")


def stepped(state, x, y):
    """새 state와 손실."""
    new, loss = unpack((yield call(state, x, y)), 2, "돌려준 값")
    require(isinstance(new, dict) and set(new) == set(NAMES), "state의 이름이 다릅니다.")
    return new, loss


@script_question.probe(1, "손실은 갱신하기 전의 값", show=True)
def loss_before(draw):
    for moving in (False, True):
        state, x, y = state_of(draw, 0, moving), draw.normal(8, 3), draw.normal(8)
        _, loss = yield from stepped(state, x, y)
        close(loss, step_answer(state, x, y)[1], "손실", **LOOSE)


@script_question.probe(1, "모멘텀은 0.9 * 모멘텀에 기울기와 weight_decay * 파라미터를 더한 것")
def new_momentum(draw):
    for moving in (False, True):
        state, x, y = state_of(draw, 3, moving), draw.normal(8, 3), draw.normal(8)
        new, _ = yield from stepped(state, x, y)
        tree_close(new["momentum"], step_answer(state, x, y)[0]["momentum"], "모멘텀", **LOOSE)


@script_question.probe(1, "파라미터는 스텝 i의 학습률 * 새 모멘텀만큼 줄어듦")
def new_params(draw):
    for step in (0, 1, 3, 4, 5, 900):
        state, x, y = state_of(draw, step), draw.normal(8, 3), draw.normal(8)
        new, _ = yield from stepped(state, x, y)
        rate = 0.1 * min(1.0, (step + 1) / 5)
        for name, old in state["params"].items():
            moved = old - rate * np.float64(new["momentum"][name])
            close(new["params"][name], moved, f"스텝 {step}의 {name}", **LOOSE)
            require(np.any(new["momentum"][name]), "모멘텀이 0입니다.")


@script_question.probe(1, "새 step은 1이 늘어난 int32이고, state의 구조와 dtype이 그대로임")
def new_step(draw):
    for step in (0, 41):
        state, x, y = state_of(draw, step), draw.normal(8, 3), draw.normal(8)
        new, _ = yield from stepped(state, x, y)
        close(new["step"], step + 1, "step", dtype="int32")
        for name in ("params", "momentum"):
            same(new[name], state[name], name, atol=float("inf"))


@script_question.probe(1, "중간의 state에서 다시 시작하면 이어서 학습됨")
def resumes(draw):
    state, x, y = state_of(draw, 2), draw.normal(4, 8, 3), draw.normal(4, 8)
    wrap = "lambda f: lambda s, xs, ys: jax.lax.scan(lambda s, b: f(s, *b), s, (xs, ys))"
    (value,) = (yield program((state, x, y), wrap=wrap)).values
    last, losses = unpack(value, 2, "이어서 학습한 값")
    own, start = [], state
    for i in range(4):
        state, loss = yield from stepped(state, x[i], y[i])
        own.append(loss)
    same(losses, np.stack(own), "손실")
    same(last, state, "state")
    differ([start["params"], state["params"]], "파라미터가 그대로입니다.")


@script_question.probe(1, "jax.jit을 씌우면 스텝이 바뀌어도 한 번만 트레이싱")
def one_program_for_training(draw):
    calls = [(state_of(draw, i), draw.normal(8, 3), draw.normal(8)) for i in (0, 4, 30)]
    own = yield from as_eager(*calls)
    for given, value in zip(calls, own):
        new, _ = unpack(value, 2, "돌려준 값")
        differ([given[0]["params"], new["params"]], "파라미터가 그대로입니다.")
    count = yield traces(*calls, feed_back=True)
    require(count == 1, f"세 스텝에 {count}번 트레이싱했습니다.")


# 문제 8 ------------------------------------------------------------------------------------
SLOPE = "lambda f: lambda x, s, c: jax.grad(lambda x: jnp.sum(c * f(x, s)))(x)"
BOTH = "lambda f: lambda x, s, c: jax.grad(lambda x, s: jnp.sum(c * f(x, s)), (0, 1))(x, s)"


def slope_of(x, strength, weights):
    """x의 기울기. 규칙이 없는 답에서는 바깥에서 온 것 그대로이다."""
    slope = yield call(x, strength, weights, wrap=SLOPE)
    finite(slope, "x의 기울기")
    require(getattr(slope, "shape", None) == x.shape, "x의 기울기의 모양이 다릅니다.")
    differ([slope, weights], "뒤에서 온 기울기를 그대로 흘려보냅니다.")
    return slope


@reverse_question.probe(1, "결과는 x와 값, shape, dtype이 같음", show=True)
def unchanged(draw):
    x, weights = draw.normal(3, 4), draw.normal(3, 4)
    for strength in (0.5, 3.0):
        close((yield call(x, strength)), x, "결과")
    half = yield call(x, 0.5, wrap="lambda f: lambda x, s: f(x.astype(jnp.bfloat16), s)")
    close(half, x, "bfloat16인 결과", rtol=1e-2, dtype="bfloat16")
    wrap = "lambda f: lambda x, s, c: jax.value_and_grad(lambda x: jnp.sum(c * f(x, s)))(x)[0]"
    value = yield call(x, 3.0, weights, wrap=wrap)
    close(value, (x * weights).sum(dtype=np.float64), "미분할 때의 값", rtol=1e-4, atol=1e-4)


@reverse_question.probe(1, "x의 기울기는 뒤에서 온 기울기에 -strength를 곱한 것")
def reversed_slope(draw):
    for strength in (0.0, 0.3, 2.0):
        x, weights = draw.normal(5), draw.normal(5)
        slope = yield from slope_of(x, strength, weights)
        close(slope, -strength * weights, "x의 기울기", **LOOSE)


@reverse_question.probe(1, "x의 기울기는 뒤에서 온 기울기에 비례함")
def follows_slope(draw):
    x, weights = draw.normal(5), draw.normal(5)
    slope = yield from slope_of(x, 0.3, weights)
    require(slope.any(), "x의 기울기가 0입니다.")
    factor = draw.generator.permutation([1.0, -2.0, 0.5, 3.0, 0.0]).astype(np.float32)
    other = yield from slope_of(x, 0.3, factor * weights)
    close(other, factor * slope, "x의 기울기", **LOOSE)


@reverse_question.probe(1, "strength의 기울기는 0")
def no_slope_for_strength(draw):
    x, weights = draw.normal(5, mean=2.0), draw.normal(5, mean=2.0)
    strength = real(draw.uniform(1.5, 2.0))
    by_x, slope = unpack((yield call(x, strength, weights, wrap=BOTH)), 2, "기울기")
    differ([by_x, weights], "뒤에서 온 기울기를 그대로 흘려보냅니다.")
    close(slope, 0.0, "strength의 기울기")


@reverse_question.probe(1, "strength가 트레이싱된 값이어도 jax.jit과, strength에 대한 jax.vmap에서 동작함")
def strength_traced(draw):
    x, c = draw.normal(5), draw.normal(5)
    calls = [(x, real(s), c) for s in (0.25, 4.0)]
    own = yield from as_eager(*calls, wrap=BOTH)
    differ([own[0][0], c], "뒤에서 온 기울기를 그대로 흘려보냅니다.")
    over = f"lambda f: lambda x, s, c: jax.vmap(({SLOPE})(f), (None, 0, None))(x, s, c)"
    (slopes,) = (yield program((x, real([0.25, 4.0]), c), wrap=over)).values
    for slope, one in zip(slopes, own):
        same(slope, one[0], "vmap의 기울기")


# 문제 9 ------------------------------------------------------------------------------------
STORED = "lambda f: lambda params: np.frombuffer(f(params), np.uint8)"


def classifier_of(draw, hidden, classes):
    params = {"w1": draw.normal(16, hidden), "b1": draw.normal(hidden)}
    params["b1"][:2] = 20.0, -20.0  # 늘 켜진 것과 늘 꺼진 것
    params |= {"w2": draw.normal(hidden, classes), "b2": draw.normal(classes)}
    params["w2"][0] *= 0.1  # 늘 켜진 것이 크면 확률이 모두 0이나 1이 되어, 무엇이 틀려도 같다
    return params


def pictures_of(draw, batch):
    x = draw.generator.uniform(0, 255, (batch, 4, 4)).astype(np.float32)
    x[0, 0] = 0.0, 255.0, 0.0, 255.0  # 위아래나 좌우를 바꾸면 다르다
    return x


def classified(params, images):
    w1, b1, w2, b2 = (np.float64(params[name]) for name in ("w1", "b1", "w2", "b2"))
    hidden = np.maximum(images.reshape(len(images), 16) / 255 @ w1 + b1, 0)
    logits = hidden @ w2 + b2
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def served(params, *batches):
    """바이트 하나를 학생의 코드가 없는 프로세스에서 읽어 배치마다 실행한 값과, 그 프로그램."""
    stored = yield call(params, wrap=STORED)
    values = yield helper("served", stored, list(batches))
    for images, value in zip(batches, values):
        right = getattr(value, "shape", None) == (len(images), len(params["b2"]))
        require(right, f"이미지 {len(images)}장의 결과가 {describe(value)}입니다.")
        finite(value, "프로그램의 결과")
    differ(list(values[-1][:2]), "이미지가 달라도 결과가 같습니다.")
    return values, (yield helper("program_of", stored))


def dim(images):
    """어두운 이미지: 로짓이 작아 확률이 0이나 1에 붙지 않는다."""
    return (images / 255).astype(np.float32)


def eights(draw):
    return pictures_of(draw, 8), dim(pictures_of(draw, 8))


@export_question.probe(1, "코드 없는 프로세스에서 읽어 실행한 결과", show=True)
def right_values(draw):
    params, batches = classifier_of(draw, 5, 3), eights(draw)
    values, _ = yield from served(params, *batches)
    for images, value in zip(batches, values):
        close(value, classified(params, images), "확률", rtol=1e-4, atol=1e-5)


@export_question.probe(1, "결과는 이미지마다의 확률")
def probabilities(draw):
    values, _ = yield from served(classifier_of(draw, 5, 3), *eights(draw))
    for value in values:
        require((value >= 0).all(), "0보다 작은 확률이 있습니다.")
        close(value.sum(axis=1), np.ones(8), "확률의 합", **LOOSE)


@export_question.probe(1, "params는 프로그램 안에 들어 있음")
def holds_params(draw):
    params, batches = classifier_of(draw, 5, 3), eights(draw)
    values, _ = yield from served(params, *batches)
    for names in (("w1", "b1"), ("w2", "b2")):
        shifts = {name: params[name] + draw.normal(*params[name].shape, scale=0.5) for name in names}
        other, _ = yield from served({**params, **shifts}, *batches)
        differ([values[1], other[1]], f"{', '.join(names)}이 바뀌어도 결과가 그대로입니다.")


@export_question.probe(1, "배치의 크기가 달라도 실행되고, 이미지마다의 결과가 같음")
def any_batch(draw):
    params, images = classifier_of(draw, 7, 4), dim(pictures_of(draw, 33))
    (whole, one, few), _ = yield from served(params, images, images[5:6], images[7:10])
    same(one[0], whole[5], "이미지 하나의 결과")
    same(few, whole[7:10], "이미지 셋의 결과")


@export_question.probe(1, "인자는 배열 하나뿐이고, 배치의 크기만 기호로 남음")
def one_symbolic_input(draw):
    _, program = yield from served(classifier_of(draw, 5, 3), *eights(draw))
    inputs = program["inputs"]
    require(len(inputs) == 1, f"프로그램의 인자가 {len(inputs)}개입니다.")
    batch, *rest = inputs[0]
    require(not batch.isdigit(), f"배치의 크기가 {batch}로 정해져 있습니다.")
    require(rest == ["4", "4", "float32"], f"이미지의 shape과 dtype이 {rest}입니다.")


@export_question.probe(1, "cpu, cuda, tpu에서 실행되는 프로그램")
def three_platforms(draw):
    _, program = yield from served(classifier_of(draw, 5, 3), *eights(draw))
    missing = sorted({"cpu", "cuda", "tpu"} - set(program["platforms"]))
    require(not missing, f"{', '.join(missing)}에서 실행되지 않습니다.")
