"""Faults of sub-workflows: those that do not exist, and those that come back to themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tablewright.domain.workflow import SubWorkflowNode, Workflow
from tablewright.domain.workflow.definition import all_nodes
from tablewright.workflows.faults import Fault
from tablewright.workflows.validate.shape import place_of

Known = Callable[[str], Workflow | None]
"""Returns a workflow by its name, or None."""
MOST_DEEP = 5


def nesting_faults(workflow: Workflow, known: Known) -> Iterator[Fault]:
    """Yield the faults of the sub-workflows that a workflow names."""
    for placed in all_nodes(workflow):
        node = placed.node
        if not isinstance(node, SubWorkflowNode):
            continue
        place = place_of(placed)
        found = workflow if node.workflow == workflow.id else known(node.workflow)
        if found is None:
            yield Fault(code="workflow_unknown", place=f"{place}.workflow", params={"name": node.workflow})
            continue
        if path := _back_to_itself(found, (workflow.id,), known):
            yield Fault(code="recursion", place=f"{place}.workflow", params={"path": " → ".join(path)})
        yield from _inputs(node, found, place)


def _inputs(node: SubWorkflowNode, found: Workflow, place: str) -> Iterator[Fault]:
    names = {each.name for each in found.inputs}
    for name in node.inputs:
        if name not in names:
            yield Fault(code="input_unknown", place=f"{place}.inputs.{name}", params={"name": name})
    for each in found.inputs:
        if each.required and each.default is None and each.name not in node.inputs:
            yield Fault(code="input_missing", place=f"{place}.inputs", params={"name": each.name})


def _back_to_itself(workflow: Workflow, path: tuple[str, ...], known: Known) -> tuple[str, ...]:
    """Return the way from a workflow back to itself or too deep, or nothing."""
    here = (*path, workflow.id)
    if workflow.id in path or len(here) > MOST_DEEP:
        return here
    for placed in all_nodes(workflow):
        inner = known(placed.node.workflow) if isinstance(placed.node, SubWorkflowNode) else None
        if inner is not None and (found := _back_to_itself(inner, here, known)):
            return found
    return ()
