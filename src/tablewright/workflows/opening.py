"""How a run is told which workflow it runs: the first entry of its transcript. It stays on that version for ever."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tablewright.domain.codec import from_python, to_python
from tablewright.domain.message import Message, TextPart
from tablewright.domain.run import Run
from tablewright.domain.workflow import Workflow
from tablewright.errors import WorkflowUnknown

WORKFLOW = "workflow"
"""The name of the agent that runs workflows."""
_FORMAT = "tablewright.workflow/1"


def opening(
    workflow: Workflow, inputs: Mapping[str, Any], *, within: Sequence[str] = (), published: bool = False
) -> Message:
    """Return the entry for a run of `workflow` on `inputs`, part of runs of the workflows `within`, outermost first.

    `published`: somebody has agreed to it as it stands.
    """
    told = {
        "format": _FORMAT,
        "workflow": to_python(Workflow, workflow),
        "inputs": dict(inputs),
        **({"within": list(within)} if within else {}),
        **({"published": True} if published else {}),
    }
    return Message(role="system", parts=(TextPart(text=json.dumps(told, ensure_ascii=False), origin="system"),))


def opened(transcript: Sequence[Message]) -> tuple[Workflow, dict[str, Any]]:
    """Return the workflow and the inputs of a run. Raises `WorkflowUnknown` if it was told of none."""
    try:
        told = json.loads(transcript[0].text)
    except (IndexError, ValueError) as error:
        raise WorkflowUnknown(name="") from error
    if not isinstance(told, dict) or told.get("format") != _FORMAT:
        raise WorkflowUnknown(name="")
    return from_python(Workflow, told["workflow"]), told["inputs"]


def lineage(transcript: Sequence[Message]) -> tuple[str, ...]:
    """Return the ids of the workflows that a run is part of, from the outermost to its own."""
    workflow, _ = opened(transcript)
    return (*json.loads(transcript[0].text).get("within", ()), workflow.id)


def is_published(transcript: Sequence[Message]) -> bool:
    """Return whether the workflow of a run that was told of one was published."""
    return json.loads(transcript[0].text).get("published") is True


def outputs_of(run: Run) -> dict[str, Any]:
    """Return the outputs of a run of a workflow that has ended."""
    return {} if run.answer is None else run.answer.outputs
