# points: 0
# why: 순수한 것이 없다고 함: 셋을 가림
def pure_functions():
    return []
