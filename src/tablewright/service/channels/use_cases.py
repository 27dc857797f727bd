"""The use cases of channels together."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.service.channels.channels import Channels
from tablewright.service.channels.rounds import ChannelRounds
from tablewright.service.channels.undo import ChannelUndo


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelUseCases:
    """The use cases of channels."""

    channels: Channels
    rounds: ChannelRounds
    undo: ChannelUndo
