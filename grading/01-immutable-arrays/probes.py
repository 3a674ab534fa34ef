"""01장 "불변 배열과 함수형"의 문제와 검사.

검사는 채점자의 프로세스에서 돌고, call·program에 넣은 입력만 학생의 프로세스로 갑니다.
맞는 답은 NumPy로 다시 계산합니다.
"""

import numpy as np

from coursekit.grading.probes import (
    Exercise,
    Wrong,
    as_eager,
    call,
    close,
    differ,
    program,
    require,
    same,
    traces,
    unpack,
)

exercise = Exercise("01-immutable-arrays", "불변 배열과 함수형")
lines_question = exercise.function("문제 1", "inplace_lines", "제자리 연산 열두 줄")
ring_question = exercise.function("문제 2", "push", "값으로 된 원형 버퍼")
histogram_question = exercise.function("문제 3", "histogram", "겹치고 벗어나는 히스토그램")
drawdown_question = exercise.function("문제 4", "drawdown", "낙폭을 재는 상태")
tree_question = exercise.function("문제 5", "normalizer_class", "정적 필드가 있는 파이트리")
ref_question = exercise.function("문제 6", "track", "같은 낙폭을 Ref로")
dtype_question = exercise.function("문제 7", "predict_dtypes", "dtype 맞히기")

LOOSE = {"rtol": 3e-5, "atol": 1e-5}


# 문제 1 ------------------------------------------------------------------------------------
def right_lines(x, rows, v):
    copies = [x.copy() for _ in range(12)]
    copies[0][0] = 7.0
    copies[1][:, 1] += 2.0
    copies[2][1:3] *= 10.0
    copies[3][0, -1] -= 1.0
    copies[4][rows] = 0.0
    np.add.at(copies[5], rows, v)
    copies[6][x < 0] = 0.0
    np.clip(x, -1.0, 1.0, out=copies[7])
    copies[8][2] = np.exp(x[2])
    copies[9][-1] = np.maximum(x[-1], v[0])
    copies[10][[0, 1]] = x[[1, 0]]
    np.fill_diagonal(copies[11], 0.0)
    return copies


def line_inputs(draw, height, width):
    """겹친 행이 꼭 있는 rows, 마지막 행보다 큰 값과 작은 값이 섞인 v[0]."""
    x = draw.normal(height, width, scale=2.0)
    v = draw.normal(4, width)
    v[0] = x[-1] + np.where(np.arange(width) % 2, 0.5, -0.5)
    rows = np.array([1, 3, 1, draw.integer(0, height - 1)], np.int32)
    return x, rows, v


def check_lines(answer, inputs, numbers):
    results, rights = unpack(answer, 12, "돌려준 값"), right_lines(*inputs)
    for number in numbers:
        close(results[number - 1], rights[number - 1], f"{number}번", **LOOSE)


@lines_question.probe(1, "한 칸, 열, 행을 고치는 줄(1–4번)", show=True)
def plain_lines(draw):
    inputs = line_inputs(draw, 4, 5)
    check_lines((yield call(*inputs)), inputs, (1, 2, 3, 4))


@lines_question.probe(1, "행 번호와 조건으로 고르는 줄(5, 7, 8번)")
def chosen_lines(draw):
    inputs = line_inputs(draw, 4, 5)
    check_lines((yield call(*inputs)), inputs, (5, 7, 8))


@lines_question.probe(1, "겹친 행에 모두 더하는 줄(6번)")
def repeated_rows(draw):
    inputs = line_inputs(draw, 4, 5)
    check_lines((yield call(*inputs)), inputs, (6,))


@lines_question.probe(1, "자기 값으로 고치는 줄과 대각선(9–12번)")
def own_values(draw):
    for shape in ((4, 5), (6, 6)):
        inputs = line_inputs(draw, *shape)
        check_lines((yield call(*inputs)), inputs, (9, 10, 11, 12))


