"""The types of agents by which programs of others ask, and the modes that they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from tablewright.domain.run import Mode
from tablewright.errors import AgentTypeUnknown


class AgentType(IntEnum):
    """The numbers never change."""

    COMPREHENSIVE = 1
    WORKFLOW = 2
    PLAN_SOLVE = 3
    ROUTER = 4
    REACT = 5


MODES: Mapping[AgentType, Mode] = {
    AgentType.COMPREHENSIVE: "chat",
    AgentType.WORKFLOW: "workflow",
    AgentType.PLAN_SOLVE: "plan",
    AgentType.ROUTER: "auto",
    AgentType.REACT: "react",
}
"""The mode of each type: a talk in which tools are called where they are needed, stored workflows, plans that several
carry out, whichever of them fits, and one agent with tools."""


def agent_type(value: object) -> AgentType:
    """Return the type that a number, or text of it, stands for. Raises `AgentTypeUnknown`."""
    try:
        return AgentType(int(str(value)))
    except ValueError:
        known = ", ".join(f"{each.value} {each.name}" for each in AgentType)
        raise AgentTypeUnknown(value=str(value)[:100], known=known) from None


def by_deep_think(value: object) -> AgentType:
    """Return the type of a request that says only whether to think deeply: 0, nothing or null is no."""
    quick = value is None or value is False or str(value).strip() in {"", "0", "false"}
    return AgentType.REACT if quick else AgentType.PLAN_SOLVE
