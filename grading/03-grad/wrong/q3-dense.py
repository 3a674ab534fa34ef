# points: 4
# why: 헤세 행렬을 만들어 곱함
import jax
import jax.flatten_util


def hvp(f, w, v):
    flat, unravel = jax.flatten_util.ravel_pytree(w)
    direction, _ = jax.flatten_util.ravel_pytree(v)
    return unravel(jax.hessian(lambda w: f(unravel(w)))(flat) @ direction)
