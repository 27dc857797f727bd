"""A model's choice among the shortlist: the task it is given, and what its answer makes of the decision. Pure."""

from __future__ import annotations

from dataclasses import replace

from tablewright.domain.language import Language
from tablewright.domain.task import ChooseWorkflow, WorkflowFacts
from tablewright.models.lenient_json import read_object
from tablewright.routing.workflows.candidates import RoutingDecision


def choice_task(utterance: str, decision: RoutingDecision, language: Language) -> ChooseWorkflow:
    """Return the task to choose among the shortlist of `decision`."""
    facts = tuple(
        WorkflowFacts(id=one.id, name=one.name, description=one.description, score=one.score)
        for one in decision.shortlist
    )
    return ChooseWorkflow(question=utterance, language=language, candidates=facts, threshold=decision.threshold)


def chosen_by_model(answer: str, decision: RoutingDecision) -> RoutingDecision:
    """Return the decision that `answer` makes of this one; one that cannot be read, or names none of the shortlist,
    changes nothing."""
    read = read_object(answer)
    if read is None or "workflow" not in read:
        return decision
    named = read["workflow"]
    if named is not None and named not in {one.id for one in decision.shortlist}:
        return decision
    return replace(decision, workflow_id=named, reason="model")
