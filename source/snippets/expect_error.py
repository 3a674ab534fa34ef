import contextlib


@contextlib.contextmanager
def expect_error(types, match=""):
    """안의 코드는 types에 드는 예외를, match가 든 말과 함께 내야 합니다."""
    try:
        yield
    except Exception as error:
        name, text = type(error).__name__, str(error)
        if not isinstance(error, types):
            raise AssertionError(f"다른 예외가 났습니다. {name}: {text}") from error
        if match not in text:
            raise AssertionError(f"{name}에 '{match}'가 없습니다. {text}") from error
        print(f"{name}: {match}" if match else name)
    else:
        raise AssertionError("예외가 나야 하는데 나지 않았습니다.")
