"""A file that somebody sent → its cells → the answers in them.

In: a path or bytes that nobody has looked at.  Out: `notebook.Cell`, `submission.Submission`, or
`notebook.Unreadable` with a reason in Korean.  Runs nothing and imports no other room.
"""