@lines_question.probe(2, "jax.jit을 씌워도 실행되고, shape과 dtype이 x와 같음")
def lines_program(draw):
    calls = [line_inputs(draw, 5, 7) for _ in range(3)]
    own = yield from as_eager(*calls)
    for value in unpack(own[0], 12, "돌려준 값"):
        close(value, value, "결과", dtype="float32")
        require(value.shape == (5, 7), f"shape이 {value.shape}입니다.")
    differ(own, "입력이 바뀌어도 값이 그대로입니다.")


# 문제 2 ------------------------------------------------------------------------------------
def right_push(state, x):
    buffer, count = np.array(state[0]), int(state[1])
    buffer[count % len(buffer)] = x
    return (buffer, count + 1), np.roll(buffer, -((count + 1) % len(buffer)))


def ring_state(draw, size, count):
    buffer = draw.normal(size)
    buffer[count:] = 0.0
    return buffer, np.array(count, np.int32)


def pushed(answer):
    """새 buffer, 새 count, 창."""
    state, window = unpack(answer, 2, "돌려준 값")
    return (*unpack(state, 2, "새 state"), window)


def ring_cases(draw):
    """빈 버퍼, 한 바퀴를 돌기 앞뒤, 길이가 다른 버퍼."""
    cases = ((4, 0), (4, 2), (4, 3), (4, 4), (4, 5), (4, 1000), (1, 0), (1, 3), (7, 13))
    return [(ring_state(draw, size, count), draw.normal()) for size, count in cases]


@ring_question.probe(1, "창은 오래된 값부터 늘어놓은 것", show=True)
def windows(draw):
    for state, x in ring_cases(draw):
        *_, window = pushed((yield call(state, x)))
        close(window, right_push(state, x)[1], "창", **LOOSE)


@ring_question.probe(1, "x는 buffer의 count % 길이번 칸에 들어감")
def buffers(draw):
    for state, x in ring_cases(draw):
        buffer, *_ = pushed((yield call(state, x)))
        close(buffer, right_push(state, x)[0][0], "새 buffer", **LOOSE)


@ring_question.probe(1, "새 state의 shape과 dtype은 들어온 것과 같고, count는 하나 늘어남")
def counts(draw):
    for state, x in ring_cases(draw):
        buffer, count, _ = pushed((yield call(state, x)))
        close(buffer, buffer, "새 buffer", dtype="float32")
        require(buffer.shape == state[0].shape, "새 buffer의 shape이 다릅니다.")
        close(count, state[1] + 1, "새 count", dtype="int32")


@ring_question.probe(1, "jax.jit에서도 같은 값")
def ring_program(draw):
    calls = [(ring_state(draw, 5, n), draw.normal()) for n in (0, 3, 4, 5, 6, 11, 12_345)]
    differ((yield from as_eager(*calls)), "입력이 바뀌어도 값이 그대로입니다.")


@ring_question.probe(1, "몇 번을 넣어도 한 번만 트레이싱", needs=[ring_program])
def ring_traces(draw):
    calls = [(ring_state(draw, 5, n), draw.normal()) for n in (0, 1, 2)]
    count = yield traces(*calls, feed_back=True)
    require(count == 1, f"{len(calls)}번 넣는 동안 {count}번 트레이싱했습니다.")


@ring_question.probe(1, "jax.lax.scan에서 실행됨")
def ring_scan(draw):
    state, xs = ring_state(draw, 3, 2), draw.normal(8)
    ran = yield program((state, xs), wrap="lambda f: lambda s, xs: jax.lax.scan(f, s, xs)")
    last, got = unpack(ran.values[0], 2, "scan한 결과")
    own = []
    for x in xs:
        state, window = unpack((yield call(state, np.asarray(x))), 2, "돌려준 값")
        own.append(window)
    same(got, np.stack(own), "scan이 낸 창")
    same(last, state, "scan이 끝난 state")
    differ(own, "넣어도 창이 그대로입니다.")


# 문제 3 ------------------------------------------------------------------------------------
def right_histogram(bins, weights, size):
    inside = (bins >= 0) & (bins < size)
    out = np.zeros(size)
    np.add.at(out, bins[inside], weights[inside])
    return out.astype(np.float32)


