"""The child: runs cells, then answers the grader's questions about the functions they defined.

This code shares its process with the student's, who may change or read anything in it.  So it
is no judge: it holds no expected value, and nothing it says *about* a function earns a point.
What it sends is either the value a function returned (the grader knows the right one) or an
exported program (which a second child, free of student code, runs on hidden inputs; see
`run_program`).  What it observes besides (a reused key, the number of traces) can only cost.

Requests and replies are frames (`wire.frames`).  A reply repeats the request's ``nonce``.
"""

from __future__ import annotations

import gc
import math
import os
import re
import socket
import sys
import threading
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import export
from jax._src import compilation_cache
from jax.errors import KeyReuseError
from jax.experimental.key_reuse._core import check_key_reuse

from coursekit.grading.child import cells, kept, stand_ins
from coursekit.grading.wire import frames, trees
from coursekit.grading.wire.trees import Key, Slot, Spec

# kept from before any cell ran: code that replaces them in jax only confuses itself
_jit, _export = jax.jit, export.export

# StableHLO custom calls that only compute; a callback would run Python of another process
_PURE_CALLS = re.compile(
    r"(Sharding|xla\.sdy\.\w+|SPMD\w+|annotate_device_placement|mhlo\.\w+|lapack_\w+|(dynamic_)?ducc_fft|TopK)$"
)


def main(channel: socket.socket, cache: str = "") -> None:
    """Answer requests until the stream ends.

    ``cache``: the folder of XLA's cache, where no student code runs; elsewhere the grader is asked
    for one program at a time.
    """
    programs = Programs(channel)
    if cache:
        jax.config.update("jax_compilation_cache_dir", cache)
    else:
        programs.serve_jax()
    child = Child()
    while frame := frames.receive(channel):
        message, blobs = frame
        programs.nonce = message["nonce"]
        out: list[bytes] = []
        try:
            reply = child.answer(message, blobs, out)
        except BaseException as error:  # SystemExit and KeyboardInterrupt are only answers here
            out.clear()
            reply = {"error": describe(error)}
        with programs.lock:
            programs.nonce = ""
            frames.send(channel, {**reply, "nonce": message["nonce"]}, out)


class Programs:
    """XLA's cache as jax asks for it, out of the grader's hand.

    The key of an entry is a hash of the program, so only who has a program gets it compiled: what
    the author's answers left there can't be listed or read.
    """

    _path = None

    def __init__(self, channel: socket.socket) -> None:
        self.channel, self.owner, self.nonce = channel, os.getpid(), ""
        self.lock = threading.Lock()

    def serve_jax(self) -> None:
        compilation_cache._cache, compilation_cache._cache_initialized = self, True
        # nothing is given back, and an executable is not made into bytes for that
        jax.config.update("jax_persistent_cache_min_compile_time_secs", math.inf)

    def get(self, key: str) -> bytes | None:
        with self.lock:
            # outside of a request, or in a process that a cell forked, nobody listens
            if not self.nonce or os.getpid() != self.owner:
                return None
            frames.send(self.channel, {"cache": key, "nonce": self.nonce})
            frame = frames.receive(self.channel)
            return frame[1][0] if frame and frame[1] else None

    def put(self, key: str, value: bytes) -> None:
        return


