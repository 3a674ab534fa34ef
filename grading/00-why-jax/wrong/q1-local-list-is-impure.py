# points: 1
# why: 안에서 만든 리스트에 덧붙이는 것도 순수하지 않다고 봄: 넷을 가림
def pure_functions():
    return ["shifted"]
