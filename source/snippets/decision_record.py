def decision_record(answers):
    """팀의 답을 (결정, 문서)로 바꿉니다."""
    gain, needed = answers["잰 이득"], answers["필요한 이득"]
    if answers["막는 것"] and not answers["떼어 낼 수 있나"]:
        verdict = "그대로 둡니다"
    elif gain is None:
        verdict = "먼저 잽니다"
    elif gain < needed:
        verdict = "그대로 둡니다"
    else:
        verdict = "일부만 옮깁니다" if answers["막는 것"] else "옮깁니다"
    lines = [f"# 결정기록: {answers['이름']}", f"{answers['날짜']} · **{verdict}**"]
    measured = "재지 않음" if gain is None else f"{gain}배 (필요한 것 {needed}배)"
    lines += ["## 잰 것", f"- {measured}", "## 막는 것"]
    lines += [f"- {text}" for text in answers["막는 것"]] or ["- 없음"]
    lines += ["## 근거가 된 사실"]
    lines += [f"- {day}: {fact} ({source})" for day, fact, source in answers["사실"]]
    lines += ["## 이것이 바뀌면 다시 결정합니다"]
    lines += [f"- {text}" for text in answers["뒤집는 것"]]
    return verdict, "\n".join(lines)
