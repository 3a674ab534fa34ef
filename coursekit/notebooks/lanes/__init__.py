"""Every notebook run again in each lane's Python, and the record of what passed.

In: published notebooks. Out: nbval's results, and ``source/data/lanes.json`` for the book.
May import ``notebooks``. ``plugin`` runs in a Python without our packages: it imports only
``coursekit.project`` of ours, and this file imports nothing at all.
"""
