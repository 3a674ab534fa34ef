"""What is written for a GPU or a TPU is lowered for it on the CPU: as far as one gets without.

That the programs run there, and how fast, nothing here shows; the pages say so.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from coursekit.notebooks.execute import kernel_environment
from tests.unit import device_cells

SCALAR, SQUARE = ["float32[]"], ["float32[1024, 1024]"]
STEP = ["float32[16, 32]", "float32[32, 8]", "float32[]"]
# what each cell's functions must come to: results, devices of the program
LOWERED = {
    "chapters/00-why-jax.ipynb": {"mean_loss": (SCALAR, 1)},
    "chapters/00-why-jax-deeper.ipynb": {"chain": (SQUARE, 1)},
    "chapters/04-vmap-and-sharding.ipynb": {
        "train_step on one": (STEP, 1),
        "train_step on eight": (STEP, 8),
    },
    "chapters/05-random-keys-deeper.ipynb": {"draw": (["float32[4000000]"], 1)},
    "chapters/06-flax-and-optax-deeper.ipynb": {"predict": (["float32[5, 10]"], 1)},
    "chapters/07-from-pytorch-deeper.ipynb": {
        "chain": (SQUARE, 1),
        "scale_kernel": (["float32[128]"], 1),
        "serve": (["float32[3, 10]"], 1),
    },
}
EXPORTED = {
    "chapters/00-why-jax.ipynb": {"everywhere": SCALAR},
    "chapters/06-flax-and-optax-deeper.ipynb": {"exported": ["float32[rows, 10]"]},
    "chapters/07-from-pytorch-deeper.ipynb": {"everywhere": ["float32[batch, 10]"]},
    "solutions/07-from-pytorch.ipynb": {"export_classifier": ["float32[batch, 2]"]},
}
CHECKED = {  # cells for a device, by the first name they bind; their functions are above
    ("chapters/00-why-jax-deeper.ipynb", "JAX"),
    ("chapters/00-why-jax.ipynb", "export"),  # and everywhere
    ("chapters/04-vmap-and-sharding.ipynb", "chip"),
    ("chapters/05-random-keys-deeper.ipynb", "here"),
    ("chapters/06-flax-and-optax-deeper.ipynb", "model"),  # then exported
    ("chapters/07-from-pytorch-deeper.ipynb", "JAX"),
    ("chapters/07-from-pytorch-deeper.ipynb", "scale_kernel"),
    ("chapters/07-from-pytorch-deeper.ipynb", "serve"),
    ("solutions/07-from-pytorch.ipynb", "export_classifier"),
    ("solutions/07-from-pytorch.ipynb", "_"),  # reads the program that the cell above makes
}
NOTHING_OF_JAX = {  # nothing to lower: the cells ask what is there, or start PyTorch
    ("chapters/00-why-jax.ipynb", "importlib"),  # environment()
    ("chapters/00-why-jax-deeper.ipynb", "suspects"),  # versions of what is installed
    ("chapters/00-why-jax-deeper.ipynb", "ASK"),  # memory that the process holds
    ("chapters/00-why-jax-deeper.ipynb", "TORCH"),
    ("chapters/05-random-keys-deeper.ipynb", "TORCH"),
    ("chapters/06-flax-and-optax-deeper.ipynb", "TORCH"),
    ("chapters/06-flax-and-optax-deeper.ipynb", "rows"),  # leaves JAX out on a TPU
    ("chapters/07-from-pytorch-deeper.ipynb", "TORCH"),
}


def facts(checkout, notebook: str) -> list[dict]:
    command = [sys.executable, "-m", "tests.unit.device_cells", str(checkout.root), notebook]
    environment = kernel_environment() | {"PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        command, cwd=checkout.root, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"name')]


def test_every_cell_for_a_device_is_checked_or_has_nothing_to_lower(checkout):
    found = {
        (f"{folder}/{path.name}", name)
        for folder in ("chapters", "solutions")  # exercises hold the same cells as solutions
        for path in sorted((checkout.root / folder).glob("*.ipynb"))
        for name in device_cells.tagged(path)
    }
    assert found == CHECKED | NOTHING_OF_JAX
    assert not CHECKED & NOTHING_OF_JAX


@pytest.mark.parametrize("notebook", device_cells.NOTEBOOKS)
def test_functions_of_the_cells_lower_for_the_devices(checkout, notebook):
    found = facts(checkout, notebook)
    programs = [fact for fact in found if "platform" in fact]
    wanted = LOWERED.get(notebook, {})
    assert {(f["name"], f["platform"]) for f in programs} == {
        (name, platform) for name in wanted for platform in device_cells.PLATFORMS.values()
    }
    for fact in programs:
        assert (fact["results"], fact["devices"]) == wanted[fact["name"]], fact
    exported = {f["name"]: f for f in found if "platforms" in f}
    assert {name: f["results"] for name, f in exported.items()} == EXPORTED.get(notebook, {})
    assert all(f["platforms"] == ["cpu", "cuda", "tpu"] for f in exported.values())
    if notebook.startswith("chapters/04"):  # the batch is split, the parameters are not
        for fact in programs:
            whole, split = [s for s in fact["shardings"] if "data" not in s], '[{"data"}, {}]'
            assert len(whole) == 2 and sum(split in s for s in fact["shardings"]) == 2, fact
    if notebook.startswith("chapters/07"):  # a kernel of that platform, not the interpreter
        kernels = {f["platform"]: f["kernels"] for f in programs if f["name"] == "scale_kernel"}
        assert kernels["tpu"] == ["tpu_custom_call"] and len(kernels["cuda"]) == 1
        assert "mosaic_gpu" in kernels["cuda"][0] or "triton" in kernels["cuda"][0]
