# points: 3
# why: uint8과 int8, NumPy의 실수를 좁게 봄
import jax
import jax.numpy as jnp


def predict_dtypes():
    torch = "int64 float32 uint8 int64 float16 bfloat16 bfloat16 int8 int64 float32"
    ours = "int32 float32 uint8 int32 float16 float32 float32 int16 int32 float32"
    return list(zip(torch.split(), ours.split()))
