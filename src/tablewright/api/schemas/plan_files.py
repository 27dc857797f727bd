"""Saved plans over HTTP."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from tablewright.api.schemas.native import Text, Wire
from tablewright.domain.plan_file import PlanFile
from tablewright.domain.rounds import PlanStep

VersionNumber = Annotated[int, Field(ge=1, le=10**9)]


class PlanToSave(Wire):
    """Steps as they were executed, the version that they were made on, and what had been asked for."""

    steps: Annotated[list[PlanStep], Field(min_length=1, max_length=100)]
    version: VersionNumber
    request: Text = ""


class PlanToFit(Wire):
    """A saved plan."""

    plan: PlanFile


class PlanToApply(Wire):
    """A saved plan, and the version of the workbook that it is meant for."""

    plan: PlanFile
    base_version: VersionNumber
