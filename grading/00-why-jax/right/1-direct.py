# 풀이 노트북과 같은 방식
import re
import time

import jax
import jax.numpy as jnp

jax.config.update("jax_num_cpu_devices", 8)


def pure_functions():
    return ["shifted", "summed"]


def fastest_ms(function, x, repeats):
    jax.block_until_ready(function(x))
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        jax.block_until_ready(function(x))
        times.append(1000 * (time.perf_counter() - start))
    return min(times)


def per_example_gradients(loss):
    return jax.jit(jax.vmap(jax.grad(loss), in_axes=(None, 0, 0)))


def count_fusions(function, *arguments):
    hlo = jax.jit(function).lower(*arguments).compile().as_text()
    entry = hlo[hlo.index("\nENTRY") :]
    entry = entry[: entry.index("\n}")]
    return len(re.findall(r"= .*? fusion\(", entry))


def judgements():
    return {
        1: "참", 2: "거짓", 3: "거짓", 4: "지난 말", 5: "지난 말",
        6: "거짓", 7: "지난 말", 8: "참", 9: "거짓", 10: "참",
    }


def shard_batch(batch, devices):
    auto = (jax.sharding.AxisType.Auto,)
    mesh = jax.make_mesh((len(devices),), ("data",), axis_types=auto, devices=devices)
    return jax.device_put(batch, jax.NamedSharding(mesh, jax.P("data")))
