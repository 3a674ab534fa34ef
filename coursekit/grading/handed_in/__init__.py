"""One file that somebody sent (a notebook, a script, a zip with one notebook) → its cells → answers.

In: a path or bytes that nobody has looked at.  Out: `notebook.Cell`, `submission.Submission`, or
`notebook.Unreadable` with a reason in Korean.  Runs nothing and imports no other room.
"""