def histogram_inputs(draw, low, high, length=24):
    bins = draw.generator.integers(low, high, length, endpoint=True).astype(np.int32)
    return bins, draw.normal(length)


@histogram_question.probe(1, "겹친 번호의 가중치를 모두 더함", show=True)
def duplicates(draw):
    bins, weights = histogram_inputs(draw, 0, 5)
    close((yield call(bins, weights, 6)), right_histogram(bins, weights, 6), "결과", **LOOSE)


def apart(draw, *outside):
    """안쪽 번호는 겹치지 않고, outside가 섞여 있음."""
    bins = np.array([*draw.generator.permutation(6)[:4], *outside], np.int32)
    return draw.generator.permutation(bins).astype(np.int32), draw.normal(bins.size)


@histogram_question.probe(1, "jit에서도 size 이상인 번호를 무시")
def too_large(draw):
    bins, weights = apart(draw, 6, 7, 100_000)
    (value,) = (yield program((bins, weights, 6))).values
    close(value, right_histogram(bins, weights, 6), "결과", **LOOSE)


@histogram_question.probe(1, "jit에서도 음수 번호를 무시")
def negative(draw):
    bins, weights = apart(draw, -1, -6, -7, -100_000)
    (value,) = (yield program((bins, weights, 6))).values
    close(value, right_histogram(bins, weights, 6), "결과", **LOOSE)


@histogram_question.probe(1, "size를 고정하면 jax.jit에서 실행되고, 길이가 size인 float32")
def histogram_program(draw):
    calls = [(*histogram_inputs(draw, 0, 7, 16), 8) for _ in range(2)]
    calls.append((calls[1][0], draw.normal(16), 8))
    own = yield from as_eager(*calls)
    close(own[0], own[0], "결과", dtype="float32")
    require(own[0].shape == (8,), f"shape이 {own[0].shape}입니다.")
    differ(own, "가중치가 바뀌어도 값이 그대로입니다.")


@histogram_question.probe(2, "weights로 미분할 수 있음")
def histogram_slope(draw):
    bins, weights = apart(draw, 7, -2)
    share = draw.normal(6)
    wrap = "lambda f: lambda b, w, c: jax.grad(lambda w: (f(b, w, 6) * c).sum())(w)"
    (slope,) = (yield program((bins, weights, share), wrap=wrap)).values
    moved = []
    for i in range(weights.size):
        step = (np.arange(weights.size) == i).astype(np.float32)
        up, down = (yield call(bins, weights + step, 6)), (yield call(bins, weights - step, 6))
        moved.append(((up - down) * share).sum() / 2)
    close(slope, np.array(moved), "가중치의 기울기", rtol=1e-3, atol=1e-4)
    require(slope.any(), "기울기가 0입니다.")


# 문제 4 ------------------------------------------------------------------------------------
NAMES = ("peak", "worst", "days")


def right_drawdown(state, price):
    peak = max(float(state["peak"]), float(price))
    drop = 1 - float(price) / peak
    worst = max(float(state["worst"]), drop)
    return {"peak": peak, "worst": worst, "days": int(state["days"]) + 1}, drop


def all_drawdowns(state, prices):
    drops = []
    for price in prices:
        state, drop = right_drawdown(state, price)
        drops.append(drop)
    return state, np.array(drops)


def market(draw):
    """앞선 날이 있는 상태."""
    return {
        "peak": np.array(draw.uniform(50.0, 150.0), np.float32),
        "worst": np.array(draw.uniform(0.05, 0.3), np.float32),
        "days": np.array(draw.integer(1, 500), np.int32),
    }


def at_first():
    return {"peak": np.float32(0), "worst": np.float32(0), "days": np.int32(0)}


def as_arrays(state):
    return {name: np.asarray(value) for name, value in state.items()}


def check_state(got, right, dtypes=True):
    require(isinstance(got, dict) and set(got) == set(NAMES), "새 state의 이름이 다릅니다.")
    for name in ("peak", "worst"):
        close(got[name], right[name], name, dtype="float32" if dtypes else None, **LOOSE)
    close(got["days"], right["days"], "days", dtype="int32" if dtypes else None)


