"""Start runs of workflows."""

from __future__ import annotations

from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.domain.workflow import Workflow
from tablewright.errors import TablewrightError, WorkflowUnknown
from tablewright.service.conversations import Conversations
from tablewright.service.runs.runs import Ask, Runs
from tablewright.service.workflows.launch import Launch
from tablewright.service.workflows.library import WorkflowLibrary
from tablewright.workflows.assistant import QUESTION
from tablewright.workflows.opening import WORKFLOW, opening
from tablewright.workflows.values import files_of, inputs_of


class WorkflowLaunches:
    """Starts runs of templates and of published workflows that the caller sees."""

    def __init__(self, library: WorkflowLibrary, conversations: Conversations, runs: Runs) -> None:
        self._library = library
        self._conversations = conversations
        self._runs = runs

    async def start(self, scope: Scope, name: str, launch: Launch) -> Run:
        """Start a run of the workflow that `name` stands for, on its present version.

        Raises `WorkflowUnknown`, `InputMissing`, and what `Runs.start` raises.
        """
        found = await self._library.find(scope, name)
        if found is None:
            raise WorkflowUnknown(name=name)
        return await self.start_definition(scope, found.definition, launch, published=found.version is not None)

    async def start_definition(
        self, scope: Scope, workflow: Workflow, launch: Launch, *, published: bool = False
    ) -> Run:
        """Start a run of a definition, which must have no faults; `published`: somebody has agreed to it as it is."""
        words = workflow.name or workflow.id
        given = dict(launch.inputs)
        if any(each.name == QUESTION for each in workflow.inputs):
            given.setdefault(QUESTION, launch.text or words)
        inputs = inputs_of(workflow, given, launch.file_ids)
        ask = Ask(
            text=launch.text or words,
            file_ids=files_of(workflow, inputs, launch.file_ids),
            model=launch.model,
            mode="workflow",
            approvals=launch.approvals,
            language=launch.language,
            agent=WORKFLOW,
            workflow_id=workflow.id,
            opening=(opening(workflow, inputs, published=published),),
            instead_of=launch.instead_of,
            run_id=launch.run_id,
            told=launch.told,
        )
        if launch.conversation_id is not None:
            return await self._runs.start(scope, launch.conversation_id, ask)
        made = await self._conversations.create(scope, title=words, language=launch.language or "en")
        try:
            return await self._runs.start(scope, made.id, ask)
        except TablewrightError:
            await self._conversations.delete(scope, made.id)
            raise
