"""A page on this machine for reading answers, grading free text and overriding the engine."""
