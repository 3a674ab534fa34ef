# points: 5
# why: 활성화 함수를 빼먹음
import jax
from jax import NamedSharding, P


def tensor_parallel(mesh, layer, x):
    specs = {
        "up": P(None, "model"),
        "up_bias": P("model"),
        "down": P("model", None),
        "down_bias": P(),
    }
    weights = {name: NamedSharding(mesh, spec) for name, spec in specs.items()}
    by_batch = NamedSharding(mesh, P("data"))

    def block(layer, x):
        hidden = x @ layer["up"] + layer["up_bias"]
        return hidden @ layer["down"] + layer["down_bias"]

    placed = (weights, by_batch)
    return jax.jit(block, in_shardings=placed, out_shardings=by_batch)(layer, x)
