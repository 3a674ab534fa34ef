import importlib.metadata
import importlib.util
import platform
import shutil

import jax


def environment():
    """버전과 장치를 출력하고, 어긋난 곳이 있으면 무엇을 할지 말합니다."""
    names = filter(importlib.util.find_spec, ("jax", "jaxlib", "flax", "optax"))
    versions = {name: importlib.metadata.version(name) for name in names}
    devices, backend = jax.devices(), jax.default_backend()
    print(f"Python {platform.python_version()} ({platform.system()})")
    print(", ".join(f"{name} {version}" for name, version in versions.items()))
    print(f"장치: {backend} {len(devices)}개 ({devices[0].device_kind})")
    if jax.__version__ != versions["jax"]:
        print("불러온 뒤에 jax가 바뀌었습니다. 런타임을 다시 시작합니다.")
    if backend == "cpu" and shutil.which("nvidia-smi"):
        print("GPU가 있지만 CPU를 씁니다. CUDA용 jaxlib이 깔렸는지 봅니다.")
    if backend == "cpu" and importlib.util.find_spec("libtpu"):
        print("TPU 라이브러리가 있지만 CPU를 씁니다. libtpu의 버전을 봅니다.")


environment()
