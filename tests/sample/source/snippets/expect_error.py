from contextlib import contextmanager


@contextmanager
def expect_error(kind, match):
    try:
        yield
    except kind as error:
        assert match in str(error), f"다른 오류입니다: {error}"
        print(f"{type(error).__name__}: …{match}…")
    else:
        raise AssertionError(f"{kind.__name__}이(가) 나지 않았습니다")
