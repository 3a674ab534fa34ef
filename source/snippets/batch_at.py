BATCH = 128
STEPS_PER_EPOCH = len(train_x) // BATCH  # 마지막 자투리는 버립니다


def batch_at(step, seed=0):
    epoch, place = divmod(step, STEPS_PER_EPOCH)
    rows = np.random.default_rng((seed, epoch)).permutation(len(train_x))
    rows = rows[place * BATCH : (place + 1) * BATCH]
    return train_x[rows], train_y[rows]
