"""The judged queries of the search, and what counts as a right answer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import yaml

DATA = Path(__file__).parents[1] / "data"
KINDS = frozenset(
    [
        "noun",
        "particle",
        "compound",
        "ending",
        "api",
        "error",
        "traceback",
        "symptom",
        "synonym",
        "problem",
    ]
)


@dataclass(frozen=True)
class Query:
    """What somebody types, and the (page, heading) pairs that answer it equally well."""

    text: str
    kind: str
    answers: frozenset[tuple[str, str]]


def plain(heading: str) -> str:
    """A heading as it is shown: without Markdown's marks."""
    return re.sub(r"\s+", " ", re.sub(r"[`*$]", "", heading)).strip()


def read(name: str) -> list[Query]:
    """Queries of ``queries.yml`` or ``queries-independent.yml``."""
    entries = yaml.safe_load((DATA / name).read_text(encoding="utf-8"))
    queries = []
    for entry in entries:
        if (
            not {"query", "kind", "page", "section"}
            <= set(entry)
            <= {*("query", "kind", "page", "section", "or")}
        ):
            raise ValueError(f"{name}: {entry}")
        answers = {(a["page"], plain(a["section"])) for a in [entry, *entry.get("or", [])]}
        queries.append(Query(str(entry["query"]), entry["kind"], frozenset(answers)))
    return queries


def problems() -> list[Query]:
    """Both queries of every problem that people asked about in public."""
    entries = yaml.safe_load((DATA / "problems.yml").read_text(encoding="utf-8"))
    return [
        Query(str(p[key]), "problem", frozenset({(p["page"], plain(p["section"]))}))
        for p in entries
        for key in ("query_ko", "query_en")
    ]


def sets() -> dict[str, list[Query]]:
    """Every judged set by name."""
    return {
        "own": read("queries.yml"),
        "independent": read("queries-independent.yml"),
        "problems": problems(),
    }


def apart() -> dict[str, list[Query]]:
    """Sets of others that are measured beside `sets` and hold no test back.

    No engine was changed to suit ``unseen``. ``second`` was written to be hard, by somebody who
    saw no engine; its first measurement is in docs/site-measures.md, weights were chosen with it.
    """
    return {"unseen": read("queries-unseen.yml"), "second": read("queries-second.yml")}


def rank(query: Query, results: Iterable[dict]) -> int:
    """0-based place of the first right result, -1 if none: the section, or one below it."""
    for place, result in enumerate(results):
        headings = [result["title"], *result.get("trail", "").split(" › ")]
        if any((result["page"], plain(heading)) in query.answers for heading in headings):
            return place
    return -1
