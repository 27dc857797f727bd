"""Routes as values: the policy decides, its caller acts on the decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

AgentName = Literal[
    "code_analyst",
    "rounds",
    "structured",
    "supplied_code",
    "workflow",
    "react",
    "plan_solve",
    "executor",
    "deep_search",
    "router",
    "data_react",
    "data_plan",
    "data_executor",
    "query_writer",
    "formula_writer",
    "chat",
    "unavailable",
]
"""`rounds` changes workbooks; `structured` reports in rounds of tool calls; `supplied_code` executes code as it stands;
`workflow` runs a workflow; `react` calls tools turn by turn; `plan_solve` plans tasks that each an `executor` carries
out; `deep_search` answers from what it finds; `query_writer` writes statements for tables that others describe, and
`formula_writer` what such a statement computes; `router` has a language model choose
among the agent for tables, `react` and `plan_solve`; those of `data_` are as `react`, `plan_solve` and `executor`, with
the tools that analyse data and write reports alone; `chat` answers small talk without a model; `unavailable` answers
for modes that do not exist yet."""

Reason = Literal["tables", "mode", "operation", "edit", "report", "greeting", "thanks", "abilities", "workflow"]
"""Why the agent was chosen: the question is about tables, it asks to change a workbook (`operation`), the mode demands
it (`mode`, `edit`, `report`), the kind of small talk, or the mode that does not exist yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """The agent that takes a question, and why."""

    agent: AgentName
    reason: Reason
