"""Do the cells notice when what they teach is broken? Mutants of every cell that asserts.

``mutants`` breaks a cell, ``slices`` finds what must run before it, ``zygote`` runs it in a
process of its own, ``runner`` decides, ``ledger`` keeps the results, which are committed.
"""
