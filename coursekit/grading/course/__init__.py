"""What the checkout says of an exercise: its title, hints, chapter, and published answers.

In: the name of an exercise set.  Out: texts, and the syntax trees of public solutions.  Imports
``handed_in`` and ``probes``.
"""
