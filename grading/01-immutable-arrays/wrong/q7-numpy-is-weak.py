# points: 4
# why: NumPy 스칼라가 JAX에서도 약하다고 봄
import jax
import jax.numpy as jnp


def predict_dtypes():
    torch = "int64 float32 uint8 int64 float16 bfloat16 bfloat16 int16 int64 float64"
    ours = "int32 float32 uint8 int32 float16 float32 bfloat16 int16 int32 float32"
    return list(zip(torch.split(), ours.split()))
