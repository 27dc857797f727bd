"""The templates: workflows that come with Tablewright and run as they are."""

from __future__ import annotations

from functools import cache
from importlib import resources

from tablewright.domain.workflow import Workflow
from tablewright.workflows.definition import read

FOLDER = "templates"


@cache
def templates() -> dict[str, Workflow]:
    """Return the templates by their ids, in alphabetical order."""
    folder = resources.files("tablewright.workflows").joinpath(FOLDER)
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".json")), key=lambda file: file.name)
    found = [read(file.read_bytes()) for file in files]
    return {workflow.id: workflow for workflow in found}


def template_named(name: str) -> Workflow | None:
    """Return the template of that id, or None."""
    return templates().get(name)
