# points: 4
# why: 결과를 모든 장치에 복제
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
        hidden = jax.nn.relu(x @ layer["up"] + layer["up_bias"])
        return hidden @ layer["down"] + layer["down_bias"]

    placed = (weights, by_batch)
    return jax.jit(block, in_shardings=placed, out_shardings=NamedSharding(mesh, P()))(layer, x)
