"""The parity tool that chapter 07 pastes: models that agree, and porting bugs that it names."""

from __future__ import annotations

import contextlib
import functools
import itertools
from types import SimpleNamespace
from unittest import mock

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from flax import nnx

from coursekit.project import here

torch = pytest.importorskip("torch")
nn = torch.nn
torch.set_num_threads(1)
PARTS = sorted((here().source / "snippets").glob("parity*.py"))


def load():
    scope = {"contextlib": contextlib, "itertools": itertools, "mock": mock, "torch": torch}
    scope |= {"jax": jax, "jnp": jnp, "nnx": nnx, "np": np}
    for path in PARTS:
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), scope)
    return SimpleNamespace(**scope)


tool = load()
RNGS = nnx.Rngs(0)
GELU = functools.partial(jax.nn.gelu, approximate=False)
PAIRS = ((1, 1), (1, 1))


def data(*shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(1))


# models ------------------------------------------------------------------------------------
class TorchMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.last = nn.Linear(8, 8), nn.Linear(8, 8), nn.Linear(8, 3)

    def forward(self, x):
        x = torch.relu(self.first(x)) * 2.0
        return self.last(nn.functional.gelu(self.second(x)))


class FlaxMLP(nnx.Module):
    def __init__(self, gelu=GELU, scale=2.0, drop=0.0):
        self.first, self.second = nnx.Linear(8, 8, rngs=RNGS), nnx.Linear(8, 8, rngs=RNGS)
        self.last, self.gelu, self.scale = nnx.Linear(8, 3, rngs=RNGS), gelu, scale
        self.drop = nnx.Dropout(drop, rngs=RNGS)

    def __call__(self, x):
        x = self.drop(jax.nn.relu(self.first(x))) * self.scale
        return self.last(self.gelu(self.second(x)))


class TorchCNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 6, 3, padding=1, bias=False)
        self.bn, self.conv2 = nn.BatchNorm2d(6), nn.Conv2d(6, 4, 3, stride=2, padding=1)
        self.fc = nn.Linear(16, 3)

    def forward(self, x):
        x = torch.relu(self.bn(self.conv1(x)))
        x = self.conv2(nn.functional.max_pool2d(x, 3, 2, padding=1))
        return self.fc(torch.relu(x).flatten(1))


class FlaxCNN(nnx.Module):
    def __init__(self, padding=PAIRS, pool=PAIRS, keep_order=True, momentum=0.9):
        self.conv1 = nnx.Conv(3, 6, (3, 3), padding=PAIRS, use_bias=False, rngs=RNGS)
        self.bn = nnx.BatchNorm(6, momentum=momentum, rngs=RNGS)
        self.conv2 = nnx.Conv(6, 4, (3, 3), strides=(2, 2), padding=padding, rngs=RNGS)
        self.fc, self.pool, self.keep_order = nnx.Linear(16, 3, rngs=RNGS), pool, keep_order

    def __call__(self, x):
        x = jax.nn.relu(self.bn(self.conv1(x)))
        x = nnx.max_pool(x, window_shape=(3, 3), strides=(2, 2), padding=self.pool)
        x = jax.nn.relu(self.conv2(x))
        x = x.transpose(0, 3, 1, 2) if self.keep_order else x
        return self.fc(x.reshape(len(x), -1))


class TorchBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.norm1 = nn.Embedding(11, 16), nn.LayerNorm(16)
        self.attention = nn.MultiheadAttention(16, 2, batch_first=True)
        self.norm2, self.up, self.down = nn.LayerNorm(16), nn.Linear(16, 32), nn.Linear(32, 16)

    def forward(self, tokens):
        x = self.embed(tokens) * 0.1
        hidden = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        y = self.norm1(x)
        x = x + self.attention(y, y, y, attn_mask=hidden, need_weights=False)[0]
        return x + self.down(nn.functional.gelu(self.up(self.norm2(x))))


class FlaxBlock(nnx.Module):
    def __init__(self, epsilon=1e-5, causal=True, residual=1.0):
        self.embed = nnx.Embed(11, 16, rngs=RNGS)
        self.norm1, self.norm2 = (nnx.LayerNorm(16, epsilon=epsilon, rngs=RNGS) for _ in "12")
        self.attention = nnx.MultiHeadAttention(2, 16, decode=False, rngs=RNGS)
        self.up, self.down = nnx.Linear(16, 32, rngs=RNGS), nnx.Linear(32, 16, rngs=RNGS)
        self.causal, self.residual = causal, residual

    def __call__(self, tokens):
        x = self.embed(tokens) * 0.1
        mask = nnx.make_causal_mask(tokens) if self.causal else None
        x = self.residual * x + self.attention(self.norm1(x), mask=mask)
        return x + self.down(GELU(self.up(self.norm2(x))))


class TorchLSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.head = nn.LSTM(5, 7, batch_first=True), nn.Linear(7, 2)

    def forward(self, x):
        return self.head(self.lstm(x)[0])


class FlaxLSTM(nnx.Module):
    def __init__(self):
        self.lstm = nnx.RNN(nnx.LSTMCell(5, 7, rngs=RNGS), rngs=RNGS)
        self.head = nnx.Linear(7, 2, rngs=RNGS)

    def __call__(self, x):
        return self.head(self.lstm(x))


class FlaxEncoderLayer(nnx.Module):
    """torch.nn.TransformerEncoderLayer(norm_first=True), which none of us wrote."""

    def __init__(self):
        self.norm1, self.norm2 = (nnx.LayerNorm(16, epsilon=1e-5, rngs=RNGS) for _ in "12")
        self.self_attn = nnx.MultiHeadAttention(2, 16, decode=False, rngs=RNGS)
        self.linear1, self.linear2 = nnx.Linear(16, 24, rngs=RNGS), nnx.Linear(24, 16, rngs=RNGS)

    def __call__(self, x):
        x = x + self.self_attn(self.norm1(x))
        return x + self.linear2(jax.nn.relu(self.linear1(self.norm2(x))))


def encoder_layer():
    return nn.TransformerEncoderLayer(16, 2, 24, dropout=0.0, batch_first=True, norm_first=True)


IMAGES = data(4, 3, 8, 8)
TOKENS = torch.arange(24).reshape(4, 6) % 11
MODELS = {
    "mlp": (TorchMLP, FlaxMLP, data(4, 8)),
    "cnn": (TorchCNN, FlaxCNN, IMAGES),
    "block": (TorchBlock, FlaxBlock, TOKENS),
    "lstm": (TorchLSTM, FlaxLSTM, data(4, 6, 5)),
    "encoder": (encoder_layer, FlaxEncoderLayer, data(4, 6, 16)),
}


def ported(name, **changes):
    """Both models in evaluation mode with equal weights, and the inputs of both."""
    torch.manual_seed(0)
    make_torch, make_flax, inputs = MODELS[name]
    ours, theirs = make_torch().eval(), make_flax(**changes)
    theirs.eval()
    if name == "cnn":  # statistics that are not the initial ones
        ours.bn.running_mean.uniform_(-1, 1), ours.bn.running_var.uniform_(0.5, 2)
    tool.port(ours, theirs, {})
    array = inputs.permute(0, 2, 3, 1).numpy() if inputs.ndim == 4 else inputs.numpy()
    return ours, theirs, inputs, jnp.asarray(array)


def verdict(ours, theirs, inputs, array):
    return tool.compare(ours, theirs, (inputs,), (array,), {})


@pytest.mark.parametrize("name", MODELS)
def test_models_agree_layer_by_layer(name):
    gaps, layer, why = verdict(*ported(name))
    assert (layer, why) == (None, None) and max(gaps.values()) <= 1e-5
    assert len(gaps) >= 3


def curves(ours, theirs, our_loss, their_loss, optimizer, tx):
    """Losses of 50 steps of torch and of JAX, one row each."""
    tx = nnx.Optimizer(theirs, tx, wrt=nnx.Param)

    @nnx.jit
    def step(model, tx):
        loss, slopes = nnx.value_and_grad(their_loss)(model)
        tx.update(model, slopes)
        return loss

    rows = np.zeros((2, 50))
    for i in range(50):
        optimizer.zero_grad()
        loss = our_loss(ours)
        loss.backward()
        optimizer.step()
        rows[:, i] = loss.item(), step(theirs, tx)
    return rows


def assert_together(rows):
    assert np.abs(rows[0] - rows[1]).max() <= 1e-4
    assert rows[0, -1] < 0.9 * rows[0, 0]


@pytest.mark.parametrize("name", MODELS)
def test_fifty_steps_of_training_stay_together(name):
    ours, theirs, inputs, array = ported(name)
    ours.train(), theirs.train()
    target = torch.ones_like(ours(inputs)).detach()
    if name == "cnn":  # that call has moved torch's statistics
        tool.port(ours, theirs, {})
    if name == "lstm":  # both of its biases would move, and their sum twice as fast
        ours.lstm.bias_ih_l0.requires_grad_(False)
    wanted = jnp.asarray(target.numpy())
    rows = curves(
        ours,
        theirs,
        lambda model: ((model(inputs) - target) ** 2).mean(),
        lambda model: jnp.mean((model(array) - wanted) ** 2),
        torch.optim.SGD(ours.parameters(), lr=0.02, momentum=0.9),
        optax.sgd(0.02, momentum=0.9),
    )
    assert_together(rows)


