"""05장 "PRNG와 키"의 문제와 검사.

난수의 값은 정해져 있지 않으므로, 검사는 겹침과 분포와 재현만 봅니다.
통계 검사의 한계는 6 표준 편차로, 맞는 답이 우연히 틀릴 확률은 10억분의 1 안팎입니다.
"""

import numpy as np

from coursekit.grading.probes import (
    Exercise,
    call,
    close,
    compiled,
    program,
    require,
    traces,
    unpack,
)

exercise = Exercise("05-random-keys", "PRNG와 키", devices=8)
reuse_question = exercise.function("문제 1", "first_reuse", "이미 쓴 키를 다시 쓰는 줄")
dropout_question = exercise.function("문제 2", "dropout", "다시 만들 수 있는 드롭아웃")
train_question = exercise.function("문제 3", "train", "멈췄다 이어 가도 같은 학습")
rows_question = exercise.function("문제 4", "sample_rows", "장치 수와 상관없는 표본")
bootstrap_question = exercise.function("문제 5", "bootstrap", "부트스트랩")
gumbel_question = exercise.function("문제 6", "gumbel_softmax", "토큰마다의 키")

LOOSE = {"rtol": 1e-4, "atol": 1e-5}


def uncorrelated(a, b, reason):
    """표본 상관이 6 표준 편차 안인지 본다."""
    a, b = np.float64(np.ravel(a)), np.float64(np.ravel(b))
    a, b = a - a.mean(), b - b.mean()
    size = np.sqrt((a * a).sum() * (b * b).sum())
    require(size > 0 and abs((a * b).sum()) < 6 * size / np.sqrt(len(a)), reason)


def share(hits, right, reason):
    """참인 비율이 right에서 6 표준 편차 안인지 본다."""
    spread = 6 * np.sqrt(right * (1 - right) / hits.size)
    require(abs(hits.mean() - right) < spread, reason)


# 문제 1 ------------------------------------------------------------------------------------
def check_lines(answer, **right):
    require(isinstance(answer, dict), "딕셔너리가 아닙니다.")
    for name, line in right.items():
        got = answer.get(name)
        require(type(got) is int, f"토막 {name}의 값이 정수가 아닙니다.")
        require(got == line, f"토막 {name}의 줄 번호가 다릅니다.")


@reuse_question.probe(1, "a, b: 나눈 부모와 반복문")
def plain_snippets(draw):
    check_lines((yield call()), a=5, b=0)


@reuse_question.probe(1, "c: split과 fold_in")
def mixed_snippet(draw):
    check_lines((yield call()), c=5)


@reuse_question.probe(1, "d: 키의 배열")
def array_snippet(draw):
    check_lines((yield call()), d=6)


@reuse_question.probe(1, "e, f: 바꾼 키와 바꾸지 않은 키")
def rebound_snippets(draw):
    check_lines((yield call()), e=3, f=0)


# 문제 2 ------------------------------------------------------------------------------------
SIZE = (40, 50)


def number(value):
    return np.array(value, np.int32)


def rate_of(value):
    return np.array(value, np.float32)


def kept_of(answer, x, rate):
    """0이 아닌 자리. 살아남은 값이 x / (1 - rate)인지도 본다."""
    close(answer, x, "결과", atol=float("inf"))
    kept = answer != 0
    close(answer, np.where(kept, x / (1 - np.float64(rate)), 0.0), "결과", **LOOSE)
    return kept


def positive(draw, *shape):
    return (1.0 + np.abs(draw.normal(*shape))).astype(np.float32)


@dropout_question.probe(2, "살아남은 값과 비율", show=True)
def scaled(draw):
    key, x = draw.key(), positive(draw, *SIZE)
    for rate in (0.2, 0.7):
        kept = kept_of((yield call(key, 1, 5, x, rate)), x, rate)
        share(kept, 1 - rate, f"rate가 {rate}인데 살아남은 비율이 {kept.mean():.3f}입니다.")


