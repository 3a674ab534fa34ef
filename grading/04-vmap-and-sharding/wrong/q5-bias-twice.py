# points: 5
# why: 더하기 전에 장치마다 편향을 더함
import jax
from jax import P


def tensor_parallel(mesh, layer, x):
    def block(up, up_bias, down, down_bias, x):
        hidden = jax.nn.relu(x @ up + up_bias)
        return jax.lax.psum(hidden @ down + down_bias, "model")

    specs = (P(None, "model"), P("model"), P("model"), P(), P("data"))
    run = jax.shard_map(block, mesh=mesh, in_specs=specs, out_specs=P("data"))
    return jax.jit(run)(*(layer[n] for n in ("up", "up_bias", "down", "down_bias")), x)
