def record_flax(model, inputs, objects):
    """objects에 든 층의 (입력, 출력)을 모읍니다. 그동안만 __call__을 바꿔 둡니다."""
    seen, original = {}, {}

    def watch(kind, call):
        def watched(self, *x, **options):
            y = call(self, *x, **options)
            if id(self) in objects:
                seen.setdefault(objects[id(self)], (first(x), first(y)))
            return y

        original[kind], kind.__call__ = call, watched

    for kind in {type(node) for _, node in nnx.iter_graph(model)}:
        if issubclass(kind, nnx.Module) and "__call__" in vars(kind):
            watch(kind, kind.__call__)
    try:
        return seen, first(model(*inputs))
    finally:
        for kind, call in original.items():
            kind.__call__ = call
