"""The kinds of agents: what a run of each may use, and whether it survives its process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tablewright.domain.run import Mode, RunLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentKind:
    """What holds for every run of an agent.

    `limits` apply where a question names none. With `takeover`, a run whose process closes or dies is continued by
    another, from its log; otherwise it then ends as `owner_lost`.
    """

    limits: RunLimits = field(default_factory=RunLimits)
    takeover: bool = False


class AgentKinds:
    """The kinds by the names of their agents; `default` is that of all others, and of runs whose agent is chosen later.

    `modes` are those that leave no choice, with the names of their agents.
    """

    def __init__(
        self,
        kinds: Mapping[str, AgentKind] | None = None,
        *,
        modes: Mapping[Mode, str] | None = None,
        default: AgentKind | None = None,
    ) -> None:
        self._kinds = dict(kinds or {})
        self._modes = dict(modes or {})
        self._default = default or AgentKind()

    def of(self, agent: str | None, mode: Mode = "auto") -> AgentKind:
        """Return the kind of an agent, or, where none is named, of the one that a mode stands for."""
        return self._kinds.get(agent or self._modes.get(mode, ""), self._default)
