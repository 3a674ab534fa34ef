# 다른 방식: Mesh를 직접 만들고, 잎마다 놓고, 줄마다 세고, jacrev로 미분한다
import time

import numpy as np

import jax

jax.config.update("jax_num_cpu_devices", 8)


def pure_functions():
    return ("summed", "shifted")


def fastest_ms(function, x, repeats):
    for leaf in jax.tree.leaves(function(x)):
        leaf.block_until_ready()
    best = float("inf")
    while repeats:
        repeats -= 1
        start = time.monotonic()
        for leaf in jax.tree.leaves(function(x)):
            leaf.block_until_ready()
        best = min(best, time.monotonic() - start)
    return best * 1e3


def per_example_gradients(loss):
    def one(w, x, y):
        return jax.value_and_grad(loss)(w, x, y)[1]

    @jax.jit
    def many(w, x, y):
        return jax.vmap(lambda x, y: one(w, x, y))(x, y)

    return many


def count_fusions(function, *arguments):
    text = jax.jit(function).lower(*arguments).compile().as_text()
    count, inside = 0, False
    for line in text.splitlines():
        inside = inside or line.startswith("ENTRY")
        if inside and line.startswith("}"):
            break
        if inside and " = " in line:
            count += " fusion(" in line.split(" = ", 1)[1].split(", kind=")[0]
    return count


def judgements():
    answer = dict.fromkeys(range(1, 11), "거짓")
    answer.update({4: "지난 말", 5: "지난 말", 7: "지난 말"})
    answer.update({1: "참", 8: "참", 10: "참"})
    return answer


def shard_batch(batch, devices):
    mesh = jax.sharding.Mesh(np.array(devices), ("batch",))

    def put(leaf):
        spec = jax.sharding.PartitionSpec("batch", *[None] * (leaf.ndim - 1))
        return jax.device_put(leaf, jax.sharding.NamedSharding(mesh, spec))

    return jax.tree.map(put, batch)