# planted bugs ------------------------------------------------------------------------------
def spoil(path, change):
    """A bug in one parameter of an otherwise ported model."""

    def plant(theirs):
        variable = tool.find(theirs, path)
        variable[...] = jnp.asarray(change(variable[...]))

    return plant


def swap_gates(theirs):
    cell = theirs.lstm.cell
    for start in "ih":
        forget = getattr(cell, "if_" if start == "i" else "hf")
        other = getattr(cell, f"{start}g")
        forget.kernel[...], other.kernel[...] = other.kernel[...], forget.kernel[...]


def one_bias(ours):
    def plant(theirs):
        parts = np.split(ours.lstm.bias_ih_l0.detach().numpy(), 4)
        for gate, part in zip("ifgo", parts, strict=True):
            getattr(theirs.lstm.cell, f"h{gate}").bias[...] = jnp.asarray(part)

    return plant


def swap_qk(theirs):
    query, key = theirs.attention.query, theirs.attention.key
    query.kernel[...], key.kernel[...] = key.kernel[...], query.kernel[...]


def training(theirs):
    theirs.bn.use_running_average = False


def dropping(theirs):
    theirs.drop.deterministic = False


BUGS = {
    "linear not transposed": ("mlp", {}, spoil("second.kernel", np.transpose), "second", "전치"),
    "tanh gelu": ("mlp", {"gelu": jax.nn.gelu}, None, "last", "활성화"),
    "scale": ("mlp", {"scale": 1.0}, None, "second", "배율"),
    "dropout on": ("mlp", {"drop": 0.5}, dropping, "second", "Dropout"),
    "same padding": ("cnn", {"padding": "SAME"}, None, "conv2", "padding"),
    "flatten order": ("cnn", {"keep_order": False}, None, "fc", "순서"),
    "pool padding": ("cnn", {"pool": "SAME"}, None, "conv2", "풀링"),
    "train mode": ("cnn", {}, training, "bn", "모드"),
    "statistics": ("cnn", {}, spoil("bn.var", np.ones_like), "bn", "이동 통계"),
    "height and width": (
        "cnn",
        {},
        spoil("conv1.kernel", lambda k: np.swapaxes(k, 0, 1)),
        "conv1",
        "전치",
    ),
    "eps": ("block", {"epsilon": 1e-3}, None, "norm1", "eps"),
    # what a port forgets: Flax's own defaults, which hardly show in one forward pass
    "default eps": ("block", {"epsilon": 1e-6}, None, "norm1", "eps"),
    "default momentum": ("cnn", {"momentum": 0.99}, None, "bn", "momentum"),
    "momentum as it is": ("cnn", {"momentum": 0.1}, None, "bn", "momentum"),
    "no mask": ("block", {"causal": False}, None, "attention", "마스크"),
    "no residual": ("block", {"residual": 0.0}, None, "norm2", "잔차"),
    "q and k": ("block", {}, swap_qk, "attention", "q, k, v"),
    "gates": ("lstm", {}, swap_gates, "lstm", "게이트 순서"),
    "one bias": ("lstm", {}, one_bias, "lstm", "bias"),
    "not copied": ("mlp", {}, spoil("first.bias", np.ones_like), "first", "옮기지"),
}


@pytest.mark.parametrize("bug", BUGS)
def test_planted_bug_is_found_and_named(bug):
    name, changes, plant, layer, word = BUGS[bug]
    models = ported(name, **changes)
    if plant is one_bias:
        plant = one_bias(models[0])
    if plant:
        plant(models[1])
    _, found, why = verdict(*models)
    assert found == layer and word in why, (found, why)


def compared(ours, theirs, inputs):
    """Port and compare; images and signals of convolutions are turned for Flax."""
    tool.port(ours, theirs, {})
    array = inputs.permute(0, 2, 3, 1) if inputs.ndim == 4 else inputs
    return tool.compare(ours, theirs, (inputs,), (jnp.asarray(array.numpy()),), {})


class TorchOne(nn.Module):
    def __init__(self, layer, after=lambda x: x):
        super().__init__()
        self.layer, self.after = layer, after

    def forward(self, x):
        return self.after(self.layer(x))


class FlaxOne(nnx.Module):
    def __init__(self, layer, after=lambda x: x):
        self.layer, self.after = layer, after

    def __call__(self, x):
        return self.after(self.layer(x))


