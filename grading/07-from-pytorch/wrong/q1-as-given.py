# points: 1
# why: 클래스처럼 밖에 상태를 둠
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


memory = {"count": 0, "mean": 0.0}


def running_mean(state, x):
    memory["count"] += x.size
    memory["mean"] = memory["mean"] + (x - memory["mean"]).sum() / memory["count"]
    return (memory["count"], memory["mean"]), memory["mean"]
