"""Edges of workflows, and what they connect."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """The way from the node `source` to the node `target`.

    From a node that chooses a way, `port` names the one: `true` or `false` of a condition, a case or `default` of a
    switch, an option of a question, `answered` or `expired` of one that expires.
    """

    source: str
    target: str
    port: str | None = None