def test_nan_on_one_side_is_not_equal():
    ours = TorchOne(nn.Linear(4, 3), lambda x: torch.log(x - 100)).eval()
    theirs = FlaxOne(nnx.Linear(4, 3, rngs=RNGS), lambda x: jnp.full_like(x, 7.0))
    _, layer, _ = compared(ours, theirs, data(2, 4))
    assert layer == "출력"


def test_nan_on_both_sides_at_the_same_places_is_equal():
    ours = TorchOne(nn.Linear(4, 3), torch.log).eval()
    theirs = FlaxOne(nnx.Linear(4, 3, rngs=RNGS), jnp.log)
    assert compared(ours, theirs, data(5, 4))[1] is None


def test_one_large_channel_does_not_hide_the_others():
    scale = np.array([60.0, 1.0, 1.0], np.float32)
    ours = TorchOne(nn.Linear(4, 3), lambda x: x * torch.from_numpy(scale)).eval()
    error = jnp.array([0.0, 1.6e-4, 0.0])
    theirs = FlaxOne(nnx.Linear(4, 3, rngs=RNGS), lambda x: x * scale + error)
    assert compared(ours, theirs, data(2, 4))[1] == "출력"


def test_a_model_of_tokens_is_compared_to_its_end():
    ours = TorchOne(nn.Embedding(9, 4), lambda x: x.mean(1)).eval()
    theirs = FlaxOne(nnx.Embed(9, 4, rngs=RNGS), lambda x: x[:, -1])
    tokens = torch.tensor([[1, 2, 3], [4, 5, 6]])
    _, layer, why = compared(ours, theirs, tokens)
    assert layer == "출력" and "층 사이" in why


def test_a_bias_of_one_side_alone_is_told_though_it_is_zero():
    ours = TorchOne(nn.Linear(4, 3, bias=False)).eval()
    _, layer, why = compared(ours, FlaxOne(nnx.Linear(4, 3, rngs=RNGS)), data(2, 4))
    assert layer == "layer" and "bias" in why


def test_a_forgotten_dilation_is_told():
    ours = TorchOne(nn.Conv2d(2, 2, 3, padding=2, dilation=2)).eval()
    theirs = FlaxOne(nnx.Conv(2, 2, (3, 3), padding="SAME", rngs=RNGS))
    _, layer, why = compared(ours, theirs, data(1, 2, 8, 8))
    assert layer == "layer" and "dilation" in why


class NamedNorm(nn.LayerNorm):
    pass


class Doubled(nn.Linear):
    def forward(self, x):
        return 2 * super().forward(x)


class OwnLinear2d(nn.Module):
    """Parameters of known names and another formula."""

    def __init__(self):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.eye(4)), nn.Parameter(torch.ones(4))

    def forward(self, x):
        return x @ self.weight + self.bias


class FlaxNamed(nnx.Linear):
    pass


class FlaxDoubled(nnx.Linear):
    def __call__(self, x):
        return 2 * super().__call__(x)


class FlaxIdle(nnx.Module):
    def __init__(self):
        self.layer = nnx.Linear(4, 4, rngs=RNGS)

    def __call__(self, x):
        return x


class FlaxRemat(FlaxIdle):
    def __call__(self, x):
        return nnx.remat(lambda layer, value: layer(value))(self.layer, x)


class TorchAttention(nn.Module):
    def __init__(self, **options):
        super().__init__()
        self.layer = nn.MultiheadAttention(8, 2, batch_first=True, **options)

    def forward(self, x):
        return self.layer(query=x, key=x, value=x)[0]


def make(kind, *sizes, **options):
    return FlaxOne(kind(*sizes, rngs=RNGS, **options))


def attention(**options):
    return FlaxOne(nnx.MultiHeadAttention(2, 8, decode=False, rngs=RNGS, **options))


def batch_norm(**options):
    options = {"momentum": 0.9, "use_running_average": True} | options
    return make(nnx.BatchNorm, 4, **options)


