import contextlib
import re
import textwrap


@contextlib.contextmanager
def expect_error(types, match=""):
    """안의 코드는 types에 드는 예외를, match가 든 말과 함께 내야 합니다."""
    try:
        yield
    except Exception as error:
        # 예외가 하는 말의 처음 두 줄, 파일의 이름 앞에 붙는 폴더는 빼고
        plain = re.sub(r"\x1b\[[0-9;]*m|(?<=\s)/\S*/(?=\S+\.py\b)", "", str(error))
        said = [line.strip() for line in plain.splitlines() if line.strip()]
        lines = textwrap.wrap(" ".join([f"{type(error).__name__}:", *said[:2]]), 88)
        text = "\n    ".join(lines[:3]).removesuffix(":")
        if not isinstance(error, types) or match not in str(error):
            wanted = f"'{match}'" if isinstance(error, types) else types
            raise AssertionError(f"{wanted}이(가) 아닌 예외: {text}") from error
        print(text + " …" * bool(lines[3:] or said[2:]))
    else:
        raise AssertionError("예외가 나야 하는데 나지 않았습니다.")
