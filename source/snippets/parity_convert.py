LINEAR = (torch.nn.Linear, torch.nn.modules.conv._ConvNd)
WEIGHTS = {  # PyTorch 층의 weight를 Flax는 무엇이라고 부르는가
    LINEAR: "kernel",
    torch.nn.Embedding: "embedding",
    torch.nn.modules.batchnorm._NormBase: "scale",  # BatchNorm과 InstanceNorm
    (torch.nn.LayerNorm, torch.nn.GroupNorm, torch.nn.RMSNorm): "scale",
}
OTHERS = {"bias": "bias", "running_mean": "mean", "running_var": "var"}


def converted(layer):
    """PyTorch 층 하나의 파라미터를 Flax의 이름과 배치로 바꿉니다."""
    p = {name: as_numpy(value) for name, value in layer.state_dict().items()}
    p.pop("num_batches_tracked", None)
    if isinstance(layer, torch.nn.MultiheadAttention):
        return converted_attention(p, layer)
    if isinstance(layer, torch.nn.LSTM | torch.nn.LSTMCell):
        return converted_lstm(p, layer)
    new = [name for kind, name in WEIGHTS.items() if isinstance(layer, kind)]
    understood(layer, new and set(p) <= {"weight", *OTHERS})
    if isinstance(layer, LINEAR):  # (출력, 입력, …)을 (…, 입력, 출력)으로
        p["weight"] = np.moveaxis(p["weight"], (0, 1), (-1, -2))
    return {OTHERS.get(name, new[0]): value for name, value in p.items()}
