# points: 6
# why: 기울기가 장치 수만큼 커짐
import jax
from jax import P


def data_parallel(step, mesh, params, x, y):
    def one(params, x, y):
        return jax.tree.map(lambda a: jax.lax.pmean(a, "data"), step(params, x, y))

    specs = (P(), P("data"), P("data"))
    return jax.jit(jax.shard_map(one, mesh=mesh, in_specs=specs, out_specs=P()))(params, x, y)
