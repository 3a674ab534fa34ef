# points: 1
# why: split한 부모로 바로 뽑는 것만 재사용으로 봄
def first_reuse():
    return {"a": 5, "b": 0, "c": 0, "d": 0, "e": 0, "f": 0}
