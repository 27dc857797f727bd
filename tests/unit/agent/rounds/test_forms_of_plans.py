"""The forms in which a plan may be written: every face reads them all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tablewright.api.schemas.excel import ExcelRequest
from tablewright.api.schemas.plan_files import PlanToFit
from tablewright.cli.plan_files import read_plan
from tablewright.cli.plan_review import edited
from tablewright.domain.rounds.confirmation import edited_steps
from tablewright.domain.rounds.plan import PlanStep

SORT = {"sheet": "S", "by": [{"column": "a"}]}
CHART = {"data_range": "A1:B4", "chart_title": "T"}
STEPS = (
    PlanStep(step=1, function="sort_rows", parameters=SORT, description="Sort"),
    PlanStep(step=2, function="create_bar_chart", parameters=CHART),
)
FORMS: list[Any] = [
    {"execution_plan": [
        {"step": 1, "function": "sort_rows", "parameters": SORT, "description": "Sort"},
        {"step": 2, "function": "create_bar_chart", "parameters": CHART},
    ]},
    {"executionPlan": [
        {"functionName": "sort_rows", "params": SORT, "description": "Sort"},
        {"function_name": "create_bar_chart", "arguments": CHART},
    ]},
    {"steps": [
        {"step": 1, "function": "sort_rows", "parameters": SORT, "description": "Sort", "retries": None},
        {"step": 2, "function": "create_bar_chart", "parameters": CHART, "description": ""},
    ]},
    {"plan": [{"function": "sort_rows", "parameters": SORT, "description": "Sort"},
              {"function": "create_bar_chart", "parameters": CHART}]},
]  # fmt: skip


@pytest.mark.parametrize("form", [*FORMS, *(next(iter(form.values())) for form in FORMS)])
def test_every_face_reads_every_form_as_the_same_steps(form: Any, tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    file.write_text(json.dumps(form), encoding="utf-8")
    whole = form if isinstance(form, dict) else {"steps": form}
    request = ExcelRequest.model_validate({"operation": "x", "editedPlan": form})
    assert request.edited_plan is not None
    excel = {"execution_plan": [step.model_dump() for step in request.edited_plan.execution_plan]}
    fit = PlanToFit.model_validate({"plan": {"sheets": [], **whole}})
    read = {
        "native": edited_steps(whole),
        "excel": edited_steps(excel),
        "saved": read_plan(file).steps,
        "fit": fit.plan.steps,
        "terminal": edited_steps(edited(STEPS, lambda _: json.dumps(form))),
    }
    assert read == dict.fromkeys(read, STEPS)
