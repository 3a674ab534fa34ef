"""All checks that need no execution, in one call.

In: sources and published notebooks. Out: findings, each with file and line.
May import ``notebooks``, but not ``lanes``.
"""

from __future__ import annotations

from coursekit.findings import Finding
from coursekit.notebooks.audit import ledger
from coursekit.notebooks.checks import freshness, hygiene, intent, links
from coursekit.project import Project


def run(project: Project) -> list[Finding]:
    """Every finding on the tree, sorted by file and line."""
    parts = (freshness.check, intent.check, hygiene.check, links.check, ledger.check)
    return sorted({finding for part in parts for finding in part(project)})