class Child:
    def __init__(self) -> None:
        self.space = _namespace()

    def answer(self, message: dict, blobs: list[bytes], out: list[bytes]) -> dict:
        operation = {
            "cell": self.run_cell, "call": self.call, "export": self.export,
            "traces": self.traces, "program": self.run_program, "compile": self.compile_program,
            "exists": self.exists,
        }[message["op"]]  # fmt: skip
        return operation(message, blobs, out)

    def run_cell(self, message: dict, blobs: list[bytes], out: list[bytes]) -> dict:
        if name := message.get("file"):
            cells.write(name, message["source"])
        whole = message.get("level", "whole") == "whole"
        cells.run(message["source"], message["cell"], self.space, whole=whole)
        gc.collect(0)
        return {}

    def exists(self, message: dict, blobs: list[bytes], out: list[bytes]) -> dict:
        return {"exists": callable(self.space.get(message["name"]))}

    def _function(self, message: dict) -> Any:
        function = self.space[message["name"]]
        if not message["wrap"]:
            return function
        kept.restore()
        return eval(message["wrap"], dict(kept.names))(function)

    def call(self, message: dict, blobs: list[bytes], out: list[bytes]) -> dict:
        # making an array would start the backend too early for jax.distributed.initialize
        leaf = (lambda value: value) if message.get("fresh") else _to_jax
        arguments = trees.decode(message["arguments"], blobs, leaf)
        function = self._function(message)
        if message.get("key_check"):
            kept.restore()
            _check_keys(function, arguments)
        result = function(*arguments)
        return {"value": trees.encode(result, out, _from_jax)}

    def export(self, message: dict, blobs: list[bytes], out: list[bytes]) -> dict:
        """Arrays and keys become inputs, of which only the shape is known here; all else is fixed."""
        function = self._function(message)
        leaves: list = []
        template = trees.decode(message["arguments"], blobs, _collect(leaves))
        shape_of: dict = {}

        def program(*flat):
            results: list = []
            arguments = _fill(
                template, [_wrap(leaf, v) for leaf, v in zip(leaves, flat, strict=True)]
            )
            shape_of["out"] = trees.encode(function(*arguments), [], _to_slots(results))
            return results

        specs = [jax.ShapeDtypeStruct(leaf.shape, leaf.dtype) for leaf in leaves]
        exported = _export(_jit(program))(*specs)
        out.append(exported.serialize())
        return {"out": shape_of["out"]}

    def traces(self, message: dict, blobs: list[bytes], out: list[bytes]) -> dict:
        """Number of traces of the jitted function over a row of calls, by `Counted` inputs."""
        function = self._function(message)
        kept.restore()
        count = [0]
        jitted = _jit(lambda box: function(*box.arguments))
        previous = None
        for node in message["calls"]:
            arguments = trees.decode(node, blobs, _to_jax)
            if message["feed_back"] and previous is not None:
                arguments = (previous[0], *arguments[1:])
            # tracing is cached as in a call, and nothing is compiled
            previous = jitted.eval_shape(Counted(arguments, count))
        return {"traces": count[0]}

    def run_program(self, message: dict, blobs: list[bytes], out: list[bytes]) -> dict:
        """Run an exported program (the last blob) on each list of inputs."""
        exported, text = _pure_program(blobs.pop())
        program = _callable(exported, text)
        values = []
        for node in message["calls"]:
            leaves: list = []
            trees.decode(node, blobs, _collect(leaves))
            results = program(*[_data(leaf) for leaf in leaves])
            values.append(trees.encode(list(results), out, _from_jax))
        return {"values": values, "operations": sum(" = " in line for line in text.splitlines())}

    def compile_program(self, message: dict, blobs: list[bytes], out: list[bytes]) -> dict:
        """Compile an exported program (the last blob); its HLO text and the size of its buffers."""
        exported, text = _pure_program(blobs.pop())
        specs = [jax.ShapeDtypeStruct(aval.shape, aval.dtype) for aval in exported.in_avals]
        compiled = _callable(exported, text).lower(*specs).compile()
        memory = compiled.memory_analysis()
        out.append(compiled.as_text().encode())
        return {
            "temporary": memory.temp_size_in_bytes,
            "arguments": memory.argument_size_in_bytes,
            "results": memory.output_size_in_bytes,
        }


class ProgramCallsOut(Exception):
    """An exported program calls what may do more than compute."""


def _pure_program(serialized: bytes) -> tuple[export.Exported, str]:
    """The program and its text; raises `ProgramCallsOut`."""
    exported = export.deserialize(bytearray(serialized))
    text = exported.mlir_module()
    calls = r"custom_call\s+@\"?([\w.$-]+)|call_target_name = \"([^\"]+)\""
    for name in re.findall(calls, text):
        if not _PURE_CALLS.match("".join(name)):
            raise ProgramCallsOut("".join(name)[:80])
    return exported, text


