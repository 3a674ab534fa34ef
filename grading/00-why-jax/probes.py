"""00장 "왜 JAX인가"의 문제와 검사.

검사는 채점자의 프로세스에서 돌고, call에 넣은 입력만 학생의 프로세스로 갑니다.
시간을 재는 문제는 진짜 계산 대신 정해진 만큼 쉬는 가짜 함수를 줍니다. 한계는 붐비는
기계에서도 지나갈 만큼 넉넉하고, 틀린 답은 그 몇 배만큼 벗어납니다.
"""

import numpy as np

from coursekit.grading.probes import (
    Exercise,
    call,
    close,
    describe,
    differ,
    helper,
    program,
    require,
    tree_close,
    unpack,
)

exercise = Exercise("00-why-jax", "왜 JAX인가")
pure_question = exercise.function("문제 1", "pure_functions", "순수한 함수 고르기")
clock_question = exercise.function("문제 2", "fastest_ms", "정직한 시계")
gradient_question = exercise.function("문제 3", "per_example_gradients", "예제마다의 기울기")
fusion_question = exercise.function("문제 4", "count_fusions", "HLO에서 융합 세기")
claim_question = exercise.function("문제 5", "judgements", "참, 거짓, 지난 말")
device_question = exercise.function("문제 6", "shard_batch", "한 줄로 여덟 장치")


# 문제 1 ------------------------------------------------------------------------------------
FUNCTIONS = {"shifted": True, "logged": False, "scaled": False, "noisy": False, "summed": True}


def marks_of(answer):
    require(isinstance(answer, (list, tuple)), f"이름의 리스트가 아니라 {describe(answer)}입니다.")
    unknown = [name for name in answer if name not in FUNCTIONS]
    require(not unknown, f"다섯 함수에 없는 이름이 있습니다: {describe(unknown)}")
    require(len(set(answer)) == len(answer), "같은 이름이 두 번 있습니다.")
    return sum((name in answer) == pure for name, pure in FUNCTIONS.items())


@pure_question.probe(1, "다섯 함수 가운데 넷 이상을 가림", show=True)
def most_functions(draw):
    right = marks_of((yield call()))
    require(right >= 4, f"다섯 함수 가운데 {right}개를 가렸습니다.")


@pure_question.probe(1, "다섯 함수를 모두 가림", needs=[most_functions])
def all_functions(draw):
    require(marks_of((yield call())) == 5, "다섯 함수를 모두 가리지 못했습니다.")


# 문제 2 ------------------------------------------------------------------------------------
# 첫 호출은 first초 쉬고, 결과는 기다릴 때 slow초 쉰다. 세 번에 한 번은 quick초만 쉰다.
# 잰 값과, 부른 횟수와, 기다린 횟수를 돌려준다
FAKE = """lambda f: lambda first, slow, quick, repeats: (lambda calls, waited, time: [f(
    lambda x: (calls.append(x), time.sleep(first if len(calls) == 1 else 0), BOX)[-1],
    1.0, repeats,
), len(calls), len(waited)])([], [], __import__('time'))"""
RESULT = """(lambda pause: type('Result', (), {
    'block_until_ready': lambda self: (waited.append(pause), time.sleep(pause), self)[-1]
})())(quick if len(calls) % 3 == 0 else slow)"""
ONE = FAKE.replace("BOX", RESULT)
MANY = FAKE.replace("BOX", "{'loss': (" + RESULT + ",)}")


def clocked(first, slow, quick, repeats, wrap=ONE):
    """잰 값. ms가 아니라 초로 적었어도 0.9배의 초보다는 크다."""
    took, calls, waited = unpack((yield call(first, slow, quick, repeats, wrap=wrap)), 3, "결과")
    close(took, took, "잰 시간", dtype=None)
    require(took > 0.9 * min(slow, quick), f"{took:.3g}(으)로 재었습니다. 기다리지 않았습니다.")
    return float(took), calls, waited


@clock_question.probe(1, "계산이 끝날 때까지 기다려 ms로 잼", show=True)
def waits(draw):
    pause = draw.uniform(0.20, 0.25)
    took, *_ = yield from clocked(0.0, pause, pause, 2)
    require(took > 900 * pause, f"{1000 * pause:.0f} ms 걸리는 계산을 {took:.3g} ms로 재었습니다.")
    require(took < 1000 * pause + 150, f"{1000 * pause:.0f} ms를 {took:.4g} ms로 재었습니다.")


