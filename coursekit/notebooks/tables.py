"""The mapping tables of chapter 07: read, run and turn into pages.

`write`, which each build calls, makes ``reference/mapping-tables.md`` and
``reference/numeric-defaults.md``.  ``python -m coursekit.notebooks.tables run FILE.csv …`` runs
every row and prints a JSON list of verdicts per file as its last line, for the tests.

The code of a row is the code that the page shows.  Its value is that of its last expression.
``check`` is ``equal`` or an expression over ``a`` (PyTorch), ``b`` (JAX) and, for numeric
defaults, ``c`` (JAX after the fix).
"""

from __future__ import annotations

import ast
import csv
import json
import os
import sys
import tempfile
from pathlib import Path

from coursekit.files import write_whole
from coursekit.project import here

ROOT = here().root
FOLDER = here().source / "data"
GROUPS = ("텐서", "인덱싱", "자동 미분", "신경망", "옵티마이저", "데이터", "장치", "분산", "도구")
TWO_PROCESSES = "분산"

TORCH_START = """
import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
t = torch.arange(6.0).reshape(2, 3) + 1
"""
JAX_START = """
import optax
from flax import nnx
x = jnp.arange(6.0).reshape(2, 3) + 1
key = jax.random.key(0)
"""


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# pages -------------------------------------------------------------------------------------
def _code(text: str) -> str:
    lines = text.replace("|", "\\|").split("\n")
    return "<br>".join(f"`{line}`" for line in lines)


def _table(heads: list[str], rows: list[list[str]]) -> list[str]:
    lines = ["", "| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def mapping_page(rows: list[dict[str, str]]) -> str:
    """The page of all groups; the tables stand in an element that a filter script can find."""
    lines = [
        "# 대응표",
        "",
        f"PyTorch 코드와 JAX 코드 {len(rows)}쌍을 아홉 묶음으로 나누었습니다.",
        "모든 줄은 테스트에서 양쪽을 실행합니다.",
        "값이 같은지, 다르다면 비고에 적은 대로 다른지 확인합니다.",
        "",
        "`t`는 `torch.arange(6.0).reshape(2, 3) + 1`이고, `x`는 값이 같은 JAX 배열입니다.",
        "`nn`은 `torch.nn`, `F`는 `torch.nn.functional`입니다.",
        "그 밖의 이름은 비고에 적었습니다.",
        "",
        '<div class="filter-table" data-filter="대응표에서 찾기"></div>',
    ]
    for group in GROUPS:
        chosen = [row for row in rows if row["group"] == group]
        lines += ["", f"## {group}"]
        lines += _table(
            ["PyTorch", "JAX", "비고"],
            [[_code(row["torch"]), _code(row["jax"]), row["note"] or "같음"] for row in chosen],
        )
    return "\n".join([*lines, ""])


def defaults_page(rows: list[dict[str, str]]) -> str:
    lines = [
        "# 말없이 다른 기본값",
        "",
        "이름이 같아도 기본값이나 규칙이 달라 오류 없이 값이 어긋나는 곳입니다.",
        "모든 줄은 테스트에서 실행합니다.",
        "기본값끼리는 다르고 맞추는 법을 쓰면 `1e-5` 안에서 같은지, 값이 아니라 규칙이 다른 줄은 그 규칙대로인지 확인합니다.",
        "",
        '<div class="filter-table" data-filter="기본값에서 찾기"></div>',
    ]
    lines += _table(
        ["무엇", "PyTorch", "JAX·Flax·Optax", "맞추는 법"],
        [[row["topic"], row["torch_says"], row["jax_says"], row["fix"]] for row in rows],
    )
    return "\n".join([*lines, ""])


PAGES = {
    "mapping-tables.md": (mapping_page, "mapping.csv"),
    "numeric-defaults.md": (defaults_page, "defaults.csv"),
}


def pages() -> dict[str, str]:
    return {name: make(read(FOLDER / source)) for name, (make, source) in PAGES.items()}


def write() -> list[Path]:
    """Bring the pages in ``reference/`` up to date; those that changed."""
    files = {ROOT / "reference" / name: text for name, text in pages().items()}
    return [path for path, text in files.items() if write_whole(path, text)]


# running -----------------------------------------------------------------------------------
def evaluate(code: str, names: dict) -> object:
    """Run ``code`` in ``names``; the value of its last line if that is an expression."""
    body = ast.parse(code).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "<row>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<row>", "eval"), names) if last else None


def plain(value: object, names: dict) -> object:
    """``value`` as numpy arrays, numbers and strings, whichever library made it."""
    import numpy as np

    torch, optax = names["torch"], sys.modules.get("optax")
    if isinstance(value, torch.optim.Optimizer):
        return _descend_torch(value)
    if optax and isinstance(value, optax.GradientTransformation):
        return _descend_optax(value)
    if isinstance(value, torch.Tensor):
        value = value.detach()
        return np.asarray(value.float() if value.dtype == torch.bfloat16 else value)
    if isinstance(value, dict):
        return {str(name): plain(part, names) for name, part in value.items()}
    if isinstance(value, tuple | list):
        return [plain(part, names) for part in value]
    if hasattr(value, "__array__"):
        return np.asarray(value)
    return value