ROWS, SEQUENCE, MAPS = data(2, 4), data(2, 3, 8), data(2, 4, 6, 6)
BARE = {"use_bias": False, "use_scale": False}
UP = {"strides": (2, 2), "padding": PAIRS}
EQUAL = {
    "a child of LayerNorm": (NamedNorm(4), make(nnx.LayerNorm, 4, epsilon=1e-5), ROWS),
    "a child of nnx.Linear": (nn.Linear(4, 4), make(FlaxNamed, 4, 4), ROWS),
    "children that call their parents": (Doubled(4, 4), make(FlaxDoubled, 4, 4), ROWS),
    "group norm": (nn.GroupNorm(2, 4), make(nnx.GroupNorm, 4, 2, epsilon=1e-5), MAPS),
    "norm of an instance": (
        nn.InstanceNorm2d(4, affine=True),
        make(nnx.InstanceNorm, 4, epsilon=1e-5),
        MAPS,
    ),
    "statistics alone": (nn.BatchNorm2d(4, affine=False), batch_norm(**BARE), MAPS),
    "transposed convolution": (
        nn.ConvTranspose2d(4, 2, 2, 2),
        make(nnx.ConvTranspose, 4, 2, (2, 2), transpose_kernel=True, **UP),
        MAPS,
    ),
    "depthwise": (
        nn.Conv2d(4, 4, 3, padding=1, groups=4),
        make(nnx.Conv, 4, 4, (3, 3), padding=1, feature_group_count=4),
        MAPS,
    ),
    "attention without bias": (
        TorchAttention(bias=False),
        attention(use_bias=False),
        SEQUENCE,
    ),
}


@pytest.mark.parametrize("case", EQUAL)
def test_right_ports_of_single_layers_are_equal(case):
    layer, theirs, inputs = EQUAL[case]
    ours = layer if isinstance(layer, TorchAttention) else TorchOne(layer)
    gaps, found, why = compared(ours.eval(), theirs, inputs)
    assert (found, why) == (None, None) and set(gaps) == {"layer", "출력"}


def swapped(x):
    return jnp.swapaxes(x, 1, 2)


DIFFERENT = {
    "cumulative average": (nn.BatchNorm2d(4, momentum=None), batch_norm(), MAPS, "momentum"),
    "scale of one side": (
        nn.LayerNorm(4, elementwise_affine=False),
        make(nnx.LayerNorm, 4, epsilon=1e-5),
        ROWS,
        "scale",
    ),
    "eps of RMSNorm": (nn.RMSNorm(4), make(nnx.RMSNorm, 4), ROWS, "eps"),
    "kernel not transposed": (
        nn.ConvTranspose2d(4, 4, 2, 2),
        make(nnx.ConvTranspose, 4, 4, (2, 2), **UP),
        MAPS,
        "transpose_kernel",
    ),
    "layer that is not called": (nn.Linear(4, 4), FlaxIdle(), ROWS, "부르지 않았습니다"),
    "layer inside remat": (nn.Linear(4, 4), FlaxRemat(), ROWS, "remat"),
    "call of the child": (nn.Linear(4, 4), make(FlaxDoubled, 4, 4), ROWS, "계산"),
    "padding of another kind": (
        nn.Conv2d(4, 2, 3, padding=1, padding_mode="reflect"),
        make(nnx.Conv, 4, 2, (3, 3), padding=1),
        MAPS,
        "패딩의 종류",
    ),
}


@pytest.mark.parametrize("case", DIFFERENT)
def test_wrong_ports_of_single_layers_are_named(case):
    layer, theirs, inputs, word = DIFFERENT[case]
    _, found, why = compared(TorchOne(layer).eval(), theirs, inputs)
    assert found == "layer" and word in why, (found, why)


OUTPUTS = {
    "second of two": (lambda x: (x, 2 * x), lambda x: (x, 3 * x), "배율"),
    "number": (lambda x: (x, x), lambda x: x, "개수"),
    "axes of equal length": (lambda x: x, swapped, "순서"),
    "nothing": (lambda x: None, lambda x: None, "비교할 값이 없는"),
    "empty": (lambda x: x[:0], lambda x: x[:0], "비교할 값이 없는"),
    "booleans": (lambda x: x > 0, lambda x: x <= 0, "층 사이"),
    "infinities": (lambda x: x / 0.0, lambda x: -x / 0.0, "층 사이"),
}


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("case", OUTPUTS)
def test_wrong_outputs_are_told(case):
    after, other, word = OUTPUTS[case]
    ours, theirs = TorchOne(nn.Linear(4, 4), after), make(nnx.Linear, 4, 4)
    theirs.after = other
    _, found, why = compared(ours.eval(), theirs, data(2, 4, 4))
    assert found == "출력" and word in why, (found, why)


def test_dictionaries_of_outputs_are_compared_by_their_names():
    ours = TorchOne(nn.Linear(4, 3), lambda x: {"b": x, "a": (2 * x, None)}).eval()
    theirs = make(nnx.Linear, 4, 3)
    theirs.after = lambda x: {"a": 2 * x, "b": x}
    assert compared(ours, theirs, ROWS)[1:] == (None, None)


