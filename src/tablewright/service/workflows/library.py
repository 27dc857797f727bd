"""What names of workflows stand for: templates, and stored workflows that the caller sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tablewright.domain.scope import Scope
from tablewright.domain.workflow import LoopNode, Node, SubWorkflowNode, Workflow
from tablewright.domain.workflow.stored import Visibility
from tablewright.errors import NotFound
from tablewright.store.workflow_store import WorkflowStore
from tablewright.workflows.assistant import BUILTIN, assistant
from tablewright.workflows.library import template_named
from tablewright.workflows.validate.nesting import MOST_DEEP, named_in

MOST_NAMED = 100
"""How many workflows are looked at below one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A workflow that can be run now; of a stored one, the number of its published version, and who sees it."""

    definition: Workflow
    version: int | None = None
    visibility: Visibility = "public"


class WorkflowLibrary:
    """Finds workflows by their names. No stored workflow can stand in the place of a template."""

    def __init__(self, store: WorkflowStore) -> None:
        self._store = store

    async def find(self, scope: Scope, name: str) -> Found | None:
        """Return the template of that id, or the published version of the workflow that the name stands for."""
        if (template := assistant() if name == BUILTIN else template_named(name)) is not None:
            return Found(definition=template)
        try:
            workflow_id = await self._store.identify(scope, name)
            version = await self._store.version(scope, workflow_id)
            entry = await self._store.entry(scope, workflow_id)
        except NotFound:
            return None
        return Found(definition=version.definition, version=version.number, visibility=entry.visibility)

    async def definition(self, scope: Scope, name: str) -> Workflow | None:
        """Return the definition of what `find` finds."""
        found = await self.find(scope, name)
        return None if found is None else found.definition

    async def below(self, scope: Scope, workflow: Workflow) -> Mapping[str, Found]:
        """Return the workflows that run within one, at any depth, by the names that are used for them."""
        known: dict[str, Found] = {}
        level = [workflow]
        for _ in range(MOST_DEEP):
            names = dict.fromkeys(name for each in level for name in named_in(each) if name not in known)
            level = []
            for name in list(names)[: MOST_NAMED - len(known)]:
                if (found := await self.find(scope, name)) is not None:
                    known[name] = found
                    level.append(found.definition)
            if not level:
                break
        return known


def pinned(workflow: Workflow, known: Mapping[str, Found]) -> Workflow:
    """Return the workflow with the ids of its sub-workflows in the place of other names for them."""
    return replace(workflow, nodes=tuple(_pinned(node, known) for node in workflow.nodes))


def _pinned(node: Node, known: Mapping[str, Found]) -> Node:
    if isinstance(node, LoopNode):
        return replace(node, nodes=tuple(_pinned(each, known) for each in node.nodes))
    if isinstance(node, SubWorkflowNode) and node.workflow in known:
        return replace(node, workflow=known[node.workflow].definition.id)
    return node
