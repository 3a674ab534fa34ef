def check(question):
    """확인 함수를 바로 실행하고 판정을 한 줄로 출력하는 데코레이터를 돌려줍니다."""

    def run(test):
        verdict = "맞았습니다"
        try:
            test()
        except Exception as error:
            line = str(error).strip().partition("\n")[0]
            verdict = f"실행하다 멈췄습니다. {type(error).__name__}: {line}"
            if isinstance(error, AssertionError):
                verdict = f"아닙니다. {line}"
            elif line == "아직 빈칸입니다":
                verdict = line
            elif type(error) is NameError and not error.__traceback__.tb_next.tb_next:
                verdict = "답 셀이 실행되지 않았습니다"
        print(f"{question}: {verdict}")

    return run
