"""Grading: what was handed in → answers → verdict → result → gradebook → feedback.

Rooms from the ground up; each may import the rooms below it, and pyproject.toml holds the walls
(``tool.importlinter``).  ``engine.grade.grade(path, exercise_set)`` grades one file.

    wire        handed_in   records       data: across the sandbox's border, from students, tables
    probes      child       sandbox       what is asked; what runs beside student code; its walls
    course      gradebook   interchange   what the checkout says; the SQLite file; nbgrader
    engine      exchange    report        grades; hands out and takes in; shows
    audit       review                    proofs of an exercise set; the page for reading answers
    commands                              what an instructor types
"""