def _callable(exported: export.Exported, text: str) -> Any:
    """The program as a jitted function, on the mesh that it names; its inputs are replicated."""
    count = exported.nr_devices
    if count == 1:
        return _jit(exported.call)
    axes = {"all": count}
    for mesh in re.findall(r"sdy\.mesh @\S+ = <\[(.*?)\]", text):
        named = {name: int(size) for name, size in re.findall(r'"([^"]+)"=(\d+)', mesh)}
        if math.prod(named.values()) == count:
            axes = named
    devices = np.array(jax.devices()[:count]).reshape(tuple(axes.values()))
    replicated = jax.NamedSharding(jax.sharding.Mesh(devices, tuple(axes)), jax.P())
    return _jit(exported.call, in_shardings=(replicated,) * len(exported.in_avals))


class Counted:
    """Arguments in a box that counts how often jax rebuilds it with tracers: once a trace."""

    def __init__(self, arguments: tuple, count: list[int]) -> None:
        self.arguments, self.count = arguments, count

    def flatten(self):
        return (self.arguments,), _Identity(self.count)

    @classmethod
    def unflatten(cls, identity, children):
        if any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(children[0])):
            identity.value[0] += 1
        return cls(children[0], identity.value)


class _Identity:
    """Makes the counter part of the tree's structure without taking part in its equality."""

    def __init__(self, value: list[int]) -> None:
        self.value = value

    def __eq__(self, other) -> bool:
        return isinstance(other, _Identity)

    def __hash__(self) -> int:
        return 0


jax.tree_util.register_pytree_node(Counted, Counted.flatten, Counted.unflatten)


def describe(error: BaseException) -> dict:
    """Type, first 300 characters of the text and line in the cell; survives a hostile `error`."""
    text, line = "", None
    try:
        text = str(error)[:300]
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename.startswith("<셀"):
                line = trace.tb_lineno
            trace = trace.tb_next
        if isinstance(error, SyntaxError):
            line = error.lineno
        if isinstance(error, ModuleNotFoundError) and error.name:
            text = f"채점하는 곳에는 {str(error.name)[:80]} 패키지가 없습니다."
    except BaseException:
        text = ""
    return {"type": type(error).__name__[:80], "text": text, "line": line}


def _check_keys(function: Any, arguments: tuple) -> None:
    """Raise jax's KeyReuseError if the traced function uses a key twice."""
    try:
        check_key_reuse(function, *arguments)
    except KeyReuseError:
        raise
    except Exception:  # it can't be traced, which is the business of other probes
        return


def _to_jax(value: Any) -> Any:
    if isinstance(value, Key):
        return jax.random.wrap_key_data(jnp.asarray(value.data), impl=value.implementation)
    return jnp.asarray(value)


def _from_jax(value: Any) -> Any:
    if isinstance(value, jax.Array):
        if jnp.issubdtype(value.dtype, jax.dtypes.prng_key):
            data = np.asarray(jax.random.key_data(value))
            return Key(data, str(jax.random.key_impl(value)))
        return np.asarray(value)
    return value


def _collect(leaves: list):
    def make(value):
        leaves.append(value)
        return Slot(len(leaves) - 1)

    return make


def _fill(tree: Any, values: list) -> Any:
    """``tree`` (containers, fixed values, Slots) with values in place of the Slots."""
    if isinstance(tree, Slot):
        return values[tree.index]
    if isinstance(tree, (tuple, list)):
        return type(tree)(_fill(item, values) for item in tree)
    if isinstance(tree, dict):
        return {name: _fill(item, values) for name, item in tree.items()}
    return tree


def _data(leaf: Any) -> np.ndarray:
    return leaf.data if isinstance(leaf, Key) else leaf


def _wrap(leaf: Spec, traced: Any) -> Any:
    if leaf.implementation:
        return jax.random.wrap_key_data(traced, impl=leaf.implementation)
    return traced


def _to_slots(results: list):
    def leaf(value):
        implementation = ""
        if isinstance(value, jax.Array):
            if jnp.issubdtype(value.dtype, jax.dtypes.prng_key):
                implementation = str(jax.random.key_impl(value))
                value = jax.random.key_data(value)
        elif not isinstance(value, (np.ndarray, np.generic)):
            return value
        results.append(value)
        return Slot(len(results) - 1, implementation)

    return leaf


def _namespace() -> dict:
    """What a cell finds: a __main__ module, and stand-ins for what only a notebook has."""
    module = ModuleType("__main__")
    sys.modules["__main__"] = module
    space = module.__dict__
    stand_ins.install(space)
    return space
