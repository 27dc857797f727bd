"""Make a draft of a workflow from a conversation."""

from __future__ import annotations

import re

from tablewright.domain.conversation import Conversation
from tablewright.domain.scope import Scope
from tablewright.domain.workflow.stored import Visibility
from tablewright.errors import ConversationUnusable, NotFound, RunInProgress
from tablewright.service.workflow_drafts.definition import DraftDefinition, DraftNames
from tablewright.service.workflow_drafts.record import ConversationWork
from tablewright.service.workflows.definitions import WorkflowDefinitions, WorkflowView
from tablewright.store.base import Store
from tablewright.workflows.definition import as_values

ID_CHARS = 40


class WorkflowDrafts:
    """The use case. A conversation of another owner raises `NotFound`."""

    def __init__(self, store: Store, work: ConversationWork, definitions: WorkflowDefinitions) -> None:
        self._store = store
        self._work = work
        self._definitions = definitions

    async def make(
        self, scope: Scope, conversation_id: str, *, name: str = "", visibility: Visibility = "private"
    ) -> WorkflowView:
        """Keep a draft that does again what was done in a conversation, on other files of the same form.

        The id of a run stands for its conversation. The description says what is left out. Raises `RunInProgress`
        while a run goes on or waits there, and `ConversationUnusable` where nothing was done that can be done again.
        """
        conversation = await self._conversation(scope, conversation_id)
        conversation_id = conversation.id
        if (live := await self._store.runs.live(scope, conversation_id)) is not None:
            raise RunInProgress(run_id=live.id)
        record = await self._work.of(scope, conversation_id)
        if not record.work:
            if record.omitted:
                raise ConversationUnusable("workflow_draft_left_out", id=conversation_id, count=len(record.omitted))
            raise ConversationUnusable("workflow_draft_nothing", id=conversation_id)
        title = name.strip() or conversation.title
        names = DraftNames(id=_id(title, conversation_id), name=title)
        workflow = DraftDefinition(record, conversation.language).workflow(names)
        return await self._definitions.create(scope, as_values(workflow), visibility=visibility)

    async def _conversation(self, scope: Scope, own_id: str) -> Conversation:
        try:
            return await self._store.conversations.get(scope, own_id)
        except NotFound as unknown:
            try:
                run = await self._store.runs.get(scope, own_id)
            except NotFound:
                raise unknown from None
        return await self._store.conversations.get(scope, run.conversation_id)


def _id(title: str, conversation_id: str) -> str:
    """Return what the definition calls itself: the name in plain letters, if it has any."""
    plain = re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")[:ID_CHARS]
    return plain if re.match(r"[a-z]", plain) else f"workflow_{conversation_id.replace('-', '')[-12:]}"
