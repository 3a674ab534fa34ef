class FlaxNet(nnx.Module):
    def __init__(self, rngs, padding=((1, 1), (1, 1))):
        options = {"strides": (2, 2), "padding": padding, "use_bias": False}
        self.conv = nnx.Conv(1, 8, (3, 3), **options, rngs=rngs)
        self.norm = nnx.BatchNorm(8, momentum=0.9, rngs=rngs)
        self.head = nnx.Linear(128, 10, rngs=rngs)

    def __call__(self, x):
        x = jax.nn.relu(self.norm(self.conv(x)))
        return self.head(x.transpose(0, 3, 1, 2).reshape(len(x), -1))
