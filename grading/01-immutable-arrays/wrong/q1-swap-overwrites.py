# points: 5
# why: 첫 행을 덮어쓴 뒤에 읽어서 두 행이 같아짐
import jax
import jax.numpy as jnp


def inplace_lines(x, rows, v):
    diagonal = jnp.arange(x.shape[0])
    first = x.at[0].set(x[1])
    return [
        x.at[0].set(7.0),
        x.at[:, 1].add(2.0),
        x.at[1:3].multiply(10.0),
        x.at[0, -1].subtract(1.0),
        x.at[rows].set(0.0),
        x.at[rows].add(v),
        jnp.where(x < 0, 0.0, x),
        jnp.clip(x, -1.0, 1.0),
        x.at[2].apply(jnp.exp),
        x.at[-1].max(v[0]),
        first.at[1].set(first[0]),
        x.at[diagonal, diagonal].set(0.0),
    ]
