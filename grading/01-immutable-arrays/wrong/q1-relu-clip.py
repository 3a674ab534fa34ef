# points: 5
# why: 7번과 8번을 모두 0에서 자름
import jax
import jax.numpy as jnp


def inplace_lines(x, rows, v):
    diagonal = jnp.arange(x.shape[0])
    return [
        x.at[0].set(7.0),
        x.at[:, 1].add(2.0),
        x.at[1:3].multiply(10.0),
        x.at[0, -1].subtract(1.0),
        x.at[rows].set(0.0),
        x.at[rows].add(v),
        jnp.where(x < 0, 0.0, x),
        jnp.clip(x, 0.0, 1.0),
        x.at[2].apply(jnp.exp),
        x.at[-1].max(v[0]),
        x.at[jnp.array([0, 1])].set(x[jnp.array([1, 0])]),
        x.at[diagonal, diagonal].set(0.0),
    ]
