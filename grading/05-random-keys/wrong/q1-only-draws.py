# points: 2
# why: 난수를 뽑는 줄만 키를 쓰는 줄로 봄
def first_reuse():
    return {"a": 5, "b": 0, "c": 6, "d": 6, "e": 4, "f": 0}
