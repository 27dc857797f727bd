"""Faults of names of what is outside a workflow: agents, tools and databases that there are not."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tablewright.domain.workflow import AgentNode, DatabaseNode, ToolNode, Workflow
from tablewright.domain.workflow.definition import PlacedNode, all_nodes
from tablewright.workflows.faults import Fault
from tablewright.workflows.validate.shape import place_of

MOST_TOLD = 20
"""How many of the known names a fault tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What nodes can name here. What is None is not known, and nothing is said of names of that kind.

    Names that begin with one of `away` are those of tools that are out of reach at present, and may well be there.
    Names of databases that begin with `lent` are given while a run is started.
    """

    agents: Collection[str] | None = None
    tools: Collection[str] | None = None
    databases: Collection[str] | None = None
    away: tuple[str, ...] = ()
    lent: str = "@"


def naming_faults(workflow: Workflow, names: Names) -> Iterator[Fault]:
    """Yield the faults of the agents, tools and databases that a workflow names."""
    for placed in all_nodes(workflow):
        match placed.node:
            case AgentNode(agent=agent):
                yield from _unknown(placed, "agent", agent, names.agents)
            case ToolNode(tool=tool) if tool.strip() and not tool.startswith(names.away):
                yield from _unknown(placed, "tool", tool, names.tools)
            case DatabaseNode(database=database) if not database.startswith(names.lent):
                yield from _unknown(placed, "database", database, names.databases)
            case _:
                pass


def _unknown(placed: PlacedNode, field: str, name: str, known: Collection[str] | None) -> Iterator[Fault]:
    if known is None or name in known:
        return
    told = sorted(known)
    words = ", ".join(told[:MOST_TOLD]) + (", …" if len(told) > MOST_TOLD else "")
    yield Fault(code=f"{field}_unknown", place=f"{place_of(placed)}.{field}", params={"name": name, "known": words})
