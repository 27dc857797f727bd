"""Saved plans over HTTP."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field

from tablewright.api.schemas.native import Text, WireModel
from tablewright.domain.plan_file import PlanFile
from tablewright.domain.rounds.plan import PlanStep
from tablewright.domain.rounds.written_plan import canonical

SavedPlan = Annotated[PlanFile, BeforeValidator(canonical, json_schema_input_type=PlanFile)]
VersionNumber = Annotated[int, Field(ge=1, le=10**9)]


class PlanToSave(WireModel):
    """Steps as they were executed, the version that they were made on, and what had been asked for."""

    steps: Annotated[list[PlanStep], Field(min_length=1, max_length=100)]
    version: VersionNumber
    request: Text = ""


class PlanToFit(WireModel):
    """A saved plan."""

    plan: SavedPlan


class PlanToApply(WireModel):
    """A saved plan, and the version of the workbook that it is meant for."""

    plan: SavedPlan
    base_version: VersionNumber


class StepsToDescribe(WireModel):
    """Steps as a person has changed them."""

    steps: Annotated[list[PlanStep], Field(min_length=1, max_length=100)]


class StepSentences(WireModel):
    """One sentence per step."""

    sentences: list[str]


class PlanToPreview(WireModel):
    """Steps of a plan, and how many changed cells are listed of each."""

    steps: Annotated[list[PlanStep], Field(min_length=1, max_length=100)]
    cells: Annotated[int, Field(ge=1, le=200)] = 50
