"""Who answers where no workflow fits, and whether messages go to workflows at all: the choices and what follows."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from tablewright.domain.scope import LOCAL_TENANT, Scope
from tablewright.domain.workflow import Workflow
from tablewright.domain.workflow.stored import SettingsLevel, WorkflowChoices, WorkflowSettings
from tablewright.errors import Forbidden, InvalidInput
from tablewright.service.workflows.library import WorkflowLibrary
from tablewright.store.workflow_store import WorkflowStore
from tablewright.workflows.assistant import assistant

NONE = "none"
"""In the place of a tenant's or the system's default: there is none, and no level below is asked."""
Level = Literal["user", "tenant", "system", "builtin"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Responder:
    """The workflow that answers where none fits, and the level that chose it."""

    workflow: Workflow
    level: Level


class WorkflowChoosing:
    """The use cases of the settings. They are read from the store each time, so that a change holds at once.

    `enabled` is the setting `workflow.enabled`, which holds where no level says otherwise.
    """

    def __init__(self, store: WorkflowStore, library: WorkflowLibrary, *, enabled: bool = True) -> None:
        self._store = store
        self._library = library
        self._enabled = enabled

    async def settings(self, scope: Scope) -> WorkflowSettings:
        """Return the choices that concern the caller, of each level."""
        return await self._store.settings(scope)

    @staticmethod
    def levels(scope: Scope) -> tuple[SettingsLevel, ...]:
        """Return the levels that the caller may choose for."""
        if not scope.operator:
            return ("user",)
        return ("user", "tenant", "system") if scope.tenant == LOCAL_TENANT else ("user", "tenant")

    async def choose(self, scope: Scope, changes: Mapping[SettingsLevel, WorkflowChoices]) -> None:
        """Replace the choices of levels: all of them, or none where one is refused.

        Those of a tenant are its operators', those of the system the operators' of the installation's own tenant, or
        else this raises `Forbidden`. Raises `InvalidInput` for a workflow that is not there for all whom it concerns.
        """
        for level, choices in changes.items():
            await self._check(scope, level, choices)
        for level, choices in changes.items():
            await self._store.choose(scope, level, choices)

    async def _check(self, scope: Scope, level: SettingsLevel, choices: WorkflowChoices) -> None:
        if level not in self.levels(scope):
            if scope.operator:
                raise Forbidden("workflow_settings_system", name=LOCAL_TENANT)
            raise Forbidden("workflow_settings_operator")
        if choices.workflow is not None and not await self._known(scope, level, choices.workflow):
            field = "fallback" if level == "user" else f"{level}.default"
            raise InvalidInput("workflow_choice_unknown", name=choices.workflow, field=field)

    async def enabled(self, scope: Scope) -> bool:
        """Return whether the caller's messages go to workflows: as the user, the tenant, the system or the setting
        says, the first of them that says anything."""
        found = await self._store.settings(scope)
        said = (level.enabled for level in (found.user, found.tenant, found.system))
        return next((each for each in said if each is not None), self._enabled)

    async def responder(self, scope: Scope, *, without: Collection[str] = ()) -> Responder | None:
        """Return who answers the caller where no workflow fits; None if operators have removed the default.

        It is the user's fallback, the tenant's default, the system's default or the built-in workflow. A choice that is
        not there any more counts as none, and so does one in `without`.
        """
        found = await self._store.settings(scope)
        levels: tuple[tuple[Level, WorkflowChoices], ...] = (
            ("user", found.user),
            ("tenant", found.tenant),
            ("system", found.system),
        )
        for level, choices in levels:
            if choices.workflow is None:
                continue
            if choices.workflow == NONE:
                return None
            workflow = await self._library.definition(scope, choices.workflow)
            if workflow is not None and workflow.id not in without:
                return Responder(workflow=workflow, level=level)
        return Responder(workflow=assistant(), level="builtin")

    async def _known(self, scope: Scope, level: SettingsLevel, name: str) -> bool:
        if name == NONE:
            return level != "user"
        found = await self._library.find(scope, name)
        if found is None:
            return False
        match level:
            case "user":
                return True
            case "tenant":
                return found.visibility == "public"
            case "system":
                return found.version is None  # a template or the built-in one: what is stored belongs to a tenant
