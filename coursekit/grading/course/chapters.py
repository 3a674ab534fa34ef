"""The chapter that an exercise set belongs to, and where a reader opens it."""

from __future__ import annotations

from pathlib import Path

from coursekit.project import ROOT, Project


def address(name: str, book_url: str = "", root: Path = ROOT) -> str:
    """Of the chapter that an exercise set belongs to; "" if there is none that a reader can open.

    A checkout that is not on GitHub yet names an owner that can't exist (``_your-account``): its
    addresses would be dead.
    """
    if not number(name, root):
        return ""
    if book_url:
        return f"{book_url.rstrip('/')}/chapters/{name}.html"
    project = Project(root)
    return "" if project.stand_in else project.colab_url(f"chapters/{name}.ipynb")


def number(name: str, root: Path = ROOT) -> int | None:
    """Of the chapter that an exercise set belongs to."""
    there = (root / "chapters" / f"{name}.ipynb").exists()
    return int(name[:2]) if there and name[:2].isdigit() else None
