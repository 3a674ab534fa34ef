"""Starting a child behind walls, talking to it with a clock running, measuring what it
uses from outside, and ending all of it.

In: limits, folders to hide, frames.  Out: answers, or `session.Lost`; `boxes.SandboxError` is the
machine's fault.  Imports ``wire``; of ``child`` it knows the name only, for that is another
process.
"""
