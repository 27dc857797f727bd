"""A wish planned, applied by the real editor, and what the workbook then is."""

from __future__ import annotations

import atexit
import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import openpyxl
from tests.integration.analyst.operating.state import KINDS, Book
from tests.support.workbooks import InlineWorker

from tablewright.analyst.operating import planned
from tablewright.data.files.profiler import profile_file
from tablewright.domain.dataset import DatasetFacts, DistinctValues
from tablewright.domain.language import language_of
from tablewright.domain.operations import AnyOperation
from tablewright.domain.operations.code import WORKBOOK_PATH, RunPython
from tablewright.domain.operations.decoding import decode
from tablewright.domain.rounds.plan import RejectedPlan
from tablewright.domain.table import Cell
from tablewright.domain.task import AskedPair, PlanOperations, TurnFacts
from tablewright.workbook.base import Applied, FrameBlock
from tablewright.workbook.package.editor import PackageEditor

ROOT = Path(__file__).parents[4]
EDITOR = PackageEditor(InlineWorker())
_CODE = """
import contextlib, io, json, sys, pandas as pd
for line in sys.stdin:
    given = json.loads(line)
    names = {"pd": pd, "df": pd.DataFrame(given["rows"], columns=given["columns"])}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(given["code"], names)
    result = names["result"]
    rows = result.astype(object).where(result.notna(), None).values.tolist()
    print(json.dumps({"columns": list(result.columns), "rows": rows}), flush=True)
"""


@dataclass
class Values:
    """The distinct values of profiled tables."""

    known: dict[tuple[str, str], DistinctValues] = field(default_factory=dict)

    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        return self.known.get((profile_ref, column))


@dataclass
class Result:
    """The plan, what was read of it, and the workbook before or after."""

    plan: dict[str, Any]
    book: Path
    problems: list[str] = field(default_factory=list)
    read: list[Cell] = field(default_factory=list)


def facts_of(book: Path) -> tuple[tuple[DatasetFacts, ...], Values]:
    """Profile a workbook as an upload does."""
    values = Values()
    profile = profile_file(book, book.name)
    for dataset in profile.datasets:
        for column, found in dataset.values.items():
            values.known[dataset.facts.profile_ref, column] = found
    return tuple(dataset.facts for dataset in profile.datasets), values


async def plan_of(
    book: Path,
    say: str,
    *,
    history: Sequence[str] = (),
    asked: Sequence[tuple[str, str]] = (),
    rejected: Sequence[RejectedPlan] = (),
) -> dict[str, Any]:
    """Return the plan for a wish."""
    datasets, values = facts_of(book)
    task = PlanOperations(
        question=say,
        language=language_of(say),
        datasets=datasets,
        outline=await EDITOR.outline(book),
        history=tuple(TurnFacts(question=turn, answer="") for turn in history),
        asked=tuple(AskedPair(question=question, answer=answer) for question, answer in asked),
        rejected=tuple(rejected),
    )
    plan: dict[str, Any] = json.loads(await planned(task, values))
    return plan


async def done(book: Path, say: str, **given: Any) -> Result:
    """Plan a wish and apply the plan, step by step."""
    result = Result(plan=await plan_of(book, say, **given), book=book)
    for at, step in enumerate(result.plan["execution_plan"]):
        operation, problems = decode(step["function"], step["parameters"])
        if operation is None:
            result.problems.append(f"{step['function']}: {problems}")
            continue
        if isinstance(operation, RunPython) and operation.target is None:
            result.read += [cell for row in _ran(_given(result.book, operation))["rows"] for cell in row]
            continue
        target = book.with_name(f"{book.stem}-{at}.xlsx")
        applied = await _apply(result.book, target, operation)
        if applied.rolled_back:
            result.problems.append(f"{step['function']}: new errors, such as {applied.new_errors[0]}")
        for outcome in applied.steps:
            if outcome.error is not None:
                result.problems.append(f"{step['function']}: {outcome.error.code} {dict(outcome.error.params)}")
            if outcome.result is not None:
                result.read += [cell for row in outcome.result.rows for cell in row]
        result.book = target if applied.written else result.book
    return result


async def _apply(source: Path, target: Path, operation: AnyOperation) -> Applied:
    if not isinstance(operation, RunPython):
        return await EDITOR.apply(source, target, [operation])
    found = _ran(_given(source, operation))
    frame = FrameBlock(columns=tuple(found["columns"]), rows=tuple(tuple(row) for row in found["rows"]))
    area = operation.target or "A1"
    return await EDITOR.apply_frame(
        source, target, frame, sheet=operation.target_sheet or operation.sheet, at=area.split(":")[0], overwrite=area
    )  # fmt: skip


def faults(result: Result, then: Mapping[str, Any]) -> list[str]:
    """Return what is not as expected."""
    talking = _talking(result, then)
    if talking is not None:
        return talking
    found = [f"failed: {problem}" for problem in result.problems]
    if not result.plan["execution_plan"]:
        return [f"no plan: {result.plan.get('error') or result.plan.get('message') or result.plan}"]
    if "ran" in then:
        ran = [step["function"] for step in result.plan["execution_plan"]]
        return [] if ran == then["ran"] else [f"ran {ran}"]
    if "reads" in then:
        return found + [f"not read: {wanted}" for wanted in then["reads"] if not _among(wanted, result.read)]
    book = Book(result.book)
    for name, expected in then.items():
        got = KINDS[name](book, expected)
        if got is not None:
            found.append(f"{name}: {got}")
    return found


def _talking(result: Result, then: Mapping[str, Any]) -> list[str] | None:
    plan = result.plan
    for name, key in (("talks", "is_conversational"), ("asks", "need_info"), ("declines", "error")):
        if name in then:
            said = plan.get("response") or plan.get("message") or plan.get("error")
            return [] if plan.get(key) and said else [f"not {key}: {plan}"]
    return None


def _among(wanted: Cell, cells: Sequence[Cell]) -> bool:
    if isinstance(wanted, int | float):
        return any(isinstance(cell, int | float) and abs(cell - wanted) < 1e-4 for cell in cells)
    return wanted in cells


def _ran(given: dict[str, Any]) -> dict[str, Any]:
    """Run code on a data frame where user code runs."""
    process = _pandas()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(given) + "\n")
    process.stdin.flush()
    line = process.stdout.readline()
    if not line:
        _pandas.cache_clear()
    assert line, f"failed: {given['code']}"
    found: dict[str, Any] = json.loads(line)
    return found


@cache
def _pandas() -> subprocess.Popen[str]:
    """Start a process that has imported pandas, which is most of what running a few lines takes; an error ends it."""
    python = ROOT / ".venv-sandbox/bin/python"
    process = subprocess.Popen([python, "-c", _CODE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(process.communicate)
    return process


def _given(source: Path, operation: RunPython) -> dict[str, Any]:
    """Return the data frame that code is given, with the code."""
    code = operation.code.replace(WORKBOOK_PATH, str(source))
    if operation.range is None:
        return {"columns": [], "rows": [], "code": code}
    sheet = openpyxl.load_workbook(source, data_only=True)[operation.sheet or ""]
    rows = [[cell.value for cell in row] for row in sheet[operation.range]]
    plain = [[cell if isinstance(cell, str | int | float | None) else str(cell) for cell in row] for row in rows]
    return {"columns": plain[0], "rows": plain[1:], "code": code}
