"""Proof of an exercise set: right and wrong answers, the blank, and mutants.

In: an `Exercise`.  Out: complaints in Korean, and the ledger of its mutants.  Imports ``engine``,
``probes`` and ``records``.
"""
