"""01장 "불변 배열과 함수형"의 문제와 검사.

검사는 채점자의 프로세스에서 돌고, call·program에 넣은 입력만 학생의 프로세스로 갑니다.
맞는 답은 NumPy로 다시 계산합니다.
"""

import numpy as np

from coursekit.grading.probes import Exercise, Wrong, call, close, program, require, traces, unpack

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


@lines_question.probe(2, "jit에서 도는 한 프로그램", needs=[plain_lines])
def lines_program(draw):
    calls = [line_inputs(draw, 5, 7) for _ in range(3)]
    ran = yield program(*calls)
    for inputs, value in zip(calls, ran.values):
        check_lines(value, inputs, range(1, 13))


# 문제 2 ------------------------------------------------------------------------------------
def right_push(state, x):
    buffer, count = np.array(state[0]), int(state[1])
    buffer[count % len(buffer)] = x
    return (buffer, count + 1), np.roll(buffer, -((count + 1) % len(buffer)))


def ring_state(draw, size, count):
    buffer = draw.normal(size)
    buffer[count:] = 0.0
    return buffer, np.array(count, np.int32)


def check_push(answer, state, x, dtype="int32"):
    (buffer, count), window = right_push(state, x)
    new_state, got = unpack(answer, 2, "돌려준 값")
    new_buffer, new_count = unpack(new_state, 2, "새 state")
    close(got, window, "창", **LOOSE)
    close(new_buffer, buffer, "새 buffer", **LOOSE)
    close(new_count, count, "새 count", dtype=dtype)


@ring_question.probe(1, "빈 버퍼에 하나 넣기", show=True)
def first_push(draw):
    state, x = (np.zeros(4, np.float32), np.array(0, np.int32)), draw.normal()
    check_push((yield call(state, x)), state, x, dtype=None)


@ring_question.probe(1, "한 바퀴를 돈 뒤에도 덮어쓰고 차례를 지킴", needs=[first_push])
def wraps_around(draw):
    for count in (2, 3, 4, 5, 7, 8, 9, 1000):
        state, x = ring_state(draw, 4, count), draw.normal()
        check_push((yield call(state, x)), state, x, dtype=None)


@ring_question.probe(1, "버퍼의 길이가 달라도 됨", needs=[first_push])
def other_sizes(draw):
    for size, count in ((1, 0), (1, 3), (3, 4), (7, 13)):
        state, x = ring_state(draw, size, count), draw.normal()
        check_push((yield call(state, x)), state, x, dtype=None)


@ring_question.probe(2, "jit에서 한 번 트레이싱한 프로그램으로 모든 상태를 처리", needs=[first_push])
def ring_program(draw):
    calls = [(ring_state(draw, 5, n), draw.normal()) for n in (0, 3, 4, 5, 6, 11, 12_345)]
    ran = yield program(*calls)
    for (state, x), value in zip(calls, ran.values):
        check_push(value, state, x)
    count = yield traces(*calls, feed_back=True)
    require(count == 1, f"{len(calls)}번 넣는 동안 {count}번 트레이싱했습니다.")


@ring_question.probe(1, "jax.lax.scan의 본문", needs=[first_push])
def ring_scan(draw):
    state, xs = ring_state(draw, 3, 2), draw.normal(8)
    ran = yield program((state, xs), wrap="lambda f: lambda s, xs: jax.lax.scan(f, s, xs)")
    (buffer, count), windows = unpack(ran.values[0], 2, "scan한 결과")
    for i, x in enumerate(xs):
        state, window = right_push(state, x)
        close(windows[i], window, f"{i + 1}번째 창", **LOOSE)
    close(buffer, state[0], "마지막 buffer", **LOOSE)
    close(count, state[1], "마지막 count", dtype="int32")


# 문제 3 ------------------------------------------------------------------------------------
def right_histogram(bins, weights, size):
    inside = (bins >= 0) & (bins < size)
    out = np.zeros(size)
    np.add.at(out, bins[inside], weights[inside])
    return out.astype(np.float32)


def histogram_inputs(draw, low, high, length=24):
    bins = draw.generator.integers(low, high, length, endpoint=True).astype(np.int32)
    return bins, draw.normal(length)


@histogram_question.probe(1, "겹친 번호의 무게를 모두 더함", show=True)
def duplicates(draw):
    bins, weights = histogram_inputs(draw, 0, 5)
    close((yield call(bins, weights, 6)), right_histogram(bins, weights, 6), "결과", **LOOSE)


