"""05장 "PRNG와 키"의 문제와 검사.

난수의 값은 정해져 있지 않으므로, 검사는 겹침과 분포와 재현만 봅니다.
통계 검사의 한계는 6 표준편차로, 맞는 답이 우연히 틀릴 확률은 10억분의 1 안팎입니다.
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
    one_trace,
    program,
    require,
    same,
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
    """표본 상관이 6 표준편차 안인지 본다."""
    a, b = np.float64(np.ravel(a)), np.float64(np.ravel(b))
    a, b = a - a.mean(), b - b.mean()
    size = np.sqrt((a * a).sum() * (b * b).sum())
    require(size > 0 and abs((a * b).sum()) < 6 * size / np.sqrt(len(a)), reason)


def share(hits, right, reason):
    """참인 비율이 right에서 6 표준편차 안인지 본다."""
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


def kept_of(answer, x):
    """0이 아닌 자리."""
    close(answer, x, "결과", atol=float("inf"))
    return answer != 0


def positive(draw, *shape):
    return (1.0 + np.abs(draw.normal(*shape))).astype(np.float32)


@dropout_question.probe(1, "0이 아닌 값은 x / (1 - rate)", show=True)
def scaled(draw):
    key, x = draw.key(), positive(draw, *SIZE)
    for rate in (0.2, 0.7):
        answer = yield call(key, 1, 5, x, rate)
        kept = kept_of(answer, x)
        close(answer, np.where(kept, x / (1 - np.float64(rate)), 0.0), "결과", **LOOSE)
        require(0.02 < kept.mean() < 0.98, "0이 된 자리가 없거나 모두 0입니다.")
    close((yield call(draw.key(), 0, 0, -x, 0.0)), -x, "rate가 0일 때의 결과", **LOOSE)


@dropout_question.probe(1, "원소마다 독립으로, 확률 rate로 0이 됨")
def elementwise(draw):
    key, x = draw.key(), positive(draw, *SIZE)
    for rate in (0.2, 0.5, 0.7):
        kept = kept_of((yield call(key, 3, 0, x, rate)), x)
        share(kept, 1 - rate, f"rate가 {rate}인데 살아남은 비율이 {kept.mean():.3f}입니다.")
        uncorrelated(kept[1:], kept[:-1], "행마다 마스크가 같습니다.")
        uncorrelated(kept[:, 1:], kept[:, :-1], "열마다 마스크가 같습니다.")


@dropout_question.probe(1, "같은 인자를 주면 x의 값이 달라도 같은 마스크가 나옴")
def replayed(draw):
    key, x, other = draw.key(), positive(draw, *SIZE), positive(draw, *SIZE)
    first = kept_of((yield call(key, 2, 17, x, 0.5)), x)
    again = kept_of((yield call(key, 2, 17, other, 0.5)), other)
    require(np.array_equal(first, again), "같은 스텝의 마스크를 다시 만들지 못합니다.")
    next_one = kept_of((yield call(key, 2, 18, x, 0.5)), x)
    require(not np.array_equal(first, next_one), "스텝이 달라도 마스크가 같습니다.")
    new = kept_of((yield call(draw.key(), 2, 17, x, 0.5)), x)
    uncorrelated(first, new, "키가 달라도 마스크가 겹칩니다.")


def masks_at(draw, *pairs):
    """쌍마다의 마스크. 첫째 것은 다시 불러도 같아야 한다."""
    key, x, masks = draw.key(), positive(draw, *SIZE), []
    for layer, step in (*pairs, pairs[0]):
        answer = yield call(key, number(layer), number(step), x, 0.5)
        masks.append(kept_of(answer, x))
    require(np.array_equal(masks.pop(), masks[0]), "같은 인자에서 다른 마스크가 나옵니다.")
    return masks


def all_apart(masks, reason):
    for i, first in enumerate(masks):
        for other in masks[:i]:
            uncorrelated(first, other, reason)


@dropout_question.probe(1, "layer가 다르면 독립인 마스크가 나옴")
def layers_apart(draw):
    step = draw.integer(0, 1000)
    masks = yield from masks_at(draw, (0, step), (1, step), (2, step), (1000, step))
    all_apart(masks, "층이 달라도 마스크가 겹칩니다.")


@dropout_question.probe(1, "step이 다르면 독립인 마스크가 나옴")
def steps_apart(draw):
    layer = draw.integer(0, 12)
    masks = yield from masks_at(draw, (layer, 0), (layer, 1), (layer, 2), (layer, 70_000))
    all_apart(masks, "스텝이 달라도 마스크가 겹칩니다.")


def many_pairs(draw):
    """어떤 밑으로 합친 수라도 겹치는 쌍: (0, 밑)과 (1, 0), (밑, 0)과 (0, 1)."""
    bases = {*range(2049), *(10**k for k in range(4, 9)), *(2**k for k in range(11, 31))}
    bases |= {2**k - 1 for k in range(11, 31)} | {10**k + 1 for k in range(3, 9)}
    pairs = [(0, base) for base in sorted(bases)] + [(base, 0) for base in sorted(bases) if base]
    pairs += [(1, 2), (2, 1), (3, 4), (4, 3), (2, 6), (6, 2)]  # 곱이나 합이 같은 쌍
    pairs += draw.generator.integers(0, 2**31, (200, 2)).tolist()
    return np.array(pairs, np.int32)


@dropout_question.probe(2, "층이나 스텝의 어느 한쪽이라도 다르면 어떤 쌍도 겹치지 않음")
def pairs_apart(draw):
    pairs, x = many_pairs(draw), positive(draw, 64)
    wrap = "lambda f: jax.vmap(f, in_axes=(None, 0, 0, None, None))"
    inputs = (draw.key(), pairs[:, 0], pairs[:, 1], x, rate_of(0.5))
    (value,) = (yield program(inputs, wrap=wrap)).values
    close(value, np.zeros((len(pairs), 64)), "결과", atol=float("inf"))
    seen = {}
    for pair, mask in zip(pairs.tolist(), value != 0):
        other = seen.setdefault(mask.tobytes(), pair)
        require(other is pair, f"(층, 스텝)이 {other}일 때와 {pair}일 때의 마스크가 같습니다.")


@dropout_question.probe(1, "jax.jit에서 layer, step, rate가 트레이싱되고, 한 번만 트레이싱")
def one_dropout_program(draw):
    key, x = draw.key(), positive(draw, *SIZE)
    calls = [(key, number(layer), number(step), x, rate_of(rate))
             for layer, step, rate in ((0, 0, 0.5), (1, 1, 0.5), (1, 0, 0.25), (3, 9, 0.0))]  # fmt: skip
    own = yield from as_eager(*calls)
    differ(own, "층, 스텝, rate가 바뀌어도 마스크가 그대로입니다.")
    yield from one_trace(*calls)


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


@train_question.probe(1, "losses는 갱신하기 전의 손실", show=True)
def losses_before(draw):
    for step in (0, 41):
        state, x, y = state_of(draw, step)
        state["velocity"] = np.zeros_like(state["velocity"])
        new, losses = unpack((yield call(state, x, y, 1)), 2, "돌려준 값")
        counts = counts_of(new["velocity"], state["velocity"], state["w"], y)
        right = (counts * (state["w"] - y) ** 2).sum() / 8
        close(losses, np.array([right]), "손실", **LOOSE)


@train_question.probe(1, "스텝마다 행 8개로 velocity와 w를 갱신")
def one_step(draw):
    for step in (0, 41):
        state, x, y = state_of(draw, step)
        new, _ = unpack((yield call(state, x, y, 1)), 2, "돌려준 값")
        counts_of(new["velocity"], state["velocity"], state["w"], y)
        close(new["w"], state["w"] - 0.05 * new["velocity"], "w", **LOOSE)


def in_pieces(draw, cut):
    """한 번에 6스텝을 간 것과 cut에서 끊은 것."""
    state, x, y = state_of(draw, 3)
    whole, losses = unpack((yield call(state, x, y, 6)), 2, "돌려준 값")
    close(losses, np.zeros(6), "손실", atol=float("inf"))
    differ([np.asarray(state["w"]), whole["w"]], "w가 그대로입니다.")
    middle, before = unpack((yield call(state, x, y, cut)), 2, "돌려준 값")
    last, after = unpack((yield call(middle, x, y, 6 - cut)), 2, "돌려준 값")
    return state, (whole, losses), (last, np.concatenate([before, after]))


@train_question.probe(1, "어디서 끊어도 losses가 한 번에 한 것과 같음")
def resumed_losses(draw):
    for cut in (1, 4):
        _, (_, losses), (_, joined) = yield from in_pieces(draw, cut)
        close(joined, losses, "이어 간 손실", **LOOSE)


@train_question.probe(2, "어디서 끊어도 state가 한 번에 한 것과 같고, 이름과 shape과 dtype이 그대로")
def resumed_state(draw):
    for cut in (1, 4):
        state, (whole, _), (last, _) = yield from in_pieces(draw, cut)
        same_state(whole, state)
        same_state(last, state)
        for name in ("w", "velocity"):
            close(last[name], whole[name], f"이어 간 {name}", **LOOSE)
        for name in ("step", "key"):
            alike = np.array_equal(last[name], whole[name])
            require(alike, f"이어 간 {name}이 한 번에 간 것과 다릅니다.")
        close(last["step"], 3 + 6, "step", dtype="int32")


# steps는 트레이싱할 수 없으므로 안에 적는다
STEPS = "lambda f: lambda state, x, y: f(state, x, y, {steps})"
# 속도는 0에서 시작해, 뽑힌 횟수가 기울기에 그대로 드러난다
TWO_STEPS = """lambda f: lambda state, keys, x, y: jax.vmap(lambda key: (lambda still: (
    lambda first: (
        first['w'], first['velocity'], f({**first, **still}, x, y, 1)[0]['velocity']
    )
)(f({**state, **still, 'key': key}, x, y, 1)[0]))({'velocity': 0 * state['velocity']}))(keys)"""


def drawn_rows(draw):
    """키 1,024개마다 첫 스텝과 둘째 스텝에서 행마다 뽑힌 횟수."""
    state, x, y = state_of(draw)
    ran = yield program((state, draw.key(1024).data, x, y), wrap=TWO_STEPS)
    w, first, second = unpack(ran.values[0], 3, "두 스텝")
    for name, value in (("w", w), ("velocity", first), ("velocity", second)):
        close(value, np.zeros((1024, ROWS)), name, atol=float("inf"))
    start, still = np.broadcast_to(state["w"], w.shape), np.zeros_like(w)
    return [counts_each(v, still, s, y) for v, s in ((first, start), (second, w))]


def counts_each(velocity, before, w, y):
    return np.stack([counts_of(v, b, s, y) for v, b, s in zip(velocity, before, w)])


@train_question.probe(1, "x의 행 8개를 복원 추출로 고르게 뽑음")
def fair_rows(draw):
    one, _ = yield from drawn_rows(draw)
    # 행마다 뽑힌 횟수의 합은 이항 분포이다
    total, n, p = one.sum(axis=0), 8 * len(one), 1 / ROWS
    require(np.abs(total - n * p).max() < 6 * np.sqrt(n * p * (1 - p)), "행을 고르게 뽑지 않습니다.")
    require(one.max() > 1, "복원 추출이 아닙니다.")


@train_question.probe(1, "스텝마다, 키마다 독립으로 뽑음")
def independent_rows(draw):
    first, second = yield from drawn_rows(draw)
    uncorrelated(first, second, "스텝마다 같은 행을 뽑습니다.")
    for rows in (first, second):
        uncorrelated(rows[1:], rows[:-1], "키가 달라도 같은 행을 뽑습니다.")


@train_question.probe(1, "같은 state에서 같은 결과가 나오고, 쓴 키를 다시 쓰지 않음")
def fresh_step_keys(draw):
    state, x, y = state_of(draw)
    first = yield call(state, x, y, 3)
    again = yield call(state, x, y, wrap=STEPS.format(steps=3), key_check=True)
    same(again, first, "다시 부른 결과")
    other = yield call({**state, "key": draw.key().data}, x, y, 3)
    differ([first[1], other[1]], "키가 달라도 손실이 같습니다.")


@train_question.probe(1, "jax.jit에서 실행되고, steps가 늘어도 프로그램이 커지지 않음")
def one_train_program(draw):
    calls = [state_of(draw, step) for step in (0, 7)]
    sizes = []
    for steps in (3, 40):
        ran = yield program(calls[0], wrap=STEPS.format(steps=steps), run=False)
        sizes.append(ran.operations)
    require(sizes[1] < 1.3 * sizes[0] + 20, "스텝이 늘면 프로그램도 커집니다.")
    differ((yield from as_eager(*calls, wrap=STEPS.format(steps=3))), "값이 늘 같습니다.")


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


@rows_question.probe(1, "shape이 (rows, width)인 float32 표준 정규 난수", show=True)
def normal_rows(draw):
    value = yield call(draw.key(), wrap=on_devices(8, 512, 6))
    close(value, np.zeros((512, 6)), "표본", atol=float("inf"))
    require(abs(value.mean()) < 6 / np.sqrt(value.size), "평균이 0이 아닙니다.")
    spread = 6 / np.sqrt(2 * value.size)
    require(abs(value.std() - 1) < spread, "표준편차가 1이 아닙니다.")
    share(np.abs(value) < 1, 0.682689, "정규 분포가 아닙니다.")


@rows_question.probe(1, "모든 원소가 독립이고, 키마다 다른 표본")
def independent_rows_of(draw):
    first = yield call(draw.key(), wrap=on_devices(8, 512, 6))
    second = yield call(draw.key(), wrap=on_devices(8, 512, 6))
    for value in (first, second):
        close(value, np.zeros((512, 6)), "표본", atol=float("inf"), dtype=None)
        require(len(np.unique(value[:, 0])) > 300, "같은 행이 반복됩니다.")
        uncorrelated(value[1:], value[:-1], "이웃한 행이 독립이 아닙니다.")
        uncorrelated(value[:, 1:], value[:, :-1], "이웃한 열이 독립이 아닙니다.")
        uncorrelated(value[64:], value[:-64], "장치마다 같은 난수를 뽑습니다.")
    uncorrelated(first, second, "키가 달라도 같은 표본입니다.")


@rows_question.probe(2, "같은 키면 장치 수가 달라도 같은 값")
def same_everywhere(draw):
    key = draw.key()
    one = yield call(key, wrap=on_devices(1))
    close(one, np.zeros((64, 5)), "장치 하나의 표본", atol=float("inf"), dtype=None)
    for count in (2, 8):
        same((yield call(key, wrap=on_devices(count))), one, f"장치 {count}개의 표본")
    differ([one, (yield call(draw.key(), wrap=on_devices(1)))], "키가 달라도 같은 표본입니다.")


@rows_question.probe(1, "결과의 첫 축이 data에 나뉨")
def divided(draw):
    for count in (2, 8):
        wrap = PARTS.format(mesh=on_devices(count))
        value, devices, parts = unpack((yield call(draw.key(), wrap=wrap)), 3, "표본")
        require(devices == count, f"장치 {count}개 가운데 {devices}개에만 있습니다.")
        require([tuple(p) for p in parts] == [(64 // count, 5)], f"조각의 shape이 {parts}입니다.")
        require(len(np.unique(value)) > 100, "같은 값이 반복됩니다.")


@rows_question.probe(2, "장치마다 제 행만 만들고, 장치 사이에 주고받지 않음", needs=[independent_rows_of])
def no_exchange(draw):
    built = yield compiled(draw.key(), wrap=on_devices(8, 4096, 8))
    for name in ("all-gather", "all-reduce", "all-to-all", "collective-permute"):
        require(built.count(name) == 0, f"장치 사이에 주고받습니다({name}).")
    whole = 4096 * 8 * 4
    require(built.results < whole / 4, "장치마다 배열 전체를 갖습니다.")
    require(built.temporary < whole, f"임시 메모리를 {built.temporary}바이트 씁니다.")


@rows_question.probe(1, "jax.jit에서 실행되고, 쓴 키를 다시 쓰지 않음")
def rows_program(draw):
    keys = [draw.key() for _ in range(2)]
    own = yield from as_eager(*[(key,) for key in keys], wrap=on_devices(8))
    differ(own, "키가 달라도 같은 표본입니다.")
    yield call(keys[0], wrap=on_devices(8), key_check=True)


# 문제 5 ------------------------------------------------------------------------------------
def drawn_wrap(draws, statistic="lambda v: v"):
    return f"lambda f: lambda key, x: f(key, {statistic}, x, {draws})"


def drawn(draw, n, draws):
    """자료와 뽑은 것. 같은 키에서는 같은 것을 뽑고, 다른 키에서는 다른 것을 뽑는다."""
    key, x = draw.key(), draw.generator.permutation(n).astype(np.float32)
    rows = yield call(key, x, wrap=drawn_wrap(draws))
    close(rows, np.zeros((draws, n)), "뽑은 자료", atol=float("inf"))
    require(np.isin(rows, x).all(), "자료에 없는 값이 나왔습니다.")
    return key, x, rows


def reproduced(key, other, x, rows, wrap):
    again = yield call(key, x, wrap=wrap)
    require(np.array_equal(again, rows), "같은 키에서 다른 것을 뽑습니다.")
    differ([rows, (yield call(other, x, wrap=wrap))], "키가 달라도 같은 것을 뽑습니다.")


@bootstrap_question.probe(1, "자료를 고르게 뽑음", show=True)
def resampled(draw):
    _, x, rows = yield from drawn(draw, 25, 200)
    total, p = np.array([(rows == value).sum() for value in x]), 1 / 25
    spread = 6 * np.sqrt(rows.size * p * (1 - p))
    require(np.abs(total - rows.size * p).max() < spread, "자료를 고르게 뽑지 않습니다.")


@bootstrap_question.probe(1, "자료의 수만큼 복원 추출로 뽑음")
def replaced(draw):
    _, _, rows = yield from drawn(draw, 25, 200)
    distinct = np.array([len(np.unique(row)) for row in rows])
    require(distinct.max() < 25, "복원 추출이 아닙니다.")
    require(distinct.min() < distinct.max(), "뽑을 때마다 같은 것을 뽑습니다.")
    # 서로 다른 값의 수는 평균 25(1 - (24/25)^25) = 15.99, 표준편차 1.5쯤이다
    require(abs(distinct.mean() - 15.99) < 6 * 1.6 / np.sqrt(200), "뽑는 수가 다릅니다.")


@bootstrap_question.probe(1, "뽑기마다, 자리마다 독립이고, 같은 키에서 같은 결과")
def independent_draws(draw):
    key, x, first = yield from drawn(draw, 50, 100)
    yield from reproduced(key, draw.key(), x, first, drawn_wrap(100))
    second = yield call(draw.key(), x, wrap=drawn_wrap(100))
    for rows in (first, second):
        require(len(np.unique(rows, axis=0)) == 100, "같은 뽑기가 반복됩니다.")
        uncorrelated(rows[1:], rows[:-1], "이웃한 뽑기가 독립이 아닙니다.")
        uncorrelated(rows[:, 1:], rows[:, :-1], "한 뽑기 안의 자리가 독립이 아닙니다.")
    uncorrelated(first, second, "키가 달라도 같은 자료를 뽑습니다.")


@bootstrap_question.probe(1, "x와 shape이 같은 배열을 statistic에 넘김: 행을 통째로 뽑음")
def whole_rows(draw):
    column, key = np.arange(12, dtype=np.float32), draw.key()
    x = np.stack([column, 100 - 3 * column], axis=1)
    rows = yield call(key, x, wrap=drawn_wrap(6))
    close(rows, np.zeros((6, 12, 2)), "뽑은 행", atol=float("inf"))
    close(rows[..., 1], 100 - 3 * rows[..., 0], "둘째 열", **LOOSE)
    wrap = drawn_wrap(6, "lambda v: v.sum(axis=0)")
    sums = yield call(key, x, wrap=wrap)
    close(sums, np.zeros((6, 2)), "통계량", atol=float("inf"))
    close(sums[:, 1], 1200 - 3 * sums[:, 0], "통계량", **LOOSE)
    yield from reproduced(key, draw.key(), x, sums, wrap)


COUNTED = """lambda f: lambda key, x: (lambda seen: (
    f(key, lambda v: (seen.append(v.shape), v.mean())[1], x, 40), [list(s) for s in seen]
))([])"""


@bootstrap_question.probe(1, "statistic은 한 번만 트레이싱")
def one_statistic_trace(draw):
    inputs = (draw.key(), draw.normal(30))
    means, shapes = unpack((yield call(*inputs, wrap=COUNTED)), 2, "결과")
    close(means, np.zeros(40), "통계량", atol=float("inf"))
    require(len(shapes) == 1, f"statistic을 {len(shapes)}번 트레이싱했습니다.")


@bootstrap_question.probe(1, "draws가 늘어도 프로그램이 커지지 않음")
def draws_do_not_grow(draw):
    inputs, sizes = (draw.key(), draw.normal(30)), []
    for draws in (4, 64):
        ran = yield program(inputs, wrap=drawn_wrap(draws, "jnp.mean"), run=False)
        sizes.append(ran.operations)
    require(sizes[1] < 1.3 * sizes[0] + 20, "뽑는 횟수가 늘면 프로그램도 커집니다.")
    require(sizes[0] > 5, "아무것도 뽑지 않습니다.")


@bootstrap_question.probe(2, "key와 x가 트레이싱될 수 있고, 쓴 키를 다시 쓰지 않음")
def bootstrap_program(draw):
    x = draw.normal(20)
    calls = [(draw.key(), x), (draw.key(), x), (draw.key(), draw.normal(20))]
    wrap = drawn_wrap(30, "lambda v: v * 2")
    own = yield from as_eager(*calls, wrap=wrap)
    require(np.isin(np.float32(own[0]), 2 * x).all(), "자료에 없는 값이 나왔습니다.")
    differ(own, "키가 달라도 같은 것을 뽑습니다.")
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


def positions_matter(key, logits, temperature, other):
    """같은 인자에는 같은 값이고, start를 바꾸면 값이 바뀐다."""
    answer = yield call(key, logits, temperature, 3)
    same((yield call(key, logits, temperature, 3)), answer, "같은 인자로 다시 부른 값")
    moved = yield call(key, logits, temperature, other)
    differ([answer, moved], "start가 바뀌어도 잡음이 그대로입니다.")


@gumbel_question.probe(1, "행마다 합이 1인, logits에 잡음을 더한 소프트맥스", show=True)
def softmax_rows(draw):
    logits = draw.normal(*TOKENS)
    noise_of((yield call(draw.key(), logits, 1.5, 0)), logits, 1.5)
    # 한 어휘의 로짓을 크게 올리면 그 자리의 몫이 커진다
    logits[:, 0] += 9.0
    answer = yield call(draw.key(), logits, 1.0, 0)
    require((answer[:, 0] > 0.5).mean() > 0.9, "로짓이 큰 자리의 몫이 작습니다.")


@gumbel_question.probe(1, "검벨 잡음")
def gumbel_noise(draw):
    logits = draw.normal(*TOKENS)
    noise = noise_of((yield call(draw.key(), logits, 1.5, 0)), logits, 1.5)
    # 두 검벨의 차이는 로지스틱 분포이다: 표준편차 π/√3, |차이| < 1인 비율 tanh(1/2)
    gap = (noise[:, ::2] - noise[:, 1::2]).ravel()
    require(abs(gap.mean()) < 6 * 1.8138 / np.sqrt(len(gap)), "잡음의 평균이 치우쳤습니다.")
    share(np.abs(gap) < 1, np.tanh(0.5), "검벨 잡음이 아닙니다.")
    share(np.abs(gap) < 3, np.tanh(1.5), "검벨 잡음이 아닙니다.")
    # 셋 가운데 가장 큰 잡음이 둘째보다 1 넘게 크면 3/(1 + 2e): 부호를 뒤집은 검벨은 다르다
    three = np.sort(noise.reshape(-1, 3), axis=1)
    share(three[:, 2] - three[:, 1] > 1, 3 / (1 + 2 * np.e), "검벨 잡음이 아닙니다.")


@gumbel_question.probe(1, "토큰마다, 어휘마다 독립이고, 키와 토큰의 위치로만 정해짐")
def independent_tokens(draw):
    logits, key = np.zeros(TOKENS, np.float32), draw.key()
    yield from positions_matter(key, logits, 1.0, 1000)
    first = noise_of((yield call(key, logits, 1.0, 0)), logits, 1.0)
    second = noise_of((yield call(draw.key(), logits, 1.0, 0)), logits, 1.0)
    require(len(np.unique(first[:, 0])) == TOKENS[0], "같은 잡음이 반복됩니다.")
    # 행의 평균을 뺀 값이므로 겹치지 않는 두 열의 차이끼리 견준다
    gap = first[:, ::2] - first[:, 1::2]
    require((gap.std(axis=0) > 0.5).all(), "어휘마다 같은 잡음입니다.")
    uncorrelated(gap[1:], gap[:-1], "이웃한 토큰의 잡음이 독립이 아닙니다.")
    uncorrelated(gap[:, 1:], gap[:, :-1], "어휘의 잡음이 독립이 아닙니다.")
    uncorrelated(first, second, "키가 달라도 같은 잡음입니다.")


@gumbel_question.probe(2, "끊어서 만든 것이 한 번에 만든 것과 같음")
def chunked(draw):
    key, logits = draw.key(), draw.normal(12, 4)
    whole = yield call(key, logits, 0.8, 5)
    first = yield call(key, logits[:6], 0.8, 5)
    second = yield call(key, logits[6:], 0.8, 11)
    close(first, whole[:6], "앞 6개", **LOOSE)
    close(second, whole[6:], "뒤 6개", **LOOSE)
    other = yield call(key, logits[:6], 0.8, 11)
    far = np.abs(other - first).max(axis=1)
    require((far > 1e-4).all(), "위치가 달라도 같은 잡음을 씁니다.")


@gumbel_question.probe(1, "temperature는 잡음을 바꾸지 않고, 작아도 결과가 유한함")
def temperatures(draw):
    key, logits = draw.key(), draw.normal(12, 4)
    yield from positions_matter(key, logits, 0.5, 40)
    noises = []
    for temperature in (0.5, 2.0):
        answer = yield call(key, logits, temperature, 0)
        noises.append(noise_of(answer, logits, temperature))
    close(noises[1], noises[0], "온도 2의 잡음", rtol=1e-3, atol=1e-3, dtype="float64")
    large = 40 * logits
    cold = yield call(key, large, 0.01, 0)
    close(cold, large, "낮은 온도의 결과", atol=float("inf"))
    finite(cold, "낮은 온도의 결과")
    close(cold.sum(axis=1), np.ones(12), "행의 합", **LOOSE)


@gumbel_question.probe(1, "logits로 미분할 수 있음")
def gumbel_slope(draw):
    key, logits, weight = draw.key(), draw.normal(12, 4), draw.normal(12, 4)
    yield from positions_matter(key, logits, 0.7, 40)
    wrap = "lambda f: jax.grad(lambda l, k, u: jnp.sum(u * f(k, l, 0.7, 2)))"
    p = np.float64((yield call(key, logits, 0.7, 2)))
    right = p * (weight - (p * weight).sum(axis=1, keepdims=True)) / 0.7
    close((yield call(logits, key, weight, wrap=wrap)), right, "기울기", rtol=1e-3, atol=1e-4)


@gumbel_question.probe(1, "jax.jit에서 temperature와 start가 트레이싱되고, 한 번만 트레이싱")
def gumbel_program(draw):
    key, logits = draw.key(), draw.normal(12, 4)
    calls = [(key, logits, rate_of(t), number(s)) for t, s in ((1.0, 0), (0.5, 0), (0.5, 3))]
    own = yield from as_eager(*calls)
    finite(own, "결과")
    differ(own, "temperature나 start가 바뀌어도 값이 그대로입니다.")
    yield from one_trace(*calls)
    yield call(*calls[0], key_check=True)


@gumbel_question.probe(1, "토큰이 늘어도 프로그램이 커지지 않음")
def tokens_do_not_grow(draw):
    key, sizes = draw.key(), []
    yield from positions_matter(key, draw.normal(12, 4), 1.0, 40)
    for tokens in (4, 64):
        inputs = (key, np.zeros((tokens, 4), np.float32), rate_of(1.0), number(0))
        sizes.append((yield program(inputs, run=False)).operations)
    require(sizes[1] < 1.3 * sizes[0] + 20, "토큰이 늘면 프로그램도 커집니다.")
