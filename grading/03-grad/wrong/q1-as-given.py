# points: 0
# why: backward를 그대로 부름
import jax
import jax.numpy as jnp
import numpy as np


def translate(f, g, w, x):
    f(w, x).backward()
    return {"a": w.grad}
