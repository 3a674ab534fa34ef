"""07장 "PyTorch에서 JAX로"의 문제와 검사.

검사는 채점자의 프로세스에서 돌고, call·program에 넣은 입력만 학생의 프로세스로 갑니다.
통계 검사의 한계는 6 표준 편차로, 맞는 답이 우연히 틀릴 확률은 10억분의 1 안팎입니다.
"""

import math

import numpy as np

from coursekit.grading.probes import (
    Exercise,
    Wrong,
    call,
    close,
    helper,
    is_key,
    program,
    require,
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


# 문제 1 ------------------------------------------------------------------------------------
def step(answer):
    """(개수, 평균) 상태와 평균으로 나눈 답."""
    state, mean = unpack(answer, 2, "돌려준 값")
    return unpack(state, 2, "상태"), mean


@mean_question.probe(1, "한 배치의 평균", show=True)
def one_batch(draw):
    x = draw.normal(16, mean=2.0)
    (count, kept), mean = step((yield call((0, 0.0), x)))
    close(mean, x.mean(), "평균", **LOOSE)
    close(count, 16, "개수", dtype=None)
    close(kept, x.mean(), "상태의 평균", dtype=None, **LOOSE)


@mean_question.probe(1, "크기가 다른 배치를 이어서 본 평균", needs=[one_batch])
def many_batches(draw):
    state, seen = (0, 0.0), np.zeros(0, np.float32)
    for size, mean in ((16, 0.0), (1, 8.0), (16, -3.0), (1, 30.0)):
        x = draw.normal(size, mean=mean, scale=2.0)
        seen = np.concatenate([seen, x])
        state, mean = step((yield call(state, x)))
        close(mean, seen.mean(), "평균", **LOOSE)
        close(state[0], len(seen), "개수", dtype=None)
        close(state[1], seen.mean(), "상태의 평균", dtype=None, **LOOSE)


@mean_question.probe(1, "숨은 상태가 없음", needs=[one_batch])
def nothing_hidden(draw):
    first, x, other = draw.normal(16), draw.normal(16), draw.normal(16, mean=9.0)
    state, _ = step((yield call((0, 0.0), first)))
    right = np.concatenate([first, x]).mean()
    for name in ("평균", "같은 입력으로 다시 부른 평균"):
        _, mean = step((yield call(state, x)))
        close(mean, right, name, **LOOSE)
        yield call((0, 0.0), other)


@mean_question.probe(2, "jit에서 한 번 트레이싱한 프로그램으로 모든 상태를 처리", needs=[one_batch])
def one_program(draw):
    states = [(np.array(n, np.int32), draw.normal(mean=1.0)) for n in (0, 1, 7, 300)]
    batches = [draw.normal(8, mean=3.0) for _ in states]
    ran = yield program(*zip(states, batches))
    for (count, mean), x, value in zip(states, batches, ran.values):
        (new_count, kept), new_mean = step(value)
        right = (float(count) * float(mean) + x.sum(dtype=np.float64)) / (float(count) + 8)
        close(new_mean, right, "평균", **LOOSE)
        close(kept, right, "상태의 평균", **LOOSE)
        # 상태의 dtype이 그대로여야 다음 스텝에서 다시 트레이싱하지 않는다
        close(new_count, int(count) + 8, "개수", dtype="int32")
    count = yield traces(*zip([states[0]] * 4, batches), feed_back=True)
    require(count == 1, f"네 스텝에 {count}번 트레이싱했습니다.")


@mean_question.probe(1, "jax.lax.scan의 본문", needs=[one_batch])
def scan_body(draw):
    calls = [((0, 0.0), draw.normal(5, 4, mean=float(i))) for i in range(2)]
    ran = yield program(*calls, wrap="lambda f: lambda state, xs: jax.lax.scan(f, state, xs)")
    for (_, xs), value in zip(calls, ran.values):
        (count, kept), means = step(value)
        right = np.cumsum(xs.sum(axis=1, dtype=np.float64)) / (4 * np.arange(1, 6))
        close(means, right, "스텝마다의 평균", **LOOSE)
        close(kept, right[-1], "마지막 평균", **LOOSE)
        close(count, 20, "개수", dtype=None)


# 문제 2 ------------------------------------------------------------------------------------
# 모양이 다르면 연산마다 새로 컴파일하므로 한 모양을 쓴다
SHAPE = (128, 6, 6)


def images_of(draw, *shape):
    # 좌우가 뚜렷이 다른 그림: 뒤집혔는지 잡음을 넘어 알아볼 수 있다
    return (draw.normal(*shape, scale=3.0) + np.linspace(-9, 9, shape[-1])).astype(np.float32)


def split_answer(answer, images, what="증강한 이미지"):
    """다음 키, 이미지마다 뒤집었는지, 남은 잡음."""
    key, result = unpack(answer, 2, "돌려준 값")
    key = is_key(key, "다음 키")
    close(result, images, what, atol=float("inf"))  # shape과 dtype
    straight, turned = result - images, result - images[:, :, ::-1]
    flipped = np.abs(turned).mean(axis=(1, 2)) < np.abs(straight).mean(axis=(1, 2))
    noise = np.where(flipped[:, None, None], turned, straight)
    # 표준 편차 0.1의 잡음은 1을 넘지 않는다(10 표준 편차)
    require(np.abs(noise).max() < 1.0, f"{what}: 원본이나 좌우로 뒤집은 원본이 아닙니다.")
    return key, flipped, noise


def uncorrelated(a, b, what):
    a, b = np.ravel(a) - np.mean(a), np.ravel(b) - np.mean(b)
    size = np.sqrt((a * a).sum() * (b * b).sum())
    if size == 0 or abs((a * b).sum() / size) > 6 / np.sqrt(len(a)):
        raise Wrong(what)


@image_question.probe(1, "이미지마다 원본이거나 좌우로 뒤집은 것에 잡음을 더함", show=True)
def one_batch_of_images(draw):
    images = images_of(draw, *SHAPE)
    _, flipped, noise = split_answer((yield call(draw.key(), images)), images)
    require(0 < flipped.sum() < len(images), "이미지를 모두 뒤집거나 하나도 뒤집지 않았습니다.")
    require(noise.std() > 0, "잡음이 없습니다.")


@image_question.probe(1, "뒤집기: 확률 1/2, 이미지마다 독립", needs=[one_batch_of_images])
def fair_flips(draw):
    flips = []
    for _ in range(4):
        images = images_of(draw, *SHAPE)
        flips.append(split_answer((yield call(draw.key(), images)), images)[1])
    flips = np.array(flips)
    require(abs(flips.mean() - 0.5) < 3 / np.sqrt(flips.size), "뒤집는 비율이 1/2이 아닙니다.")
    uncorrelated(flips[:, 1:], flips[:, :-1], "이웃한 이미지의 뒤집기가 독립이 아닙니다.")
    uncorrelated(flips[0], flips[1], "다른 키로도 같은 이미지를 뒤집습니다.")


@image_question.probe(1, "잡음: 표준 편차 0.1의 정규 분포, 화소마다 독립", needs=[one_batch_of_images])
def gaussian_noise(draw):
    noises = []
    for _ in range(4):
        images = images_of(draw, *SHAPE)
        noises.append(split_answer((yield call(draw.key(), images)), images)[2])
    uncorrelated(noises[0], noises[1], "다른 키로도 같은 잡음이 나옵니다.")
    z = np.concatenate(noises) / 0.1
    require(abs(z.mean()) < 6 / np.sqrt(z.size), "잡음의 평균이 0이 아닙니다.")
    require(abs(z.std() - 1) < 6 / np.sqrt(2 * z.size), "잡음의 표준 편차가 0.1이 아닙니다.")
    for bound, share in ((1.0, 0.682689), (2.0, 0.954500)):
        spread = 6 * np.sqrt(share * (1 - share) / z.size)
        inside = (np.abs(z) < bound).mean()
        require(abs(inside - share) < spread, "잡음이 정규 분포가 아닙니다.")
    uncorrelated(z[1:], z[:-1], "이미지마다 잡음이 같습니다.")
    uncorrelated(z[:, 1:], z[:, :-1], "세로로 이웃한 화소의 잡음이 독립이 아닙니다.")
    uncorrelated(z[:, :, 1:], z[:, :, :-1], "가로로 이웃한 화소의 잡음이 독립이 아닙니다.")


@image_question.probe(2, "키: 같은 키에 같은 결과, 쓴 키를 다시 쓰지 않음", needs=[one_batch_of_images])
def fresh_keys(draw):
    images, key = images_of(draw, *SHAPE), draw.key()
    next_key, flipped, noise = split_answer((yield call(key, images)), images)
    again = split_answer((yield call(key, images)), images)
    require(np.array_equal(again[0].data, next_key.data), "같은 키에 다음 키가 다릅니다.")
    require(np.allclose(again[2], noise, atol=1e-4), "같은 키에 결과가 다릅니다.")
    require(not np.array_equal(next_key.data, key.data), "받은 키를 그대로 돌려주었습니다.")
    last_key, later_flips, later_noise = split_answer((yield call(next_key, images)), images)
    require(not np.array_equal(last_key.data, next_key.data), "다음 키가 바뀌지 않습니다.")
    uncorrelated(noise, later_noise, "다음 키로도 같은 잡음이 나옵니다.")
    uncorrelated(flipped, later_flips, "다음 키로도 같은 이미지를 뒤집습니다.")
    # 같은 비트에서 뽑았다면 잡음의 부호와 뒤집기가 함께 움직인다
    for part in (noise.ravel()[: len(flipped)], noise[:, 0, 0], noise[:, -1, -1]):
        uncorrelated(flipped, part > 0, "뒤집기와 잡음을 같은 키로 뽑았습니다.")
    for name, used, flips_seen, noise_seen in (
        ("받은 키를 나눈 뒤에 다시", key, flipped, noise),
        ("돌려줄 키를 먼저", next_key, flipped, noise),
    ):
        draws = yield helper("direct_draws", used, SHAPE)
        for direct in draws["noises"]:
            # 첫 이미지의 키만 겹쳐도 잡는다
            same = np.abs(noise_seen / 0.1 - direct).max(axis=(1, 2)) < 0.01
            require(not same.any(), f"{name} 잡음에 썼습니다.")
        for direct in draws["flips"]:
            match = (direct == flips_seen).mean()
            require(0.1 < match < 0.9, f"{name} 뒤집기에 썼습니다.")
    # jax의 검사기: 여기서만 보이는 재사용도 있다. 속여도 위의 검사는 남는다
    yield call(key, images, key_check=True)


@image_question.probe(1, "jit한 vmap(키마다)에서도 같은 결과", needs=[one_batch_of_images])
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


@clip_question.probe(2, "큰 기울기를 전체 노름 max_norm으로 줄임", show=True)
def clips(draw):
    max_norm, norm = draw.uniform(0.5, 2.0), draw.uniform(4.0, 9.0)
    gradient = tree_of(draw, norm)
    answer = yield call(gradient, max_norm, 10, 3)
    tree_close(answer, scaled(gradient, max_norm / norm), "기울기", **LOOSE)


@clip_question.probe(1, "워밍업 동안에는 그대로", show=True, needs=[clips])
def warms_up(draw):
    gradient = tree_of(draw, draw.uniform(4.0, 9.0))
    tree_close((yield call(gradient, 1.0, 2, 5)), gradient, "기울기", **LOOSE)


@clip_question.probe(1, "경계: 작은 기울기, 워밍업의 마지막 스텝과 다음 스텝", needs=[clips])
def edges(draw):
    small, large = tree_of(draw, 0.45), tree_of(draw, 0.6)
    cut = scaled(large, 0.5 / 0.6)
    for gradient, now, warmup, right in (
        (small, 9, 4, small), (large, 3, 4, large), (large, 4, 4, cut), (large, 5, 4, cut),
        (large, 0, 0, cut), (large, 0, 1, large), (scaled(small, 1e-4), 9, 4, scaled(small, 1e-4)),
    ):  # fmt: skip
        answer = yield call(gradient, 0.5, now, warmup)
        tree_close(answer, right, "기울기", rtol=3e-5, atol=1e-8)
    leaf = draw.normal(3)  # 잎이 하나이고 이름도 다른 파이트리
    leaf = leaf / np.sqrt((leaf**2).sum())
    answer = yield call({"a": 5 * leaf}, 2.0, 1, 0)
    tree_close(answer, {"a": 2 * leaf}, "기울기", **LOOSE)


@clip_question.probe(1, "기울기가 0이어도 NaN이 없음", needs=[clips])
def zero_norm(draw):
    zero = scaled(tree_of(draw, 1.0), 0.0)
    for now in (0, 7):
        tree_close((yield call(zero, 1.0, now, 3)), zero, "기울기")


@clip_question.probe(2, "jit에서 한 번 트레이싱한 프로그램으로 모든 스텝을 처리", needs=[clips])
def one_program_for_all_steps(draw):
    large, small = tree_of(draw, 5.0), tree_of(draw, 0.5)
    number, norm = (lambda n: np.array(n, np.int32)), np.array(1.0, np.float32)
    calls = [(large, norm, number(now), number(3)) for now in (0, 1, 2, 4, 5, 900)]
    calls.append((small, norm, number(9), number(3)))
    ran = yield program(*calls)
    for (gradient, _, now, warmup), value in zip(calls, ran.values):
        right = scaled(gradient, 0.2) if gradient is large and now >= warmup else gradient
        tree_close(value, right, "기울기", **LOOSE)
    count = yield traces(*calls)
    require(count == 1, f"{len(calls)}스텝에 {count}번 트레이싱했습니다.")


@clip_question.probe(1, "미분할 수 있고, 도함수가 유한함", needs=[clips])
def differentiable(draw):
    large, small = tree_of(draw, 5.0), tree_of(draw, 0.5)
    wrap = """lambda f: jax.grad(
        lambda g, m, s, w: sum(jnp.sum(leaf ** 2) for leaf in jax.tree.leaves(f(g, m, s, w)))
    )"""
    calls = [(tree, 1.0, np.array(now, np.int32), 3) for tree in (large, small) for now in (1, 8)]
    ran = yield program(*calls, wrap=wrap)
    # 줄인 뒤의 노름은 늘 1이므로 도함수는 0, 그대로 둔 곳에서는 2g
    rights = (scaled(large, 2.0), scaled(large, 0.0), scaled(small, 2.0), scaled(small, 2.0))
    for value, right in zip(ran.values, rights):
        tree_close(value, right, "도함수", rtol=1e-4, atol=1e-4)


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


@translate_question.probe(1, "c, d, e: 최댓값과 되풀이")
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


@block_question.probe(1, "평가 모드: 통계로 정규화하고 통계를 바꾸지 않음", show=True)
def evaluates(draw):
    answer, right = yield from ask_block(draw, False, EVALUATE)
    tree_close(answer, right, "평가", rtol=2e-4, atol=1e-4)


@block_question.probe(1, "학습 모드의 출력", show=True)
def trains(draw):
    answer, right = yield from ask_block(draw, True, TRAIN)
    close(answer[0], right[0], "출력", rtol=2e-4, atol=1e-4)


@block_question.probe(1, "이동 평균", needs=[trains])
def moving_mean(draw):
    answer, right = yield from ask_block(draw, True, TRAIN)
    close(answer[1]["mean"], right[1]["mean"], "이동 평균", rtol=2e-4, atol=1e-5)


@block_question.probe(2, "이동 분산: 작은 배치의 불편 분산, 세 스텝", needs=[trains])
def moving_variance(draw):
    params, stats, _ = block_of(draw)
    wanted = stats
    for _ in range(3):
        x = draw.normal(1, 4, 5, 3)  # 픽셀이 스물이라 두 분산이 5% 다르다
        _, stats = unpack((yield call(params, stats, x, wrap=TRAIN)), 2, "돌려준 값")
        _, wanted = block_answer(params, wanted, x, True)
        tree_close(stats, wanted, "통계", rtol=2e-4, atol=1e-5)


@block_question.probe(1, "jit에서 두 모드", needs=[evaluates, trains])
def block_programs(draw):
    for train, wrap in ((False, EVALUATE), (True, TRAIN)):
        first, second = block_of(draw), block_of(draw)
        ran = yield program(first, second, wrap=wrap)
        for value, inputs in zip(ran.values, (first, second)):
            tree_close(value, block_answer(*inputs, train), "jit의 값", rtol=2e-4, atol=1e-4)


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


def same_step(answer, state, x, y):
    new, loss = unpack(answer, 2, "돌려준 값")
    right, wanted = step_answer(state, x, y)
    close(loss, wanted, "손실", **LOOSE)
    require(isinstance(new, dict) and set(new) == set(state), "state의 이름이 다릅니다.")
    for name in ("params", "momentum"):
        tree_close(new[name], right[name], name, **LOOSE)
    close(new["step"], int(state["step"]) + 1, "step", dtype="int32")
    return new


@script_question.probe(2, "첫 스텝: 손실, 기울기, 감쇠", show=True)
def first_step(draw):
    state, x, y = state_of(draw, 0, moving=False), draw.normal(8, 3), draw.normal(8)
    same_step((yield call(state, x, y)), state, x, y)


@script_question.probe(1, "모멘텀이 쌓인 뒤", needs=[first_step])
def with_momentum(draw):
    state, x, y = state_of(draw, 0), draw.normal(8, 3), draw.normal(8)
    same_step((yield call(state, x, y)), state, x, y)


@script_question.probe(1, "워밍업의 앞, 끝과 뒤", needs=[first_step])
def warmup(draw):
    for step in (1, 3, 4, 5, 900):
        state, x, y = state_of(draw, step), draw.normal(8, 3), draw.normal(8)
        same_step((yield call(state, x, y)), state, x, y)


@script_question.probe(1, "이어서 학습: 네 스텝을 끊어 부름", needs=[first_step])
def resumes(draw):
    state = state_of(draw, 2)
    for _ in range(4):
        x, y = draw.normal(8, 3), draw.normal(8)
        state = same_step((yield call(state, x, y)), state, x, y)


@script_question.probe(1, "한 번 컴파일한 프로그램으로 모든 스텝", needs=[first_step])
def one_program_for_training(draw):
    calls = [(state_of(draw, i), draw.normal(8, 3), draw.normal(8)) for i in (0, 4, 30)]
    ran = yield program(*calls)
    for given, value in zip(calls, ran.values):
        same_step(value, *given)
    count = yield traces(*calls, feed_back=True)
    require(count == 1, f"세 스텝에 {count}번 트레이싱했습니다.")


# 문제 8 ------------------------------------------------------------------------------------
SLOPES = """lambda f: lambda x, s, c: jax.grad(
    lambda x, s: jnp.sum(c * f(x, s) ** 2), argnums=(0, 1))(x, s)"""


@reverse_question.probe(1, "순전파는 값을 그대로", show=True)
def unchanged(draw):
    x = draw.normal(3, 4)
    for strength in (0.5, 3.0):
        close((yield call(x, strength)), x, "결과")


@reverse_question.probe(2, "기울기에 -strength를 곱함", needs=[unchanged])
def reversed_slope(draw):
    for strength in (0.0, 0.3, 2.0):
        x, weights = draw.normal(5), draw.normal(5)
        slope, _ = unpack((yield call(x, strength, weights, wrap=SLOPES)), 2, "기울기")
        close(slope, -strength * 2 * weights * x, "x의 기울기", **LOOSE)


@reverse_question.probe(1, "strength의 기울기는 0", needs=[unchanged])
def no_slope_for_strength(draw):
    x, weights = draw.normal(5, mean=2.0), draw.normal(5, mean=2.0)
    strength = np.array(draw.uniform(0.5, 2.0), np.float32)
    _, slope = unpack((yield call(x, strength, weights, wrap=SLOPES)), 2, "기울기")
    close(slope, 0.0, "strength의 기울기")


@reverse_question.probe(1, "strength가 바뀌는 jit와 vmap", needs=[unchanged, reversed_slope])
def strength_traced(draw):
    strengths = [np.array(s, np.float32) for s in (0.25, 0.0, 4.0)]
    calls = [(draw.normal(5), s, draw.normal(5)) for s in strengths]
    ran = yield program(*calls, wrap=SLOPES)
    for (x, s, c), value in zip(calls, ran.values):
        close(unpack(value, 2, "기울기")[0], -s * 2 * c * x, "x의 기울기", **LOOSE)
    x, c = draw.normal(5), draw.normal(5)
    over = f"lambda f: lambda x, s, c: jax.vmap(({SLOPES})(f), (None, 0, None))(x, s, c)"
    slopes, _ = unpack((yield call(x, np.stack(strengths), c, wrap=over)), 2, "기울기")
    close(slopes, -np.stack(strengths)[:, None] * 2 * c * x, "vmap의 기울기", **LOOSE)


# 문제 9 ------------------------------------------------------------------------------------
STORED = "lambda f: lambda params: np.frombuffer(f(params), np.uint8)"


def classifier_of(draw, hidden, classes):
    params = {"w1": draw.normal(16, hidden), "b1": draw.normal(hidden)}
    params["b1"][:2] = 20.0, -20.0  # 늘 켜진 것과 늘 꺼진 것
    return params | {"w2": draw.normal(hidden, classes), "b2": draw.normal(classes)}


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


def serve(params, *batches):
    """프로그램을 학생의 코드가 없는 프로세스에서 읽어 배치마다 실행한다."""
    stored = yield call(params, wrap=STORED)
    values = yield helper("served", stored, list(batches))
    for images, value in zip(batches, values):
        what = f"이미지 {len(images)}장의 확률"
        close(value, classified(params, images), what, rtol=1e-4, atol=1e-5)
    return stored


@export_question.probe(2, "코드 없는 프로세스에서 읽어 실행한 확률", show=True)
def served_once(draw):
    yield from serve(classifier_of(draw, 5, 3), pictures_of(draw, 3))


@export_question.probe(2, "배치의 크기와 params가 달라도 맞는 확률", needs=[served_once])
def served_any_batch(draw):
    batches = [pictures_of(draw, size) for size in (1, 3, 33)]
    yield from serve(classifier_of(draw, 7, 4), *batches)


def program_of(draw):
    """맞는 값을 낸 바로 그 바이트의 모양을 읽는다. 부를 때마다 다른 것을 내놓을 수 있다."""
    stored = yield from serve(classifier_of(draw, 5, 3), pictures_of(draw, 3))
    return (yield helper("program_of", stored))


@export_question.probe(1, "인자는 하나, 배치의 크기만 기호", needs=[served_once])
def one_symbolic_input(draw):
    inputs = (yield from program_of(draw))["inputs"]
    require(len(inputs) == 1, f"프로그램의 인자가 {len(inputs)}개입니다.")
    batch, *rest = inputs[0]
    require(not batch.isdigit(), f"배치의 크기가 {batch}로 정해져 있습니다.")
    require(rest == ["4", "4", "float32"], f"이미지의 shape과 dtype이 {rest}입니다.")


@export_question.probe(1, "세 플랫폼에서 실행되는 프로그램", needs=[served_once])
def three_platforms(draw):
    platforms = (yield from program_of(draw))["platforms"]
    missing = sorted({"cpu", "cuda", "tpu"} - set(platforms))
    require(not missing, f"{', '.join(missing)}에서 실행되지 않습니다.")
