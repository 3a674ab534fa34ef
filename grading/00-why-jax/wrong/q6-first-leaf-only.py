# points: 3
# why: 딕셔너리의 x만 나눔
import jax

jax.config.update("jax_num_cpu_devices", 8)


def shard_batch(batch, devices):
    auto = (jax.sharding.AxisType.Auto,)
    mesh = jax.make_mesh((len(devices),), ("data",), axis_types=auto, devices=devices)
    return batch | {"x": jax.device_put(batch["x"], jax.NamedSharding(mesh, jax.P("data")))}