@histogram_question.probe(1, "size보다 크거나 같은 번호를 무시", needs=[duplicates])
def too_large(draw):
    bins, weights = histogram_inputs(draw, 0, 9)
    bins[:3] = (6, 7, 100_000)
    close((yield call(bins, weights, 6)), right_histogram(bins, weights, 6), "결과", **LOOSE)


@histogram_question.probe(2, "음수 번호를 무시", needs=[duplicates])
def negative(draw):
    bins, weights = histogram_inputs(draw, -9, 9)
    bins[:4] = (-1, -6, -7, -100_000)
    close((yield call(bins, weights, 6)), right_histogram(bins, weights, 6), "결과", **LOOSE)


@histogram_question.probe(1, "jit에서 도는 한 프로그램", needs=[duplicates])
def histogram_program(draw):
    calls = [(*histogram_inputs(draw, 0, 8, 16), 8) for _ in range(3)]
    calls += [(*histogram_inputs(draw, -12, 12, 16), 8)]
    ran = yield program(*calls)
    for inputs, value in zip(calls, ran.values):
        close(value, right_histogram(*inputs), "결과", **LOOSE)


@histogram_question.probe(1, "무게로 미분할 수 있음", needs=[duplicates])
def histogram_slope(draw):
    bins, weights = histogram_inputs(draw, -4, 9)
    ran = yield program(
        (bins, weights),
        wrap="lambda f: lambda b, w: jax.grad(lambda w: (f(b, w, 6) ** 2).sum())(w)",
    )
    sums, inside = right_histogram(bins, weights, 6), (bins >= 0) & (bins < 6)
    right = np.where(inside, 2 * sums[np.clip(bins, 0, 5)], 0.0)
    close(ran.values[0], right, "무게의 기울기", rtol=1e-4, atol=1e-4)


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


@drawdown_question.probe(1, "낙폭과 최고가", show=True)
def drops(draw):
    for state in (as_arrays(at_first()), market(draw)):
        for price in price_near(draw, max(float(state["peak"]), 100.0)):
            right, drop = right_drawdown(state, price)
            new, got = unpack((yield call(state, np.asarray(price))), 2, "돌려준 값")
            close(got, drop, "drop", dtype=None, **LOOSE)
            require(isinstance(new, dict) and "peak" in new, "새 state에 peak가 없습니다.")
            close(new["peak"], right["peak"], "peak", dtype=None, **LOOSE)


@drawdown_question.probe(1, "가장 큰 낙폭과 날수", needs=[drops])
def worst_and_days(draw):
    state = as_arrays(at_first())
    for share in (1.0, 0.7, 0.9, 1.3, 1.2, 0.5):
        price = np.asarray(np.float32(100.0 * share + draw.uniform(0.0, 2.0)))
        right, _ = right_drawdown(state, price)
        new, _ = unpack((yield call(state, price)), 2, "돌려준 값")
        check_state(new, right, dtypes=False)
        state = {name: np.asarray(right[name], state[name].dtype) for name in NAMES}


@drawdown_question.probe(1, "들어온 딕셔너리를 고치지 않음", needs=[drops])
def keeps_the_old_state(draw):
    wrap = "lambda f: lambda state, price: (f(state, price), dict(state))"
    for ratio in (0.6, 1.4):
        state = market(draw)
        price = np.asarray(np.float32(float(state["peak"]) * ratio))
        answer = yield call(state, price, wrap=wrap)
        (new, _), kept = unpack(answer, 2, "돌려준 값")
        check_state(kept, state)
        require(new["days"] != kept["days"], "새 state가 들어온 것과 같습니다.")


@drawdown_question.probe(2, "jit에서 한 번 트레이싱한 프로그램으로 모든 상태를 처리", needs=[drops])
def drawdown_program(draw):
    calls = [(as_arrays(at_first()), draw.normal(mean=90.0))]
    for ratio in (0.4, 0.9, 1.0, 1.2):
        state = market(draw)
        calls.append((state, np.asarray(np.float32(float(state["peak"]) * ratio))))
    ran = yield program(*calls)
    for (state, price), value in zip(calls, ran.values):
        right, drop = right_drawdown(state, price)
        new, got = unpack(value, 2, "돌려준 값")
        check_state(new, right)
        close(got, drop, "drop", **LOOSE)
    count = yield traces(*calls, feed_back=True)
    require(count == 1, f"{len(calls)}걸음에 {count}번 트레이싱했습니다.")


