"""What stands on a page of the book, from Sphinx's document to finished HTML.

In: the pages as Sphinx reads and renders them. Out: the same pages in Korean, light, accessible,
with formulas and diagrams ready made and with what only this book tells (lanes, progress).
May import ``site.bundle``, ``site.build`` and ``coursekit.notebooks``.
"""
