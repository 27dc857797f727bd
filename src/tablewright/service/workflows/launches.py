"""Start runs of workflows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.domain.workflow import Workflow
from tablewright.errors import TablewrightError, WorkflowUnknown
from tablewright.service.conversations import Conversations
from tablewright.service.runs.runs import Ask, Runs
from tablewright.service.workflows.launch import Launch
from tablewright.service.workflows.library import WorkflowLibrary
from tablewright.store.base import FileStore
from tablewright.workflows.assistant import QUESTION
from tablewright.workflows.opening import WORKFLOW, opening
from tablewright.workflows.values import demanded_files, files_of, inputs_of


class WorkflowLaunches:
    """Starts runs of templates and of published workflows that the caller sees."""

    def __init__(self, library: WorkflowLibrary, conversations: Conversations, runs: Runs, files: FileStore) -> None:
        self._library = library
        self._conversations = conversations
        self._runs = runs
        self._files = files

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
        """Start a run of a definition, which must have no faults; `published`: somebody has agreed to it as it is.

        Files that it must be given, and is not, are the newest tables of the conversation. Raises `InputMissing`.
        """
        words = workflow.name or workflow.id
        given = dict(launch.inputs)
        if any(each.name == QUESTION for each in workflow.inputs):
            given.setdefault(QUESTION, launch.text or words)
        files = await self._files_for(scope, workflow, given, launch)
        inputs = inputs_of(workflow, given, files)
        ask = Ask(
            text=launch.text or words,
            file_ids=files_of(workflow, inputs, files),
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

    async def _files_for(
        self, scope: Scope, workflow: Workflow, given: Mapping[str, Any], launch: Launch
    ) -> tuple[str, ...]:
        """Return the files of a launch and, where inputs demand more, as many of the tables uploaded before it.

        Where there are too few, none is taken: nobody could tell which of the inputs it was for.
        """
        named = {str(given[each.name]) for each in workflow.inputs if each.kind == "file" and each.name in given}
        own = [file_id for file_id in dict.fromkeys(launch.file_ids) if file_id not in named]
        lacking = demanded_files(workflow, given) - len(own)
        if lacking <= 0 or launch.conversation_id is None:
            return launch.file_ids
        linked = await self._files.linked(scope, launch.conversation_id)
        tables = [file.id for file in linked if file.kind != "other" and file.run_id is None]
        free = [file_id for file_id in tables if file_id not in named and file_id not in own]
        return launch.file_ids if len(free) < lacking else (*launch.file_ids, *free[-lacking:])
