"""In the child: what a notebook on Colab finds and the grader's Python has not.

A package that is not installed can be imported all the same, since a line at the top of a cell
should not cost the functions below it.  Whoever calls something of it gets `MissingPackage`, so
nothing it gives back can earn a point.
"""

from __future__ import annotations

import ast
import importlib.machinery
import importlib.util
import sys
from types import ModuleType
from typing import Any


class MissingPackage(ImportError):
    """A package that is only a stand-in was used."""


class NobodyToAnswer(EOFError):
    """``input()`` was called."""


def install(space: dict) -> None:
    """Put into ``space``, the namespace of the cells, what only a notebook has."""
    if "" not in sys.path:
        sys.path.append("")  # a notebook imports what lies beside it
    space["display"] = lambda *values, **options: None
    space["get_ipython"] = _Shell
    space["input"] = _input
    for name in ("google", "google.colab"):
        sys.modules.setdefault(name, _Anything(name))


def import_names(tree: ast.Module) -> None:
    """Let the imports at the top level of a cell find something.

    Those inside ``try`` or a function are left alone: their author may have thought of it.
    """
    for node in tree.body:
        match node:
            case ast.Import(names=names):
                modules = [alias.name for alias in names]
            case ast.ImportFrom(module=str(module), level=0):
                modules = [module]
            case _:
                continue
        for name in modules:
            if not _is_there(name.partition(".")[0]):
                _register(name)


def _is_there(name: str) -> bool:
    if name in sys.modules:
        return not isinstance(sys.modules[name], _Missing)
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError, AttributeError):
        return False


def _register(name: str) -> None:
    parent = None
    for end in range(1, name.count(".") + 2):
        full = ".".join(name.split(".")[:end])
        module = sys.modules.setdefault(full, _Missing(full))
        if parent is not None:
            setattr(parent, full.rpartition(".")[2], module)
        parent = module


def _input(prompt: object = "") -> str:
    raise NobodyToAnswer(
        "채점할 때는 input()에 답할 사람이 없습니다. 값을 변수에 직접 적거나 input() 줄을 지웁니다."
    )


class _Shell:
    """What ``get_ipython()`` gives: magics and shell commands do nothing."""

    def getoutput(self, *values: Any, **options: Any) -> list:
        return []

    def __getattr__(self, name: str) -> Any:
        return _Anything(name)


class _Anything(ModuleType):
    """Accepts any use: code that mounts Drive or sets up plots should not lose a cell."""

    __path__: list = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Anything(name)

    def __call__(self, *values: Any, **options: Any) -> None:
        return None


class _Missing(ModuleType):
    """A package that is not here.  Naming its parts is free, calling one is not."""

    __path__: list = []

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__spec__ = importlib.machinery.ModuleSpec(name, None, is_package=True)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _missing_part(f"{self.__name__}.{name}")


class _Part(type):
    """Parts are classes, for a class may be derived from one or an annotation name it."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _missing_part(f"{cls.__name__}.{name}")

    def __call__(cls, *values: Any, **options: Any) -> Any:
        package = getattr(cls, "_package", "")
        raise MissingPackage(
            f"채점하는 곳에는 {package} 패키지가 없습니다. 답은 {package} 없이 써야 합니다."
        )


def _missing_part(name: str) -> type:
    return _Part(name, (), {"_package": name.partition(".")[0], "__module__": "stand_in"})
