def launch(function, *shares, processes=2, timeout=180):
    """프로세스마다 function(주소, 번호, 자기 몫)을 불러 결과를 모읍니다."""
    source, address = inspect.getsource(function), f"127.0.0.1:{free_port()}"
    children, results = [], []
    with tempfile.TemporaryDirectory() as folder:
        try:
            for index in range(processes):
                values = (address, index, *(share[index] for share in shares))
                script = CHILD.format(call=f"{function.__name__}(*{values})")
                answer, log = f"{folder}/{index}", pathlib.Path(folder, f"{index}.log")
                command = [sys.executable, "-W", "ignore", "-c", script, source, answer]
                with log.open("w") as file:
                    children.append(subprocess.Popen(command, stdout=file, stderr=file))
            codes, end = [None], time.monotonic() + timeout
            while None in codes and not any(codes) and time.monotonic() < end:
                time.sleep(0.05)  # 하나라도 실패하면 기다리지 않습니다
                codes = [child.poll() for child in children]
        finally:
            for child in children:
                child.kill()
                child.wait()
        for index, code in enumerate(codes):
            results.append(outcome(code, pathlib.Path(folder, str(index))))
    return results
