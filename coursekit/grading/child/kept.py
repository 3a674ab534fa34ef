"""Libraries as they were before any student code ran, for what looks at a student's function.

Transformations and observations (``jax.grad``, ``jax.tree.leaves``, the number of traces) run in
the process in which the cells have run.  A cell may have put functions of its own in their place;
`names` still holds the right ones, and `restore` puts back what was replaced inside the libraries.

This keeps out who replaces a function, by mistake or on purpose.  It is no wall: who takes over
the interpreter itself can still say what he likes about his own function (threat model).
"""

from __future__ import annotations

import builtins
import operator
import sys
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

_LIBRARIES = ("builtins", "functools", "flax", "jax", "jaxlib", "numpy", "optax")

_modules: list[tuple[dict, tuple, tuple]] = []  # namespace, names, values
_functions: list[FunctionType] = []
_codes: list[CodeType] = []
names: dict[str, Any] = {}
_get_code = operator.attrgetter("__code__")


def remember() -> None:
    """Keep all libraries as they are now; to be called once, before the first fork."""
    seen: dict[int, FunctionType] = {}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in _LIBRARIES and isinstance(module, ModuleType):
            space = vars(module)
            kept = {key: value for key, value in space.items() if _is_code(value)}
            _modules.append((space, tuple(kept), tuple(kept.values())))
            for value in kept.values():
                for function in (value, getattr(value, "__wrapped__", None)):
                    if isinstance(function, FunctionType):
                        seen[id(function)] = function
    _functions[:] = seen.values()
    _codes[:] = map(_get_code, _functions)
    copies: dict[int, ModuleType] = {}
    jax, numpy = sys.modules["jax"], sys.modules["numpy"]
    names.update(jax=_copy(jax, copies), jnp=_copy(jax.numpy, copies), np=_copy(numpy, copies))
    names["__builtins__"] = dict(vars(builtins))


def restore() -> None:
    """Put back every function, class and module of the libraries that something else stands for."""
    for space, keys, values in _modules:
        if not all(map(operator.is_, map(space.get, keys), values)):
            space.update(zip(keys, values, strict=True))
    if not all(map(operator.is_, map(_get_code, _functions), _codes)):
        for function, code in zip(_functions, _codes, strict=True):
            function.__code__ = code


def _is_code(value: Any) -> bool:
    kinds = (FunctionType, BuiltinFunctionType, type, ModuleType)
    return isinstance(value, kinds) or hasattr(value, "__wrapped__")


class _Copy(ModuleType):
    """A module's names, out of reach of who changes the module."""

    def __getattr__(self, name: str) -> Any:  # what the library itself makes only when asked
        return getattr(self.__dict__["__original__"], name)


def _copy(module: ModuleType, copies: dict[int, ModuleType]) -> ModuleType:
    if id(module) in copies:
        return copies[id(module)]
    copy = copies[id(module)] = _Copy(module.__name__)
    for name, value in list(vars(module).items()):
        inner = isinstance(value, ModuleType) and value.__name__.partition(".")[0] in _LIBRARIES
        copy.__dict__[name] = _copy(value, copies) if inner else value
    copy.__dict__["__original__"] = module
    return copy