@dropout_question.probe(1, "rate가 0이면 그대로, 원소마다 독립", needs=[scaled])
def elementwise(draw):
    x = -positive(draw, *SIZE)
    close((yield call(draw.key(), 0, 0, x, 0.0)), x, "결과", **LOOSE)
    kept = kept_of((yield call(draw.key(), 3, 0, x, 0.5)), x, 0.5)
    uncorrelated(kept[1:], kept[:-1], "행마다 마스크가 같습니다.")
    uncorrelated(kept[:, 1:], kept[:, :-1], "열마다 마스크가 같습니다.")


@dropout_question.probe(1, "같은 키, 층, 스텝에서 같은 마스크", needs=[scaled])
def replayed(draw):
    key, x, other = draw.key(), positive(draw, *SIZE), positive(draw, *SIZE)
    first = kept_of((yield call(key, 2, 17, x, 0.5)), x, 0.5)
    kept_of((yield call(key, 2, 18, x, 0.5)), x, 0.5)
    again = kept_of((yield call(key, 2, 17, other, 0.5)), other, 0.5)
    require(np.array_equal(first, again), "같은 스텝의 마스크를 다시 만들지 못합니다.")


# 합, 곱, 자리값으로 합친 수가 같아지는 쌍들
PAIRS = ((0, 0), (0, 1), (1, 0), (2, 0), (0, 2), (1, 1), (1, 2), (2, 1), (0, 10), (0, 100),
         (0, 1000), (0, 1024), (0, 10_000), (0, 65_536), (0, 100_000), (0, 1_000_000))  # fmt: skip


@dropout_question.probe(2, "키, 층, 스텝이 다르면 독립인 마스크", needs=[scaled, replayed])
def separated(draw):
    key, x = draw.key(), positive(draw, *SIZE)
    masks = []
    for layer, step in PAIRS:
        answer = yield call(key, number(layer), number(step), x, 0.5)
        masks.append(kept_of(answer, x, 0.5))
    for i, first in enumerate(masks):
        for j in range(i):
            reason = f"(층, 스텝)이 {PAIRS[i]}일 때와 {PAIRS[j]}일 때의 마스크가 겹칩니다."
            uncorrelated(first, masks[j], reason)
    answer = yield call(draw.key(), number(0), number(0), x, 0.5)
    uncorrelated(masks[0], kept_of(answer, x, 0.5), "키가 달라도 마스크가 같습니다.")
    yield call(key, number(0), number(0), x, 0.5, key_check=True)


@dropout_question.probe(2, "jit에서 한 번 트레이싱한 프로그램으로 모든 스텝을 처리", needs=[scaled, separated])
def one_dropout_program(draw):
    key, x = draw.key(), positive(draw, *SIZE)
    calls = [(key, number(layer), number(step), x, rate_of(rate))
             for layer, step, rate in ((0, 0, 0.5), (0, 1, 0.5), (1, 0, 0.25), (3, 9, 0.0))]  # fmt: skip
    ran = yield program(*calls)
    masks = [kept_of(v, x, c[-1]) for v, c in zip(ran.values, calls)]
    require(masks[3].all(), "rate가 0인데 0이 된 원소가 있습니다.")
    share(masks[2], 0.75, "rate가 0.25인데 살아남은 비율이 다릅니다.")
    uncorrelated(masks[0], masks[1], "스텝이 달라도 마스크가 같습니다.")
    count = yield traces(*calls)
    require(count == 1, f"네 번 부르는 동안 {count}번 트레이싱했습니다.")


# 문제 3 ------------------------------------------------------------------------------------
ROWS = 32


def state_of(draw, step=0):
    """기울기에서 뽑힌 횟수를 되짚을 수 있도록 x는 단위 행렬, y는 0에서 멀다."""
    w = draw.normal(ROWS, scale=0.5)
    y = (w + draw.generator.choice([-1, 1], ROWS) * draw.generator.uniform(1, 3, ROWS)).astype(
        np.float32
    )
    state = {"w": w, "velocity": draw.normal(ROWS), "step": number(step), "key": draw.key().data}
    return state, np.eye(ROWS, dtype=np.float32), y


def same_state(got, like, what="새 state"):
    require(isinstance(got, dict) and set(got) == set(like), f"{what}: 이름이 다릅니다.")
    for name, value in like.items():
        close(got[name], value, f"{what}[{name!r}]", atol=float("inf"), dtype=value.dtype.name)


