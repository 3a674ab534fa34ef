"""Put the SVG of a diagram where a notebook embeds its PNG.

Colab needs the PNG inside the notebook; a page of the site is lighter and sharper with the
SVG file.
"""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx

from coursekit.notebooks.source import png_uri


def setup(app: Sphinx) -> None:
    """Connect the replacement to the reading of each notebook."""
    folder = Path(app.srcdir) / "source" / "diagrams"
    uris = {png_uri(png): png.stem for png in sorted(folder.glob("*.png"))}

    def swap(app: Sphinx, name: str, content: list[str]) -> None:
        for uri, stem in uris.items():
            if uri in content[0]:
                content[0] = content[0].replace(uri, f"/source/diagrams/{stem}.svg")

    app.connect("source-read", swap)
