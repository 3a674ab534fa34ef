# points: 4
# why: 세 번
import jax
import jax.numpy as jnp
import numpy as np


def fixed_point(f, theta, start):
    def repeat(step, first):
        return jax.lax.while_loop(
            lambda s: (jnp.max(jnp.abs(s[0] - s[1])) > 1e-6) & (s[2] < 3),
            lambda s: (step(s[0]), s[0], s[2] + 1),
            (step(first), first, 1),
        )[0]

    @jax.custom_vjp
    def solve(t, begin):
        return repeat(lambda z: f(t, z), begin)

    def forward(t, begin):
        z = solve(t, begin)
        return z, (t, z)

    def backward(saved, outer):
        pull_back = jax.vjp(f, *saved)[1]
        u = repeat(lambda v: outer + pull_back(v)[1], outer)
        return pull_back(u)[0], None

    solve.defvjp(forward, backward)
    return solve(theta, start)
