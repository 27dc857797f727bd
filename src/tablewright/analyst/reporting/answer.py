"""The analyst's part in structured rounds: which calls come next, and in the last round the report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tablewright.analyst.base import Understanding
from tablewright.analyst.reporting import tables
from tablewright.analyst.reporting.agenda import Agenda, Item, agenda_of
from tablewright.analyst.reporting.asked import Asked, answered, asked_of, code
from tablewright.analyst.reporting.figures import figures_of
from tablewright.analyst.reporting.finding import holding, ranked
from tablewright.analyst.reporting.outcomes import Report, measurements, printed_by
from tablewright.analyst.reporting.questions import CALL, Candidate, candidates, offered, trial
from tablewright.analyst.reporting.report import written
from tablewright.data.base import ValueLookup
from tablewright.domain.structured import MAX_CALLS
from tablewright.domain.task import StructuredRound
from tablewright.texts.catalogue import text

TOOL = "run_python"
FINDINGS = 8
TIMEOUT_S = 120


async def structured_round(
    task: StructuredRound, values: ValueLookup, understanding: Understanding | None = None
) -> str:
    """Return the answer of this round as JSON; `understanding` is what the task's question is read as."""
    agenda = agenda_of(task) if any(tool.name == TOOL for tool in task.tools) else Agenda(rounds=(), subjects=())
    answer = {
        "task_analysis": _analysis(agenda, task),
        "execution_plan": _plan(agenda, task),
        "current_round": task.round,
        "action": await _action(agenda, understanding, task, values),
    }
    return json.dumps(answer, ensure_ascii=False)


async def _action(
    agenda: Agenda, understanding: Understanding | None, task: StructuredRound, values: ValueLookup
) -> dict[str, Any]:
    """Return the measuring calls, in the first round with those that compute what was asked, then the trial of the
    questions to recommend if there is a round left for it, and then the report."""
    place, left = len(task.rounds), task.round < task.max_rounds
    if place < len(agenda.rounds) and left:
        calls = [_call(item.id, _code(item, task), task) for item in agenda.rounds[place]]
        if place == 0:
            asked = await asked_of(task, understanding, values)
            calls += [_question(one, task) for one in asked[: MAX_CALLS - len(calls)]]
        return {"type": "tool_call", "content": calls}
    report = report_of(agenda, task)
    wanted = await candidates(report.findings, agenda.subjects, task.language, values, task.relations)
    if place == len(agenda.rounds) and left and _looked(report):
        calls = [_call(CALL, _trial(wanted, agenda, task), task)] if wanted else []
        if any(finding.table is not None for finding in report.findings):
            calls.append(_call(tables.CALL, _workbook(report, task), task))
        if calls:
            return {"type": "tool_call", "content": calls}
    answer = answered(await asked_of(task, understanding, values), task)
    action: dict[str, Any] = {"type": "complete", "content": written(report, task.language, answer)}
    if questions := offered(wanted, printed_by(CALL, task.rounds), task.language):
        action["recommended_questions"] = questions
    if file := (printed_by(tables.CALL, task.rounds) or {}).get("file"):
        action["download_links"] = [file]
    return action


def _looked(report: Report) -> bool:
    """Whether any call worked: where none did, another would not either."""
    return any(outcome.measured is not None for outcome in report.outcomes)


def _call(call_id: str, code: str, task: StructuredRound) -> dict[str, Any]:
    properties = next(tool.parameters.get("properties", {}) for tool in task.tools if tool.name == TOOL)
    more = {"response_format": "full"} if "response_format" in properties else {}
    return {
        "tool_name": TOOL,
        "tool_call_id": call_id,
        "arguments": {"code": code, "timeout": TIMEOUT_S, **more},
    }


def _question(asked: Asked, task: StructuredRound) -> dict[str, Any]:
    name = text("report.step.question", task.language)
    return _call(asked.id, f"# {name}\n{code(asked, task.datasets, task.language)}", task)


def _workbook(report: Report, task: StructuredRound) -> str:
    name = text("report.step.tables", task.language)
    return f"# {name}\n{tables.workbook_code(report.findings, task.language)}"


def _trial(wanted: Sequence[Candidate], agenda: Agenda, task: StructuredRound) -> str:
    name = text("report.step.questions", task.language)
    datasets = [table for subject in agenda.subjects for table in subject.material.tables]
    return f"# {name}\n{trial(wanted, datasets, task.language)}"


def _code(item: Item, task: StructuredRound) -> str:
    """Return the code of a call below a comment that names it, as people see it run."""
    table = " ".join(item.subject.facts.name.split())
    name = text(f"report.step.{item.theme.name}", task.language, table=table)
    return f"# {name}\n{item.theme.code(item.subject, task.language)}"


def report_of(agenda: Agenda, task: StructuredRound) -> Report:
    """Return what the report is written from, once the calls of `agenda` are over."""
    outcomes = measurements(agenda.items, task.rounds)
    found, tests = [], 0
    for outcome in outcomes:
        item, measured = outcome.item, outcome.measured
        if measured is not None:
            found += item.theme.findings(measured, item.id, task.language, figures_of(item.subject.facts))
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
    if rounds and len(rounds) < task.max_rounds - 1:
        rounds.append(text("report.theme_questions", language))
    return "; ".join(
        f"R{number}: {what}" for number, what in enumerate([*rounds, text("report.theme_report", language)], 1)
    )