def counts_of(velocity, before, w, y):
    """행마다 뽑힌 횟수."""
    gradient = np.float64(velocity) - 0.9 * np.float64(before)
    counts = 4 * gradient / (np.float64(w) - y)
    whole = np.round(counts)
    require(np.abs(counts - whole).max() < 1e-3, "velocity가 식과 다릅니다.")
    require((whole >= 0).all() and whole.sum() == 8, "행을 8개 뽑지 않았습니다.")
    return whole


@train_question.probe(2, "한 스텝의 손실과 갱신", show=True)
def one_step(draw):
    for step in (0, 41):
        state, x, y = state_of(draw, step)
        new, losses = unpack((yield call(state, x, y, 1)), 2, "돌려준 값")
        same_state(new, state)
        counts = counts_of(new["velocity"], state["velocity"], state["w"], y)
        right = (counts * (state["w"] - y) ** 2).sum() / 8
        close(losses, np.array([right]), "손실", **LOOSE)
        close(new["w"], state["w"] - 0.05 * new["velocity"], "w", **LOOSE)
        close(new["step"], step + 1, "step", dtype="int32")


@train_question.probe(2, "어디서 끊어도 같은 손실과 상태", needs=[one_step])
def resumed(draw):
    state, x, y = state_of(draw, 3)
    whole, losses = unpack((yield call(state, x, y, 6)), 2, "돌려준 값")
    close(losses, np.zeros(6), "손실", atol=float("inf"))
    same_state(whole, state)
    require(len(np.unique(losses)) == 6, "스텝마다 같은 행을 뽑습니다.")
    for cut in (1, 4):
        middle, before = unpack((yield call(state, x, y, cut)), 2, "돌려준 값")
        same_state(middle, state)
        last, after = unpack((yield call(middle, x, y, 6 - cut)), 2, "돌려준 값")
        close(np.concatenate([before, after]), losses, "이어 간 손실", **LOOSE)
        for name in ("w", "velocity"):
            close(last[name], whole[name], f"이어 간 {name}", **LOOSE)
        for name in ("step", "key"):
            same = np.array_equal(last[name], whole[name])
            require(same, f"이어 간 {name}이 한 번에 간 것과 다릅니다.")


# steps는 트레이싱할 수 없으므로 안에 적는다
STEPS = "lambda f: lambda state, x, y: f(state, x, y, {steps})"
TWO_STEPS = """lambda f: lambda state, keys, x, y: jax.vmap(lambda key: (
    lambda first: (first['w'], first['velocity'], f(first, x, y, 1)[0]['velocity'])
)(f({**state, 'key': key}, x, y, 1)[0]))(keys)"""


@train_question.probe(2, "고르게 되풀이를 허용해 뽑고, 키와 스텝마다 독립", needs=[one_step])
def fair_rows(draw):
    state, x, y = state_of(draw)
    keys = draw.key(1024).data
    ran = yield program((state, keys, x, y), wrap=TWO_STEPS)
    w, first, second = unpack(ran.values[0], 3, "두 스텝")
    for name, value in (("w", w), ("velocity", first), ("velocity", second)):
        close(value, np.zeros((1024, ROWS)), name, atol=float("inf"))
    before = [np.broadcast_to(state["velocity"], first.shape), first]
    start = [np.broadcast_to(state["w"], w.shape), w]
    counts = [counts_each(v, b, s, y) for v, b, s in zip((first, second), before, start)]
    for one in counts:
        # 행마다 뽑힌 횟수의 합은 이항 분포이다
        total, n, p = one.sum(axis=0), 8 * len(keys), 1 / ROWS
        spread = 6 * np.sqrt(n * p * (1 - p))
        require(np.abs(total - n * p).max() < spread, "행을 고르게 뽑지 않습니다.")
        require(one.max() > 1, "되풀이를 허용하지 않습니다.")
    uncorrelated(counts[0], counts[1], "스텝마다 같은 행을 뽑습니다.")
    uncorrelated(counts[0][1:], counts[0][:-1], "키가 달라도 같은 행을 뽑습니다.")


def counts_each(velocity, before, w, y):
    return np.stack([counts_of(v, b, s, y) for v, b, s in zip(velocity, before, w)])