@drawdown_question.probe(1, "scan의 본문, 여러 종목에 대한 vmap", needs=[drops])
def drawdown_transformed(draw):
    state = market(draw)
    prices = swinging(draw, state)
    ran = yield program((state, prices), wrap="lambda f: lambda s, p: jax.lax.scan(f, s, p)")
    last, got = unpack(ran.values[0], 2, "scan한 결과")
    state, rights = all_drawdowns(state, prices)
    close(got, rights, "drop들", **LOOSE)
    check_state(last, state)
    many = [market(draw) for _ in range(3)]
    stacked = {name: np.stack([state[name] for state in many]) for name in NAMES}
    prices = np.array([float(s["peak"]) * r for s, r in zip(many, (0.5, 1.0, 1.5))], np.float32)
    ran = yield program((stacked, prices), wrap="jax.vmap")
    new, _ = unpack(ran.values[0], 2, "vmap한 결과")
    rights = [right_drawdown(state, price)[0] for state, price in zip(many, prices)]
    check_state(new, {name: np.array([right[name] for right in rights]) for name in NAMES})


# 문제 5 ------------------------------------------------------------------------------------
def tree_inputs(draw):
    """x lies above, below and within every limit that the probes ask for."""
    mean, std = draw.normal(3), np.abs(draw.normal(3)) + np.float32(0.5)
    far = np.array([draw.uniform(2.0, 9.0), -draw.uniform(2.0, 9.0), draw.uniform(0.05, 0.2)])
    return mean, std, (mean + std * draw.generator.permutation(far)).astype(np.float32)


def normalized(mean, std, x, limit):
    y = (x - mean) / std
    return y if limit is None else np.clip(y, -limit, limit)


@tree_question.probe(1, "표준화하고 자름", show=True)
def normalizes(draw):
    mean, std, x = tree_inputs(draw)
    limit = draw.uniform(0.3, 1.0)
    wrap = """lambda f: lambda m, s, x, limit: (
        lambda C: [C(m, s, limit)(x), C(m, s, None)(x), C(m, s)(x)]
    )(f())"""
    answer = yield call(mean, std, x, limit, wrap=wrap)
    for got, bound in zip(unpack(answer, 3, "돌려준 값"), (limit, None, None), strict=True):
        close(got, normalized(mean, std, x, bound), f"limit={bound}", **LOOSE)


@tree_question.probe(1, "잎은 mean, std 둘이고 속성으로도 읽음", needs=[normalizes])
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


@tree_question.probe(1, "폈다가 다시 만들어도 같은 클래스, 같은 limit", needs=[normalizes])
def round_trip(draw):
    mean, std, x = tree_inputs(draw)
    wrap = """lambda f: lambda m, s, x, limit: (lambda C: (lambda n: [
        jax.tree.map(lambda leaf: 2 * leaf, n)(x), jax.tree.map(lambda leaf: leaf, n).limit,
        type(jax.tree.map(lambda leaf: leaf, n)) is C,
    ])(C(m, s, limit)))(f())"""
    for limit in (0.75, None):
        answer = yield call(mean, std, x, limit, wrap=wrap)
        value, kept, same = unpack(answer, 3, "돌려준 값")
        close(value, normalized(2 * mean, 2 * std, x, limit), "잎을 두 배로 한 값", **LOOSE)
        require(kept == limit, "다시 만든 객체의 limit이 다릅니다.")
        require(same is True, "다시 만든 객체의 클래스가 다릅니다.")


@tree_question.probe(2, "배열이 바뀌면 그대로, limit이 바뀌면 다시 트레이싱", needs=[normalizes])
def structure_says_when(draw):
    mean, std, x = tree_inputs(draw)
    other, wider, _ = tree_inputs(draw)
    wrap = """lambda f: lambda a, b, c, d, x: (lambda C, seen: (lambda g: [
        [g(C(a, b, 0.5), x), g(C(c, d, 0.5), x), g(C(a, b, 0.25), x), g(C(a, b, None), x)],
        len(seen),
    ])(jax.jit(lambda n, v: (seen.append(1), n(v))[1])))(f(), [])"""
    answer = yield call(mean, std, other, wider, x, wrap=wrap)
    values, count = unpack(answer, 2, "돌려준 값")
    rights = ((mean, std, 0.5), (other, wider, 0.5), (mean, std, 0.25), (mean, std, None))
    for got, (m, s, limit) in zip(unpack(values, 4, "jit한 결과"), rights):
        close(got, normalized(m, s, x, limit), f"jit한 결과(limit={limit})", **LOOSE)
    require(count == 3, f"세 번이어야 하는데 {count}번 트레이싱했습니다.")


