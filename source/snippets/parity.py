def compare(torch_model, flax_model, torch_inputs, flax_inputs, names, tolerance=1e-5):
    """(층마다의 차이, 처음 어긋난 층, 짐작한 까닭)을 돌려줍니다."""
    layers, gaps = dict(layers_of(torch_model, names)), {}
    before = [first(torch_inputs)]
    targets = {name: find(flax_model, names.get(name, name)) for name in layers}
    ours, last = record_torch(torch_model, torch_inputs, layers)
    objects = {id(target): name for name, target in targets.items()}
    theirs, other_last = record_flax(flax_model, flax_inputs, objects)
    for name, (x, y) in ours.items():
        gaps[name] = gap(y, theirs[name][1])
        if gap(x, theirs[name][0]) > tolerance:
            return gaps, name, why_between(x, theirs[name][0], before)
        if gaps[name] > tolerance:
            return gaps, name, why_inside(layers[name], targets[name])
        if why := why_settings(layers[name], targets[name]):
            return gaps, name, why
        before += [x, y]
    gaps["출력"], why = gap(last, other_last), why_between(last, other_last, before)
    return gaps, *(("출력", why) if gaps["출력"] > tolerance else (None, None))
