# points: 2
# why: JAX도 PyTorch와 같다고 봄
import jax
import jax.numpy as jnp


def predict_dtypes():
    torch = "int64 float32 uint8 int64 float16 bfloat16 bfloat16 int16 int64 float64"
    ours = "int64 float32 uint8 int64 float16 bfloat16 bfloat16 int16 int64 float64"
    return list(zip(torch.split(), ours.split()))
