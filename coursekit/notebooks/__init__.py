"""From MyST text to executed notebooks, their diagrams and tables.

In: ``source/``. Out: ``chapters/``, ``exercises/``, ``solutions/``, and what ``checks`` and
``lanes`` say of them. May import nothing of ``site`` and ``grading``.
"""
