# points: 7
# why: 수반 방정식의 부호가 틀림
import jax
import jax.numpy as jnp


def fixed_point(f, theta, start):
    def iterate(step, z):
        return jax.lax.while_loop(
            lambda s: (jnp.max(jnp.abs(s[0] - s[1])) > 1e-6) & (s[2] < 1000),
            lambda s: (step(s[0]), s[0], s[2] + 1),
            (step(z), z, 1),
        )[0]

    @jax.custom_vjp
    def solve(theta, start):
        return iterate(lambda z: f(theta, z), start)

    def forward(theta, start):
        z = solve(theta, start)
        return z, (theta, z)

    def backward(saved, gradient):
        _, pull_back = jax.vjp(f, *saved)
        u = iterate(lambda u: gradient - pull_back(u)[1], gradient)
        return pull_back(u)[0], None

    solve.defvjp(forward, backward)
    return solve(theta, start)
