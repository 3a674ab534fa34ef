def compare(torch_model, flax_model, torch_inputs, flax_inputs, names, tolerance=1e-5):
    """(층마다의 차이, 처음 어긋난 층, 짐작한 까닭)을 돌려줍니다."""
    layers, gaps = dict(layers_of(torch_model, names)), {}
    targets = {name: find(flax_model, names.get(name, name)) for name in layers}
    ours, last = record_torch(torch_model, torch_inputs, layers)
    objects = {id(target): name for name, target in targets.items()}
    theirs, other_last = record_flax(flax_model, flax_inputs, objects)
    before, turned = all_arrays(torch_inputs)[:1], set()
    for name, (x, y) in ours.items():
        if name not in theirs:
            return gaps, name, "Flax에서 부르지 않았습니다(nnx.jit, nnx.remat은 뗍니다)"
        layer, (other_x, other_y) = layers[name], theirs[name]
        if turn := isinstance(layer, CHANNELS_FIRST):
            turned.add(y.ndim)
        gaps[name] = gap(y, other_y, turn)
        if gap(x, other_x, turn) > tolerance:
            return gaps, name, why_between(x, other_x, before)
        if gaps[name] > tolerance:
            return gaps, name, why_inside(layer, targets[name])
        if why := why_settings(layer, targets[name]):
            return gaps, name, why
        before += [x, y]
    gaps["출력"], why = compare_outputs(last, other_last, turned, before, tolerance)
    return gaps, "출력" if why else None, why
