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
    clean: dict[str, int] = {}
    for placed in all_nodes(workflow):
        node = placed.node
        if not isinstance(node, SubWorkflowNode):
            continue
        place = place_of(placed)
        found = workflow if node.workflow == workflow.id else known(node.workflow)
        if found is None:
            yield Fault(code="workflow_unknown", place=f"{place}.workflow", params={"name": node.workflow})
            continue
        if path := _back_to_itself(found, (workflow.id,), known, clean):
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


def named_in(workflow: Workflow) -> tuple[str, ...]:
    """Return the names of the sub-workflows of a workflow, each once."""
    nodes = (placed.node for placed in all_nodes(workflow))
    return tuple(dict.fromkeys(node.workflow for node in nodes if isinstance(node, SubWorkflowNode)))


def _back_to_itself(workflow: Workflow, path: tuple[str, ...], known: Known, clean: dict[str, int]) -> tuple[str, ...]:
    """Return the way from a workflow back to itself or too deep, or nothing.

    `clean` has the greatest depth at which each workflow was looked through and nothing was found.
    """
    here = (*path, workflow.id)
    if workflow.id in path or len(here) > MOST_DEEP:
        return here
    if clean.get(workflow.id, 0) >= len(here):
        return ()
    for name in named_in(workflow):
        inner = known(name)
        if inner is not None and (found := _back_to_itself(inner, here, known, clean)):
            return found
    clean[workflow.id] = len(here)
    return ()
