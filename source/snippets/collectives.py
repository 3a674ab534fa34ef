def collectives(function, *arguments):
    """컴파일한 프로그램의 집합 통신을 {이름: (개수, 결과의 바이트)}로 셉니다."""
    names = "all-reduce|all-gather|reduce-scatter|all-to-all|collective-permute"
    hlo, found = function.lower(*arguments).compile().as_text(), {}
    for shapes, name in re.findall(rf"= (\S.*?) ({names})(?:-start)?\(", hlo):
        size = 0
        for bits, dims in re.findall(r"[a-z]+(\d*)\[([\d,]*)\]", shapes):
            shape = [int(n) for n in dims.split(",") if n]
            size += int(bits or 8) // 8 * math.prod(shape)
        count, total = found.get(name, (0, 0))
        found[name] = (count + 1, total + size)
    return found
