"""Lower the functions of the cells for a GPU or a TPU on a machine that has neither.

``python -m tests.unit.device_cells NOTEBOOK`` runs in a process of its own, because the number
of CPU devices can be set only once. It executes the cells that define what is lowered, nothing
else, and prints one line of JSON per lowered function: what it is, for which platform, the
shapes of its results, and what the program says of devices and kernels.
"""

from __future__ import annotations

import ast
import contextlib
import json
import re
import sys
from pathlib import Path

import jax
from jax import export
from jax.sharding import AbstractMesh, NamedSharding
from jax.sharding import PartitionSpec as P

from coursekit.notebooks.lanes.names import parsed

PLATFORMS = {"gpu": "cuda", "tpu": "tpu"}  # tag → the platform's name in jax
CHIPS = {"cuda": ("gpu", "NVIDIA H100", 132), "tpu": ("tpu", "TPU v5 lite", 1)}


def tagged(notebook: Path) -> dict[str, list[str]]:
    """First name that each cell for a device binds (or uses) → the devices it is for."""
    found = {}
    for tree, tags in _cells(notebook):
        if devices := [tag.removeprefix("for=") for tag in tags if tag.startswith("for=")]:
            bound = [n for statement in tree.body for n in _bound(statement)]
            found[(bound or sorted(_loaded(tree)))[0]] = devices
    return found


class Cells:
    """A notebook's code cells, of which only those that are needed are executed."""

    def __init__(self, notebook: Path):
        self.cells = [tree for tree, _ in _cells(notebook)]
        self.scope: dict = {"__name__": "__main__"}

    def index(self, name: str) -> int:
        """Number of the last cell that binds ``name`` at its top level."""
        found = [i for i, tree in enumerate(self.cells) if name in _names(tree)]
        return found[-1]

    def define(self, *names: str, before: int | None = None) -> dict:
        """Execute what defines ``names`` as they are at cell ``before``; the scope."""
        wanted, chosen = set(names) - set(self.scope), []
        for tree in reversed(self.cells[:before]):
            here = _names(tree)
            text = ast.unparse(tree)
            if here & wanted or "jax.config.update" in text and "with expect_error" not in text:
                wanted = (wanted - here) | (_needs(tree) - set(self.scope))
                chosen.append(tree)
        for tree in reversed(chosen):
            exec(compile(tree, "cell", "exec"), self.scope)
        return self.scope

    def execute(self, name: str, **given) -> dict:
        """Execute the cell that binds ``name`` after what it needs, less what is ``given``."""
        self.scope |= given
        number = self.index(name)
        self.define(*_needs(self.cells[number]), before=number)
        exec(compile(self.cells[number], name, "exec"), self.scope)
        return self.scope


def _cells(notebook: Path) -> list[tuple[ast.Module, list[str]]]:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return [
        (parsed("".join(cell["source"])), cell["metadata"].get("tags", []))
        for cell in cells
        if cell["cell_type"] == "code"
    ]


def _bound(statement: ast.AST) -> list[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name.split(".")[0] for alias in statement.names]
    return [
        node.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]


def _names(tree: ast.Module) -> set[str]:
    return {name for statement in tree.body for name in _bound(statement)}


def _needs(cell: ast.Module) -> set[str]:
    """Names that a cell takes from the cells before it."""
    bound: set[str] = set()
    found: set[str] = set()
    for statement in cell.body:
        found |= _loaded(statement) - bound
        if not isinstance(statement, ast.If | ast.For | ast.While | ast.Try):
            bound |= set(_bound(statement))
    return found


def _loaded(tree: ast.AST) -> set[str]:
    """Names that the code takes from outside: less those that its functions bind themselves."""
    found = set()
    for node in ast.iter_child_nodes(tree):
        inner = _loaded(node)
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            inner -= {n.arg for n in ast.walk(node.args) if isinstance(n, ast.arg)}
            body = node.body if isinstance(node.body, list) else []
            inner -= {name for statement in body for name in _bound(statement)}
        elif isinstance(node, ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp):
            inner -= {name for part in node.generators for name in _bound(part.target)}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            inner = {node.id}
        found |= inner
    return found


def on_a_chip(platform: str):
    """A context in which Pallas believes in a chip; older versions of jax do not ask for one."""
    try:
        from jax.sharding import AbstractDevice

        name, kind, cores = CHIPS[platform]
        device = AbstractDevice(platform=name, device_kind=kind, num_cores=cores)
        return jax.sharding.use_abstract_mesh(AbstractMesh((1,), ("x",), abstract_device=device))
    except (ImportError, TypeError):
        return contextlib.nullcontext()


