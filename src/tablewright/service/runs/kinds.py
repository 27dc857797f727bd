"""The kinds of agents: what a run of each may use, and whether it survives its process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tablewright.domain.run import RunLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentKind:
    """What holds for every run of an agent.

    `limits` apply where a question names none. With `takeover`, a run whose process closes or dies is continued by
    another, from its log; otherwise it then ends as `owner_lost`.
    """

    limits: RunLimits = field(default_factory=RunLimits)
    takeover: bool = False


class AgentKinds:
    """The kinds by the names of their agents; `default` is that of runs whose agent is chosen later."""

    def __init__(self, kinds: Mapping[str, AgentKind] | None = None, *, default: AgentKind | None = None) -> None:
        self._kinds = dict(kinds or {})
        self._default = default or AgentKind()

    def of(self, agent: str | None) -> AgentKind:
        """Return the kind of an agent."""
        return self._default if agent is None else self._kinds.get(agent, self._default)
