def make_metrics():
    loss, accuracy = nnx.metrics.Average("loss"), nnx.metrics.Accuracy()
    return nnx.MultiMetric(loss=loss, accuracy=accuracy)


@nnx.jit
def train_step(model, optimizer, metrics, x, y):
    def loss_fn(model):
        logits = model(x)
        return cross_entropy(logits, y), logits

    (loss, logits), grads = nnx.value_and_grad(loss_fn, has_aux=True)(model)
    optimizer.update(model, grads)
    metrics.update(loss=loss, logits=logits, labels=y)


@nnx.jit
def eval_step(model, x, y):
    logits = model(x)
    return cross_entropy(logits, y), jnp.mean(logits.argmax(-1) == y)