def price_near(draw, peak):
    return np.float32(peak * draw.uniform(0.5, 0.9)), np.float32(peak * draw.uniform(1.1, 1.5))


def swinging(draw, state):
    """최고가를 두 번 넘고, 그때마다 도로 내려오는 값 여섯."""
    shares = (0.8, 1.3, 0.9, 1.6, 0.6, 0.95)
    peak = float(state["peak"])
    return np.array([peak * share * draw.uniform(0.97, 1.03) for share in shares], np.float32)


def stepped(answer):
    """새 state와 drop."""
    new, drop = unpack(answer, 2, "돌려준 값")
    require(isinstance(new, dict) and set(new) == set(NAMES), "새 state의 이름이 다릅니다.")
    return new, drop


def market_calls(draw):
    calls = [(as_arrays(at_first()), draw.normal(mean=90.0))]
    for ratio in (0.4, 0.95, 1.2):
        state = market(draw)
        calls.append((state, np.asarray(np.float32(float(state["peak"]) * ratio))))
    return calls


@drawdown_question.probe(1, "drop은 지금까지의 최고가에서 내려온 비율", show=True)
def drops(draw):
    for state in (as_arrays(at_first()), market(draw)):
        for price in price_near(draw, float(state["peak"]) or 100.0):
            _, drop = right_drawdown(state, price)
            _, got = unpack((yield call(state, np.asarray(price))), 2, "돌려준 값")
            close(got, drop, "drop", dtype=None, **LOOSE)


@drawdown_question.probe(1, "jit에서 peak와 worst가 지금까지의 가장 큰 값")
def peak_and_worst(draw):
    calls = market_calls(draw)
    for (state, price), value in zip(calls, (yield program(*calls)).values):
        right, _ = right_drawdown(state, price)
        new, _ = stepped(value)
        for name in ("peak", "worst"):
            close(new[name], right[name], name, **LOOSE)


@drawdown_question.probe(1, "jit에서 days가 하나 늘어난 int32")
def days(draw):
    calls = market_calls(draw)
    for (state, _), value in zip(calls, (yield program(*calls)).values):
        close(stepped(value)[0]["days"], state["days"] + 1, "days", dtype="int32")


@drawdown_question.probe(1, "들어온 딕셔너리를 고치지 않음")
def keeps_the_old_state(draw):
    wrap = "lambda f: lambda state, price: (f(state, price), dict(state))"
    state = market(draw)
    price = np.asarray(np.float32(float(state["peak"]) * 1.4))
    answer, kept = unpack((yield call(state, price, wrap=wrap)), 2, "돌려준 값")
    same(kept, state, "들어온 state")
    differ([stepped(answer)[0], kept], "새 state가 들어온 것과 같습니다.")


@drawdown_question.probe(1, "jax.jit에서 한 번만 트레이싱되고, 구조와 dtype이 들어온 것과 같음")
def drawdown_program(draw):
    calls = market_calls(draw)
    own = yield from as_eager(*calls)
    for (state, _), value in zip(calls, own):
        new, _ = stepped(value)
        for name in NAMES:
            kinds = (new[name].dtype, state[name].dtype)
            require(kinds[0] == kinds[1], f"{name}의 dtype이 {kinds[0]}입니다.")
    differ(own, "입력이 바뀌어도 값이 그대로입니다.")
    count = yield traces(*calls, feed_back=True)
    require(count == 1, f"{len(calls)}번 부르는 동안 {count}번 트레이싱했습니다.")