@clock_question.probe(1, "컴파일이 든 첫 호출을 재지 않고, 데울 때도 기다림")
def leaves_out_compilation(draw):
    pause = draw.uniform(0.2, 0.25)
    plain, *_ = yield from clocked(0.0, pause, pause, 1)
    took, calls, waited = yield from clocked(2.0, pause, pause, 1)
    require(took < 4 * plain, f"첫 호출이 느리면 {plain:.4g}이 {took:.4g}이 됩니다.")
    require(calls >= 2, "첫 호출을 재었습니다.")
    require(waited >= calls, "데울 때 기다리지 않았습니다.")


@clock_question.probe(1, "repeats번 가운데 가장 빠른 시간을 파이썬 실수로 돌려줌")
def takes_the_fastest(draw):
    quick = draw.uniform(0.02, 0.03)
    slow, *_ = yield from clocked(0.0, 0.4, 0.4, 3)
    took, *_ = yield from clocked(0.0, 0.4, quick, 3)
    require(took < 0.45 * slow, f"하나만 빠른데 {slow:.4g}이 {took:.4g}이 되었습니다.")
    answer = unpack((yield call(0.0, quick, quick, 1, wrap=ONE)), 3, "결과")[0]
    require(type(answer) is float, f"파이썬 실수가 아니라 {describe(answer)}입니다.")


@clock_question.probe(1, "반환값이 튜플이나 딕셔너리여도 기다림")
def waits_for_trees(draw):
    pause = draw.uniform(0.1, 0.15)
    one, *_ = yield from clocked(0.0, 2 * pause, 2 * pause, 2)
    took, *_ = yield from clocked(0.0, pause, pause, 2, MANY)
    require(0.3 * one < took < 0.9 * one, f"배열은 {one:.4g}, 튜플은 {took:.4g}(으)로 재었습니다.")
    real = "lambda f: lambda x: f(jax.jit(lambda a: {'y': (jnp.tanh(a @ a), a + 1)}), x, 2)"
    took = yield call(draw.normal(8, 8), wrap=real)
    close(took, took, "잰 시간", dtype=None)
    require(0 < took < 5000, f"jit한 작은 함수를 {took:.4g} ms로 재었습니다.")


# 문제 3 ------------------------------------------------------------------------------------
LOSS = "lambda w, x, y: (jnp.tanh(jnp.sum(w * x)) - y) ** 2"
LOOSE = {"rtol": 1e-4, "atol": 1e-5}


def gradients_of(w, x, y):
    """예제마다의 w 기울기."""
    inner = np.tanh(x.astype(np.float64) @ w)
    return (2 * (inner - y) * (1 - inner**2))[:, None] * x


@gradient_question.probe(1, "예제마다의 기울기", show=True)
def per_example(draw):
    w, x, y = draw.normal(4, scale=0.5), draw.normal(6, 4, scale=0.5), draw.normal(6)
    answer = yield call(w, x, y, wrap=f"lambda f: lambda w, x, y: f({LOSS})(w, x, y)")
    close(answer, gradients_of(w, x, y), "기울기", **LOOSE)


@gradient_question.probe(1, "w가 딕셔너리여도 같은 구조이고, 잎마다 맨 앞에 배치 축이 붙음")
def trees(draw):
    w, x, y = draw.normal(3, 2, scale=0.5), draw.normal(5, 3, 2, scale=0.5), draw.normal(5)
    bias = draw.normal()
    loss = "lambda p, x, y: (jnp.sum(p['w'] * x) + p['b'][0] - y) ** 2"
    wrap = f"lambda f: lambda w, b, x, y: f({loss})({{'w': w, 'b': [b]}}, x, y)"
    answer = yield call(w, bias, x, y, wrap=wrap)
    require(isinstance(answer, dict) and set(answer) == {"w", "b"}, "w와 같은 구조가 아닙니다.")
    slope = 2 * ((w * x).sum(axis=(1, 2), dtype=np.float64) + bias - y)
    close(answer["w"], slope[:, None, None] * x, "w의 기울기", **LOOSE)
    close(unpack(answer["b"], 1, "b의 기울기")[0], slope, "b의 기울기", **LOOSE)


@gradient_question.probe(1, "배치가 커져도 프로그램이 커지지 않음")
def one_batch(draw):
    sizes = []
    for batch in (3, 30):
        inputs = draw.normal(4), draw.normal(batch, 4), draw.normal(batch)
        asked = program(inputs, wrap=f"lambda f: f({LOSS})", run=False)
        sizes.append((yield asked).operations)
    require(3 < sizes[0] and sizes[1] < 1.2 * sizes[0], "배치가 커지면 프로그램도 커집니다.")


