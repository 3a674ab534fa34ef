"""What an instructor types: ``grade run``, ``collect``, ``report`` and the other verbs.

In: a command line.  Out: Korean on the screen, files, and an exit code.  Imports every room; none
imports this one.
"""