@drawdown_question.probe(1, "jax.lax.scan과, 여러 종목에 대한 jax.vmap에서 실행됨")
def drawdown_transformed(draw):
    state = market(draw)
    prices = swinging(draw, state)
    ran = yield program((state, prices), wrap="lambda f: lambda s, p: jax.lax.scan(f, s, p)")
    last, got = unpack(ran.values[0], 2, "scan한 결과")
    own = []
    for price in prices:
        state, drop = stepped((yield call(state, np.asarray(price))))
        own.append(drop)
    same(got, np.stack(own), "scan한 drop들")
    same(last, state, "scan한 state")
    differ(own, "값이 바뀌어도 drop이 그대로입니다.")
    many = [market(draw) for _ in range(3)]
    stacked = {name: np.stack([state[name] for state in many]) for name in NAMES}
    prices = np.array([float(s["peak"]) * r for s, r in zip(many, (0.5, 0.9, 1.5))], np.float32)
    (value,) = (yield program((stacked, prices), wrap="jax.vmap")).values
    new, drop = stepped(value)
    for i, (state, price) in enumerate(zip(many, prices)):
        own = yield call(state, np.asarray(price))
        same([{name: np.asarray(new[name][i]) for name in NAMES}, np.asarray(drop[i])], own, "vmap")


# 문제 5 ------------------------------------------------------------------------------------
def tree_inputs(draw):
    """x lies above, below and within every limit that the probes ask for."""
    mean, std = draw.normal(3), np.abs(draw.normal(3)) + np.float32(0.5)
    far = np.array([draw.uniform(2.0, 9.0), -draw.uniform(2.0, 9.0), draw.uniform(0.05, 0.2)])
    return mean, std, (mean + std * draw.generator.permutation(far)).astype(np.float32)


def normalized(mean, std, x, limit):
    y = (x - mean) / std
    return y if limit is None else np.clip(y, -limit, limit)


@tree_question.probe(1, "표준화하고, limit이 None이 아니면 자름", show=True)
def normalizes(draw):
    mean, std, x = tree_inputs(draw)
    limit = draw.uniform(0.3, 1.0)
    wrap = """lambda f: lambda m, s, x, limit: (
        lambda C: [C(m, s, limit)(x), C(m, s, 0.0)(x), C(m, s, None)(x), C(m, s)(x)]
    )(f())"""
    answer = unpack((yield call(mean, std, x, limit, wrap=wrap)), 4, "돌려준 값")
    for got, bound in zip(answer, (limit, 0.0, None, None), strict=True):
        close(got, normalized(mean, std, x, bound), f"limit={bound}", **LOOSE)


@tree_question.probe(1, "잎은 mean, std 둘이고 limit은 잎이 아니며, 속성으로도 읽음")
def two_leaves(draw):
    mean, std, _ = tree_inputs(draw)
    wrap = """lambda f: lambda m, s, limit: (
        lambda n: [jax.tree.leaves(n), n.mean, n.std, n.limit]
    )(f()(m, s, limit))"""
    for limit in (1.25, None):
        answer = yield call(mean, std, limit, wrap=wrap)
        leaves, got_mean, got_std, got_limit = unpack(answer, 4, "돌려준 값")
        first, second = unpack(leaves, 2, "잎")
        for name, got, want in (
            ("첫 잎", first, mean), ("둘째 잎", second, std),
            ("mean", got_mean, mean), ("std", got_std, std),
        ):  # fmt: skip
            close(got, want, name)
        require(type(got_limit) is type(limit) and got_limit == limit, "limit을 지키지 않습니다.")


@tree_question.probe(1, "잎에서 다시 만들어도 같은 클래스, 같은 limit")
def round_trip(draw):
    mean, std, _ = tree_inputs(draw)
    wrap = """lambda f: lambda m, s, limit: (lambda C: (lambda n: (lambda twice: [
        twice.mean, twice.std, jax.tree.map(lambda leaf: leaf, n).limit, type(twice) is C,
    ])(jax.tree.map(lambda leaf: 2 * leaf, n)))(C(m, s, limit)))(f())"""
    for limit in (0.75, None):
        answer = yield call(mean, std, limit, wrap=wrap)
        twice_mean, twice_std, kept, alike = unpack(answer, 4, "돌려준 값")
        close(twice_mean, 2 * mean, "두 배로 한 mean")
        close(twice_std, 2 * std, "두 배로 한 std")
        require(kept == limit, "다시 만든 객체의 limit이 다릅니다.")
        require(alike is True, "다시 만든 객체의 클래스가 다릅니다.")


