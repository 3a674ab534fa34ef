"""The SQLite file that holds a class: submissions, results, what a person decided, and when.

In: results and judgements.  Out: rows; `book.Conflict` if two people judge at once.  Imports
``records`` and ``probes``.
"""
