TRACED = {}


def trace_report(function):
    """트레이싱할 때마다 몇 번째인지, 직전과 입력이 어떻게 다른지 출력하게 합니다."""
    history = TRACED.setdefault(id(function.__code__), [])

    @functools.wraps(function)
    def traced(*args, **kwargs):
        now, bound = {}, inspect.signature(function).bind(*args, **kwargs)
        for path, leaf in jax.tree_util.tree_leaves_with_path(dict(bound.arguments)):
            static = not isinstance(leaf, jax.core.Tracer)
            name = path[0].key + jax.tree_util.keystr(path[1:])
            now[name] = f"값 {leaf!r}" if static else str(jax.typeof(leaf))
        before, last = history[-1] if history else ({}, function)
        pairs = {k: (before.get(k, "없음"), now.get(k, "없음")) for k in before | now}
        why = [f"{k} {old} → {new}" for k, (old, new) in pairs.items() if old != new]
        why += ["함수 객체가 새것"] * (last is not function)
        why = ", ".join(why) or "입력은 같고 넘긴 꼴이나 설정이 다름"
        print(function.__name__, f"{len(history) + 1}번째:", why if history else "처음")
        history.append((now, function))
        return function(*args, **kwargs)

    traced.history = history
    return traced
