"""To and from other graders, so that nobody is locked in.

In: a source of ours, or an nbgrader notebook.  Out: the other.  Imports ``handed_in``,
``probes``, and of the course's other half ``coursekit.notebooks.source``.
"""
