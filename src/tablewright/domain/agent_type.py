"""The types of agents by which programs of others ask, and the modes that they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from tablewright.domain.run import Mode
from tablewright.errors import AgentTypeMissing, AgentTypeUnknown


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


PLAN_SOLVE = "plan_solve"
ROUTER = "router"
"""The agent that chooses among the others."""
DATA_STYLE = "dataAgent"
"""The style of answers for which an agent has the tools that analyse data and write reports alone."""
_DATA: Mapping[Mode, str] = {"react": "data_react", "plan": "data_plan"}


def agent_of(kind: AgentType, style: str | None) -> str | None:
    """Return the name of the agent of a type for answers of a style; None leaves it to the mode of the type."""
    if kind is AgentType.ROUTER:
        return ROUTER
    return _DATA.get(MODES[kind]) if style == DATA_STYLE else None


def agent_type(value: object) -> AgentType:
    """Return the type that a number, or text of it, stands for. Raises `AgentTypeMissing`, `AgentTypeUnknown`."""
    known = ", ".join(f"{each.value} {each.name}" for each in AgentType)
    if value is None:
        raise AgentTypeMissing(known=known)
    try:
        return AgentType(int(str(value)))
    except ValueError:
        raise AgentTypeUnknown(value=str(value)[:100], known=known) from None


def by_deep_think(value: object) -> AgentType:
    """Return the type of a request that says only whether to think deeply: 0, nothing or null is no."""
    quick = value is None or value is False or str(value).strip() in {"", "0", "false"}
    return AgentType.REACT if quick else AgentType.PLAN_SOLVE
