"""Values and frames that cross the sandbox's border, in both directions.

In: numpy arrays, keys and plain values, or bytes from a process that may lie.  Out: bytes, or
values within caps that were checked before parsing.  Imports nothing of the course: this is all
that a child shares with the grader.
"""
