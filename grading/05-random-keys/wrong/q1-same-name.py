# points: 2
# why: 같은 이름이면 같은 키라고 봄
def first_reuse():
    return {"a": 5, "b": 3, "c": 5, "d": 6, "e": 3, "f": 5}
