class Classifier(nnx.Module):
    def __init__(self, width=128, rate=0.2, dtype=None, *, rngs):
        self.hidden = nnx.Linear(64, width, dtype=dtype, rngs=rngs)
        self.norm = nnx.BatchNorm(width, momentum=0.9, dtype=dtype, rngs=rngs)
        self.dropout = nnx.Dropout(rate, rngs=rngs)
        self.head = nnx.Linear(width, 10, dtype=dtype, rngs=rngs)

    def __call__(self, x):
        return self.head(self.dropout(nnx.relu(self.norm(self.hidden(x)))))
