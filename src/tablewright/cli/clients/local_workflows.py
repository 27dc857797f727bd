"""Stored workflows of the application in the command's own process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tablewright.cli.clients.base import WorkflowDraft, WorkflowLine, WorkflowStart
from tablewright.domain.language import Language
from tablewright.domain.scope import Scope
from tablewright.domain.workflow.stored import Visibility
from tablewright.errors import NotFound
from tablewright.service.workflows.launch import Launch

if TYPE_CHECKING:
    from tablewright.service.workflow_use_cases import WorkflowUseCases
    from tablewright.service.workflows.definitions import WorkflowView

PAGE = 200


class LocalWorkflows:
    """Implements `WorkflowClient` by calling the use cases directly."""

    def __init__(self, use_cases: Callable[[], WorkflowUseCases], scope: Scope) -> None:
        self._use_cases = use_cases
        self._scope = scope

    async def list(self) -> tuple[WorkflowLine, ...]:
        found: list[WorkflowLine] = []
        cursor: str | None = None
        while True:
            page = await self._use_cases().definitions.list(self._scope, limit=PAGE, cursor=cursor)
            found.extend(
                WorkflowLine(
                    id=entry.id,
                    name=entry.name,
                    description=entry.description,
                    visibility=entry.visibility,
                    mine=entry.owner == self._scope.owner,
                    published=entry.published,
                )
                for entry in page.items
            )
            if (cursor := page.next_cursor) is None:
                return tuple(found)

    async def file(self, name: str) -> dict[str, Any]:
        return await self._use_cases().definitions.file(self._scope, name)

    async def check(self, definition: Mapping[str, Any], language: Language) -> tuple[str, ...]:
        faults = await self._use_cases().definitions.check(self._scope, definition)
        return tuple(fault.words(language) for fault in faults)

    async def keep(self, definition: Mapping[str, Any], language: Language, *, public: bool) -> WorkflowDraft:
        definitions, name = self._use_cases().definitions, definition.get("id")
        visibility: Visibility | None = "public" if public else None
        try:
            kept = await definitions.save(
                self._scope, str(name or ""), definition=definition, visibility=visibility, language=language
            )
        except NotFound:
            kept = await definitions.create(self._scope, definition, visibility=visibility or "private")
        return _draft(kept, language)

    async def draft(self, conversation_id: str, name: str, language: Language, *, public: bool) -> WorkflowDraft:
        visibility: Visibility = "public" if public else "private"
        drafts = self._use_cases().drafts
        return _draft(await drafts.make(self._scope, conversation_id, name=name, visibility=visibility), language)

    async def withdraw(self, name: str) -> None:
        await self._use_cases().definitions.withdraw(self._scope, name)

    async def publish(self, name: str, language: Language) -> int:
        return (await self._use_cases().definitions.publish(self._scope, name, language=language)).number

    async def run(self, name: str, start: WorkflowStart) -> str:
        launch = Launch(
            inputs=start.inputs,
            conversation_id=start.conversation_id,
            file_ids=start.file_ids,
            language=start.language,
            model=start.model,
            approvals=start.approvals,
        )
        return (await self._use_cases().launches.start(self._scope, name, launch)).id


def _draft(kept: WorkflowView, language: Language) -> WorkflowDraft:
    faults = tuple(fault.words(language) for fault in kept.faults)
    about = str(kept.definition.get("description") or "")
    return WorkflowDraft(id=kept.entry.id, revision=kept.revision or 1, faults=faults, about=about)