def lowered(name: str, function, *arguments) -> None:
    """Lower a function for every platform that is not here and print what came out."""
    if not hasattr(function, "trace"):
        function = jax.jit(function)
    for platform in PLATFORMS.values():
        with on_a_chip(platform):
            program = function.trace(*arguments).lower(lowering_platforms=(platform,))
        text = program.as_text()
        devices = re.search(r"mhlo.num_partitions = (\d+)", text)
        kernels = {k for k in re.findall(r"custom_call @([\w.$]+)", text) if "harding" not in k}
        shardings = re.findall(r"sdy.sharding = #sdy.sharding<(@\w+, \[[^\]]*\])", text)
        fact = {
            "name": name,
            "platform": platform,
            "results": sorted(
                f"{leaf.dtype}{list(leaf.shape)}" for leaf in jax.tree.leaves(program.out_info)
            ),
            "devices": int(devices[1]) if devices else 1,
            "kernels": sorted(kernels),
            "shardings": shardings,
        }
        print(json.dumps(fact))


def told(name: str, exported: export.Exported) -> None:
    """Print what an exported program says of itself."""
    results = [f"{leaf.dtype}{list(leaf.shape)}" for leaf in exported.out_avals]
    fact = {"name": name, "platforms": exported.platforms, "results": list(map(str, results))}
    print(json.dumps(fact))


def chain_in(text: str):
    """The function ``chain`` that a program kept as text defines."""
    (found,) = (node for node in ast.parse(text).body if getattr(node, "name", "") == "chain")
    scope: dict = {}
    exec(compile(ast.Module([found], []), "chain", "exec"), scope)
    return scope["chain"]


def why_jax(cells: Cells) -> None:
    scope = cells.execute("everywhere")
    told("everywhere", scope["exported"])
    lowered("mean_loss", scope["mean_loss"], scope["w"], scope["inputs"], scope["targets"])


def why_jax_deeper(cells: Cells) -> None:
    square = jax.ShapeDtypeStruct((1024, 1024), "float32")
    lowered("chain", chain_in(cells.define("HARNESS")["HARNESS"]), square)


def sharding(cells: Cells) -> None:
    scope = cells.execute("chip")
    on_chip = (scope["on_chip"], scope["x_on_chip"], scope["y_on_chip"])
    lowered("train_step on one", scope["train_step"], *on_chip)
    cells.define("replicated", "by_batch")
    start = jax.device_put(scope["start"], scope["replicated"])
    batch = jax.device_put((scope["x"], scope["y"]), scope["by_batch"])
    lowered("train_step on eight", scope["train_step"], start, *batch)
    assert isinstance(scope["by_batch"], NamedSharding) and scope["by_batch"].spec == P("data")


def keys(cells: Cells) -> None:
    text = cells.define("JAX")["JAX"]
    scope: dict = {"rows": {}, "size": 4_000_000}
    scope["best_ms"] = lambda _: lowered("draw", scope["draw"], scope["key"])
    exec(text, scope)


def training(cells: Cells) -> None:
    scope = cells.execute("exported")
    told("exported", scope["exported"])
    lowered("predict", scope["predict"], jax.ShapeDtypeStruct((5, 64), "float32"))


def porting(cells: Cells) -> None:
    square = jax.ShapeDtypeStruct((1024, 1024), "float32")
    lowered("chain", chain_in(cells.define("MEASURE")["MEASURE"]), square)
    scope = cells.execute("scale_kernel")
    kernel, shape = scope["scale_kernel"], scope["shape"]
    call = scope["pl"].pallas_call
    lowered("scale_kernel", jax.jit(lambda x: call(kernel, out_shape=shape)(x)), shape)
    for name in ("shape", "x"):  # the next cell has its own
        del scope[name]
    scope = cells.execute("serve")
    told("everywhere", scope["everywhere"])
    lowered("serve", scope["serve"], jax.ShapeDtypeStruct((3, 64), "float32"))


def exercise(cells: Cells) -> None:
    make = cells.define("export_classifier")["export_classifier"]
    shapes = {"w1": (16, 2), "b1": (2,), "w2": (2, 2), "b2": (2,)}
    stored = make({name: jax.numpy.zeros(shape) for name, shape in shapes.items()})
    told("export_classifier", export.deserialize(bytearray(stored)))


NOTEBOOKS = {
    "chapters/00-why-jax.ipynb": why_jax,
    "chapters/00-why-jax-deeper.ipynb": why_jax_deeper,
    "chapters/04-vmap-and-sharding.ipynb": sharding,
    "chapters/05-random-keys-deeper.ipynb": keys,
    "chapters/06-flax-and-optax-deeper.ipynb": training,
    "chapters/07-from-pytorch-deeper.ipynb": porting,
    "solutions/07-from-pytorch.ipynb": exercise,
}

if __name__ == "__main__":
    root, name = Path(sys.argv[1]), sys.argv[2]
    NOTEBOOKS[name](Cells(root / name))
