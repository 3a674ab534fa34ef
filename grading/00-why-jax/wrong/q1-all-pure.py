# points: 0
# why: 다섯 모두 순수하다고 함
def pure_functions():
    return ["shifted", "logged", "scaled", "noisy", "summed"]
