"""The parity tool that chapter 07 pastes: models that agree, and porting bugs that it names."""

from __future__ import annotations

import functools
import itertools
from types import SimpleNamespace

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
    scope = {"functools": functools, "itertools": itertools, "torch": torch, "nnx": nnx}
    scope |= {"jax": jax, "jnp": jnp, "np": np}
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
    "gates": ("lstm", {}, swap_gates, "lstm", "문 순서"),
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


def compared(ours, theirs, inputs, outputs=None, names=None):
    tool.port(ours, theirs, names or {})
    return tool.compare(ours, theirs, (inputs,), (jnp.asarray(inputs.numpy()),), names or {})


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
    x = data(1, 2, 8, 8)
    tool.port(ours, theirs, {})
    moved = jnp.asarray(x.permute(0, 2, 3, 1).numpy())
    _, layer, why = tool.compare(ours, theirs, (x,), (moved,), {})
    assert layer == "layer" and "dilation" in why


@pytest.mark.parametrize(
    "layer", [nn.PReLU(4), nn.Bilinear(4, 3, 4), nn.EmbeddingBag(4, 4), nn.GRUCell(4, 4)],
    ids=lambda layer: type(layer).__name__,
)  # fmt: skip
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


@pytest.mark.parametrize("layer", [nn.GRU(3, 4), nn.LSTM(3, 4, num_layers=2)])
def test_layers_without_a_rule_are_refused(layer):
    with pytest.raises(NotImplementedError, match=type(layer).__name__):
        tool.converted(layer)


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