def _descend_torch(optimizer) -> object:
    """Parameters after five steps on sum(w**4) / 4, from the optimizer's own start."""
    params = [p for group in optimizer.param_groups for p in group["params"]]
    for _ in range(5):
        optimizer.zero_grad()
        sum((p**4).sum() / 4 for p in params).backward()
        optimizer.step()
    return [p.detach().numpy() for p in params]


def _descend_optax(tx) -> object:
    import jax
    import jax.numpy as jnp
    import numpy as np
    import optax

    params = jnp.array([1.0, -2.0, 0.5])
    state = tx.init(params)
    for _ in range(5):
        updates, state = tx.update(params**3, state, params)
        params = optax.apply_updates(params, updates)
    return [np.asarray(jax.device_get(params))]


def same(a: object, b: object, tolerance: float = 1e-5) -> bool:
    """Equal values; dtypes may differ."""
    import numpy as np

    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list) and len(a) != len(b):
        return False
    if isinstance(a, list) and isinstance(b, list):
        return all(same(p, q, tolerance) for p, q in zip(a, b, strict=True))
    if isinstance(a, str) or a is None:
        return a == b
    return np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=tolerance, atol=tolerance)


def _value(code: str, names: dict) -> object:
    try:
        return plain(evaluate(code, names), names)
    except Exception as error:  # a row may be about an error: its check says so
        return error


def verdict(row: dict[str, str], a: object, names: dict) -> str:
    """Empty, or what is wrong with the row."""
    try:
        b = _value(row["jax"], names)
        c = _value(row["matched"], names) if "matched" in row else None
        if row["check"] == "equal":
            right = all(not isinstance(v, Exception) for v in (a, b)) and same(a, b)
        elif row["check"] == "default":
            right = not same(a, b, 1e-4) and same(a, c)
        else:
            values = {"a": a, "b": b, "c": c}
            right = _holds(row["check"], names | values)
            if right and (deaf := _deaf(row, values, names)):
                return f"{deaf}가 다른 값이어도 check가 통과합니다."
        return "" if right else f"a={a!r} b={b!r} c={c!r}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _holds(check: str, names: dict) -> bool:
    return bool(eval(check, names | {"same": same}))


def _deaf(row: dict[str, str], values: dict, names: dict) -> str:
    """The name of a value that the row's own check does not look at, or "".

    It is asked again with another value of the same kind, and with those of the other columns: a
    row may say only that two differ. An error must be told from any other error.
    """
    used = {name: values[name] for name in ("a", "b", "c") if name != "c" or row.get("matched")}
    for name, value in used.items():
        others = [_another(value)]
        if not isinstance(value, Exception):
            others += [other for column, other in used.items() if column != name]
        if all(_passes(row["check"], names | values | {name: other}) for other in others):
            return name
    return ""


def _passes(check: str, names: dict) -> bool:
    try:
        return _holds(check, names)
    except Exception:  # the check cannot even be asked of the other value: it looked at it
        return False


def _another(value: object) -> object:
    """A value of the same kind that is wrong."""
    import numpy as np

    if isinstance(value, Exception):
        return Exception("다른 오류")
    if isinstance(value, bool | np.bool_):
        return not value
    if isinstance(value, int | float | complex):
        return value + 1
    if isinstance(value, str):
        return value + "?"
    if isinstance(value, list):
        return [_another(part) for part in value]
    if isinstance(value, dict):
        return {key: _another(part) for key, part in value.items()}
    if isinstance(value, np.ndarray) and value.dtype != object:
        return ~value if value.dtype == bool else value + 1
    return 0 if value is None else None


def run(rows: list[dict[str, str]]) -> list[str]:
    """A verdict per row.  Rows of two processes run first, in this one and a forked one."""
    names: dict = {}
    exec(TORCH_START, names)
    names["torch"].set_num_threads(1)
    answers: dict[int, object] = {}
    shared = [i for i, row in enumerate(rows) if row.get("group") == TWO_PROCESSES]
    if shared:
        with tempfile.TemporaryDirectory() as folder:
            answers = _in_two_processes(rows, shared, names, folder)
    os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"
    import jax
    import jax.numpy as jnp
    import numpy as np

    jax.config.update("jax_disable_most_optimizations", True)  # compiles tiny programs faster
    mesh = jax.make_mesh((2,), ("data",), axis_types=(jax.sharding.AxisType.Auto,))
    names |= {"jax": jax, "jnp": jnp, "np": np, "mesh": mesh, "P": jax.P}
    exec(JAX_START, names)
    verdicts = []
    for i, row in enumerate(rows):
        own = dict(names) | {"t": names["t"].clone()}
        exec(row["setup"], own)
        a = answers[i] if i in answers else _value(row["torch"], own)
        verdicts.append(verdict(row, a, own))
    return verdicts


def _in_two_processes(rows, shared, names, folder) -> dict[int, object]:
    dist = names["dist"]
    child = os.fork()
    rank = 0 if child else 1
    dist.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=2)
    answers = {}
    for i in shared:
        own = dict(names) | {"rank": rank}
        own["t"] = names["torch"].arange(2.0) + 2 * rank
        answers[i] = _value(rows[i]["torch"], own)
    dist.destroy_process_group()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
    return answers


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["run"]:
        print("\n" + json.dumps([run(read(Path(name))) for name in arguments[1:]]))


if __name__ == "__main__":
    main(sys.argv[1:])
