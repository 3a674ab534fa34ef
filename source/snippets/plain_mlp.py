def init_plain(key, sizes=(64, 128, 10)):
    layers = []
    for inputs, outputs in zip(sizes[:-1], sizes[1:], strict=True):
        key, subkey = jax.random.split(key)
        kernel = jax.random.normal(subkey, (inputs, outputs)) / np.sqrt(inputs)
        layers.append({"kernel": kernel, "bias": jnp.zeros(outputs)})
    return layers


def apply_plain(layers, x):
    for layer in layers[:-1]:
        x = jax.nn.relu(x @ layer["kernel"] + layer["bias"])
    return x @ layers[-1]["kernel"] + layers[-1]["bias"]


def cross_entropy(logits, y):
    return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()
