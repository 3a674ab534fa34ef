# points: 0
# why: 모두 거짓이라고 함: 넷이 맞음
def judgements():
    return dict.fromkeys(range(1, 11), "거짓")