@tree_question.probe(1, "객체로 미분하면 같은 클래스의 기울기", needs=[normalizes])
def tree_slope(draw):
    mean, std, x = tree_inputs(draw)
    wrap = """lambda f: lambda m, s, x: (lambda C: (lambda g: [
        g.mean, g.std, type(g) is C
    ])(jax.grad(lambda n: n(x).sum())(C(m, s, None))))(f())"""
    answer = yield call(mean, std, x, wrap=wrap)
    by_mean, by_std, same = unpack(answer, 3, "돌려준 값")
    close(by_mean, -1 / std, "mean의 기울기", rtol=1e-4, atol=1e-4)
    close(by_std, -(x - mean) / std**2, "std의 기울기", rtol=1e-4, atol=1e-4)
    require(same is True, "기울기의 클래스가 다릅니다.")


# 문제 6 ------------------------------------------------------------------------------------
# 상자는 학생의 프로세스에서만 만들 수 있다. 값은 배열로 오간다.
NEW = "lambda state: {name: jax.new_ref(value) for name, value in state.items()}"
READ = "lambda refs: {name: ref[...] for name, ref in refs.items()}"


@ref_question.probe(1, "drop을 돌려줌", show=True)
def ref_drops(draw):
    wrap = f"lambda f: lambda state, price: f(({NEW})(state), price)"
    for state in (as_arrays(at_first()), market(draw)):
        for price in price_near(draw, max(float(state["peak"]), 100.0)):
            _, drop = right_drawdown(state, price)
            close((yield call(state, np.asarray(price), wrap=wrap)), drop, "drop", **LOOSE)


@ref_question.probe(2, "세 상자를 고침", needs=[ref_drops])
def writes_refs(draw):
    # 딕셔너리는 복사해서 넘긴다: 칸을 갈아 끼우면 상자에는 아무것도 남지 않는다
    wrap = f"""lambda f: lambda state, prices: (lambda refs: [
        [f(dict(refs), price) for price in prices], ({READ})(refs)
    ])(({NEW})(state))"""
    state = as_arrays(at_first())
    shares = (100.0, 70.0, 95.0, 130.0, 125.0, 60.0)
    prices = [np.asarray(np.float32(share + draw.uniform(0.0, 2.0))) for share in shares]
    answer = yield call(state, prices, wrap=wrap)
    got, boxes = unpack(answer, 2, "돌려준 값")
    for i, price in enumerate(prices):
        state, drop = right_drawdown(state, price)
        close(got[i], drop, f"{i + 1}번째 drop", **LOOSE)
    check_state(boxes, state)


@ref_question.probe(1, "딕셔너리의 칸과 다른 상자를 건드리지 않음", needs=[ref_drops])
def keeps_the_boxes(draw):
    wrap = f"""lambda f: lambda first, second, price: (lambda a, b: (lambda kept: [
        f(a, price), all(a[name] is kept[name] for name in kept), len(a) == len(kept),
        ({READ})(b), f(b, price),
    ])(dict(a)))(({NEW})(first), ({NEW})(second))"""
    first, second = market(draw), market(draw)
    price = np.asarray(np.float32(draw.uniform(30.0, 200.0)))
    answer = yield call(first, second, price, wrap=wrap)
    drop, same, size, other, later = unpack(answer, 5, "돌려준 값")
    close(drop, right_drawdown(first, price)[1], "drop", **LOOSE)
    require(same is True and size is True, "딕셔너리의 칸이 다른 것으로 바뀌었습니다.")
    check_state(other, second)
    close(later, right_drawdown(second, price)[1], "다른 상자로 다시 부른 drop", **LOOSE)


@ref_question.probe(2, "jit과 scan 안에서 도는 한 프로그램", needs=[ref_drops])
def ref_program(draw):
    wrap = f"""lambda f: lambda state, prices: (lambda refs: (
        jax.lax.scan(lambda carry, price: (carry, jax.jit(f)(refs, price)), 0, prices)[1],
        ({READ})(refs),
    ))(({NEW})(state))"""
    calls = [(state, swinging(draw, state)) for state in (market(draw), market(draw))]
    ran = yield program(*calls, wrap=wrap)
    for (state, prices), value in zip(calls, ran.values):
        got, boxes = unpack(value, 2, "돌려준 값")
        state, rights = all_drawdowns(state, prices)
        close(got, rights, "drop들", **LOOSE)
        check_state(boxes, state)


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