def test_bfloat16_keeps_its_type_and_is_compared_with_a_wider_tolerance():
    ours = TorchOne(nn.Linear(4, 3).bfloat16()).eval()
    theirs = make(nnx.Linear, 4, 3, dtype=jnp.bfloat16, param_dtype=jnp.bfloat16)
    tool.port(ours, theirs, {})
    assert theirs.layer.kernel.dtype == jnp.bfloat16
    inputs = (ROWS.bfloat16(),), (jnp.asarray(ROWS.numpy(), jnp.bfloat16),)
    assert tool.compare(ours, theirs, *inputs, {}, tolerance=2e-2)[1] is None


def test_sequences_of_layers_need_no_names():
    ours = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Sequential(nn.Linear(4, 2)))
    last = nnx.Sequential(nnx.Linear(4, 2, rngs=RNGS))
    theirs = nnx.Sequential(nnx.Linear(4, 4, rngs=RNGS), jnp.tanh, last)
    gaps, layer, _ = compared(ours, theirs, ROWS)
    assert list(gaps) == ["0", "2.0", "출력"] and layer is None


def test_a_model_that_is_one_layer_is_compared():
    assert compared(nn.Linear(4, 3), nnx.Linear(4, 3, rngs=RNGS), ROWS)[1] is None


def test_recording_leaves_the_classes_as_they_were():
    classes = (FlaxNamed, FlaxOne, nnx.Linear)
    calls = [vars(kind).get("__call__") for kind in classes]
    compared(TorchOne(nn.Linear(4, 4)).eval(), make(FlaxNamed, 4, 4), ROWS)
    assert [vars(kind).get("__call__") for kind in classes] == calls


@pytest.mark.parametrize(
    ("ours", "theirs", "path"),
    [
        (nn.Linear(4, 3), make(nnx.Linear, 4, 3, use_bias=False), "layer.bias"),
        (nn.Embedding(4, 3), make(nnx.Linear, 4, 3), "layer.embedding"),
        (nn.LSTM(4, 3), make(nnx.Linear, 4, 3), "layer.ii.kernel"),
    ],
)
def test_a_parameter_that_flax_lacks_is_named_with_its_path(ours, theirs, path):
    with pytest.raises(LookupError, match=path):
        tool.port(TorchOne(ours), theirs, {})


@pytest.mark.parametrize(
    "layer",
    [
        nn.PReLU(4),
        nn.Bilinear(4, 3, 4),
        nn.EmbeddingBag(4, 4),
        nn.GRUCell(4, 4),
        nn.GRU(3, 4),
        nn.LSTM(3, 4, num_layers=2),
        nn.LSTM(3, 4, bidirectional=True, bias=False),
        nn.LSTM(3, 4, proj_size=2),
        nn.MultiheadAttention(8, 2, kdim=4, vdim=4),
        nn.MultiheadAttention(8, 2, add_bias_kv=True),
        nn.utils.parametrizations.weight_norm(nn.Linear(4, 4)),
        OwnLinear2d(),
    ],
    ids=lambda layer: type(layer).__name__,
)
def test_a_layer_without_a_rule_is_named_and_never_half_copied(layer):
    with pytest.raises(NotImplementedError, match=type(layer).__name__):
        tool.converted(layer)


def test_a_parameter_that_no_rule_knows_is_not_dropped():
    layer = nn.Linear(4, 4)
    layer.extra = nn.Parameter(torch.ones(4))
    with pytest.raises(NotImplementedError, match="Linear"):
        tool.converted(layer)


def test_a_norm_without_parameters_has_nothing_to_port():
    assert tool.converted(nn.LayerNorm(4, elementwise_affine=False)) == {}


def test_square_weights_of_another_shape_are_refused():
    with pytest.raises(AssertionError, match="second"):
        tool.port(TorchMLP(), FlaxMLP(), {"second": "last"})


class TorchPatches(nn.Module):
    """As many channels as rows and columns, and parameters of its own beside its layers."""

    def __init__(self):
        super().__init__()
        self.conv, self.head = nn.Conv2d(3, 8, 3, padding=1), nn.Linear(8, 2)
        self.scale = nn.Parameter(torch.full((8,), 2.0))

    def forward(self, x):
        return self.head(self.conv(x).mean((2, 3)) * self.scale)


class FlaxPatches(nnx.Module):
    def __init__(self):
        self.conv = nnx.Conv(3, 8, (3, 3), padding=PAIRS, rngs=RNGS)
        self.head = nnx.Linear(8, 2, rngs=RNGS)
        self.scale = nnx.Param(jnp.full(8, 2.0))

    def __call__(self, x):
        return self.head(self.conv(x).mean((1, 2)) * self.scale[...])


