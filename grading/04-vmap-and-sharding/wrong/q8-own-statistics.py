# points: 0
# why: 자기 줄만으로 표준화
import numpy as np


def standardize(address, index, rows):
    mine = np.asarray(rows, np.float32)
    deviation = mine.std(0)
    deviation[deviation == 0] = 1.0
    return (mine - mine.mean(0)) / deviation, mine.mean(0)
