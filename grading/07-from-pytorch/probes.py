"""07장 "PyTorch에서 JAX로"의 문제와 검사.

검사는 채점자의 프로세스에서 돌고, call·program에 넣은 입력만 학생의 프로세스로 갑니다.
통계 검사의 한계는 6 표준 편차로, 맞는 답이 우연히 틀릴 확률은 10억분의 1 안팎입니다.
"""

import numpy as np

from coursekit.grading.questions import Exercise, call, helper, program, traces
from coursekit.grading.verdict import Wrong, close, is_key, require, tree_close, unpack

exercise = Exercise("07-from-pytorch", "PyTorch에서 JAX로")
mean_question = exercise.function("문제 1", "running_mean", "상태를 밖에 둔 이동 평균")
image_question = exercise.function("문제 2", "augment", "키를 주고받는 이미지 증강")
clip_question = exercise.function("문제 3", "clip_gradient", "한 번만 트레이싱하는 기울기 자르기")

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
        # 상태의 dtype이 그대로여야 다음 걸음에서 다시 트레이싱하지 않는다
        close(new_count, int(count) + 8, "개수", dtype="int32")
    count = yield traces(*zip([states[0]] * 4, batches), feed_back=True)
    require(count == 1, f"네 걸음에 {count}번 트레이싱했습니다.")


@mean_question.probe(1, "jax.lax.scan의 본문", needs=[one_batch])
def scan_body(draw):
    calls = [((0, 0.0), draw.normal(5, 4, mean=float(i))) for i in range(2)]
    ran = yield program(*calls, wrap="lambda f: lambda state, xs: jax.lax.scan(f, state, xs)")
    for (_, xs), value in zip(calls, ran.values):
        (count, kept), means = step(value)
        right = np.cumsum(xs.sum(axis=1, dtype=np.float64)) / (4 * np.arange(1, 6))
        close(means, right, "걸음마다의 평균", **LOOSE)
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


@clip_question.probe(1, "경계: 작은 기울기, 워밍업의 마지막 걸음과 다음 걸음", needs=[clips])
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


@clip_question.probe(2, "jit에서 한 번 트레이싱한 프로그램으로 모든 걸음을 처리", needs=[clips])
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
    require(count == 1, f"{len(calls)}걸음에 {count}번 트레이싱했습니다.")


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