@train_question.probe(1, "스텝마다 새 키를 쓰고, 같은 상태에서 같은 결과", needs=[one_step, resumed])
def fresh_step_keys(draw):
    state, x, y = state_of(draw)
    first = yield call(state, x, y, 3)
    again = yield call(state, x, y, wrap=STEPS.format(steps=3), key_check=True)
    close(unpack(again, 2, "답")[1], unpack(first, 2, "답")[1], "다시 부른 손실", **LOOSE)


@train_question.probe(2, "jit에서 프로그램 하나로, 스텝 수와 상관없는 크기로", needs=[one_step, resumed])
def one_train_program(draw):
    calls = [state_of(draw, step) for step in (0, 7)]
    sizes = []
    for steps in (3, 40):
        ran = yield program(calls[0], wrap=STEPS.format(steps=steps), run=False)
        sizes.append(ran.operations)
    require(sizes[1] < 1.3 * sizes[0] + 20, "스텝이 늘면 프로그램도 커집니다.")
    ran = yield program(*calls, wrap=STEPS.format(steps=3))
    for inputs, value in zip(calls, ran.values):
        right, losses = unpack((yield call(*inputs, 3)), 2, "돌려준 값")
        new, compiled_losses = unpack(value, 2, "돌려준 값")
        same_state(new, inputs[0])
        close(compiled_losses, losses, "jit에서의 손실", **LOOSE)
        close(new["w"], right["w"], "jit에서의 w", **LOOSE)


# 문제 4 ------------------------------------------------------------------------------------
MESH = """lambda f: lambda key: f(key, {rows}, {width}, jax.make_mesh(
    ({count},), ("data",), axis_types=(jax.sharding.AxisType.Auto,),
    devices=jax.devices()[:{count}],
))"""
PARTS = """lambda f: lambda key: (lambda out: (
    out, len(out.sharding.device_set),
    sorted({{tuple(part.data.shape) for part in out.addressable_shards}}),
))(({mesh})(f)(key))"""


def on_devices(count, rows=64, width=5):
    return MESH.format(count=count, rows=rows, width=width)


@rows_question.probe(2, "표준 정규 난수, 원소마다 독립", show=True)
def normal_rows(draw):
    first = yield call(draw.key(), wrap=on_devices(8, 512, 6))
    second = yield call(draw.key(), wrap=on_devices(8, 512, 6))
    for value in (first, second):
        close(value, np.zeros((512, 6)), "표본", atol=float("inf"))
        require(abs(value.mean()) < 6 / np.sqrt(value.size), "평균이 0이 아닙니다.")
        spread = 6 / np.sqrt(2 * value.size)
        require(abs(value.std() - 1) < spread, "표준 편차가 1이 아닙니다.")
        share(np.abs(value) < 1, 0.682689, "정규 분포가 아닙니다.")
        require(len(np.unique(value[:, 0])) > 500, "같은 행이 되풀이됩니다.")
        uncorrelated(value[1:], value[:-1], "이웃한 행이 독립이 아닙니다.")
        uncorrelated(value[:, 1:], value[:, :-1], "이웃한 열이 독립이 아닙니다.")
        uncorrelated(value[64:], value[:-64], "장치마다 같은 난수를 뽑습니다.")
    uncorrelated(first, second, "키가 달라도 같은 표본입니다.")


@rows_question.probe(2, "장치 1, 2, 8개에서 같은 값", needs=[normal_rows])
def same_everywhere(draw):
    key = draw.key()
    one = yield call(key, wrap=on_devices(1))
    close(one, np.zeros((64, 5)), "장치 하나의 표본", atol=float("inf"))
    for count in (2, 8):
        close((yield call(key, wrap=on_devices(count))), one, f"장치 {count}개의 표본", **LOOSE)


