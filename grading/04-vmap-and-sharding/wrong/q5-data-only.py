# points: 3
# why: 가중치를 나누지 않음
import jax
from jax import NamedSharding, P


def tensor_parallel(mesh, layer, x):
    specs = {
        "up": P(),
        "up_bias": P(),
        "down": P(),
        "down_bias": P(),
    }
    weights = {name: NamedSharding(mesh, spec) for name, spec in specs.items()}
    by_batch = NamedSharding(mesh, P("data"))

    def block(layer, x):
        hidden = jax.nn.relu(x @ layer["up"] + layer["up_bias"])
        return hidden @ layer["down"] + layer["down_bias"]

    placed = (weights, by_batch)
    return jax.jit(block, in_shardings=placed, out_shardings=by_batch)(layer, x)
