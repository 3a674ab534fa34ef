"""Grades: one submission, a folder of them on all cores, or a class on Dask workers.

In: a path, an `Exercise` and a seed, on which alone a result depends.  Out: a `Result`.  Imports
``sandbox``, ``course``, ``handed_in``, ``probes``, ``records`` and ``wire``; of ``child`` nothing.
"""