@rows_question.probe(1, "첫 축이 장치에 나뉨", needs=[normal_rows])
def divided(draw):
    for count in (2, 8):
        wrap = PARTS.format(mesh=on_devices(count))
        _, devices, parts = unpack((yield call(draw.key(), wrap=wrap)), 3, "표본")
        require(devices == count, f"장치 {count}개 가운데 {devices}개에만 있습니다.")
        require([tuple(p) for p in parts] == [(64 // count, 5)], f"조각의 shape이 {parts}입니다.")


@rows_question.probe(2, "장치마다 제 몫만, 주고받지 않고 만듦", needs=[normal_rows, same_everywhere])
def no_exchange(draw):
    built = yield compiled(draw.key(), wrap=on_devices(8, 4096, 8))
    for name in ("all-gather", "all-reduce", "all-to-all", "collective-permute"):
        require(built.count(name) == 0, f"장치 사이에 주고받습니다({name}).")
    whole = 4096 * 8 * 4
    require(built.results < whole / 4, "장치마다 배열 전체를 갖습니다.")
    require(built.temporary < whole, f"임시 메모리를 {built.temporary}바이트 씁니다.")


@rows_question.probe(1, "jit에서 한 프로그램으로 모든 키를 처리, 키를 한 번만 씀", needs=[normal_rows, same_everywhere])
def rows_program(draw):
    keys = [draw.key() for _ in range(2)]
    ran = yield program(*[(key,) for key in keys], wrap=on_devices(8))
    for key, value in zip(keys, ran.values):
        close(value, (yield call(key, wrap=on_devices(1))), "jit에서의 표본", **LOOSE)
    yield call(keys[0], wrap=on_devices(8), key_check=True)


# 문제 5 ------------------------------------------------------------------------------------
def drawn_wrap(draws, statistic="lambda v: v"):
    return f"lambda f: lambda key, x: f(key, {statistic}, x, {draws})"


@bootstrap_question.probe(2, "고르게 되풀이를 허용해 뽑음", show=True)
def resampled(draw):
    n, draws = 25, 200
    x = draw.generator.permutation(n).astype(np.float32)
    rows = yield call(draw.key(), x, wrap=drawn_wrap(draws))
    close(rows, np.zeros((draws, n)), "뽑은 자료", atol=float("inf"))
    require(np.isin(rows, x).all(), "자료에 없는 값이 나왔습니다.")
    total = np.array([(rows == value).sum() for value in x])
    p = 1 / n
    spread = 6 * np.sqrt(rows.size * p * (1 - p))
    require(np.abs(total - rows.size * p).max() < spread, "자료를 고르게 뽑지 않습니다.")
    distinct = np.array([len(np.unique(row)) for row in rows])
    require(distinct.max() < n, "되풀이를 허용하지 않습니다.")
    # 서로 다른 값의 수는 평균 25(1 - (24/25)^25) = 15.99, 표준 편차 1.5쯤이다
    require(abs(distinct.mean() - 15.99) < 6 * 1.6 / np.sqrt(draws), "뽑는 수가 다릅니다.")


@bootstrap_question.probe(1, "뽑기마다, 자리마다 독립", needs=[resampled])
def independent_draws(draw):
    x = np.arange(50, dtype=np.float32)
    first = yield call(draw.key(), x, wrap=drawn_wrap(100))
    second = yield call(draw.key(), x, wrap=drawn_wrap(100))
    for rows in (first, second):
        close(rows, np.zeros((100, 50)), "뽑은 자료", atol=float("inf"))
        require(len(np.unique(rows, axis=0)) == 100, "같은 뽑기가 되풀이됩니다.")
        uncorrelated(rows[1:], rows[:-1], "이웃한 뽑기가 독립이 아닙니다.")
        uncorrelated(rows[:, 1:], rows[:, :-1], "한 뽑기 안의 자리가 독립이 아닙니다.")
    uncorrelated(first, second, "키가 달라도 같은 자료를 뽑습니다.")


@bootstrap_question.probe(1, "행을 통째로 뽑고, 통계량의 shape을 지킴", needs=[resampled])
def whole_rows(draw):
    column = np.arange(12, dtype=np.float32)
    x = np.stack([column, 100 - 3 * column], axis=1)
    rows = yield call(draw.key(), x, wrap=drawn_wrap(6))
    close(rows, np.zeros((6, 12, 2)), "뽑은 행", atol=float("inf"))
    close(rows[..., 1], 100 - 3 * rows[..., 0], "둘째 열", **LOOSE)
    sums = yield call(draw.key(), x, wrap=drawn_wrap(6, "lambda v: v.sum(axis=0)"))
    close(sums, np.zeros((6, 2)), "통계량", atol=float("inf"))
    close(sums[:, 1], 1200 - 3 * sums[:, 0], "통계량", **LOOSE)


COUNTED = """lambda f: lambda key, x: (lambda seen: (
    f(key, lambda v: (seen.append(v.shape), v.mean())[1], x, 40), [list(s) for s in seen]
))([])"""


@bootstrap_question.probe(2, "통계량을 한 번만 트레이싱하고 프로그램이 커지지 않음", needs=[resampled])
def one_statistic_trace(draw):
    inputs = (draw.key(), draw.normal(30))
    means, shapes = unpack((yield call(*inputs, wrap=COUNTED)), 2, "결과")
    close(means, np.zeros(40), "통계량", atol=float("inf"))
    require(len(shapes) == 1, f"statistic을 {len(shapes)}번 트레이싱했습니다.")
    sizes = []
    for draws in (4, 64):
        ran = yield program(inputs, wrap=drawn_wrap(draws, "jnp.mean"), run=False)
        sizes.append(ran.operations)
    require(sizes[1] < 1.3 * sizes[0] + 20, "뽑는 횟수가 늘면 프로그램도 커집니다.")


@bootstrap_question.probe(2, "jit에서도 같은 결과, 키를 한 번만 씀", needs=[resampled, independent_draws])
def bootstrap_program(draw):
    calls = [(draw.key(), draw.normal(20)) for _ in range(2)]
    wrap = drawn_wrap(30, "lambda v: v * 2")
    ran = yield program(*calls, wrap=wrap)
    for inputs, value in zip(calls, ran.values):
        answer = yield call(*inputs, wrap=wrap)
        close(value, answer, "jit에서의 결과", **LOOSE)
        require(np.isin(np.float32(answer), 2 * inputs[1]).all(), "통계량이 다릅니다.")
    yield call(*calls[0], wrap=wrap, key_check=True)


# 문제 6 ------------------------------------------------------------------------------------
TOKENS = (300, 24)


def noise_of(answer, logits, temperature):
    """행마다 평균을 뺀 잡음을 되짚는다."""
    close(answer, logits, "결과", atol=float("inf"))
    require(np.isfinite(answer).all() and (answer > 0).all(), "양의 유한한 값이 아닙니다.")
    close(answer.sum(axis=1), np.ones(len(answer)), "행의 합", **LOOSE)
    noise = np.float64(temperature) * np.log(np.float64(answer)) - logits
    return noise - noise.mean(axis=1, keepdims=True)


@gumbel_question.probe(2, "검벨 잡음을 더한 소프트맥스", show=True)
def gumbel_noise(draw):
    logits = draw.normal(*TOKENS)
    noise = noise_of((yield call(draw.key(), logits, 1.5, 0)), logits, 1.5)
    # 두 검벨의 차이는 로지스틱 분포이다: 표준 편차 π/√3, |차이| < 1인 비율 tanh(1/2)
    gap = (noise[:, ::2] - noise[:, 1::2]).ravel()
    require(abs(gap.mean()) < 6 * 1.8138 / np.sqrt(len(gap)), "잡음의 평균이 치우쳤습니다.")
    share(np.abs(gap) < 1, np.tanh(0.5), "검벨 잡음이 아닙니다.")
    share(np.abs(gap) < 3, np.tanh(1.5), "검벨 잡음이 아닙니다.")
    # 셋 가운데 가장 큰 잡음이 둘째보다 1 넘게 크면 3/(1 + 2e): 부호를 뒤집은 검벨은 다르다
    three = np.sort(noise.reshape(-1, 3), axis=1)
    share(three[:, 2] - three[:, 1] > 1, 3 / (1 + 2 * np.e), "검벨 잡음이 아닙니다.")


@gumbel_question.probe(1, "토큰마다, 어휘마다, 키마다 독립", needs=[gumbel_noise])
def independent_tokens(draw):
    logits = np.zeros(TOKENS, np.float32)
    first = noise_of((yield call(draw.key(), logits, 1.0, 0)), logits, 1.0)
    second = noise_of((yield call(draw.key(), logits, 1.0, 0)), logits, 1.0)
    require(len(np.unique(first[:, 0])) == TOKENS[0], "같은 잡음이 되풀이됩니다.")
    # 행의 평균을 뺀 값이므로 겹치지 않는 두 열의 차이끼리 견준다
    gap = first[:, ::2] - first[:, 1::2]
    require((gap.std(axis=0) > 0.5).all(), "어휘마다 같은 잡음입니다.")
    uncorrelated(gap[1:], gap[:-1], "이웃한 토큰의 잡음이 독립이 아닙니다.")
    uncorrelated(gap[:, 1:], gap[:, :-1], "어휘의 잡음이 독립이 아닙니다.")
    uncorrelated(first, second, "키가 달라도 같은 잡음입니다.")


@gumbel_question.probe(2, "끊어서 만들어도 같음", needs=[gumbel_noise])
def chunked(draw):
    key, logits = draw.key(), draw.normal(12, 4)
    whole = yield call(key, logits, 0.8, 5)
    noise_of(whole, logits, 0.8)
    first = yield call(key, logits[:6], 0.8, 5)
    second = yield call(key, logits[6:], 0.8, 11)
    close(first, whole[:6], "앞 6개", **LOOSE)
    close(second, whole[6:], "뒤 6개", **LOOSE)
    other = yield call(key, logits[:6], 0.8, 11)
    far = np.abs(np.log(other) - np.log(first)).max(axis=1)
    require((far > 1e-3).all(), "위치가 달라도 같은 잡음을 씁니다.")


@gumbel_question.probe(1, "온도: 잡음은 그대로, 낮아도 유한", needs=[gumbel_noise, chunked])
def temperatures(draw):
    key, logits = draw.key(), draw.normal(12, 4)
    noises = []
    for temperature in (0.5, 2.0):
        answer = yield call(key, logits, temperature, 0)
        noises.append(noise_of(answer, logits, temperature))
    close(noises[1], noises[0], "온도 2의 잡음", rtol=1e-3, atol=1e-3, dtype="float64")
    large = 40 * logits
    cold = yield call(key, large, 0.01, 0)
    close(cold, large, "낮은 온도의 결과", atol=float("inf"))
    require(np.isfinite(cold).all(), "온도가 낮으면 NaN이나 무한대가 나옵니다.")
    close(cold.sum(axis=1), np.ones(12), "행의 합", **LOOSE)


@gumbel_question.probe(1, "logits의 기울기", needs=[gumbel_noise, chunked])
def gumbel_slope(draw):
    key, logits, weight = draw.key(), draw.normal(12, 4), draw.normal(12, 4)
    temperature = 0.7
    wrap = "lambda f: jax.grad(lambda l, k, u: jnp.sum(u * f(k, l, 0.7, 2)))"
    p = np.float64((yield call(key, logits, temperature, 2)))
    right = p * (weight - (p * weight).sum(axis=1, keepdims=True)) / temperature
    close((yield call(logits, key, weight, wrap=wrap)), right, "기울기", rtol=1e-3, atol=1e-4)


@gumbel_question.probe(2, "jit에서 한 번 트레이싱한 프로그램으로, 토큰 수와 상관없는 크기로", needs=[gumbel_noise, chunked])
def gumbel_program(draw):
    key, logits = draw.key(), draw.normal(12, 4)
    calls = [(key, logits, rate_of(t), number(s)) for t, s in ((1.0, 0), (0.5, 0), (1.0, 3))]
    ran = yield program(*calls)
    noises = [noise_of(v, logits, c[2]) for v, c in zip(ran.values, calls)]
    close(noises[1], noises[0], "온도 0.5의 잡음", rtol=1e-3, atol=1e-3, dtype="float64")
    close(noises[2][:9], noises[0][3:], "3칸 뒤의 잡음", rtol=1e-3, atol=1e-3, dtype="float64")
    count = yield traces(*calls)
    require(count == 1, f"세 번 부르는 동안 {count}번 트레이싱했습니다.")
    sizes = []
    for tokens in (4, 64):
        inputs = (key, np.zeros((tokens, 4), np.float32), rate_of(1.0), number(0))
        sizes.append((yield program(inputs, run=False)).operations)
    require(sizes[1] < 1.3 * sizes[0] + 20, "토큰이 늘면 프로그램도 커집니다.")
    yield call(*calls[0], key_check=True)
