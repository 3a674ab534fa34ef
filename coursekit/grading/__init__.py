"""Grading: what was handed in → answers → verdict → result.

``grade.grade(path, exercise_set)`` is the one entry; nothing here is imported by students.
"""
