"""The files that all pages share: one style sheet, one script, and the whole book as a zip.

In: the folder that Sphinx wrote. Out: the same folder with fewer and smaller files.
May import nothing of ``site``; ``pages`` and ``printing`` know its files by their names.
"""