@gradient_question.probe(2, "컴파일되어, 여러 번 불러도 loss의 파이썬 코드는 한 번만 실행됨")
def compiled_once(draw):
    counting = f"lambda w, x, y: (runs.append(0), ({LOSS})(w, x, y))[1]"
    wrap = f"""lambda f: lambda w, x, y: (lambda runs: (lambda g: (
        g(w, x, y), g(w, -x, y), g(2 * w, x, y), len(runs)
    ))(f({counting})))([])"""
    w, x, y = draw.normal(4, scale=0.5), draw.normal(9, 4, scale=0.5), draw.normal(9)
    *answers, runs = unpack((yield call(w, x, y, wrap=wrap)), 4, "세 번 부른 결과")
    differ(answers, "입력이 바뀌어도 값이 그대로입니다.")
    require(runs == 1, f"세 번 부르는 동안 loss가 {runs}번 돌았습니다.")


# 문제 4 ------------------------------------------------------------------------------------
CHAIN = "lambda x: jnp.exp(jnp.sin(x) * 1.5 + 0.5) - x"
SEVERAL = (
    "lambda x: x",
    "lambda x: jax.nn.softmax(x)",
    "lambda x: jnp.tanh(x - x.mean())",
    "lambda x: jnp.tanh(jnp.sin(x) @ x + 1)",
    "lambda x: (jnp.sin(x), jnp.sort(jnp.cos(x)) * 2)",
    "lambda x: __import__('functools').reduce(lambda a, _: jnp.tanh(a @ x), range(40), x)",
)
LOOP = "lambda x: jax.lax.fori_loop(0, 5, lambda i, x: jnp.sin(x) * x + 1, x)"


def count_of(answer):
    require(type(answer) is int, f"파이썬 정수가 아니라 {describe(answer)}입니다.")
    return answer


@fusion_question.probe(1, "이어진 원소별 연산", show=True)
def one_chain(draw):
    x = draw.normal(draw.integer(8, 12), 16)
    count = count_of((yield call(x, wrap=f"lambda f: lambda x: f({CHAIN}, x)")))
    right = yield helper("fusions", CHAIN, x)
    require(count == right, f"융합 {right}개를 {count}개로 세었습니다.")


@fusion_question.probe(1, "함수의 인자가 여럿일 때")
def two_arguments(draw):
    x = draw.normal(8, draw.integer(8, 12))
    both = "lambda f: lambda x, y: f(lambda x, y: jnp.tanh(x * y + 1), x, y)"
    require(count_of((yield call(x, x, wrap=both))) == 1, "인자가 둘인 함수에서 틀립니다.")
    none = "lambda f: lambda x, y: f(lambda x, y: y, x, y)"
    require(count_of((yield call(x, x, wrap=none))) == 0, "융합이 없는 함수에서 틀립니다.")


@fusion_question.probe(1, "융합이 없거나 여럿인 프로그램")
def several(draw):
    x = draw.normal(16, 16)
    for expression in SEVERAL:
        count = count_of((yield call(x, wrap=f"lambda f: lambda x: f({expression}, x)")))
        right = yield helper("fusions", expression, x)
        require(count == right, f"{expression}: 융합 {right}개를 {count}개로 세었습니다.")


@fusion_question.probe(1, "ENTRY 계산의 명령만 셈", needs=[one_chain])
def entry_only(draw):
    x = draw.normal(16, 16)
    count = count_of((yield call(x, wrap=f"lambda f: lambda x: f({LOOP}, x)")))
    right = yield helper("fusions", LOOP, x)
    require(count == right, f"반복문에서 융합 {right}개를 {count}개로 세었습니다.")


# 문제 5 ------------------------------------------------------------------------------------
VERDICTS = {
    1: "참", 2: "거짓", 3: "거짓", 4: "지난 말", 5: "지난 말",
    6: "거짓", 7: "지난 말", 8: "참", 9: "거짓", 10: "참",
}  # fmt: skip
PAIRS = "lambda f: lambda: [[number, said] for number, said in f().items()]"


def right_claims(answer):
    """맞은 문장의 수. 번호나 판정이 다른 것은 틀린 것으로 친다."""
    require(isinstance(answer, list), f"딕셔너리가 아니라 {describe(answer)}입니다.")
    said = dict(tuple(pair) for pair in answer)
    return sum(said.get(number) == right for number, right in VERDICTS.items())


