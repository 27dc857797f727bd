"""The routing policy: which agent takes a question."""

from __future__ import annotations

from collections.abc import Mapping

from tablewright.analyst.operating.instructing.intent import asks_for_change, may_ask_for_change
from tablewright.domain.run import Mode
from tablewright.routing.route import AgentName, Route
from tablewright.routing.small_talk import small_talk

_WITH_TOOLS: Mapping[Mode, AgentName] = {"react": "react", "plan": "plan_solve"}


def choose(question: str, mode: Mode = "auto", *, workbook: bool = False) -> Route:
    """Return the route of `question`; `workbook` says whether the run has a workbook. A pure function, so that a run
    that is resumed takes the same route.

    - `analyze`: the code analyst.
    - `report`: structured rounds.
    - `edit`: the rounds; without a workbook, small talk is answered as such.
    - `auto`, `chat`: small talk is answered as such. In `auto`, a request to change the workbook goes to the
    rounds.
      Everything else goes to the code analyst, which may answer without code.
    - `react`: the agent with tools; `plan`: the one that plans and has others work at the same time. Small talk is
    answered as such: faces whose clients know no other mode would have a greeting worked on as a question.
    - `workflow`: unavailable, as a message alone names no workflow.
    """
    if mode == "workflow":
        return Route(agent="unavailable", reason=mode)
    if mode == "analyze":
        return Route(agent="code_analyst", reason="mode")
    if mode == "report":
        return Route(agent="structured", reason="report")
    if mode == "edit" and workbook:
        return Route(agent="rounds", reason="edit")
    if (talk := small_talk(question)) is not None:
        return Route(agent="chat", reason=talk)
    if mode in _WITH_TOOLS:
        return Route(agent=_WITH_TOOLS[mode], reason="mode")
    if mode == "edit":
        return Route(agent="rounds", reason="edit")
    if mode == "auto" and workbook and asks_for_change(question):
        return Route(agent="rounds", reason="operation")
    return Route(agent="code_analyst", reason="tables")


def unless_planned(route: Route, question: str, mode: Mode = "auto", *, workbook: bool = False) -> Route | None:
    """Return the route that is tried before `route`: of a message that may be a question or ask for a change, the
    rounds take what they can read as a change; None where nothing is tried."""
    if route.agent != "code_analyst" or mode != "auto" or not workbook or not may_ask_for_change(question):
        return None
    return Route(agent="rounds", reason="operation")