JITTED = """lambda f: lambda a, b, c, d, x: (lambda C, seen: (lambda g: [
    [(g(n, x), n(x)) for n in (C(a, b, 0.5), C(c, d, 0.5), C(a, b, 0.25), C(a, b, None))],
    len(seen),
])(jax.jit(lambda n, v: (seen.append(1), n(v))[1])))(f(), [])"""


def jitted(draw):
    """limit이 둘, 배열이 둘인 객체 넷의 jit한 값과 그대로 부른 값, 트레이싱의 수."""
    mean, std, x = tree_inputs(draw)
    other, wider, _ = tree_inputs(draw)
    answer = yield call(mean, std, other, wider, x, wrap=JITTED)
    return unpack(answer, 2, "돌려준 값")


@tree_question.probe(1, "jit한 함수에 인자로 넘김")
def as_argument(draw):
    values, _ = yield from jitted(draw)
    for pair in unpack(values, 4, "jit한 결과"):
        got, own = unpack(pair, 2, "값")
        same(got, own, "jit한 결과")
    differ([own for _, own in values], "객체가 바뀌어도 값이 그대로입니다.")


@tree_question.probe(1, "배열의 값만 바뀌면 그대로이고, limit이 바뀌면 다시 트레이싱")
def structure_says_when(draw):
    _, count = yield from jitted(draw)
    require(count == 3, f"세 번이어야 하는데 {count}번 트레이싱했습니다.")


@tree_question.probe(1, "객체로 미분하면 기울기도 같은 클래스의 객체")
def tree_slope(draw):
    mean, std, x = tree_inputs(draw)
    wrap = """lambda f: lambda m, s, x, h: (lambda C: (lambda value: (lambda g: [
        g.mean.sum(), (value(C(m + h, s)) - value(C(m - h, s))) / (2 * h),
        g.std.sum(), (value(C(m, s + h)) - value(C(m, s - h))) / (2 * h), type(g) is C
    ])(jax.grad(value)(C(m, s))))(lambda n: n(x).sum()))(f())"""
    answer = yield call(mean, std, x, np.float32(0.01), wrap=wrap)
    by_mean, mean_moved, by_std, std_moved, alike = unpack(answer, 5, "돌려준 값")
    close(by_mean, mean_moved, "mean의 기울기", rtol=2e-2, atol=2e-2)
    close(by_std, std_moved, "std의 기울기", rtol=2e-2, atol=2e-2)
    require(by_mean != 0, "mean의 기울기가 0입니다.")
    require(alike is True, "기울기의 클래스가 다릅니다.")


# 문제 6 ------------------------------------------------------------------------------------
# 상자는 학생의 프로세스에서만 만들 수 있다. 값은 배열로 오간다.
NEW = "lambda state: {name: jax.new_ref(value) for name, value in state.items()}"
READ = "lambda refs: {name: ref[...] for name, ref in refs.items()}"


@ref_question.probe(1, "drop을 돌려줌", show=True)
def ref_drops(draw):
    wrap = f"lambda f: lambda state, price: f(({NEW})(state), price)"
    for state in (as_arrays(at_first()), market(draw)):
        for price in price_near(draw, float(state["peak"]) or 100.0):
            _, drop = right_drawdown(state, price)
            close((yield call(state, np.asarray(price), wrap=wrap)), drop, "drop", **LOOSE)


# 딕셔너리는 복사해서 넘긴다: 칸을 갈아 끼우면 상자에는 아무것도 남지 않는다
LOOP = f"""lambda f: lambda state, prices: (lambda refs: [
    jnp.stack([f(dict(refs), price) for price in prices]), ({READ})(refs)
])(({NEW})(state))"""
SCAN = f"""lambda f: lambda state, prices: (lambda refs: (
    jax.lax.scan(lambda carry, price: (carry, jax.jit(f)(refs, price)), 0, prices)[1],
    ({READ})(refs),
))(({NEW})(state))"""


def boxes_after(draw):
    """값 여섯을 지난 상자의 값과 맞는 값."""
    state = as_arrays(at_first())
    shares = (100.0, 70.0, 95.0, 130.0, 125.0, 110.0)
    prices = np.array([share + draw.uniform(0.0, 2.0) for share in shares], np.float32)
    _, boxes = unpack((yield call(state, prices, wrap=LOOP)), 2, "돌려준 값")
    return boxes, all_drawdowns(state, prices)[0]


