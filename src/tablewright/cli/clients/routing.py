"""Which workflow takes a message, as chosen and corrected by commands: of this process, and of another service."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol
from urllib.parse import quote

from tablewright.domain.scope import Scope
from tablewright.domain.workflow.stored import SettingsLevel, WorkflowChoices, WorkflowCorrection

if TYPE_CHECKING:
    from tablewright.service.workflow_use_cases import WorkflowUseCases

Chosen = Literal["workflow", "enabled"]
LEVELS: tuple[SettingsLevel, ...] = ("user", "tenant", "system")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingSettings:
    """The choices of each level, and what follows from them: `workflow` is None where nobody answers."""

    levels: Mapping[SettingsLevel, WorkflowChoices]
    enabled: bool
    workflow: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionLine:
    """A correction in a list: not `workflow` but `wanted`; None: no workflow."""

    id: str
    message: str
    workflow: str | None
    wanted: str | None


class RoutingClient(Protocol):
    """Who answers where no workflow fits, the toggle, and what was said of choices."""

    async def settings(self) -> RoutingSettings:
        """Return what is chosen."""
        ...

    async def choose(self, level: SettingsLevel, name: Chosen, *, value: str | bool | None) -> RoutingSettings:
        """Choose one thing of a level; None leaves it open. Raises `Forbidden` or `InvalidInput`."""
        ...

    async def corrections(self) -> tuple[CorrectionLine, ...]:
        """List the corrections of the caller, the oldest first."""
        ...

    async def correct(self, message: str, workflow: str | None, wanted: str | None) -> CorrectionLine:
        """Keep that a message is not for one workflow but for another, or for none. Raises `InvalidInput`."""
        ...

    async def forget(self, correction_id: str) -> None:
        """Take a correction back. Raises `NotFound`."""
        ...


class LocalRouting:
    """Implements `RoutingClient` by calling the use cases directly."""

    def __init__(self, use_cases: Callable[[], WorkflowUseCases], scope: Scope) -> None:
        self._use_cases = use_cases
        self._scope = scope

    async def settings(self) -> RoutingSettings:
        choices = self._use_cases().choices
        found = await choices.settings(self._scope)
        responder = await choices.responder(self._scope)
        return RoutingSettings(
            levels={"user": found.user, "tenant": found.tenant, "system": found.system},
            enabled=await choices.enabled(self._scope),
            workflow=None if responder is None else responder.workflow.id,
        )

    async def choose(self, level: SettingsLevel, name: Chosen, *, value: str | bool | None) -> RoutingSettings:
        standing, chosen = (await self.settings()).levels[level], dict[str, Any]({name: value})
        await self._use_cases().choices.choose(self._scope, {level: replace(standing, **chosen)})
        return await self.settings()

    async def corrections(self) -> tuple[CorrectionLine, ...]:
        return tuple(_line(each) for each in await self._use_cases().corrections.all(self._scope))

    async def correct(self, message: str, workflow: str | None, wanted: str | None) -> CorrectionLine:
        corrections = self._use_cases().corrections
        return _line(await corrections.add(self._scope, message, workflow=workflow, wanted=wanted))

    async def forget(self, correction_id: str) -> None:
        await self._use_cases().corrections.remove(self._scope, correction_id)


class RemoteRouting:
    """Implements `RoutingClient` over the native API; `request` sends one and returns its response's JSON."""

    def __init__(self, request: Callable[..., Awaitable[Any]]) -> None:
        self._request = request

    async def settings(self) -> RoutingSettings:
        return _settings(await self._request("GET", "/workflows/settings"))

    async def choose(self, level: SettingsLevel, name: Chosen, *, value: str | bool | None) -> RoutingSettings:
        field = name if name == "enabled" else "fallback" if level == "user" else "default"
        wanted: dict[str, Any] = {field: value} if level == "user" else {level: {field: value}}
        return _settings(await self._request("PUT", "/workflows/settings", json=wanted))

    async def corrections(self) -> tuple[CorrectionLine, ...]:
        found = await self._request("GET", "/workflows/corrections")
        return tuple(_read(item) for item in found["items"])

    async def correct(self, message: str, workflow: str | None, wanted: str | None) -> CorrectionLine:
        said = {"message": message, "workflow": workflow, "wanted": wanted}
        return _read(await self._request("POST", "/workflows/corrections", json=said))

    async def forget(self, correction_id: str) -> None:
        await self._request("DELETE", f"/workflows/corrections/{quote(correction_id, safe='')}")


def _line(said: WorkflowCorrection) -> CorrectionLine:
    return CorrectionLine(id=said.id, message=said.message, workflow=said.workflow_id, wanted=said.wanted_id)


def _read(item: Mapping[str, Any]) -> CorrectionLine:
    return CorrectionLine(**{name: item[name] for name in ("id", "message", "workflow", "wanted")})


def _settings(told: Mapping[str, Any]) -> RoutingSettings:
    shared: dict[SettingsLevel, WorkflowChoices] = {
        level: WorkflowChoices(enabled=told[level]["enabled"], workflow=told[level]["default"])
        for level in LEVELS
        if level != "user"
    }
    own = WorkflowChoices(enabled=told["enabled"], workflow=told["fallback"])
    effective = told["effective"]
    return RoutingSettings(levels={"user": own, **shared}, enabled=effective["enabled"], workflow=effective["workflow"])
