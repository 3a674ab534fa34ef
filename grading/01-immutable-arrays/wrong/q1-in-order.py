# points: 2
# why: 앞줄의 결과를 뒷줄에 이어 씀
import jax
import jax.numpy as jnp


def inplace_lines(x, rows, v):
    results = []
    diagonal = jnp.arange(x.shape[0])
    x = x.at[0].set(7.0)
    results.append(x)
    x = x.at[:, 1].add(2.0)
    results.append(x)
    x = x.at[1:3].multiply(10.0)
    results.append(x)
    x = x.at[0, -1].subtract(1.0)
    results.append(x)
    x = x.at[rows].set(0.0)
    results.append(x)
    x = x.at[rows].add(v)
    results.append(x)
    x = jnp.where(x < 0, 0.0, x)
    results.append(x)
    x = jnp.clip(x, -1.0, 1.0)
    results.append(x)
    x = x.at[2].apply(jnp.exp)
    results.append(x)
    x = x.at[-1].max(v[0])
    results.append(x)
    x = x.at[jnp.array([0, 1])].set(x[jnp.array([1, 0])])
    results.append(x)
    x = x.at[diagonal, diagonal].set(0.0)
    results.append(x)
    return results
