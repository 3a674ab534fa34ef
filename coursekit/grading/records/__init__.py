"""Plain data that other rooms fill and show: a roster, a result, tables.

In: a CSV or JSON text.  Out: the same as dataclasses, and files written whole.  Imports no other
room.
"""
