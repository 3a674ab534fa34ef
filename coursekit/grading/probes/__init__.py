"""What an author of probes imports: questions, requests about an answer (`questions`)
and judgements (`verdict`: `close` and its tolerances, `require`).

In: ``grading/NN-slug/probes.py``.  Out: an `Exercise`, and `Wrong` or `Raised` from a check.
Imports ``wire`` only, so a probe can reach neither a sandbox nor a gradebook.
"""

from coursekit.grading.probes.questions import (
    Draw,
    Exercise,
    ExerciseError,
    call,
    compiled,
    helper,
    processes,
    program,
    traces,
)
from coursekit.grading.probes.verdict import (
    Raised,
    Wrong,
    close,
    describe,
    is_key,
    require,
    tree_close,
    unpack,
)
