"""All checks that need no execution, in one call."""

from __future__ import annotations

from coursekit.findings import Finding
from coursekit.notebooks import freshness, hygiene, intent, links
from coursekit.project import Project


def run(project: Project) -> list[Finding]:
    """Every finding on the tree, sorted by file and line."""
    parts = (freshness.check, intent.check, hygiene.check, links.check)
    return sorted({finding for part in parts for finding in part(project)})