@ref_question.probe(1, "peak 상자에 최고가를 씀")
def peak_box(draw):
    boxes, right = yield from boxes_after(draw)
    close(boxes["peak"], right["peak"], "peak", **LOOSE)


@ref_question.probe(1, "worst 상자에 가장 큰 낙폭을 씀")
def worst_box(draw):
    boxes, right = yield from boxes_after(draw)
    close(boxes["worst"], right["worst"], "worst", **LOOSE)


@ref_question.probe(1, "days 상자에 날수를 씀")
def days_box(draw):
    boxes, right = yield from boxes_after(draw)
    close(boxes["days"], right["days"], "days", dtype="int32")


@ref_question.probe(1, "상자를 새로 만들거나 딕셔너리의 칸을 바꾸지 않음")
def keeps_the_boxes(draw):
    wrap = f"""lambda f: lambda first, second, price: (lambda a, b: (lambda kept: [
        f(a, price), all(a[name] is kept[name] for name in kept), len(a) == len(kept),
        ({READ})(a), ({READ})(b),
    ])(dict(a)))(({NEW})(first), ({NEW})(second))"""
    first, second = market(draw), market(draw)
    price = np.asarray(np.float32(float(first["peak"]) * draw.uniform(1.1, 1.4)))
    answer = yield call(first, second, price, wrap=wrap)
    _, alike, size, written, other = unpack(answer, 5, "돌려준 값")
    require(alike is True and size is True, "딕셔너리의 칸이 다른 것으로 바뀌었습니다.")
    same(other, second, "넘기지 않은 상자")
    differ([written, first], "상자가 그대로입니다.")


@ref_question.probe(1, "jax.jit 안에서, jax.lax.scan의 본문에서 실행됨")
def ref_program(draw):
    calls = [(state, swinging(draw, state)) for state in (market(draw), market(draw))]
    for (state, prices), value in zip(calls, (yield program(*calls, wrap=SCAN)).values):
        own = yield call(state, prices, wrap=LOOP)
        same(value, own, "scan 안의 값")
        differ([unpack(own, 2, "돌려준 값")[1], state], "상자가 그대로입니다.")


# 문제 7 ------------------------------------------------------------------------------------
# PyTorch 2.13.0과 JAX 0.7.2, 0.10.2, 0.12.0에서 식을 실행해 얻은 값
DTYPES = (
    ("int64", "int32"), ("float32", "float32"), ("uint8", "uint8"), ("int64", "int32"),
    ("float16", "float16"), ("bfloat16", "float32"), ("bfloat16", "float32"),
    ("int16", "int16"), ("int64", "int32"), ("float64", "float32"),
)  # fmt: skip


def check_dtypes(answer, numbers):
    pairs = unpack(answer, 10, "돌려준 값")
    for number in numbers:
        pair = unpack(pairs[number - 1], 2, f"{number}번")
        for library, got, want in zip(("PyTorch", "JAX"), pair, DTYPES[number - 1]):
            if not isinstance(got, str):
                raise Wrong(f"{number}번의 {library} 쪽이 글자가 아닙니다.")
            require(got == want, f"{number}번의 {library} 쪽이 다릅니다.")


@dtype_question.probe(2, "기본 폭이 다른 식(1, 4, 9, 10번)")
def default_widths(draw):
    check_dtypes((yield call()), (1, 4, 9, 10))


@dtype_question.probe(1, "파이썬 수와 만나는 식(2, 3번)")
def python_numbers(draw):
    check_dtypes((yield call()), (2, 3))


@dtype_question.probe(2, "dtype이 적힌 스칼라와 만나는 식(6, 7번)")
def strong_scalars(draw):
    check_dtypes((yield call()), (6, 7))


@dtype_question.probe(1, "종류가 다른 dtype이 만나는 식(5, 8번)")
def mixed_kinds(draw):
    check_dtypes((yield call()), (5, 8))
