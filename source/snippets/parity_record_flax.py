def record_flax(model, inputs, objects):
    """objects에 든 층의 (입력, 출력)을 모읍니다. 그동안만 __call__을 바꿔 둡니다."""
    seen = {}

    def watched(kind, call):
        def watch(self, *x, **options):
            y = call(self, *x, **options)
            values = jax.tree.leaves((x, options, y))
            traced = any(isinstance(v, jax.core.Tracer) for v in values)
            if type(self) is kind and id(self) in objects and not traced:
                pair = (all_arrays(x) or all_arrays(options))[0], all_arrays(y)[0]
                seen.setdefault(objects[id(self)], pair)
            return y

        return mock.patch.object(kind, "__call__", watch)

    nodes = [node for _, node in nnx.iter_graph(model) if isinstance(node, nnx.Module)]
    with contextlib.ExitStack() as stack:
        for kind in {type(node) for node in nodes if callable(node)}:
            stack.enter_context(watched(kind, kind.__call__))
        return seen, all_arrays(model(*inputs))
