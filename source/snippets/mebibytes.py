def set_first(x):
    return x.at[0].set(9.0)


def mebibytes(function, x):
    memory = function.lower(x).compile().memory_analysis()
    names = ("argument", "output", "alias", "temp")
    return {n: getattr(memory, f"{n}_size_in_bytes") / 2**20 for n in names}
