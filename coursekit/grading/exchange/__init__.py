"""Hands out an exercise set and takes in what comes back, student by student.

In: a blank notebook and a roster, or an LMS's archive of many students' files.  Out: a pack, or a folder with one
submission a student and a list of what a person has to decide.  Imports ``course``,
``handed_in``, ``probes`` and ``records``; runs nothing.
"""