def test_parameters_outside_layers_are_refused_or_left_to_the_reader():
    ours, theirs = TorchPatches().eval(), FlaxPatches()
    with pytest.raises(NotImplementedError, match="TorchPatches"):
        tool.port(ours, theirs, {})
    names = {"": None}
    tool.port(ours, theirs, names)
    images = (IMAGES,), (jnp.asarray(IMAGES.permute(0, 2, 3, 1).numpy()),)
    gaps, layer, _ = tool.compare(ours, theirs, *images, names)
    assert list(gaps) == ["conv", "head", "출력"] and layer is None
    theirs.scale[...] = jnp.ones(8)
    assert tool.compare(ours, theirs, *images, names)[1:] == ("head", "곱하는 배율이 다릅니다")


# models that none of us wrote --------------------------------------------------------------
class FlaxGPT2(nnx.Module):
    def __init__(self, config):
        width, block = config.n_embd, functools.partial(FlaxGPT2Block, config)
        self.wte = nnx.Embed(config.vocab_size, width, rngs=RNGS)
        self.wpe = nnx.Embed(config.n_positions, width, rngs=RNGS)
        self.h0, self.h1 = block(), block()
        self.ln_f = nnx.LayerNorm(width, epsilon=config.layer_norm_epsilon, rngs=RNGS)

    def __call__(self, tokens):
        x = self.wte(tokens) + self.wpe(jnp.arange(tokens.shape[1])[None])
        return self.ln_f(self.h1(self.h0(x)))


class FlaxGPT2Block(nnx.Module):
    def __init__(self, config):
        width, self.heads = config.n_embd, config.n_head
        norm = functools.partial(nnx.LayerNorm, width, epsilon=config.layer_norm_epsilon)
        self.ln_1, self.ln_2 = norm(rngs=RNGS), norm(rngs=RNGS)
        self.qkv = nnx.Linear(width, 3 * width, rngs=RNGS)
        self.proj = nnx.Linear(width, width, rngs=RNGS)
        self.up = nnx.Linear(width, 4 * width, rngs=RNGS)
        self.down = nnx.Linear(4 * width, width, rngs=RNGS)

    def __call__(self, x):
        shape = (*x.shape[:2], self.heads, -1)
        q, k, v = (part.reshape(shape) for part in jnp.split(self.qkv(self.ln_1(x)), 3, -1))
        mixed = jax.nn.dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(mixed.reshape(x.shape))
        return x + self.down(jax.nn.gelu(self.up(self.ln_2(x)), approximate=True))


@pytest.fixture
def gpt2():
    """A GPT-2 with random weights, its port, their layers' names and tokens."""
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    sizes = {"n_embd": 32, "n_head": 4, "n_layer": 2, "vocab_size": 50, "n_positions": 16}
    config = transformers.GPT2Config(**sizes, attn_pdrop=0, embd_pdrop=0, resid_pdrop=0)
    ours, theirs = transformers.GPT2Model(config).eval(), FlaxGPT2(config)
    ours.config.return_dict, ours.config.use_cache = False, False
    names = {}
    for i in range(2):
        rows = {"attn.c_attn": "qkv", "attn.c_proj": "proj", "mlp.c_fc": "up", "mlp.c_proj": "down"}
        rows |= {"ln_1": "ln_1", "ln_2": "ln_2"}
        names |= {f"h.{i}.{old}": f"h{i}.{new}" for old, new in rows.items()}
    tool.WEIGHTS[transformers.pytorch_utils.Conv1D] = "kernel"  # (input, output) as in Flax
    tool.port(ours, theirs, names)
    return ours, theirs, names, np.random.default_rng(0).integers(0, 50, (4, 12))


def test_gpt2_of_transformers_agrees(gpt2):
    ours, theirs, names, tokens = gpt2
    inputs = (torch.from_numpy(tokens),), (jnp.asarray(tokens),)
    gaps, layer, why = tool.compare(ours, theirs, *inputs, names)
    assert (layer, why) == (None, None) and max(gaps.values()) <= 1e-5 and len(gaps) == 16


def test_gpt2_of_transformers_learns_alike(gpt2):
    """Next-token cross entropy with the head tied to the embedding, AdamW."""
    ours, theirs, _, tokens = gpt2
    ids, array = torch.from_numpy(tokens), jnp.asarray(tokens)

    def our_loss(model):
        logits = model(ids)[0] @ model.wte.weight.T
        return nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())

    def their_loss(model):
        logits = model(array) @ model.wte.embedding[...].T
        losses = optax.softmax_cross_entropy_with_integer_labels(logits[:, :-1], array[:, 1:])
        return losses.mean()

    optimizer = torch.optim.AdamW(ours.parameters(), lr=1e-3)
    tx = optax.adamw(1e-3, weight_decay=1e-2)
    assert_together(curves(ours, theirs, our_loss, their_loss, optimizer, tx))


