# points: 5
# why: float16과 int32가 만나면 float32라고 봄
import jax
import jax.numpy as jnp


def predict_dtypes():
    torch = "int64 float32 uint8 int64 float32 bfloat16 bfloat16 int16 int64 float64"
    ours = "int32 float32 uint8 int32 float32 float32 float32 int16 int32 float32"
    return list(zip(torch.split(), ours.split()))
