"""All that runs beside student code: the zygote, the locks of its children (`confine`:
namespaces, rlimits, seccomp), and what they answer.

In: frames with cells and requests.  Out: frames with values, which the grader does not trust.
Imports ``wire`` only (and jax, numpy): whatever is loaded here, student code can read.
"""