class FlaxBertLayer(nnx.Module):
    def __init__(self, config):
        width, self.heads = config.hidden_size, config.num_attention_heads
        make = functools.partial(nnx.Linear, rngs=RNGS)
        self.query, self.key, self.value, self.out = (make(width, width) for _ in "qkvo")
        self.up, self.down = make(width, config.intermediate_size), make(4 * width, width)
        norm = functools.partial(nnx.LayerNorm, width, epsilon=config.layer_norm_eps)
        self.norm1, self.norm2 = norm(rngs=RNGS), norm(rngs=RNGS)

    def __call__(self, x):
        shape = (*x.shape[:2], self.heads, -1)
        q, k, v = (layer(x).reshape(shape) for layer in (self.query, self.key, self.value))
        mixed = jax.nn.dot_product_attention(q, k, v).reshape(x.shape)
        x = self.norm1(x + self.out(mixed))
        return self.norm2(x + self.down(GELU(self.up(x))))


@pytest.fixture
def bert():
    """A BERT layer with random weights, its port, their layers' names and an input."""
    modeling = pytest.importorskip("transformers.models.bert.modeling_bert")
    torch.manual_seed(0)
    config = modeling.BertConfig(hidden_size=32, num_attention_heads=4, intermediate_size=128)
    config._attn_implementation = "eager"
    ours, theirs = modeling.BertLayer(config).eval(), FlaxBertLayer(config)
    names = {f"attention.self.{part}": part for part in ("query", "key", "value")}
    names |= {"attention.output.dense": "out", "attention.output.LayerNorm": "norm1"}
    names |= {"intermediate.dense": "up", "output.dense": "down", "output.LayerNorm": "norm2"}
    tool.port(ours, theirs, names)
    return ours, theirs, names, data(2, 6, 32)


def test_bert_layer_of_transformers_agrees(bert):
    ours, theirs, names, x = bert
    gaps, layer, why = tool.compare(ours, theirs, (x,), (jnp.asarray(x.numpy()),), names)
    assert (layer, why) == (None, None) and max(gaps.values()) <= 1e-5 and len(gaps) == 9


def test_bert_layer_of_transformers_learns_alike(bert):
    """Squared distance to another random tensor, AdamW."""
    ours, theirs, _, x = bert
    target = x.flip(0)
    array, wanted = jnp.asarray(x.numpy()), jnp.asarray(target.numpy())

    def our_loss(model):
        y = model(x)
        return (((y[0] if isinstance(y, tuple) else y) - target) ** 2).mean()

    optimizer = torch.optim.AdamW(ours.parameters(), lr=1e-3)
    tx = optax.adamw(1e-3, weight_decay=1e-2)
    rows = curves(
        ours, theirs, our_loss, lambda model: jnp.mean((model(array) - wanted) ** 2), optimizer, tx
    )
    assert_together(rows)


# the decision record -----------------------------------------------------------------------
@pytest.mark.parametrize(
    ("blocks", "separable", "gain", "verdict"),
    [
        (["막힘"], False, 9.0, "그대로 둡니다"),
        (["막힘"], True, None, "먼저 잽니다"),
        (["막힘"], True, 2.0, "일부만 옮깁니다"),
        ([], True, 1.1, "그대로 둡니다"),
        ([], True, 1.5, "옮깁니다"),
    ],
)
def test_decision_record_follows_the_answers(blocks, separable, gain, verdict):
    scope = {}
    exec((here().source / "snippets/decision_record.py").read_text(encoding="utf-8"), scope)
    answers = {"이름": "추천", "날짜": "2026-11-30", "막는 것": blocks, "잰 이득": gain}
    answers |= {"떼어 낼 수 있나": separable, "필요한 이득": 1.5, "뒤집는 것": ["값이 어긋남"]}
    answers["사실"] = [("2026-11-29", "두 배 빨라짐", "측정 3번")]
    got, document = scope["decision_record"](answers)
    assert got == verdict and f"2026-11-30 · **{verdict}**" in document
    for line in ("- 2026-11-29: 두 배 빨라짐 (측정 3번)", "- 값이 어긋남", "# 결정기록: 추천"):
        assert line in document.splitlines()
    assert ("- 없음" in document.splitlines()) is not bool(blocks)
