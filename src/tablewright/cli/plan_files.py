"""Reads and writes saved plans as local files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from tablewright.cli.exits import WrongUse
from tablewright.domain.codec import from_python, to_python
from tablewright.domain.plan_file import PlanFile
from tablewright.domain.rounds.plan import PlanStep
from tablewright.domain.rounds.round import Round
from tablewright.domain.rounds.written_plan import canonical
from tablewright.errors import PlanFileInvalid

FORMAT = 1


def executed_steps(rounds: Sequence[Round]) -> tuple[PlanStep, ...]:
    """Return the completed steps in order, renumbered from 1; rounds that were rolled back are left out.

    A step that was retried counts once.
    """
    if any(executed.rolled_back for executed in rounds):
        rounds = [executed for executed in rounds if not executed.rolled_back]
    done = [result.step for executed in rounds for result in executed.steps if result.status == "completed"]
    return tuple(
        PlanStep(step=number, function=step.function, parameters=step.parameters, description=step.description)
        for number, step in enumerate(done, 1)
    )


def free_for_plan(name: str | None) -> Path | None:
    """Return the path for saving a plan, or None without a name. Raises `WrongUse` if the file exists."""
    if name is None:
        return None
    path = Path(name)
    if path.exists():
        raise WrongUse("cli_out_exists", name=name)
    return path


def write_plan(path: Path, plan: PlanFile) -> Path:
    """Write a plan as indented JSON and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as file:
        json.dump(to_python(PlanFile, plan), file, ensure_ascii=False, indent=2)
        file.write("\n")
    return path


def read_plan(path: Path) -> PlanFile:
    """Read a saved plan, or the bare steps of one, which fit any workbook. Raises `PlanFileInvalid`."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise PlanFileInvalid("plan_file_not_json", name=path.name, line=error.lineno) from error
    except UnicodeDecodeError as error:
        raise PlanFileInvalid("plan_file_not_json", name=path.name, line=1) from error
    plan = canonical(content)
    content = {"sheets": [], **plan} if isinstance(plan, dict) and plan.get("steps") else content
    given = content.get("format") if isinstance(content, dict) else None
    if given is not None and given != FORMAT:
        raise PlanFileInvalid("plan_file_format", name=path.name, format=str(given))
    try:
        return from_python(PlanFile, content)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"]) or "format"
        raise PlanFileInvalid("plan_file_wrong", name=path.name, where=where) from error
