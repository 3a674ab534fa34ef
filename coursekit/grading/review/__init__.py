"""A page on this machine for reading answers, grading free text and overriding the engine.

``server`` is the web and its links, ``desk`` the data.  In: a gradebook.  Out: the same with a person's judgements.  Imports ``report``, ``course`` and
``gradebook``; never reaches the engine or a sandbox.
"""
