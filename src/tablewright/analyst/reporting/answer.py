"""The analyst's part in structured rounds: which calls come next, and in the last round the report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tablewright.analyst.reporting.agenda import Agenda, Item, agenda_of
from tablewright.analyst.reporting.finding import holding, ranked
from tablewright.analyst.reporting.outcomes import measurements
from tablewright.analyst.reporting.questions import recommended
from tablewright.analyst.reporting.report import Report, written
from tablewright.data.base import ValueLookup
from tablewright.domain.task import StructuredRound
from tablewright.texts.catalogue import text

TOOL = "run_python"
FINDINGS = 8
TIMEOUT_S = 120


async def structured_round(task: StructuredRound, values: ValueLookup) -> str:
    """Return the answer of this round as JSON."""
    agenda = agenda_of(task) if any(tool.name == TOOL for tool in task.tools) else Agenda(rounds=(), subjects=())
    place = len(task.rounds)
    if place < len(agenda.rounds) and task.round < task.max_rounds:
        action: dict[str, Any] = {"type": "tool_call", "content": _calls(agenda.rounds[place], task)}
    else:
        action = await _complete(agenda, task, values)
    answer = {
        "task_analysis": _analysis(agenda, task),
        "execution_plan": _plan(agenda, task),
        "current_round": task.round,
        "action": action,
    }
    return json.dumps(answer, ensure_ascii=False)


def _calls(items: Sequence[Item], task: StructuredRound) -> list[dict[str, Any]]:
    properties = next(tool.parameters.get("properties", {}) for tool in task.tools if tool.name == TOOL)
    more = {"response_format": "full"} if "response_format" in properties else {}
    return [
        {
            "tool_name": TOOL,
            "tool_call_id": item.id,
            "arguments": {"code": _code(item, task), "timeout": TIMEOUT_S, **more},
        }
        for item in items
    ]


def _code(item: Item, task: StructuredRound) -> str:
    """Return the code of a call below a comment that names it, as people see it run."""
    table = " ".join(item.subject.facts.name.split())
    name = text(f"report.step.{item.theme.name}", task.language, table=table)
    return f"# {name}\n{item.theme.code(item.subject, task.language)}"


async def _complete(agenda: Agenda, task: StructuredRound, values: ValueLookup) -> dict[str, Any]:
    report = report_of(agenda, task)
    action: dict[str, Any] = {"type": "complete", "content": written(report, task.language)}
    questions = await recommended(report.findings, agenda.subjects, task.language, values)
    return {**action, "recommended_questions": questions} if questions else action


def report_of(agenda: Agenda, task: StructuredRound) -> Report:
    """Return what the report is written from, once the calls of `agenda` are over."""
    outcomes = measurements(agenda.items, task.rounds)
    found, tests = [], 0
    for outcome in outcomes:
        item, measured = outcome.item, outcome.measured
        if measured is not None:
            found += item.theme.findings(measured, item.id, task.language)
            tests += int(measured["tests"])
    kept = ranked(holding(found, tests), FINDINGS)
    return Report(agenda=agenda, outcomes=tuple(outcomes), findings=tuple(kept), tests=tests)


def _analysis(agenda: Agenda, task: StructuredRound) -> str:
    comma = text("words.comma", task.language)
    tables = comma.join(subject.facts.name for subject in agenda.subjects)
    wanted = comma.join(sorted({name for subject in agenda.subjects for name in subject.wanted}))
    if not tables:
        return text("report.nothing", task.language)
    if wanted:
        return text("report.analysis_wanted", task.language, tables=tables, columns=wanted)
    return text("report.analysis", task.language, tables=tables)


def _plan(agenda: Agenda, task: StructuredRound) -> str:
    comma, language = text("words.comma", task.language), task.language
    rounds = [
        comma.join(dict.fromkeys(text(f"report.theme_{item.theme.name}", language) for item in calls))
        for calls in agenda.rounds
    ]
    return "; ".join(
        f"R{number}: {what}" for number, what in enumerate([*rounds, text("report.theme_report", language)], 1)
    )