@claim_question.probe(1, "여섯 문장 이상", show=True)
def six_claims(draw):
    right = right_claims((yield call(wrap=PAIRS)))
    require(right >= 6, f"열 문장 가운데 {right}개가 맞았습니다.")


@claim_question.probe(1, "여덟 문장 이상", needs=[six_claims])
def eight_claims(draw):
    require(right_claims((yield call(wrap=PAIRS))) >= 8, "여덟 문장에 이르지 못했습니다.")


@claim_question.probe(1, "열 문장 모두", needs=[six_claims])
def ten_claims(draw):
    require(right_claims((yield call(wrap=PAIRS))) == 10, "열 문장을 모두 가리지 못했습니다.")


# 문제 6 ------------------------------------------------------------------------------------
BATCH = "f({'x': x, 'more': [y, z]}, jax.devices('cpu')[:n])"
VALUES = f"lambda f: lambda x, y, z, n: {BATCH}"
# 잎마다: 놓인 장치의 수, 조각들의 shape
PLACES = f"""lambda f: lambda x, y, z, n: [
    (len(leaf.devices()), [list(s.data.shape) for s in leaf.addressable_shards])
    for leaf in (lambda b: (b['x'], b['more'][0], b['more'][1]))({BATCH})
]"""
# 배치에 먼저 놓고, 그 자리에 맞추어 컴파일한다
LOSS_OF = "lambda w, b: jnp.mean((jnp.tanh(b['x'] @ w) - b['y']) ** 2)"
STEP = f"""lambda f: lambda w, x, y: (lambda step, b: (lambda g: (
    g, len(g.devices()), step.lower(w, b).compile().as_text().count(' all-reduce(')
))(step(w, b)))(jax.jit(jax.grad({LOSS_OF})), f({{'x': x, 'y': y}}, jax.devices('cpu')))"""


def batch_of(draw, size):
    return draw.normal(size, 3), draw.normal(size), draw.normal(size, 2, 4)


@device_question.probe(1, "값과 구조는 그대로", show=True)
def same_values(draw):
    x, y, z = batch_of(draw, 16)
    answer = yield call(x, y, z, 8, wrap=VALUES)
    tree_close(answer, {"x": x, "more": [y, z]}, "나눈 배치", rtol=0, atol=0)


@device_question.probe(1, "모든 잎을 첫 축으로만 나누어 장치마다 같은 개수를 놓음")
def first_axis(draw):
    # 다른 축의 길이도 8의 배수여서, 엉뚱한 축을 나눌 수도 있다
    sizes = draw.normal(16, 8), draw.normal(24), draw.normal(8, 16, 8)
    places = unpack((yield call(*sizes, 8, wrap=PLACES)), 3, "잎")
    for (_, shapes), leaf in zip(places, sizes):
        right = [[len(leaf) // 8, *leaf.shape[1:]]] * 8
        require(shapes == right, f"조각이 {right[0]} 8개여야 하는데 {shapes}입니다.")


@device_question.probe(1, "장치가 둘이나 넷이면 그 장치들에 놓음")
def fewer_devices(draw):
    leaves = batch_of(draw, 8)
    for count in (2, 4):
        places = unpack((yield call(*leaves, count, wrap=PLACES)), 3, "잎")
        for used, _ in places:
            require(used == count, f"장치 {count}개가 아니라 {used}개를 썼습니다.")


def step_of(draw):
    w, x, y = draw.normal(3, scale=0.5), draw.normal(16, 3), draw.normal(16)
    answer, used, count = unpack((yield call(w, x, y, wrap=STEP)), 3, "기울기와 장치와 통신")
    inner = np.tanh(x.astype(np.float64) @ w)
    right = ((2 * (inner - y) * (1 - inner**2))[:, None] * x).mean(axis=0)
    return answer, right, used, count


@device_question.probe(1, "학습 스텝이 여덟 장치에서 실행되고 기울기는 그대로")
def training_step(draw):
    answer, right, used, _ = yield from step_of(draw)
    close(answer, right, "기울기", **LOOSE)
    require(used == 8, f"장치 8개가 아니라 {used}개에서 실행했습니다.")


@device_question.probe(1, "학습 스텝에 컴파일러가 통신을 넣음")
def training_exchange(draw):
    *_, count = yield from step_of(draw)
    require(count >= 1, "컴파일된 프로그램에 all-reduce가 없습니다.")
