# points: 1
# why: 바깥 값을 읽는 함수를 순수하다고 봄: 넷을 가림
def pure_functions():
    return ["shifted", "scaled", "summed"]
