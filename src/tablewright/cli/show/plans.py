"""Renders plans and their outcomes as lines for a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from tablewright.cli.show.clean import one_line
from tablewright.domain.cells import CellChange, SheetChanges
from tablewright.domain.language import Language
from tablewright.domain.notice import Notice
from tablewright.domain.rounds.plan import OperationPlan, PlanStep
from tablewright.domain.rounds.round import Round
from tablewright.domain.table import Cell
from tablewright.texts.catalogue import text
from tablewright.texts.errors import error_text

CELLS = 40
LONGEST = 60
STYLES = {"completed": "green", "failed": "red"}


def notice_line(notice: Notice, language: Language) -> str:
    """Return a notice as one line of text."""
    return one_line(error_text(notice.code, language, notice.params))


def plan_lines(steps: Sequence[PlanStep], problems: Sequence[Sequence[Notice]], language: Language) -> Iterator[Text]:
    """Yield the lines of a plan: its steps, their functions and parameters, and known problems."""
    yield Text(text("cli_plan_one" if len(steps) == 1 else "cli_plan", language, count=len(steps)), style="bold")
    for index, step in enumerate(steps):
        yield Text(f"  {index + 1}. {one_line(step.description) or step.function}")
        yield Text(f"     {step.function} {_parameters(step.parameters)}".rstrip(), style="dim")
        for problem in problems[index] if index < len(problems) else ():
            yield Text(f"     ! {notice_line(problem, language)}", style="yellow")


def proposed_lines(plan: OperationPlan, language: Language) -> Iterator[Text]:
    """Yield the lines of a plan proposed in a run."""
    return plan_lines(plan.steps, plan.problems, language)


def round_lines(executed: Round, language: Language) -> Iterator[Text]:
    """Yield the lines of a round: what was done per step, why steps failed, and warnings."""
    for number, result in enumerate(executed.steps, 1):
        name = one_line(result.step.description) or result.step.function
        cells = text("cli_cells_changed", language, count=result.cells_changed) if result.cells_changed else ""
        mark = "✓" if result.status == "completed" else "✗"
        yield Text(f"  {mark} {number}. {name}{f' · {cells}' if cells else ''}", style=STYLES[result.status])
        for notice in (*((result.error,) if result.error else ()), *result.notes):
            yield Text(f"     {notice_line(notice, language)}")
    if executed.rolled_back:
        yield Text(text("cli_rolled_back", language), style="red")
    for warning in executed.warnings:
        yield Text(f"! {notice_line(warning, language)}", style="yellow")


def change_lines(changes: Iterable[SheetChanges], language: Language, *, most: int = CELLS) -> Iterator[Text]:
    """Yield the lines of changed cells, `before → after`, at most `most` per sheet."""
    for sheet in changes:
        yield Text(f"{one_line(sheet.sheet)} · {sheet.range}", style="bold")
        width = max((len(change.ref) for change in sheet.cells[:most]), default=0)
        for change in sheet.cells[:most]:
            yield _change_line(change, width, language)
        if not sheet.cells:
            yield Text("  " + text("cli_look_changed", language), style="dim")
        elif (hidden := len(sheet.cells) - most) > 0 or sheet.truncated:
            code = "cli_cells_hidden" if not sheet.truncated else "cli_cells_more"
            yield Text("  " + text(code, language, count=hidden), style="dim")


def _change_line(change: CellChange, width: int, language: Language) -> Text:
    line = Text(f"  {change.ref:<{width}}  ")
    line.append(_cell(change.before, language), style="red")
    line.append(" → ")
    line.append(_cell(change.after, language), style="green")
    return line


def _cell(value: Cell, language: Language) -> str:
    if value is None or value == "":
        return text("cli_cell_empty", language)
    shown = one_line(str(value))
    return shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…"


def _parameters(parameters: Mapping[str, Any]) -> str:
    """Return the parameters in short form: `range=B2:B10 color=FFFF00`."""
    return " ".join(f"{name}={_short(value)}" for name, value in parameters.items() if value is not None)


def _short(value: Any) -> str:
    shown = value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False, default=str)
    shown = one_line(shown)
    return shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…"
